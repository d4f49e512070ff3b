//! An entry: one movement of money as one side tells it.

use std::{borrow::Cow, fmt, str::FromStr};

use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;

use crate::domain::{
    key::{KeyScheme, NaturalKey},
    money::Money,
};

/// What an entry is (DESIGN §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A payment, in or out.
    Payment,
    /// Money given back by a business act.
    Refund,
    /// A card payment taken back through the scheme.
    Chargeback,
    /// A chargeback won.
    ChargebackReversal,
    /// A payment sent back by a bank.
    Return,
    /// An entry undone by who made it.
    Reversal,
    /// A fee or commission.
    Fee,
    /// Interest.
    Interest,
    /// A provider's settlement of many operations.
    Payout,
    /// A currency exchange.
    Fx,
    /// An adjustment of the counterparty's.
    Adjustment,
    /// A transfer between own accounts.
    Transfer,
    /// A technical correction in our books.
    Correction,
    /// None of these.
    Other,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 14] = [
        Self::Payment,
        Self::Refund,
        Self::Chargeback,
        Self::ChargebackReversal,
        Self::Return,
        Self::Reversal,
        Self::Fee,
        Self::Interest,
        Self::Payout,
        Self::Fx,
        Self::Adjustment,
        Self::Transfer,
        Self::Correction,
        Self::Other,
    ];

    /// The name in configuration, SQL and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Refund => "refund",
            Self::Chargeback => "chargeback",
            Self::ChargebackReversal => "chargeback_reversal",
            Self::Return => "return",
            Self::Reversal => "reversal",
            Self::Fee => "fee",
            Self::Interest => "interest",
            Self::Payout => "payout",
            Self::Fx => "fx",
            Self::Adjustment => "adjustment",
            Self::Transfer => "transfer",
            Self::Correction => "correction",
            Self::Other => "other",
        }
    }

    /// Its place in [`Kind::ALL`], for a column of bytes.
    pub fn index(self) -> u8 {
        Self::ALL
            .iter()
            .position(|it| *it == self)
            .and_then(|at| u8::try_from(at).ok())
            .unwrap_or(0)
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|it| it.name() == text);
        found.ok_or_else(|| format!("`{text}` is no kind of entry"))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// How far an entry has come. Only booked money is paired and proven; the rest is evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Money moved.
    Booked,
    /// Announced or expected, not booked.
    Pending,
    /// Refused: no money will move.
    Refused,
    /// Its outcome was never learned.
    Unknown,
}

impl Status {
    /// All, in order.
    pub const ALL: [Self; 4] = [Self::Booked, Self::Pending, Self::Refused, Self::Unknown];

    /// The name in configuration, SQL and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Booked => "booked",
            Self::Pending => "pending",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }
}

impl FromStr for Status {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|it| it.name() == text);
        found.ok_or_else(|| format!("`{text}` is no status of an entry"))
    }
}

/// Where an entry was read: record number and byte range in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// Index of the file in its run's list, over both sides.
    pub file: u16,
    /// Number of the record in its file, from 1.
    pub record: u32,
    /// Number of the entry within its record, from 0.
    pub part: u16,
    /// First byte of the record in the file as received.
    pub start: u64,
    /// Length of the record in bytes.
    pub length: u32,
}

/// One movement of money, parsed. A reader lends it to a sink ([`EntrySink`]) with texts borrowed
/// from the record; who keeps it calls [`Entry::into_owned`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Where it was read.
    pub place: Place,
    /// The account it moved; blank where the source names none.
    pub account: Cow<'a, str>,
    /// What it is called, in the order of the source.
    pub keys: Vec<NaturalKey<'a>>,
    /// The intent key, where our ledger states one.
    pub intent: Option<Cow<'a, str>>,
    /// What moved.
    pub amount: Money,
    /// When it was written down.
    pub booking_date: NaiveDate,
    /// From when the money counts.
    pub value_date: Option<NaiveDate>,
    /// What it is.
    pub kind: Kind,
    /// What a correction stands for; with it a correction is compared (DESIGN §6).
    pub underlying_kind: Option<Kind>,
    /// How far it has come.
    pub status: Status,
    /// The other party, as named; blank where the source names none.
    pub party: Cow<'a, str>,
    /// Free text, for people.
    pub text: Cow<'a, str>,
    /// A fee stated with the entry and contained in its gross, as a positive amount.
    pub fee: Option<Money>,
    /// A stated rate: units of the entry's currency for one of the original's, or one in a currency.
    pub rate: Option<Decimal>,
    /// The original or instructed amount, in its own currency, signed as the entry is.
    pub original: Option<Money>,
    /// A stated rest still outstanding, signed as the entry is.
    pub rest: Option<Money>,
    /// Accounting period, where our ledger states one.
    pub period: Option<Cow<'a, str>>,
    /// The entry of its own side that this one takes back: an intent key or a natural key's text.
    pub reverses: Option<Cow<'a, str>>,
    /// The group whose count its side states: (batch size), for `group_incomplete`.
    pub group_size: Option<u32>,
    /// The rest of a record that its details do not explain, made an entry by its reader.
    pub is_residue: bool,
    /// When it happened, where stated.
    pub event_at: Option<DateTime<Utc>>,
    /// By which road it came, where our ledger states it.
    pub channel: Option<Cow<'a, str>>,
    /// The client's own key, where our ledger states it.
    pub client_key: Option<Cow<'a, str>>,
}

impl<'a> Entry<'a> {
    /// A booked payment with nothing else stated.
    pub fn new(place: Place, amount: Money, booking_date: NaiveDate) -> Self {
        Self {
            place,
            account: Cow::Borrowed(""),
            keys: Vec::new(),
            intent: None,
            amount,
            booking_date,
            value_date: None,
            kind: Kind::Payment,
            underlying_kind: None,
            status: Status::Booked,
            party: Cow::Borrowed(""),
            text: Cow::Borrowed(""),
            fee: None,
            rate: None,
            original: None,
            rest: None,
            period: None,
            reverses: None,
            group_size: None,
            is_residue: false,
            event_at: None,
            channel: None,
            client_key: None,
        }
    }

    /// The entry with its own texts.
    pub fn into_owned(self) -> Entry<'static> {
        let owned = |it: Cow<'a, str>| Cow::Owned(it.into_owned());
        Entry {
            place: self.place,
            account: owned(self.account),
            keys: self.keys.into_iter().map(NaturalKey::into_owned).collect(),
            intent: self.intent.map(owned),
            amount: self.amount,
            booking_date: self.booking_date,
            value_date: self.value_date,
            kind: self.kind,
            underlying_kind: self.underlying_kind,
            status: self.status,
            party: owned(self.party),
            text: owned(self.text),
            fee: self.fee,
            rate: self.rate,
            original: self.original,
            rest: self.rest,
            period: self.period.map(owned),
            reverses: self.reverses.map(owned),
            group_size: self.group_size,
            is_residue: self.is_residue,
            event_at: self.event_at,
            channel: self.channel.map(owned),
            client_key: self.client_key.map(owned),
        }
    }

    /// The text of its key of a scheme, if it has one.
    pub fn key(&self, scheme: KeyScheme) -> Option<&str> {
        self.keys.iter().find(|it| it.scheme == scheme).map(|it| it.text.as_ref())
    }

    /// The kind it is compared by: a correction's underlying kind, else its own.
    pub fn compared_kind(&self) -> Kind {
        let stands_for = self.underlying_kind.filter(|_| self.kind == Kind::Correction);
        stands_for.unwrap_or(self.kind)
    }
}

/// Why a record became no entry (DESIGN §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectReason {
    /// A field that must be read cannot be.
    FieldUnreadable,
    /// A number that may mean two things, as `1.000` with no declared decimal mark.
    NumberAmbiguous,
    /// More decimals than the account's scale.
    DecimalsBeyondCurrency,
    /// A kind or status that the profile does not know.
    KindUnknown,
    /// A key damaged by a spreadsheet.
    KeyMangled,
}

impl RejectReason {
    /// All, in order.
    pub const ALL: [Self; 5] = [
        Self::FieldUnreadable,
        Self::NumberAmbiguous,
        Self::DecimalsBeyondCurrency,
        Self::KindUnknown,
        Self::KeyMangled,
    ];

    /// The code in SQL and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::FieldUnreadable => "field_unreadable",
            Self::NumberAmbiguous => "number_ambiguous",
            Self::DecimalsBeyondCurrency => "decimals_beyond_currency",
            Self::KindUnknown => "kind_unknown",
            Self::KeyMangled => "key_mangled",
        }
    }
}

/// A record that became no entry, with everything a person needs to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reject {
    /// Where.
    pub place: Place,
    /// Why.
    pub reason: RejectReason,
    /// The field, by its name in the file.
    pub field: String,
    /// Its text as received, cut at 200 characters.
    pub text: String,
    /// What was expected, as half a sentence: ``a number with `,` as decimal mark``.
    pub expected: String,
    /// The amount of the rejected record, where it alone could still be read.
    pub amount: Option<Money>,
    /// The account, where it could be read; blank else.
    pub account: String,
}

/// A remark on a record that did become an entry, or that is left out by rule (DESIGN §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Note {
    /// The record carries no usable key.
    KeyAbsent,
    /// Its status is not final.
    NotFinal,
    /// It does not concern the account or currency of this reconciliation.
    OutOfScope,
    /// It was taken before, from another file of the same source and account.
    RepeatedRecord,
}

impl Note {
    /// The code in SQL and JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::KeyAbsent => "key_absent",
            Self::NotFinal => "not_final",
            Self::OutOfScope => "out_of_scope",
            Self::RepeatedRecord => "repeated_record",
        }
    }
}

/// Where a reader puts what it reads, record by record, in the order of the file. A record whose
/// sign only the end of its statement decides follows there; [`Place::record`] keeps its number.
///
/// Each record gives one or more entries, or exactly one reject; a reader calls nothing else for
/// it. The entry is lent: a sink that keeps it copies what it needs.
pub trait EntrySink {
    /// One entry.
    fn entry(&mut self, entry: &Entry<'_>);

    /// One record that became no entry.
    fn reject(&mut self, reject: Reject);

    /// Whether the entries of the record at a place are wanted, told before it is read. A reader
    /// may pass over a record that is not; what it then says of the file as a whole is of no use.
    fn wants(&mut self, _: Place) -> bool {
        true
    }
}

/// Keeps everything as it comes: for small files, previews and tests.
#[derive(Debug, Default)]
pub struct Kept {
    /// Entries, in the order of the file.
    pub entries: Vec<Entry<'static>>,
    /// Rejects, in the order of the file.
    pub rejects: Vec<Reject>,
}

impl EntrySink for Kept {
    fn entry(&mut self, entry: &Entry<'_>) {
        self.entries.push(entry.clone().into_owned());
    }

    fn reject(&mut self, reject: Reject) {
        self.rejects.push(reject);
    }
}
