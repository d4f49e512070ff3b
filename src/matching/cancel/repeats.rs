//! Our entries that may be one operation posted twice: equal money, party and account, close in
//! time.

use crate::frames::{CommonBooks, RowPlace, Rows, SideFrame, index, row_number};
use crate::matching::cancel::names::Hashes;

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

/// The rows of those groups.
#[derive(Debug, Default)]
pub(super) struct Alike {
    rows: Vec<u32>,
    ends: Vec<u32>,
    /// The group of each row, sorted by row.
    group_of: Vec<(u32, u32)>,
}

impl Alike {
    /// The groups of our side within a window of seconds. Only entries that state their time and
    /// a party are ever in one.
    pub(super) fn of(ours: &SideFrame, books: &CommonBooks, window: i64) -> Self {
        let rows = ours.rows();
        let mixed = |row: usize| Candidate::of(rows, books, row).map(|it| it.mix());
        let mut several = Hashes::default();
        for hash in repeated((0..rows.len()).filter_map(mixed).collect()) {
            several.insert(hash);
        }
        let mut candidates: Vec<_> = (0..rows.len())
            .filter_map(|row| Candidate::of(rows, books, row))
            .filter(|it| several.contains(it.mix()))
            .collect();
        candidates.sort_unstable();
        let mut alike = Self::default();
        for group in candidates.chunk_by(|one, next| one.is_close(next, window)) {
            if group.len() > 1 {
                let number = row_number(alike.ends.len());
                alike.rows.extend(group.iter().map(|it| it.row));
                alike.group_of.extend(group.iter().map(|it| (it.row, number)));
                alike.ends.push(row_number(alike.rows.len()));
            }
        }
        alike.group_of.sort_unstable();
        alike
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        pieces(&self.rows, &self.ends)
    }

    /// The number and rows of the group that a row is in.
    pub(super) fn group_of(&self, row: usize) -> Option<(usize, &[u32])> {
        let at = self.group_of.binary_search_by_key(&row_number(row), |it| it.0).ok()?;
        let group = index(self.group_of[at].1);
        let begin = group.checked_sub(1).map_or(0, |it| index(self.ends[it]));
        Some((group, &self.rows[begin..index(self.ends[group])]))
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The groups by the places of their entries.
    pub(super) fn places(&self, ours: &SideFrame) -> SuspectedRows {
        let place = |row: &u32| ours.place(index(*row));
        let mut groups: Vec<Vec<_>> =
            self.groups().map(|it| it.iter().map(place).collect()).collect();
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
    row: u32,
}

impl Candidate {
    fn of(rows: &Rows, books: &CommonBooks, row: usize) -> Option<Self> {
        let (party, event) = (rows.party.get(row), rows.event.get(row));
        let (account, currency) = books.code(0, rows.book[row]);
        let (amount, row) = (rows.amount[row], row_number(row));
        let stated = party != 0 && event != 0;
        stated.then_some(Self { party, account, currency, amount, event, row })
    }

    fn is_close(&self, next: &Self, window: i64) -> bool {
        let alike = |it: &Self| (it.party, it.account, it.currency, it.amount);
        let window = window.unsigned_abs().saturating_add(1).saturating_mul(1000);
        alike(self) == alike(next) && next.event.abs_diff(self.event) <= window
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
    values.sort_unstable();
    let several = values.chunk_by(|one, other| one == other).filter(|it| it.len() > 1);
    several.map(|it| it[0]).collect()
}
