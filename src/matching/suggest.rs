//! Rules without a key, and the nearest candidate of an entry left over.

use std::collections::BTreeMap;

use crate::config::{Accept, Rule, RuleField};
use crate::domain::{entry::Entry, side::Side};
use crate::matching::{
    explain::{Explained, Paired, Sides},
    rule_key::{RuleKey, field_text, rule_key},
};

/// The rule that almost paired an entry, the criterion that failed, and the candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The rule, by its position.
    pub rule: usize,
    /// What failed, as half a sentence.
    pub failed: String,
    /// The candidate on the other side.
    pub candidate: usize,
}

/// Pairs entries left over by confirmed rules without a key, where each is the other's only
/// candidate in the date window.
pub(super) fn pair_by_amount(sides: &Sides, rules: &[Rule], explained: &mut Explained) {
    for (at, rule) in rules.iter().enumerate() {
        if rule.is_keyed() || rule.accept != Accept::Confirmed {
            continue;
        }
        for (ours, theirs) in unique_pairs(sides, rule, explained) {
            explained.take(&[ours], &[theirs]);
            explained.paired.push(Paired {
                rule: at,
                ours: vec![ours],
                theirs: vec![theirs],
                repairs: Vec::new(),
            });
        }
    }
}

/// For entries still left over, what almost paired them: a suggested rule that found exactly one
/// candidate, else the first keyed rule whose key alone differs from a unique equal amount.
pub(super) fn suggest(sides: &Sides, rules: &[Rule], explained: &mut Explained) {
    for (at, rule) in rules.iter().enumerate() {
        if rule.accept != Accept::Suggested {
            continue;
        }
        for (ours, theirs) in unique_pairs(sides, rule, explained) {
            let failed = || format!("rule `{}` only suggests; a person confirms", rule.name);
            note(explained, at, ours, theirs, &failed());
        }
    }
    let Some((at, rule)) = rules.iter().enumerate().find(|(_, rule)| rule.is_keyed()) else {
        return;
    };
    let amounts = Rule { on: vec![RuleField::Amount, RuleField::Currency], ..rule.clone() };
    for (ours, theirs) in unique_pairs(sides, &amounts, explained) {
        let failed = key_failure(&sides.ours[ours], &sides.theirs[theirs], rule);
        note(explained, at, ours, theirs, &failed);
    }
}

fn note(explained: &mut Explained, rule: usize, ours: usize, theirs: usize, failed: &str) {
    let suggestion = |candidate| Suggestion { rule, failed: failed.to_owned(), candidate };
    explained.suggestions.entry((Side::Ours, ours)).or_insert_with(|| suggestion(theirs));
    explained.suggestions.entry((Side::Theirs, theirs)).or_insert_with(|| suggestion(ours));
}

fn key_failure(ours: &Entry<'_>, theirs: &Entry<'_>, rule: &Rule) -> String {
    for field in &rule.on {
        let (one, other) = (field_text(ours, *field), field_text(theirs, *field));
        if one.is_none() || one != other {
            let shown = |it: Option<_>| it.map_or("absent".to_owned(), |it| format!("`{it}`"));
            let (one, other) = (shown(one), shown(other));
            return format!("{}: ours {one}, theirs {other}", field.name());
        }
    }
    "several entries share the key".to_owned()
}

/// Pairs of entries left over that share a rule's fields within its window, each the other's only
/// candidate.
fn unique_pairs(sides: &Sides, rule: &Rule, explained: &Explained) -> Vec<(usize, usize)> {
    let window = i64::from(rule.date_window_days);
    let mut theirs_by_key: BTreeMap<RuleKey<'_>, Vec<usize>> = BTreeMap::new();
    let mut ours_by_key: BTreeMap<RuleKey<'_>, Vec<usize>> = BTreeMap::new();
    for at in &explained.left_theirs {
        if let Some(key) = rule_key(&sides.theirs[*at], rule) {
            theirs_by_key.entry(key).or_default().push(*at);
        }
    }
    for at in &explained.left_ours {
        if let Some(key) = rule_key(&sides.ours[*at], rule) {
            ours_by_key.entry(key).or_default().push(*at);
        }
    }
    let near = |ours: usize, theirs: usize| {
        let apart = sides.ours[ours].booking_date - sides.theirs[theirs].booking_date;
        apart.num_days().abs() <= window
    };
    let mut pairs = Vec::new();
    for (key, ours) in &ours_by_key {
        let Some(theirs) = theirs_by_key.get(key) else { continue };
        for one in ours {
            let [only] = within(theirs, |it| near(*one, it))[..] else { continue };
            if within(ours, |it| near(it, only)) == [*one] {
                pairs.push((*one, only));
            }
        }
    }
    pairs
}

/// The first two positions that fulfil a condition, in a list ordered by booking date; two are
/// enough to know that none is the only one.
fn within(all: &[usize], condition: impl Fn(usize) -> bool) -> Vec<usize> {
    all.iter().copied().filter(|it| condition(*it)).take(2).collect()
}
