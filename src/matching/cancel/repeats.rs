//! Our entries that may be one operation posted twice: equal money, party and account, close in
//! time.

use crate::frames::{CommonBooks, RowPlace, Rows, SideFrame, index, row_number};
use crate::matching::cancel::names::Hashes;

/// Groups of our entries that are equal in account, party, amount and currency, each entry close
/// in time to the one before it. Where an entry states no time, close means days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SuspectedRows {
    places: Vec<RowPlace>,
    ends: Vec<u32>,
}

impl SuspectedRows {
    /// The groups, sorted; the places of each are sorted too.
    pub fn groups(&self) -> impl Iterator<Item = &[RowPlace]> {
        let begins = [0].into_iter().chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, end)| &self.places[index(begin)..index(*end)])
    }

    /// How many groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn of(mut groups: Vec<Vec<RowPlace>>) -> Self {
        groups.iter_mut().for_each(|it| it.sort_unstable());
        groups.sort_unstable();
        let mut all = Self::default();
        for group in groups {
            all.places.extend(group);
            all.ends.push(row_number(all.places.len()));
        }
        all
    }
}

/// What is equal in entries that may be one.
type Alike = (u64, u32, u32, i64);

/// The groups of a side, within a window of seconds.
pub(super) fn suspected(ours: &SideFrame, books: &CommonBooks, window: i64) -> SuspectedRows {
    let rows = ours.rows();
    let alike = |row: usize| -> Option<Alike> {
        let party = rows.party.get(row);
        let (account, currency) = books.code(0, rows.book[row]);
        (party != 0).then(|| (party, account, currency, rows.amount[row]))
    };
    let mixed = |row: usize| alike(row).map(mix);
    let mut several = Hashes::default();
    for hash in repeated((0..rows.len()).filter_map(mixed).collect()) {
        several.insert(hash);
    }
    let candidate = |row: usize| Some(Candidate::new(alike(row)?, rows, row));
    let mut candidates: Vec<_> = (0..rows.len())
        .filter(|row| mixed(*row).is_some_and(|it| several.contains(it)))
        .filter_map(candidate)
        .collect();
    candidates.sort_unstable();
    let close = |one: &Candidate, next: &Candidate| one.is_close(next, window);
    let groups = candidates.chunk_by(close).filter(|it| it.len() > 1);
    SuspectedRows::of(groups.map(|it| it.iter().map(|it| ours.place(it.row)).collect()).collect())
}

/// An entry that equals another, sorted so that those close in time follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    alike: Alike,
    /// Milliseconds since 1970: when it happened, or the start of its booking day.
    at: i64,
    timed: bool,
    day: i32,
    row: usize,
}

impl Candidate {
    fn new(alike: Alike, rows: &Rows, row: usize) -> Self {
        let (event, day) = (rows.event.get(row), rows.day[row]);
        let midnight = (i64::from(day) - DAYS_TO_1970) * 86_400_000;
        let timed = event != 0;
        Self { alike, at: if timed { event } else { midnight }, timed, day, row }
    }

    fn is_close(&self, next: &Self, window: i64) -> bool {
        let near = if self.timed && next.timed {
            next.at.abs_diff(self.at) <= window.unsigned_abs().saturating_mul(1000)
        } else {
            i64::from(next.day.abs_diff(self.day)) <= window / 86_400
        };
        self.alike == next.alike && near
    }
}

/// Days of the common era before 1970.
const DAYS_TO_1970: i64 = 719_163;

/// The values that occur more than once, each once, in ascending order.
pub(super) fn repeated(mut values: Vec<u64>) -> Vec<u64> {
    values.sort_unstable();
    let several = values.chunk_by(|one, other| one == other).filter(|it| it.len() > 1);
    several.map(|it| it[0]).collect()
}

/// Spreads what is alike over 64 bits, so that few unequal entries meet; those that do are told
/// apart afterwards.
fn mix((party, account, currency, amount): Alike) -> u64 {
    let book = u64::from(account) << 32 | u64::from(currency);
    let spread = |it: u64| it.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    spread(spread(party ^ amount.cast_unsigned()) ^ book)
}
