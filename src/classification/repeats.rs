//! Repeats: one operation booked more than once, and how it came about (DESIGN §7).

use std::collections::{BTreeMap, BTreeSet};

use crate::classification::Terms;
use crate::config::Rule;
use crate::domain::{
    entry::{Entry, Kind},
    money::Money,
    reason::Cause,
    repair::fold_party,
};
use crate::matching::{
    explain::{Explained, Sides},
    rule_key::{RuleKey, rule_key},
};

/// Under which names a second booking is a repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// Names that may be booked once: the intent, and keys declared single-use.
    Once,
    /// Every key that a rule pairs by and that names one operation.
    Keyed,
}

/// A rule, or the intent, with the text of the name.
type Name<'e> = (Option<usize>, RuleKey<'e>);

impl Naming {
    fn names<'e>(self, entry: &'e Entry<'_>, rules: &[Rule]) -> Vec<Name<'e>> {
        let counts = |rule: &Rule| match self {
            Self::Once => rule.single_use,
            Self::Keyed => rule.is_keyed() && !rule.group,
        };
        let intent = match self {
            Self::Once => entry.intent.as_deref().map(|it| (None, vec![it.into()])),
            Self::Keyed => None,
        };
        let keyed = rules.iter().enumerate().filter(|(_, rule)| counts(rule));
        let keys = keyed.filter_map(|(at, rule)| Some((Some(at), rule_key(entry, rule)?)));
        intent.into_iter().chain(keys).collect()
    }
}

/// The bookings of one side by name, kind, direction, amount and currency.
pub(super) struct Bookings<'a> {
    entries: &'a [Entry<'static>],
    rules: &'a [Rule],
    naming: Naming,
    booked: BTreeMap<(Name<'a>, Kind, Money), Vec<usize>>,
    /// How many bookings of a name and amount were reversed or returned: each makes room for
    /// another booking that is no repeat.
    reversed: BTreeMap<(Name<'a>, Money), usize>,
}

impl<'a> Bookings<'a> {
    pub(super) fn of(entries: &'a [Entry<'static>], rules: &'a [Rule], naming: Naming) -> Self {
        let mut booked: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let mut reversed = BTreeMap::new();
        for (at, entry) in entries.iter().enumerate() {
            let back = matches!(entry.compared_kind(), Kind::Reversal | Kind::Return);
            for name in naming.names(entry, rules) {
                if let Some(amount) = entry.amount.checked_neg().filter(|_| back) {
                    *reversed.entry((name.clone(), amount)).or_insert(0) += 1;
                }
                booked.entry((name, entry.compared_kind(), entry.amount)).or_default().push(at);
            }
        }
        Self { entries, rules, naming, booked, reversed }
    }

    /// The booking that an entry left over repeats: the first of its name that found its place,
    /// or, where none did, the first at all. `None` where what came before was reversed.
    pub(super) fn original(&self, at: usize, left: &BTreeSet<usize>) -> Option<usize> {
        let entry = &self.entries[at];
        self.naming.names(entry, self.rules).into_iter().find_map(|name| {
            let room = self.reversed.get(&(name.clone(), entry.amount)).copied().unwrap_or(0);
            let all = self.booked.get(&(name, entry.compared_kind(), entry.amount))?;
            let settled = || all.iter().copied().filter(|it| !left.contains(it));
            let earlier = all.iter().filter(|it| left.contains(it) && **it < at).count();
            if settled().count() + earlier <= room {
                return None;
            }
            let first = settled().next().or(all.first().copied());
            first.filter(|it| *it != at)
        })
    }
}

/// Pairs beyond the first of one intent, or of one single-use key: the books agree, and somebody
/// paid twice. By position of the pair, with the cause.
pub(super) fn executed_twice(
    sides: &Sides,
    explained: &Explained,
    rules: &[Rule],
) -> BTreeMap<usize, Cause> {
    let bookings = Bookings::of(&sides.ours, rules, Naming::Once);
    let mut pair_of = BTreeMap::new();
    for (at, paired) in explained.paired.iter().enumerate() {
        if let ([ours], [_]) = (&paired.ours[..], &paired.theirs[..]) {
            pair_of.insert(*ours, at);
        }
    }
    let mut repeated = BTreeMap::new();
    for ((name, _, amount), positions) in &bookings.booked {
        let room = bookings.reversed.get(&(name.clone(), *amount)).copied().unwrap_or(0);
        let pairs: Vec<_> = positions.iter().filter(|it| pair_of.contains_key(it)).collect();
        let Some(first) = pairs.first() else { continue };
        for ours in pairs.iter().skip(1 + room) {
            let cause = cause_of_same_name(&sides.ours[**first], &sides.ours[**ours]);
            repeated.entry(pair_of[*ours]).or_insert(cause);
        }
    }
    repeated
}

/// The cause of a repeat under the same name; without event times the evidence does not tell.
pub(super) fn cause_of_same_name(original: &Entry<'_>, repeat: &Entry<'_>) -> Cause {
    let same_intent = original.intent.is_some() && original.intent == repeat.intent;
    if same_intent && original.event_at.is_some() && repeat.event_at.is_some() {
        return Cause::RetrySameIntent;
    }
    Cause::Undetermined
}

/// Our settled entry that an entry left over repeats under a new key: the only one of the same
/// account, party, kind and amount inside the declared repeat window, both with event times.
pub(super) fn twin<'e>(
    repeat: &Entry<'_>,
    settled: impl Iterator<Item = &'e Entry<'static>>,
    terms: &Terms<'_>,
) -> Option<&'e Entry<'static>> {
    let window = terms.repeat_seconds?;
    let at = repeat.event_at?;
    let party = fold_party(&repeat.party);
    if party.is_empty() {
        return None;
    }
    let mut near = settled.filter(|it| {
        it.amount == repeat.amount
            && it.compared_kind() == repeat.compared_kind()
            && it.account == repeat.account
            && fold_party(&it.party) == party
            && it.event_at.is_some_and(|it| (at - it).num_seconds().abs() <= window)
    });
    let first = near.next()?;
    near.next().is_none().then_some(first)
}
