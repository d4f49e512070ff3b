//! Fetches the entries that the cancel step left, by reading their files again.

use std::collections::BTreeSet;

use crate::{
    domain::entry::{Entry, EntrySink, Reject},
    frames::RowPlace,
    pipeline::intake::SidePlan,
    sources,
    store::Held,
};

/// The booked entries at some places, with all their texts.
pub fn fetch(
    plan: &SidePlan<'_>,
    files: &[(u16, Held)],
    wanted: &BTreeSet<RowPlace>,
) -> anyhow::Result<Vec<Entry<'static>>> {
    let mut kept = Kept { wanted, entries: Vec::new() };
    for (index, held) in files {
        if wanted.range((*index, 0, 0)..=(*index, u32::MAX, u16::MAX)).next().is_none() {
            continue;
        }
        let mut input = held.open()?;
        sources::read(&mut *input, &plan.context(*index), &mut kept)?;
    }
    let found = kept.entries.len();
    anyhow::ensure!(
        found == wanted.len(),
        "{}: {found} of {} entries were found again; a file changed while it was read",
        plan.side,
        wanted.len()
    );
    Ok(kept.entries)
}

struct Kept<'a> {
    wanted: &'a BTreeSet<RowPlace>,
    entries: Vec<Entry<'static>>,
}

impl EntrySink for Kept<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        let place = entry.place;
        let booked = entry.status == crate::domain::entry::Status::Booked;
        if booked && self.wanted.contains(&(place.file, place.record, place.part)) {
            self.entries.push(entry.clone().into_owned());
        }
    }

    fn reject(&mut self, _: Reject) {}
}
