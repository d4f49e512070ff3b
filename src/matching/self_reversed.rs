//! Self-reversed: a correction with its target on our own side, summing to zero (DESIGN §6).

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{
    entry::{Entry, Kind},
    key::IntentKey,
};

/// Groups of positions, each a correction or reversal and the entry it took back. A target is named
/// by the correction's own key (`<intent>:compensate`) or by a stated `reverses`; it must be of the
/// same account and currency and of the opposite amount. Of several such targets the latest goes,
/// for that is the surplus one.
pub fn self_reversed(ours: &[Entry<'_>]) -> Vec<Vec<usize>> {
    let named = by_name(ours);
    let mut taken = BTreeSet::new();
    let mut groups = Vec::new();
    for (at, correction) in ours.iter().enumerate() {
        let Some(name) = target_name(correction) else { continue };
        let candidates = named.get(name.as_str()).map_or(&[][..], Vec::as_slice);
        let target = candidates.iter().rev().copied().find(|target| {
            *target != at && !taken.contains(target) && takes_back(correction, &ours[*target])
        });
        if let Some(target) = target
            && !taken.contains(&at)
        {
            taken.extend([at, target]);
            groups.push(vec![target, at]);
        }
    }
    groups
}

/// The intent or key text that a correction names as its target.
pub fn target_name(entry: &Entry<'_>) -> Option<String> {
    let stated = entry.reverses.as_deref().map(str::trim).filter(|it| !it.is_empty());
    if let Some(stated) = stated {
        return Some(stated.to_owned());
    }
    if entry.kind != Kind::Correction {
        return None;
    }
    let own = IntentKey::stated(entry.intent.as_deref()?)?;
    own.corrected().map(|it| it.as_str().to_owned())
}

fn by_name<'a>(ours: &'a [Entry<'_>]) -> BTreeMap<&'a str, Vec<usize>> {
    let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, entry) in ours.iter().enumerate() {
        let keys = entry.keys.iter().map(|it| it.text.as_ref());
        let all: BTreeSet<&str> = keys.chain(entry.intent.as_deref()).collect();
        for name in all {
            named.entry(name).or_default().push(at);
        }
    }
    named
}

fn takes_back(correction: &Entry<'_>, target: &Entry<'_>) -> bool {
    let same_account = correction.account == target.account
        || correction.account.is_empty()
        || target.account.is_empty();
    same_account && correction.amount.checked_neg() == Some(target.amount)
}
