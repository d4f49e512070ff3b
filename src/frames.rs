//! Columns of one side: every booked entry as one row of numbers and hashes, no object and no
//! text (DESIGN §5, ENGINE).
//!
//! A row holds what [`matching::cancel`](crate::matching::cancel) compares and by what rows are
//! found again; the texts stay in the files and are fetched by place where they are shown.
//! Hashes are keyed, so that a counterparty cannot choose keys that collide.

mod books;
mod columns;
mod compared;
mod hashing;
mod identity;
mod layout;
mod lazy;
mod rows;
mod sums;
mod tokens;

pub(crate) use columns::date;
pub use columns::{SideColumns, SideFrame};
pub use hashing::HashKey;
pub use identity::{Identities, identity, occurrence};
pub use layout::{KeyedRule, Layout};

pub(crate) use books::CommonBooks;
pub(crate) use compared::{Comparison, KEY, ROW, keyed};
pub(crate) use hashing::low_bits;
pub(crate) use rows::Rows;
pub(crate) use sums::{Sums, Total};
pub(crate) use tokens::{Cut, Token};

use chrono::NaiveDate;

use crate::domain::money::Currency;

/// The file index of what the self-test plants: it takes part in everything, but never in control
/// totals or identities.
pub const SELF_TEST_FILE: u16 = u16::MAX;

/// Where a row was read: file, record, part, as in [`Place`](crate::domain::entry::Place).
pub type RowPlace = (u16, u32, u16);

/// Booked money of one account, currency and booking day, summed while it was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ControlTotal {
    /// The account; blank where the source names none.
    pub account: String,
    /// The currency.
    pub currency: Currency,
    /// The booking day.
    pub day: NaiveDate,
    /// The sum in minor units.
    pub minor: i128,
    /// How many entries.
    pub count: u64,
}

/// A row number as an index; row numbers fit 32 bits, and so do the machines' addresses.
pub(crate) fn index(row: u32) -> usize {
    usize::try_from(row).unwrap_or(usize::MAX)
}

/// An index as a row number; more rows than 32 bits hold are refused before any row is numbered.
pub(crate) fn row_number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
