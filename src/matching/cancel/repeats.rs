//! Our entries that may be one operation posted twice: equal money, party and account, close in
//! time.

use std::collections::{BTreeMap, BTreeSet};

use rayon::slice::ParallelSliceMut;

use crate::frames::{CommonBooks, RowPlace, SideFrame, index, row_number};
use crate::matching::cancel::{names::Hashes, pairs::Pairs};

/// Groups of our entries that are equal in account, party, amount and currency, each within the
/// repeat window, or a second more, of the one before it. Who fetches the entries applies the
/// window exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SuspectedRows {
    places: Vec<RowPlace>,
    ends: Vec<u32>,
}

impl SuspectedRows {
    /// The groups, sorted; the places of each are sorted too.
    pub fn groups(&self) -> impl Iterator<Item = &[RowPlace]> {
        pieces(&self.places, &self.ends)
    }

    /// How many groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// The entries of those groups, each group in order of time.
#[derive(Debug, Default)]
pub(super) struct Alike {
    entries: Vec<Candidate>,
    ends: Vec<u32>,
    window: i64,
}

impl Alike {
    /// The groups of our side within a window of seconds. Only entries that state their time and
    /// a party are ever in one.
    pub(super) fn of(ours: &SideFrame, books: &CommonBooks, window: i64) -> Self {
        let candidates = || (0..ours.len()).filter_map(|row| Candidate::of(ours, books, row));
        let mut several = Hashes::default();
        for hash in repeated(candidates().map(|it| it.mix()).collect()) {
            several.insert(hash);
        }
        let mut candidates: Vec<_> = candidates().filter(|it| several.contains(it.mix())).collect();
        candidates.sort_unstable();
        let mut alike = Self { window, ..Self::default() };
        let close =
            |one: &Candidate, next: &Candidate| one.is_alike(next) && one.is_within(next, window);
        for group in candidates.chunk_by(close).filter(|it| it.len() > 1) {
            alike.entries.extend(group);
            alike.ends.push(row_number(alike.entries.len()));
        }
        alike
    }

    /// Removed rows that may be the original of a repeat among what is left: of the same kind and
    /// within the window of it. Where there are more than one, nobody can tell which it was, so
    /// two before it and two after it are enough.
    pub(super) fn twins(&self, ours: &SideFrame, pairs: &Pairs) -> BTreeSet<usize> {
        let mut twins = BTreeSet::new();
        for group in pieces(&self.entries, &self.ends) {
            self.add_twins(group.iter(), ours, pairs, &mut twins);
            self.add_twins(group.iter().rev(), ours, pairs, &mut twins);
        }
        twins
    }

    /// Walks through a group in one direction and adds the last two removed rows before each that
    /// is left.
    fn add_twins<'a>(
        &self,
        group: impl Iterator<Item = &'a Candidate>,
        ours: &SideFrame,
        pairs: &Pairs,
        twins: &mut BTreeSet<usize>,
    ) {
        let mut last: BTreeMap<u8, [Option<&Candidate>; 2]> = BTreeMap::new();
        for it in group {
            let row = index(it.row);
            let last = last.entry(ours.rows().row(row).kind).or_default();
            if pairs.is_paired(0, row) {
                *last = [Some(it), last[0]];
            } else {
                let near = last.iter().flatten().filter(|twin| twin.is_within(it, self.window));
                twins.extend(near.map(|twin| index(twin.row)));
            }
        }
    }

    /// The groups by the places of their entries.
    pub(super) fn places(&self) -> SuspectedRows {
        let mut groups: Vec<Vec<_>> = pieces(&self.entries, &self.ends)
            .map(|it| it.iter().map(|it| it.place).collect())
            .collect();
        for group in &mut groups {
            group.sort_unstable();
        }
        groups.sort_unstable();
        let mut suspected = SuspectedRows::default();
        for group in groups {
            suspected.places.extend(group);
            suspected.ends.push(row_number(suspected.places.len()));
        }
        suspected
    }
}

/// The pieces of a list that end at these places.
fn pieces<'a, T>(list: &'a [T], ends: &'a [u32]) -> impl Iterator<Item = &'a [T]> {
    let begins = [0].into_iter().chain(ends.iter().copied());
    begins.zip(ends).map(|(begin, end)| &list[index(begin)..index(*end)])
}

/// An entry that may equal another, sorted so that equal ones follow each other in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    party: u64,
    account: u32,
    currency: u32,
    amount: i64,
    /// Milliseconds since 1970.
    event: i64,
    place: RowPlace,
    row: u32,
}

impl Candidate {
    fn of(ours: &SideFrame, books: &CommonBooks, row: usize) -> Option<Self> {
        let rows = ours.rows();
        let (at, event) = (rows.row(row), rows.event.get(row));
        let (account, currency) = books.code(0, at.book);
        let (amount, party) = (at.amount, at.party);
        let (place, row) = (ours.place(row), row_number(row));
        let stated = party != 0 && event != 0;
        stated.then_some(Self { party, account, currency, amount, event, place, row })
    }

    fn is_alike(&self, other: &Self) -> bool {
        let alike = |it: &Self| (it.party, it.account, it.currency, it.amount);
        alike(self) == alike(other)
    }

    fn is_within(&self, other: &Self, window: i64) -> bool {
        let window = window.unsigned_abs().saturating_add(1).saturating_mul(1000);
        other.event.abs_diff(self.event) <= window
    }

    /// What is alike, spread over 64 bits, so that few unequal entries meet; those that do are
    /// told apart afterwards.
    fn mix(&self) -> u64 {
        let book = u64::from(self.account) << 32 | u64::from(self.currency);
        let spread = |it: u64| it.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        spread(spread(self.party ^ self.amount.cast_unsigned()) ^ book)
    }
}

/// The values that occur more than once, each once, in ascending order.
pub(super) fn repeated(mut values: Vec<u64>) -> Vec<u64> {
    values.par_sort_unstable();
    let several = values.chunk_by(|one, other| one == other).filter(|it| it.len() > 1);
    several.map(|it| it[0]).collect()
}
