//! Fetches the entries that the cancel step left, by reading their files again.

use std::collections::BTreeSet;

use rayon::slice::ParallelSliceMut;

use crate::domain::entry::{Entry, EntrySink, Place, Reject, Status};
use crate::frames::{RowPlace, SideFrame};
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
    /// Fetches them from the files that were paired, and from what the self-test planted; `read` is
    /// everything that was read of either side.
    pub(super) fn fetch(
        plans: &[SidePlan<'_>; 2],
        paired: [&[(u16, Held)]; 2],
        read: &[SideFrame; 2],
        cancelled: &Cancelled,
        planted: &Planted,
    ) -> anyhow::Result<Self> {
        let suspected: Vec<_> = cancelled.suspected.groups().flatten().copied().collect();
        let [ours, theirs] = std::thread::scope(|scope| {
            let theirs = Wanted::new(&plans[1], &cancelled.left_theirs, &[]);
            let theirs = scope.spawn(move || theirs.fetch(paired[1], planted));
            let ours = Wanted::new(&plans[0], &cancelled.left_ours, &suspected);
            let ours = ours.fetch(paired[0], planted)?;
            let theirs = theirs.join().map_err(|_| anyhow::anyhow!("a reader panicked"))??;
            anyhow::Ok([ours, theirs])
        })?;
        let among = |places: &[RowPlace], it: &Entry<'_>| places.binary_search(&place(it)).is_ok();
        let is_left = |it: &Entry<'_>| among(&cancelled.left_ours, it);
        let suspected: BTreeSet<_> = suspected.into_iter().collect();
        let unplanted = |it: &&Entry<'static>| it.place.file != self_test::FILE;
        let suspects: Vec<_> = (ours.iter().filter(unplanted))
            .filter(|it| suspected.contains(&place(it)))
            .cloned()
            .collect();
        let twins = suspects.iter().filter(|it| !is_left(it)).cloned().collect();
        let ours = ours.into_iter().filter(is_left).collect();
        let sides = Sides { ours, theirs };
        check_money(&sides.ours, &read[0], cancelled)?;
        check_money(&sides.theirs, &read[1], cancelled)?;
        Ok(Self { sides, suspects, twins })
    }
}

/// That what was fetched is, as money, what was read less what agrees.
fn check_money(
    fetched: &[Entry<'static>],
    read: &SideFrame,
    cancelled: &Cancelled,
) -> anyhow::Result<()> {
    let unplanted = fetched.iter().filter(|it| it.place.file != self_test::FILE);
    let fetched: i128 = unplanted.map(|it| i128::from(it.amount.minor())).sum();
    let agreed: i128 = cancelled.totals.iter().map(|it| it.minor).sum();
    let read_in: i128 = read.totals().iter().map(|it| it.minor).sum();
    let side = read.side();
    anyhow::ensure!(
        fetched == read_in - agreed,
        "{side}: other amounts were found again than were read; a file changed while it was read"
    );
    Ok(())
}

/// The booked entries of a side that are to be fetched.
struct Wanted<'a> {
    plan: &'a SidePlan<'a>,
    /// Where they were read, sorted.
    places: Vec<RowPlace>,
    /// The first of them that no record before the one at hand has.
    next: usize,
    entries: Vec<Entry<'static>>,
}

impl<'a> Wanted<'a> {
    /// Those at any of some places.
    fn new(plan: &'a SidePlan<'a>, some: &[RowPlace], more: &[RowPlace]) -> Self {
        let mut places = [some, more].concat();
        places.sort_unstable();
        places.dedup();
        Self { plan, places, next: 0, entries: Vec::new() }
    }

    /// Reads them from their files, in canonical order; what the self-test planted is in none.
    fn fetch(
        mut self,
        files: &[(u16, Held)],
        planted: &Planted,
    ) -> anyhow::Result<Vec<Entry<'static>>> {
        for (index, held) in files {
            if !self.any_from((*index, 0, 0), |it| it.0 == *index) {
                continue;
            }
            let mut input = held.open()?;
            let plan = self.plan;
            sources::read(&mut *input, &plan.context(*index), &mut self)?;
        }
        let side = self.plan.side;
        planted.entries(side).for_each(|it| self.entry(it));
        let (found, wanted) = (self.entries.len(), self.places.len());
        anyhow::ensure!(
            found == wanted,
            "{side}: {found} of {wanted} entries were found again; a file changed while it was read"
        );
        self.entries.par_sort_by(canonical);
        Ok(self.entries)
    }

    /// Whether the first place wanted from one on is as asked.
    fn any_from(&self, from: RowPlace, is: impl FnOnce(&RowPlace) -> bool) -> bool {
        let at = self.places.partition_point(|it| *it < from);
        self.places.get(at).is_some_and(is)
    }
}

impl EntrySink for Wanted<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        let at = place(entry);
        if entry.status == Status::Booked && self.any_from(at, |it| *it == at) {
            self.entries.push(entry.clone().into_owned());
        }
    }

    fn reject(&mut self, _: Reject) {}

    /// Readers go through a file from its first record to its last, and so does this.
    fn wants(&mut self, place: Place) -> bool {
        let record = (place.file, place.record);
        let before = |it: &RowPlace| (it.0, it.1) < record;
        let passed = self.places[self.next..].iter().take_while(|it| before(it)).count();
        self.next += passed;
        self.places.get(self.next).is_some_and(|it| (it.0, it.1) == record)
    }
}

fn place(entry: &Entry<'_>) -> RowPlace {
    (entry.place.file, entry.place.record, entry.place.part)
}
