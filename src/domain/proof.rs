//! The proof: that the difference of the sides is the sum of what is listed, and nothing else.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::domain::{
    money::{Currency, Sum},
    reason::Reason,
    side::Side,
};

/// What the totals of a proof rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// Closing balances stated by both sides.
    Balances,
    /// Sums of movements; never a full all-clear.
    Arithmetic,
}

impl Basis {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Balances, Self::Arithmetic];

    /// The words of DESIGN §10.
    pub fn name(self) -> &'static str {
        match self {
            Self::Balances => "balances",
            Self::Arithmetic => "arithmetic only",
        }
    }
}

/// A share of the proof: net and gross side by side, for +100 and −100 is not nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Σ (ours − theirs).
    pub net: Sum,
    /// Σ |ours − theirs|.
    pub gross: Sum,
    /// How many.
    pub count: u64,
}

impl Share {
    /// Nothing.
    pub fn none(currency: Currency) -> Self {
        Self { net: Sum::zero(currency), gross: Sum::zero(currency), count: 0 }
    }

    /// This share and one more item with a signed difference.
    pub fn add(&mut self, difference: i128) {
        self.net = self.net.plus(difference);
        self.gross = self.gross.plus(difference.abs());
        self.count += 1;
    }
}

/// The proof of one account and currency (DESIGN §7). All amounts are `ours − theirs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofLine {
    /// The account.
    pub account: String,
    /// The currency.
    pub currency: Currency,
    /// The day it speaks about.
    pub as_of: NaiveDate,
    /// What the totals rest on.
    pub basis: Basis,
    /// Our closing balance, or the sum of our movements.
    pub ours: Sum,
    /// Theirs.
    pub theirs: Sum,
    /// `ours − theirs`.
    pub difference: Sum,
    /// The difference of the openings; zero on arithmetic.
    pub opening_difference: Sum,
    /// Who signed the opening difference off; `None` while nobody did and it is not zero.
    pub opening_accepted_by: Option<String>,
    /// Everything open, by reason, waiting included, tolerated not.
    pub by_reason: BTreeMap<Reason, Share>,
    /// Pairs with one entry after the as-of day.
    pub timing: Share,
    /// Within tolerance.
    pub tolerated: Share,
    /// Corrections posted and not yet in the extract.
    pub undelivered: Sum,
    /// Money of rejects whose amount could be read, and of entries out of scope.
    pub rejected: Share,
    /// What none of these explains. Anything but zero: nothing may be concluded.
    pub unexplained: Sum,
}

/// Days for which complete, balanced evidence of a side is held (DESIGN §5).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coverage {
    /// Whose.
    pub side: Side,
    /// The account.
    pub account: String,
    /// First day.
    pub from: NaiveDate,
    /// Last day.
    pub to: NaiveDate,
    /// Taken from booking dates because nothing was stated.
    pub inferred: bool,
}

impl Coverage {
    /// Whether it holds a day.
    pub fn holds(&self, day: NaiveDate) -> bool {
        self.from <= day && day <= self.to
    }
}
