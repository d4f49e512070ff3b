//! Cancelling, written down as it is defined: entries, maps and loops, no hashes and no engine.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{Accept, Rule, RuleField};
use crate::domain::{
    entry::{Entry, Kind, Status},
    key::IntentKey,
    repair::{between, fold, fold_party},
};
use crate::frames::{RowPlace, SELF_TEST_FILE};

/// The repeat window of all tests, in seconds.
pub(super) const WINDOW: i64 = 900;

/// What is left of both sides, and how many pairs each rule removed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) left: [BTreeSet<RowPlace>; 2],
    pub(super) agreed: BTreeMap<String, u64>,
}

pub(super) fn place(entry: &Entry<'_>) -> RowPlace {
    (entry.place.file, entry.place.record, entry.place.part)
}

pub(super) fn answer(all: [&[Entry<'static>]; 2], rules: &[Rule]) -> Answer {
    let of = |booked: bool| {
        let wanted = move |it: &&Entry<'_>| (it.status == Status::Booked) == booked;
        all.map(|it| it.iter().filter(wanted).cloned().collect::<Vec<_>>())
    };
    let ([ours, theirs], evidence) = (of(true), of(false).concat());
    let sides = [&ours[..], &theirs[..]];
    let mut pairs = paired(sides, rules);
    pairs.retain(|pair| {
        let two = [&ours[pair.rows[0]], &theirs[pair.rows[1]]];
        !evidence
            .iter()
            .any(|it| two.iter().any(|of| share(it, of, rules) || names_it(it, of, rules)))
    });
    close(sides, rules, &mut pairs);
    let twins = twins(&ours, &pairs);
    pairs.retain(|pair| !twins.contains(&pair.rows[0]));
    close(sides, rules, &mut pairs);
    let mut agreed = BTreeMap::new();
    for pair in pairs.iter().filter(|it| !planted(&ours[it.rows[0]])) {
        *agreed.entry(rules[pair.rule].name.clone()).or_default() += 1;
    }
    let left = left(sides, &pairs);
    let places = |side: usize| left[side].iter().map(|row| place(&sides[side][*row])).collect();
    Answer { left: [places(0), places(1)], agreed }
}

/// The rows of each side that are in no pair.
fn left(sides: [&[Entry<'static>]; 2], pairs: &[Pair]) -> [BTreeSet<usize>; 2] {
    [0, 1].map(|side| {
        let gone: BTreeSet<_> = pairs.iter().map(|it| it.rows[side]).collect();
        (0..sides[side].len()).filter(|row| !gone.contains(row)).collect()
    })
}

/// Brings back, until nothing more comes.
fn close(sides: [&[Entry<'static>]; 2], rules: &[Rule], pairs: &mut Vec<Pair>) {
    loop {
        let (before, left) = (pairs.len(), left(sides, pairs));
        pairs.retain(|pair| !comes_back(sides, rules, &left, pair));
        if pairs.len() == before {
            return;
        }
    }
}

/// For each entry of ours that is left, the two removed entries next before it and the two next
/// after it that it may repeat.
fn twins(ours: &[Entry<'static>], pairs: &[Pair]) -> BTreeSet<usize> {
    let gone: BTreeSet<usize> = pairs.iter().map(|it| it.rows[0]).collect();
    let mut twins = BTreeSet::new();
    for (row, it) in ours.iter().enumerate().filter(|(row, _)| !gone.contains(row)) {
        let moment = |row: usize| (ours[row].event_at, place(&ours[row]));
        let near = gone.iter().copied().filter(|twin| may_repeat(it, &ours[*twin]));
        let mut near: Vec<usize> = near.collect();
        near.sort_by_key(|twin| moment(*twin));
        let (before, after): (Vec<usize>, Vec<usize>) =
            near.into_iter().partition(|twin| moment(*twin) < moment(row));
        twins.extend(before.iter().rev().take(2).chain(after.iter().take(2)));
    }
    twins
}

fn may_repeat(one: &Entry<'_>, other: &Entry<'_>) -> bool {
    let party = fold_party(&one.party);
    let times = one.event_at.zip(other.event_at);
    !party.is_empty()
        && party == fold_party(&other.party)
        && one.account.trim() == other.account.trim()
        && one.amount == other.amount
        && one.compared_kind() == other.compared_kind()
        && times.is_some_and(|(one, other)| (one - other).num_seconds().abs() <= WINDOW)
}

struct Pair {
    rows: [usize; 2],
    rule: usize,
}

fn paired(sides: [&[Entry<'static>]; 2], rules: &[Rule]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut out = [BTreeSet::new(), BTreeSet::new()];
    for (at, rule) in rules.iter().enumerate() {
        if !rule.is_keyed() || rule.accept == Accept::Suggested {
            continue;
        }
        let mut groups: BTreeMap<Vec<String>, [Vec<usize>; 2]> = BTreeMap::new();
        for side in [0, 1] {
            for (row, entry) in sides[side].iter().enumerate() {
                let of_many = rule.group && entry.group_size.is_some_and(|it| it != 1);
                let waits = !out[side].contains(&row) && !of_many;
                if let Some(key) = key(rule, entry).filter(|_| waits) {
                    groups.entry(key).or_default()[side].push(row);
                }
            }
        }
        for [ours, theirs] in groups.into_values() {
            match (ours.as_slice(), theirs.as_slice()) {
                ([one], [other]) => {
                    if agree(&sides[0][*one], &sides[1][*other], rule) {
                        pairs.push(Pair { rows: [*one, *other], rule: at });
                    }
                    out[0].insert(*one);
                    out[1].insert(*other);
                }
                ([_], []) | ([], [_]) => {}
                _ if rule.group => {}
                _ => {
                    out[0].extend(ours);
                    out[1].extend(theirs);
                }
            }
        }
    }
    pairs
}

fn key(rule: &Rule, entry: &Entry<'_>) -> Option<Vec<String>> {
    let filled = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    let part = |field: &RuleField| match field {
        RuleField::Key(scheme) => entry.key(*scheme).map(str::to_owned),
        RuleField::Intent => entry.intent.as_deref().and_then(filled),
        RuleField::Amount => Some(entry.amount.to_decimal().normalize().to_string()),
        RuleField::Currency => Some(entry.amount.currency().code().to_owned()),
        RuleField::Account => filled(&entry.account),
        RuleField::Party => filled(&fold_party(&entry.party)),
    };
    rule.on.iter().map(part).collect()
}

fn agree(one: &Entry<'_>, other: &Entry<'_>, rule: &Rule) -> bool {
    let same_if_stated = |a: String, b: String| a.is_empty() || b.is_empty() || a == b;
    let period = |it: &Entry<'_>| it.period.as_deref().unwrap_or("").trim().to_owned();
    let fee = |it: &Entry<'_>| it.fee.map_or(String::new(), |fee| format!("{fee:?}"));
    let days = (one.booking_date - other.booking_date).num_days().abs();
    one.amount == other.amount
        && one.compared_kind() == other.compared_kind()
        && same_if_stated(one.account.trim().to_owned(), other.account.trim().to_owned())
        && same_if_stated(fold_party(&one.party), fold_party(&other.party))
        && same_if_stated(fee(one), fee(other))
        && same_if_stated(period(one), period(other))
        && days <= i64::from(rule.date_window_days)
}

fn comes_back(
    sides: [&[Entry<'static>]; 2],
    rules: &[Rule],
    left: &[BTreeSet<usize>; 2],
    pair: &Pair,
) -> bool {
    let two = [&sides[0][pair.rows[0]], &sides[1][pair.rows[1]]];
    let everybody = || sides.into_iter().flatten();
    let left_entries =
        || [0, 1].into_iter().flat_map(|it| left[it].iter().map(move |row| &sides[it][*row]));
    let intent_again = |it: &Entry<'_>| {
        let intent = it.intent.as_deref().filter(|it| !it.trim().is_empty());
        let same = |other: &&Entry<'_>| {
            other.intent.as_deref().filter(|it| !it.trim().is_empty()).map(fold) == intent.map(fold)
        };
        intent.is_some() && sides[0].iter().filter(same).count() > 1
    };
    planted(two[0]) != planted(two[1])
        || two.iter().any(|it| {
            takes_back(it)
                || has_two_keys_of_a_scheme(it, rules)
                || intent_again(it)
                || left_entries().any(|other| share(it, other, rules))
                || everybody().any(|other| names_it(other, it, rules))
        })
}

fn planted(entry: &Entry<'_>) -> bool {
    entry.place.file == SELF_TEST_FILE
}

fn takes_back(entry: &Entry<'_>) -> bool {
    matches!(entry.kind, Kind::Correction | Kind::Reversal) || !named(entry).is_empty()
}

/// The texts of what an entry says to take back.
fn named(entry: &Entry<'_>) -> Vec<String> {
    let corrected =
        entry.intent.as_deref().and_then(IntentKey::stated).and_then(|it| it.corrected());
    let reverses = entry.reverses.as_deref().map(str::trim).filter(|it| !it.is_empty());
    corrected
        .map(|it| it.as_str().to_owned())
        .into_iter()
        .chain(reverses.map(str::to_owned))
        .collect()
}

/// The names of an entry that rules join by, and its intent.
fn names(entry: &Entry<'_>, rules: &[Rule]) -> Vec<(RuleField, String)> {
    let used = |field: &RuleField| rules.iter().any(|rule| rule.on.contains(field));
    let keys = entry.keys.iter().map(|it| (RuleField::Key(it.scheme), it.text.to_string()));
    let intent = entry.intent.as_deref().map(str::trim).filter(|it| !it.is_empty());
    keys.filter(|(field, _)| used(field))
        .chain(intent.map(|it| (RuleField::Intent, it.to_owned())))
        .collect()
}

/// Whether one entry says to take the other back.
fn names_it(one: &Entry<'_>, other: &Entry<'_>, rules: &[Rule]) -> bool {
    let own = names(other, rules);
    named(one).iter().any(|text| own.iter().any(|(field, it)| same(*field, it, text, rules)))
}

fn has_two_keys_of_a_scheme(entry: &Entry<'_>, rules: &[Rule]) -> bool {
    let fields: Vec<_> = names(entry, rules).into_iter().map(|it| it.0).collect();
    fields.iter().collect::<BTreeSet<_>>().len() < fields.len()
}

fn share(one: &Entry<'_>, other: &Entry<'_>, rules: &[Rule]) -> bool {
    names(one, rules).iter().any(|(field, text)| {
        names(other, rules).iter().any(|(of, it)| of == field && same(*field, text, it, rules))
    })
}

/// Equal, exactly or after a named repair; a name that no rule joins by is never cut.
fn same(field: RuleField, one: &str, other: &str, rules: &[Rule]) -> bool {
    let joins = rules.iter().any(|rule| rule.on.contains(&field));
    fold(one) == fold(other) || (joins && between(one, other).is_some())
}
