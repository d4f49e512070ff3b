//! A discrepancy: a pairing whose sides disagree, with one reason and everything that differs.

use chrono::NaiveDate;

use crate::domain::{
    correction::{Claim, Correction},
    entry::Entry,
    id::DiscrepancyId,
    key::{IntentKey, NaturalKey},
    money::{Currency, Sum},
    reason::{Cause, Reason},
};

/// From which sides an operation was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pairing {
    /// From both.
    Both,
    /// Only in our books.
    OursOnly,
    /// Only in theirs.
    TheirsOnly,
}

impl Pairing {
    /// All, in order.
    pub const ALL: [Self; 3] = [Self::Both, Self::OursOnly, Self::TheirsOnly];

    /// The name in SQL and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::OursOnly => "ours_only",
            Self::TheirsOnly => "theirs_only",
        }
    }
}

/// A field that differs, with both values as texts; `None` where a side states none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The field's name: `amount`, `currency`, `booking_date`, `party`, ….
    pub field: &'static str,
    /// Our value.
    pub ours: Option<String>,
    /// Their value.
    pub theirs: Option<String>,
}

/// The rule that almost paired an entry, and the criterion that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The rule's name.
    pub rule: String,
    /// What failed, as half a sentence.
    pub failed: String,
}

/// An operation on which the sides disagree, or that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// Its identity, the same on every day.
    pub id: DiscrepancyId,
    /// Seen from where.
    pub pairing: Pairing,
    /// Why.
    pub reason: Reason,
    /// The account.
    pub account: String,
    /// The leg: one pair of sides in a chain.
    pub leg: String,
    /// The key it is known by, if any.
    pub natural_key: Option<NaturalKey<'static>>,
    /// The intent, stated or derived.
    pub intent: IntentKey,
    /// The currency of `ours`, or of `theirs` where ours is absent.
    pub currency: Currency,
    /// Our booked money; `None` where our side is absent.
    pub amount_ours: Option<Sum>,
    /// Their booked money; `None` where their side is absent. Its currency may be another.
    pub amount_theirs: Option<Sum>,
    /// Every field that differs, the reason's own included.
    pub differs: Vec<Difference>,
    /// For a repeat, how it came about.
    pub cause: Option<Cause>,
    /// The rule that paired it, if one did.
    pub rule: Option<String>,
    /// The rule that almost paired it.
    pub nearest: Option<Nearest>,
    /// Our entries, booked money first, then evidence.
    pub ours: Vec<Entry<'static>>,
    /// Their entries, booked money first, then evidence.
    pub theirs: Vec<Entry<'static>>,
    /// When it becomes (or became) due, where its reason has a date.
    pub due_on: Option<NaiveDate>,
    /// The as-of day of the first run that saw it.
    pub first_seen: NaiveDate,
    /// Business days from `first_seen` to the as-of day.
    pub age_days: u32,
    /// What is proposed to repair our books; empty where a person must decide.
    pub corrections: Vec<Correction>,
    /// What is claimed from the counterparty.
    pub claim: Option<Claim>,
}

impl Discrepancy {
    /// `ours − theirs` in its currency; where the currencies differ, our amount alone.
    pub fn difference(&self) -> Sum {
        let ours = self.amount_ours.unwrap_or(Sum::zero(self.currency));
        match self.amount_theirs {
            Some(theirs) if theirs.currency() == self.currency => ours.plus(-theirs.minor()),
            Some(_) | None => ours,
        }
    }

    /// Whether it waits: no discrepancy yet, but summed beside the verdict.
    pub fn is_waiting(&self) -> bool {
        self.reason.is_waiting()
    }
}
