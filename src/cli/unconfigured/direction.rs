//! Whether one side tells its money the other way round.

use std::collections::BTreeMap;

use crate::domain::{
    entry::{Entry, Status},
    key::NaturalKey,
    run::RunResult,
};

/// Of how many pairs of equal keys the two sides differ in direction, and how many there are.
/// Entries that only share a key count too: a kind may follow from the direction, so that entries
/// told the other way round do not even pair.
pub(super) fn turned(result: &RunResult) -> (u64, u64) {
    let theirs: BTreeMap<_, _> = result
        .discrepancies
        .iter()
        .flat_map(|it| booked(&it.theirs))
        .flat_map(|entry| keys(entry).map(|key| (key, entry.amount.is_outflow())))
        .collect();
    let (mut turned, mut pairs) = (0, result.agreed.values().sum());
    for entry in result.discrepancies.iter().flat_map(|it| booked(&it.ours)) {
        if let Some(other) = keys(entry).find_map(|key| theirs.get(key)) {
            pairs += 1;
            turned += u64::from(entry.amount.is_outflow() != *other);
        }
    }
    (turned, pairs)
}

fn booked<'r>(entries: &'r [Entry<'static>]) -> impl Iterator<Item = &'r Entry<'static>> {
    entries.iter().filter(|it| it.status == Status::Booked)
}

/// The keys that name one operation.
fn keys<'r>(entry: &'r Entry<'static>) -> impl Iterator<Item = &'r NaturalKey<'static>> {
    entry.keys.iter().filter(|it| !it.scheme.is_group())
}
