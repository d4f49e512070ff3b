//! What cancelling compares: keys through a dataframe, everything else row by row.

use std::iter;

use polars::prelude::{DataFrame, IntoColumn, PolarsResult, UInt32Chunked, UInt128Chunked};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::frames::{books::CommonBooks, columns::SideFrame, row_number, rows::Rows};

/// The hash of what a rule joins by.
pub(crate) const KEY: &str = "key";
/// The row's number, theirs counted on from ours.
pub(crate) const ROW: &str = "row";

/// The rows of both sides, ours first, in the frames that `which` names by side (0 ours, 1 theirs),
/// row and key: columns [`KEY`] and [`ROW`], neither with nulls. Rows without a key are in none.
/// There are so many frames, each with about so many rows.
///
/// Every thread looks through all rows for the frames that it fills: each column is written once,
/// where it stays.
pub(crate) fn keyed(
    sides: [&SideFrame; 2],
    rule: usize,
    (frames, height): (usize, usize),
    which: impl Fn(usize, usize, u128) -> Option<usize> + Sync,
) -> PolarsResult<Vec<DataFrame>> {
    let per_thread = frames.div_ceil(rayon::current_num_threads()).max(1);
    let firsts: Vec<_> = (0..frames).step_by(per_thread).collect();
    let fill = |first: usize| {
        let room = || (Vec::with_capacity(height), Vec::with_capacity(height));
        let many = per_thread.min(frames - first);
        let mut filled: Vec<(Vec<u128>, Vec<u32>)> = iter::repeat_with(room).take(many).collect();
        for (side, before) in [(0, 0), (1, sides[0].len())] {
            for (row, key) in sides[side].rows().keys[rule].iter().filter(|it| it.1 != 0) {
                let frame = which(side, row, key).and_then(|it| it.checked_sub(first));
                if let Some((keys, rows)) = frame.and_then(|it| filled.get_mut(it)) {
                    keys.push(key);
                    rows.push(row_number(before + row));
                }
            }
        }
        filled
    };
    let filled = firsts.into_par_iter().flat_map_iter(fill);
    let made = filled.map(|(keys, rows)| {
        let key = UInt128Chunked::from_vec(KEY.into(), keys);
        let row = UInt32Chunked::from_vec(ROW.into(), rows);
        DataFrame::new(key.len(), vec![key.into_column(), row.into_column()])
    });
    made.collect()
}

/// Compares a row of ours with one of theirs in everything but their key.
#[derive(Clone, Copy)]
pub(crate) struct Comparison<'a> {
    ours: &'a Rows,
    theirs: &'a Rows,
    books: &'a CommonBooks,
    window_days: u32,
}

impl<'a> Comparison<'a> {
    /// Compares the rows of two sides; their days may be so many days apart.
    pub(crate) fn new(sides: [&'a SideFrame; 2], books: &'a CommonBooks, window_days: u32) -> Self {
        let [ours, theirs] = sides.map(SideFrame::rows);
        Self { ours, theirs, books, window_days }
    }

    /// Whether the two rows agree: in amount, currency, kind and day, and in account, party, fee
    /// and period where both state one.
    pub(crate) fn agree(&self, row: usize, other: usize) -> bool {
        let (ours, theirs) = (self.ours.row(row), self.theirs.row(other));
        let (account, currency) = self.books.code(0, ours.book);
        let (account_theirs, currency_theirs) = self.books.code(1, theirs.book);
        ours.amount == theirs.amount
            && currency == currency_theirs
            && ours.kind == theirs.kind
            && ours.day.abs_diff(theirs.day) <= self.window_days
            && agree_if_stated(account.into(), account_theirs.into())
            && agree_if_stated(ours.party, theirs.party)
            && agree_if_stated(self.ours.fee.get(row), self.theirs.fee.get(other))
            && agree_if_stated(self.ours.period.get(row), self.theirs.period.get(other))
    }
}

/// Whether two values are equal, or one of them is 0, which says that none is stated.
fn agree_if_stated(one: u64, other: u64) -> bool {
    one == other || one == 0 || other == 0
}
