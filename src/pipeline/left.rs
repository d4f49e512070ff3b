//! Fetches the entries that the cancel step left, by reading their files again.

use std::collections::BTreeSet;

use crate::domain::entry::{Entry, EntrySink, Reject, Status};
use crate::frames::RowPlace;
use crate::matching::{cancel::Cancelled, explain::Sides, order::canonical};
use crate::pipeline::{
    intake::SidePlan,
    self_test::{self, Planted},
};
use crate::sources;
use crate::store::Held;

/// Entries with all their texts.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// What the cancel step left, each side in canonical order.
    pub(super) sides: Sides,
    /// Our entries that may be one operation posted twice.
    pub(super) suspects: Vec<Entry<'static>>,
    /// Those of them that agree: twins of what is left.
    pub(super) twins: Vec<Entry<'static>>,
}

impl Left {
    /// Fetches them from the files that were paired, and from what the self-test planted.
    pub(super) fn fetch(
        plans: &[SidePlan<'_>; 2],
        paired: [&[(u16, Held)]; 2],
        cancelled: &Cancelled,
        planted: &Planted,
    ) -> anyhow::Result<Self> {
        let left_ours: BTreeSet<_> = cancelled.left_ours.iter().copied().collect();
        let left_theirs: BTreeSet<_> = cancelled.left_theirs.iter().copied().collect();
        let suspected: BTreeSet<_> = cancelled.suspected.groups().flatten().copied().collect();
        let wanted: BTreeSet<_> = left_ours.union(&suspected).copied().collect();
        let ours = fetch(&plans[0], paired[0], &wanted, planted)?;
        let theirs = fetch(&plans[1], paired[1], &left_theirs, planted)?;
        let real = |it: &&Entry<'static>| it.place.file != self_test::FILE;
        let of = |places: &BTreeSet<RowPlace>| -> Vec<Entry<'static>> {
            ours.iter().filter(|it| places.contains(&place(it))).cloned().collect()
        };
        let suspects: Vec<_> = of(&suspected).iter().filter(real).cloned().collect();
        let settled = |it: &&Entry<'static>| !left_ours.contains(&place(it));
        let twins = suspects.iter().filter(settled).cloned().collect();
        let mut sides = Sides { ours: of(&left_ours), theirs };
        sides.ours.sort_by(canonical);
        sides.theirs.sort_by(canonical);
        Ok(Self { sides, suspects, twins })
    }
}

/// The booked entries at some places.
fn fetch(
    plan: &SidePlan<'_>,
    files: &[(u16, Held)],
    wanted: &BTreeSet<RowPlace>,
    planted: &Planted,
) -> anyhow::Result<Vec<Entry<'static>>> {
    let mut kept = Kept { wanted, entries: Vec::new() };
    for (index, held) in files {
        if wanted.range((*index, 0, 0)..=(*index, u32::MAX, u16::MAX)).next().is_none() {
            continue;
        }
        let mut input = held.open()?;
        sources::read(&mut *input, &plan.context(*index), &mut kept)?;
    }
    planted.entries(plan.side).for_each(|it| kept.entry(it));
    let (found, side) = (kept.entries.len(), plan.side);
    anyhow::ensure!(
        found == wanted.len(),
        "{side}: {found} of {} entries were found again; a file changed while it was read",
        wanted.len()
    );
    Ok(kept.entries)
}

fn place(entry: &Entry<'_>) -> RowPlace {
    (entry.place.file, entry.place.record, entry.place.part)
}

/// Keeps booked entries at the places wanted.
struct Kept<'a> {
    wanted: &'a BTreeSet<RowPlace>,
    entries: Vec<Entry<'static>>,
}

impl EntrySink for Kept<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        if entry.status == Status::Booked && self.wanted.contains(&place(entry)) {
            self.entries.push(entry.clone().into_owned());
        }
    }

    fn reject(&mut self, _: Reject) {}
}
