//! What a file states of itself, and the verdict on it before any matching.

use std::fmt;

use chrono::NaiveDate;

use crate::domain::{
    money::{Currency, Money, Sum},
    page::Page,
};

/// Everything a reader learned of one file besides its entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stated {
    /// The format as recognised, with its version: `csv`, `camt.053.001.08`.
    pub format: String,
    /// Records in the file. `records = records read + rejects`, checked by the inbox.
    pub records: u64,
    /// The statements in it, in order; a ledger extract is one statement.
    pub statements: Vec<Statement>,
    /// What makes the file as a whole unfit, found while reading; the first stands.
    pub faults: Vec<FileFault>,
    /// Remarks for people, that change nothing: an unknown namespace, a mapping made by names.
    pub remarks: Vec<String>,
}

/// What one statement states of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statement {
    /// Its identity at the counterparty: account, number, year or creation date; blank if none.
    pub identity: String,
    /// The account, blank if none is named.
    pub account: String,
    /// The currency, if one is named.
    pub currency: Option<Currency>,
    /// First day it speaks about, if stated.
    pub from: Option<NaiveDate>,
    /// Last day it speaks about, if stated: a ledger's cut-off.
    pub to: Option<NaiveDate>,
    /// First booking date of its booked entries.
    pub first_booking: Option<NaiveDate>,
    /// Last booking date of its booked entries.
    pub last_booking: Option<NaiveDate>,
    /// Opening balance, booked.
    pub opening: Option<Money>,
    /// Closing balance, booked.
    pub closing: Option<Money>,
    /// Sum of its booked entries as read; refused records are not in it.
    pub movement: Option<Sum>,
    /// How many entries it states to have.
    pub count: Option<u64>,
    /// How many entries or records it has, counted as its `count` counts them.
    pub counted: u64,
    /// The control total it states.
    pub total: Option<Sum>,
    /// The sum read, summed as its `total` sums.
    pub totalled: Option<Sum>,
    /// Its sequence number, if any.
    pub sequence: Option<u64>,
    /// The pages of it that are here, in order; none where it does not come in pages. Pages of its
    /// message stand beside its own where those are others.
    pub pages: Vec<Page>,
    /// Whether it says to be a copy or duplicate of another.
    pub copy: bool,
}

impl Statement {
    /// Opening + Σ − closing, where both balances are stated and all its pages are here; zero when
    /// it closes.
    pub fn imbalance(&self) -> Option<Sum> {
        if !self.is_whole() {
            return None;
        }
        let (opening, closing) = (self.opening?, self.closing?);
        let moved = self.movement.map_or(0, Sum::minor);
        Some(Sum::from(opening).plus(moved).plus(-i128::from(closing.minor())))
    }
}

/// What makes a file unfit as a whole, as its reader found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFault {
    /// The verdict it leads to.
    pub verdict: FileVerdict,
    /// What and where, as half a sentence for people.
    pub what: String,
}

/// The verdict on a file, before any matching (DESIGN §5). Ordered: the first that holds stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileVerdict {
    /// Not of any known format, or broken inside.
    Unreadable,
    /// Not the account, currency or environment expected.
    Foreign,
    /// The same bytes, or the same statement in other bytes, were taken before.
    Repeated,
    /// The same statement identity with other content; the earlier version stays in force.
    Restated,
    /// A trailer, page or count is missing.
    Incomplete,
    /// Opening + Σ ≠ closing.
    OutOfBalance,
    /// A stated total differs from the sum read.
    TotalsDiffer,
    /// A day or statement between this one and the one before was never seen.
    Gap,
    /// It covers days already covered; its new records count.
    Overlapping,
    /// It was expected and has not come.
    Overdue,
    /// It shares its provenance with the other side.
    NotIndependent,
    /// It is right and holds no entry.
    Empty,
    /// Nothing to remark.
    Accepted,
}

impl FileVerdict {
    /// All, in order of precedence.
    pub const ALL: [Self; 13] = [
        Self::Unreadable,
        Self::Foreign,
        Self::Repeated,
        Self::Restated,
        Self::Incomplete,
        Self::OutOfBalance,
        Self::TotalsDiffer,
        Self::Gap,
        Self::Overlapping,
        Self::Overdue,
        Self::NotIndependent,
        Self::Empty,
        Self::Accepted,
    ];

    /// The code in SQL and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Foreign => "foreign",
            Self::Repeated => "repeated",
            Self::Restated => "restated",
            Self::Incomplete => "incomplete",
            Self::OutOfBalance => "out_of_balance",
            Self::TotalsDiffer => "totals_differ",
            Self::Gap => "gap",
            Self::Overlapping => "overlapping",
            Self::Overdue => "overdue",
            Self::NotIndependent => "not_independent",
            Self::Empty => "empty",
            Self::Accepted => "accepted",
        }
    }

    /// Whether the file's entries are paired at all (DESIGN §5).
    pub fn is_paired(self) -> bool {
        match self {
            Self::Unreadable | Self::Foreign | Self::Repeated | Self::Restated | Self::Overdue => {
                false
            }
            Self::Incomplete
            | Self::OutOfBalance
            | Self::TotalsDiffer
            | Self::Gap
            | Self::Overlapping
            | Self::NotIndependent
            | Self::Empty
            | Self::Accepted => true,
        }
    }

    /// Whether the file gives coverage and proposals (DESIGN §5).
    pub fn is_trusted(self) -> bool {
        match self {
            Self::Unreadable
            | Self::Foreign
            | Self::Repeated
            | Self::Restated
            | Self::Overdue
            | Self::Incomplete
            | Self::OutOfBalance
            | Self::TotalsDiffer
            | Self::Gap
            | Self::NotIndependent => false,
            Self::Overlapping | Self::Empty | Self::Accepted => true,
        }
    }
}

impl fmt::Display for FileVerdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.code())
    }
}
