//! What agrees: rows sorted by the key of a rule, in parts where they are many, and a comparison of
//! those that it pairs.

use polars::prelude::{DataFrame, PolarsError, PolarsResult, SortMultipleOptions};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::domain::side::Side;
use crate::frames::{
    CommonBooks, Comparison, KEY, KeyedRule, ROW, SideFrame, index, keyed, low_bits, row_number,
};
use crate::matching::cancel::{CancelError, Limits, Work, names::Hashes, pairs::Pairs};

/// How many parts are held at a time: all rows are looked through once for so many of them.
const PARTS_HELD: usize = 16;

/// The share of its height that a part may have more than the average one: hashes spread evenly.
const ROOM: usize = 64;

/// Removes what agrees by each rule in order, on what the earlier ones left.
pub(super) fn all_rules(
    sides: [&SideFrame; 2],
    books: &CommonBooks,
    limits: Limits,
    pairs: &mut Pairs,
    work: &mut Work,
) -> Result<(), CancelError> {
    let mut decided = sides.map(|it| vec![false; it.len()]);
    for (at, rule) in sides[0].layout().rules.iter().enumerate() {
        let held = sides.map(|it| it.rows().keys[at].held());
        let parts =
            (held[0] + held[1]).div_ceil(limits.rows_in_pass.max(1)).max(1).next_power_of_two();
        let mut step =
            Step { sides, at, rule, pairs, held: &mut decided, shared: Hashes::default() };
        let height = (held[0] + held[1]) / parts;
        let height = height + height / ROOM + ROOM;
        for first in (0..parts).step_by(PARTS_HELD) {
            let frames = step.frames(parts, first, height).map_err(|it| step.failed(it))?;
            for frame in &frames {
                work.passes += 1;
                work.rows_in_pass = work.rows_in_pass.max(frame.height());
            }
            let ours = sides[0].len();
            let shared = frames.par_iter().map(|frame| Shared::of(frame, ours));
            let shared: PolarsResult<Vec<_>> = shared.collect();
            for shared in shared.map_err(|it| step.failed(it))? {
                step.pair(shared)?;
            }
        }
        step.hold_unequal(Comparison::new(sides, books, rule.window_days));
        step.hold_shared();
    }
    Ok(())
}

/// One rule at work.
struct Step<'a> {
    sides: [&'a SideFrame; 2],
    at: usize,
    rule: &'a KeyedRule,
    pairs: &'a mut Pairs,
    /// Rows whose key by an earlier rule is shared without agreement: that rule decides about
    /// them, and no later one may.
    held: &'a mut [Vec<bool>; 2],
    /// Keys of this rule that hold their rows.
    shared: Hashes,
}

impl Step<'_> {
    /// The rows that this rule may still remove, for some of the parts from `first` on.
    fn frames(&self, parts: usize, first: usize, height: usize) -> PolarsResult<Vec<DataFrame>> {
        let mask = u64::try_from(parts - 1).unwrap_or(u64::MAX);
        let size = (PARTS_HELD.min(parts), height);
        keyed(self.sides, self.at, size, |side, row, key| {
            let alone = !self.rule.group || !self.sides[side].rows().of_many.get(row);
            let free = alone && !self.held[side][row] && !self.pairs.is_paired(side, row);
            let part = usize::try_from(low_bits(key) & mask).unwrap_or(usize::MAX);
            part.checked_sub(first).filter(|_| free)
        })
    }

    /// Pairs what one row of either side bears alone. Many rows of a group's key are no doubt about
    /// any of them: they wait for the next rules; the rows of other keys are held.
    fn pair(&mut self, shared: Shared) -> Result<(), CancelError> {
        for (ours, theirs) in shared.pairs {
            let (ours, theirs) = (index(ours), index(theirs));
            let joined = self.pairs.join(ours, theirs, self.at);
            joined.map_err(|side| self.paired_twice(side, [ours, theirs]))?;
        }
        if !self.rule.group {
            self.shared.extend(shared.crowded);
        }
        Ok(())
    }

    /// Parts the pairs of this rule that do not agree, and holds them.
    fn hold_unequal(&mut self, comparison: Comparison<'_>) {
        let (pairs, at) = (&*self.pairs, self.at);
        let differ = |row: &usize| {
            pairs.partner_by(at, *row).is_some_and(|theirs| !comparison.agree(*row, theirs))
        };
        let unequal: Vec<_> = (0..self.sides[0].len()).into_par_iter().filter(differ).collect();
        for row in unequal {
            if let Some(theirs) = self.pairs.part(0, row) {
                self.held[0][row] = true;
                self.held[1][theirs] = true;
            }
        }
    }

    fn hold_shared(&mut self) {
        if self.shared.is_empty() {
            return;
        }
        for (frame, held) in self.sides.iter().zip(&mut *self.held) {
            let keys = &frame.rows().keys[self.at];
            for (row, held) in held.iter_mut().enumerate() {
                let key = keys.get(row);
                *held |= key != 0 && self.shared.contains(low_bits(key));
            }
        }
    }

    fn failed(&self, cause: PolarsError) -> CancelError {
        CancelError::Engine { rule: self.rule.name.clone(), cause }
    }

    fn paired_twice(&self, side: usize, rows: [usize; 2]) -> CancelError {
        let place = self.sides[side].place(rows[side]);
        CancelError::PairedTwice { side: Side::ALL[side], place }
    }
}

/// What the rows of a part have in common.
#[derive(Default)]
struct Shared {
    /// Rows of ours and of theirs that alone on their side bear a key.
    pairs: Vec<(u32, u32)>,
    /// The low bits of the other keys that several rows bear.
    crowded: Vec<u64>,
}

impl Shared {
    /// Sorted by key, the rows of a key follow each other; theirs are counted on from ours.
    fn of(frame: &DataFrame, ours: usize) -> PolarsResult<Self> {
        let by_key = SortMultipleOptions::default().with_multithreaded(false);
        let sorted = frame.sort([KEY], by_key)?;
        let mut keys = sorted.column(KEY)?.u128()?.into_no_null_iter().peekable();
        let mut rows = sorted.column(ROW)?.u32()?.into_no_null_iter();
        let mut shared = Self { pairs: Vec::with_capacity(frame.height() / 2), ..Self::default() };
        let ours = row_number(ours);
        while let (Some(key), Some(row)) = (keys.next(), rows.next()) {
            let mut bearers = Bearers { first: row, last: row, count: 1 };
            while keys.next_if_eq(&key).is_some()
                && let Some(row) = rows.next()
            {
                bearers.add(row);
            }
            match bearers {
                Bearers { count: 1, .. } => {}
                Bearers { first, last, count: 2 } if first < ours && last >= ours => {
                    shared.pairs.push((first, last - ours));
                }
                Bearers { .. } => shared.crowded.push(low_bits(key)),
            }
        }
        Ok(shared)
    }
}

/// The rows that bear a key.
struct Bearers {
    /// The lowest row number.
    first: u32,
    /// The highest one.
    last: u32,
    count: usize,
}

impl Bearers {
    fn add(&mut self, row: u32) {
        self.first = self.first.min(row);
        self.last = self.last.max(row);
        self.count += 1;
    }
}
