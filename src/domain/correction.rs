//! Corrections: technical entries that repair our books, and claims to the counterparty.

use crate::domain::{
    entry::Kind,
    id::{DiscrepancyId, Hash},
    key::IntentKey,
    money::{Money, Sum},
};

/// In every report a technical correction is told from a refund by this (DESIGN §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A business act towards a client.
    Refund,
    /// A repair of our books.
    TechnicalCorrection,
}

impl Class {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Refund, Self::TechnicalCorrection];

    /// The name in SQL and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refund => "refund",
            Self::TechnicalCorrection => "technical_correction",
        }
    }
}

/// By which rule a correction's key is derived from its intent (DESIGN §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// `<intent>:compensate`: takes a surplus posting back.
    Compensate,
    /// `<intent>:adjust:<n>`: moves a part to another account.
    Adjust,
    /// `<intent>:book`: books what only they have.
    Book,
}

impl Form {
    /// The name in SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compensate => "compensate",
            Self::Adjust => "adjust",
            Self::Book => "book",
        }
    }

    /// The key of the n-th correction of this form.
    pub fn key(self, intent: &IntentKey, n: u32) -> IntentKey {
        match self {
            Self::Compensate => intent.compensate(n),
            Self::Adjust => intent.adjust(n),
            Self::Book => intent.book(n),
        }
    }
}

/// One leg of a double entry; debit is positive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leg {
    /// The configured account it posts to.
    pub account: String,
    /// Debit positive, credit negative.
    pub amount: Money,
}

/// Adjustments of one currency that a run did not propose: together they exceed the day's ceiling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// Σ |amount|.
    pub amount: Sum,
    /// What they may be together.
    pub ceiling: Money,
    /// How many.
    pub count: u64,
}

/// What a discrepancy proposes, before its number is allocated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What it repairs.
    pub discrepancy: DiscrepancyId,
    /// The intent it is keyed by.
    pub intent: IntentKey,
    /// Its form.
    pub form: Form,
    /// What the posting stands for.
    pub underlying_kind: Kind,
    /// Its effect on our account: what is added to our books' side of the comparison.
    pub amount: Money,
    /// Balanced legs.
    pub legs: Vec<Leg>,
    /// SHA-256 over what it rests on: not file, record or run (DESIGN §8).
    pub evidence: Hash,
    /// The posting it repairs, by its entry identity, where it is bound to one.
    pub repairs: Option<String>,
    /// Words for the client's statement, with the original reference.
    pub narrative: String,
}

/// How far a correction has come (DESIGN §8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Prepared, nobody has decided.
    Proposed,
    /// Approved by another person than its maker.
    Approved,
    /// In the journal.
    Posted,
    /// Taken by the ledger outside.
    Delivered,
    /// Seen in the extract with nothing left open.
    Verified,
    /// Refused by a person, with a reason.
    Rejected,
    /// Taken back by its maker.
    Withdrawn,
    /// Overtaken by other evidence.
    Void,
    /// Not decided in time.
    Expired,
}

impl State {
    /// All, in order.
    pub const ALL: [Self; 9] = [
        Self::Proposed,
        Self::Approved,
        Self::Posted,
        Self::Delivered,
        Self::Verified,
        Self::Rejected,
        Self::Withdrawn,
        Self::Void,
        Self::Expired,
    ];

    /// The name in SQL and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Approved => "approved",
            Self::Posted => "posted",
            Self::Delivered => "delivered",
            Self::Verified => "verified",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
            Self::Void => "void",
            Self::Expired => "expired",
        }
    }

    /// Whether it may still move money: from proposed until verified or ended (DESIGN §8).
    pub fn is_live(self) -> bool {
        match self {
            Self::Proposed | Self::Approved | Self::Posted | Self::Delivered => true,
            Self::Verified | Self::Rejected | Self::Withdrawn | Self::Void | Self::Expired => false,
        }
    }
}

/// A correction with its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// Its own intent key, derived by rule.
    pub key: IntentKey,
    /// The number in the key.
    pub number: u32,
    /// Technical correction, always, when a discrepancy proposes it.
    pub class: Class,
    /// How far it has come.
    pub state: State,
    /// What it is.
    pub draft: Draft,
}

/// A claim to the counterparty: a document, no posting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed, positive towards us. Negative where the money is in our favour: then what
    /// is asked for is that the counterparty put its books right.
    pub amount: Sum,
    /// Why, in a sentence naming the operation.
    pub text: String,
}
