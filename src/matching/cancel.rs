//! Cancel, then explain (DESIGN §6): removes what agrees beyond doubt and proves what it removed.
//!
//! For each keyed rule in order one sort finds the keys that one row of either side bears;
//! those pairs are removed whose rows are equal in everything that is compared. Then everything
//! comes back that shares a name with something left, so that who explains what is left sees all
//! there is to an operation. No tolerance is applied here, and no row is dropped: what is removed
//! and what is left add up to what was read, by account, currency and day.

mod agree;
mod conserve;
mod names;
mod pairs;
mod repeats;
mod reunite;

use std::collections::BTreeMap;

use chrono::NaiveDate;
use polars::prelude::PolarsError;

use crate::domain::{money::Currency, side::Side};
use crate::frames::{CommonBooks, RowPlace, SideFrame, row_number};

use pairs::Pairs;
use repeats::Alike;

pub use repeats::SuspectedRows;

/// What cancelling leaves, and the account of what it removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancelled {
    /// Our entries that are to be explained, sorted.
    pub left_ours: Vec<RowPlace>,
    /// Theirs.
    pub left_theirs: Vec<RowPlace>,
    /// How many pairs were removed, by rule; planted ones are not counted.
    pub agreed: BTreeMap<String, u64>,
    /// The money removed, sorted; planted money is not in it.
    pub totals: Vec<AgreedTotal>,
    /// Our entries that may be one operation posted twice.
    pub suspected: SuspectedRows,
    /// What it took.
    pub work: Work,
}

/// Money that was removed from both sides alike.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AgreedTotal {
    /// The account as our side names it.
    pub account_ours: String,
    /// The account as their side names it; where both name one it is the same.
    pub account_theirs: String,
    /// The currency.
    pub currency: Currency,
    /// Our booking day.
    pub day_ours: NaiveDate,
    /// Their booking day.
    pub day_theirs: NaiveDate,
    /// The sum in minor units, the same on both sides.
    pub minor: i128,
    /// How many pairs.
    pub count: u64,
}

/// How much was looked at, for logs and for tests of its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// Parts sorted.
    pub passes: u64,
    /// Most rows in one of them.
    pub rows_in_pass: usize,
    /// How often all removed rows were searched for names of rows that are left.
    pub waves: usize,
}

/// Bounds of memory and work; the results do not depend on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// About how many rows are sorted at a time. More rows are sorted in parts.
    pub rows_in_pass: usize,
    /// After how many searches in a row the removed rows are indexed instead, which costs more
    /// memory once, and no further search.
    pub waves: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows_in_pass: 250_000, waves: 8 }
    }
}

/// Why nothing could be cancelled. All but the first two are defects of this program.
#[derive(Debug, thiserror::Error)]
pub enum CancelError {
    /// The sides were read by different rules or hash keys.
    #[error("the two sides were read by different layouts")]
    LayoutsDiffer,
    /// Rows are numbered by 32 bits.
    #[error("{rows} entries are more than 4294967294")]
    TooManyRows {
        /// How many there are.
        rows: usize,
    },
    /// The engine refused a plan.
    #[error("sorting by the key of rule `{rule}` failed: {cause}")]
    Engine {
        /// The rule.
        rule: String,
        /// What it says.
        cause: PolarsError,
    },
    /// The engine returned a row twice.
    #[error("{side}: the entry at {place:?} was paired twice")]
    PairedTwice {
        /// Whose.
        side: Side,
        /// Which.
        place: RowPlace,
    },
    /// What was removed and what is left are not what was read.
    #[error(
        "{side}: on {day}, account `{account}` in {currency}, what agrees and what is left do not \
         add up to what was read"
    )]
    Unbalanced {
        /// Whose.
        side: Side,
        /// The account.
        account: String,
        /// The currency.
        currency: Currency,
        /// The booking day.
        day: NaiveDate,
    },
    /// Two sums that were removed as equal are not.
    #[error("on {day}, {currency}, the sums removed from the two sides differ")]
    Unequal {
        /// The currency.
        currency: Currency,
        /// Our booking day.
        day: NaiveDate,
    },
}

/// Cancels what agrees. Our entries that are equal within `repeat_window_seconds` are listed as
/// suspected repeats, and what may be the original of one that is left comes back; without a
/// window none are.
pub fn cancel(
    ours: &SideFrame,
    theirs: &SideFrame,
    repeat_window_seconds: Option<i64>,
) -> Result<Cancelled, CancelError> {
    cancel_within(ours, theirs, repeat_window_seconds, Limits::default())
}

/// [`cancel`] under other bounds.
pub fn cancel_within(
    ours: &SideFrame,
    theirs: &SideFrame,
    repeat_window_seconds: Option<i64>,
    limits: Limits,
) -> Result<Cancelled, CancelError> {
    let sides = [ours, theirs];
    if !ours.layout().is_same(theirs.layout()) {
        return Err(CancelError::LayoutsDiffer);
    }
    let rows = ours.len().saturating_add(theirs.len());
    if row_number(rows) == u32::MAX {
        return Err(CancelError::TooManyRows { rows });
    }
    let books = CommonBooks::of(sides.map(SideFrame::books));
    let mut work = Work::default();
    let mut pairs = Pairs::none(ours.len(), theirs.len());
    agree::all_rules(sides, &books, limits, &mut pairs, &mut work)?;
    let alike =
        repeat_window_seconds.map_or_else(Alike::default, |window| Alike::of(ours, &books, window));
    reunite::bring_back(sides, &alike, limits, &mut pairs, &mut work);
    let totals = conserve::prove(sides, &pairs)?;
    Ok(Cancelled {
        left_ours: left(ours, 0, &pairs),
        left_theirs: left(theirs, 1, &pairs),
        agreed: pairs.by_rule(ours),
        totals,
        suspected: alike.places(),
        work,
    })
}

fn left(frame: &SideFrame, side: usize, pairs: &Pairs) -> Vec<RowPlace> {
    let left = (0..frame.len()).filter(|row| !pairs.is_paired(side, *row));
    let mut places: Vec<_> = left.map(|row| frame.place(row)).collect();
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests;
