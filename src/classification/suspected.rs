//! Suspected repeats: equal entries of ours close in time, without evidence that they are one.

use std::collections::BTreeMap;

use crate::classification::Terms;
use crate::domain::{entry::Entry, repair::fold_party, run::SuspectedRepeat};

/// Groups of our entries with one account, party and amount whose event times follow each other
/// within the repeat window. A blank party never groups; without a declared window, or without
/// event times, nothing is suspected.
pub fn suspected_repeats(ours: &[Entry<'static>], terms: &Terms<'_>) -> Vec<SuspectedRepeat> {
    let Some(window) = terms.repeat_seconds else { return Vec::new() };
    let mut groups: BTreeMap<_, Vec<&Entry<'static>>> = BTreeMap::new();
    for entry in ours.iter().filter(|it| it.event_at.is_some()) {
        let party = fold_party(&entry.party);
        if !party.is_empty() {
            let slot = (entry.account.clone(), party, entry.amount);
            groups.entry(slot).or_default().push(entry);
        }
    }
    let mut suspected = Vec::new();
    for ((account, _, amount), mut entries) in groups {
        entries.sort_by_key(|it| (it.event_at, it.place));
        let near = |one: &Entry<'static>, other: &Entry<'static>| {
            let times = one.event_at.zip(other.event_at);
            times.is_some_and(|(one, other)| (other - one).num_seconds() <= window)
        };
        for run in entries.chunk_by(|one, other| near(one, other)) {
            if run.len() > 1 {
                suspected.push(SuspectedRepeat {
                    account: account.clone().into_owned(),
                    party: run[0].party.clone().into_owned(),
                    amount,
                    entries: run.iter().map(|it| (*it).clone()).collect(),
                });
            }
        }
    }
    suspected
}
