//! One row as one entry, or the field for which it is refused.

mod money;

use std::{borrow::Cow, collections::BTreeMap};

use chrono::NaiveDate;

use crate::config::{Column, Source};
use crate::domain::entry::{Entry, Kind, Place, RejectReason, Status};
use crate::domain::key::{NaturalKey, is_mangled};
use crate::domain::money::{Currency, Money};
use crate::sources::csv::layout::Layout;
use crate::sources::csv::records::Row;
use crate::sources::date::{Dates, credible};
use crate::sources::encoding::Charset;
use crate::sources::number::Grammar;
use crate::sources::{ReadContext, StatementError};

use money::signed_as;

/// Reads rows by a profile.
pub(super) struct Fields<'a> {
    context: &'a ReadContext<'a>,
    source: &'a Source,
    /// Which cell stands for what.
    pub layout: Layout,
    /// How numbers are written.
    pub numbers: Grammar,
    /// How dates are written.
    pub dates: Dates,
    /// The currency last read, for the next row mostly has the same.
    last: Option<(String, Currency)>,
    /// What could be read of the row at hand, for its reject.
    pub seen: Seen,
}

/// What could be read of a row before it was refused.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The amount.
    pub amount: Option<Money>,
    /// The account.
    pub account: String,
}

/// A row, read.
pub(super) struct Fielded<'r> {
    /// The entry.
    pub entry: Entry<'r>,
    /// The balance stated after it.
    pub balance: Option<Money>,
}

/// Why a row gives no entry.
pub(super) enum Stop {
    /// It is refused for one field.
    Field(Fault),
    /// The file as a whole is.
    File(StatementError),
}

/// What is wrong with a field.
pub(super) struct Fault {
    /// Why.
    pub reason: RejectReason,
    /// Its column; beyond the last, the row as a whole.
    pub at: usize,
    /// What was expected there.
    pub expected: String,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Field(fault)
    }
}

impl From<StatementError> for Stop {
    fn from(error: StatementError) -> Self {
        Self::File(error)
    }
}

impl<'a> Fields<'a> {
    /// Rows of a layout, by a source's profile.
    pub(super) fn new(
        context: &'a ReadContext<'a>,
        layout: Layout,
    ) -> Result<Self, StatementError> {
        let source = context.source;
        Ok(Self {
            context,
            source,
            layout,
            numbers: Grammar::new(source.decimal.as_deref(), source.thousands.as_deref()),
            dates: Dates::new(source, context.timezone).map_err(StatementError::Profile)?,
            last: None,
            seen: Seen::default(),
        })
    }

    /// Reads a row; `keys` is an empty list that is used again.
    pub(super) fn read<'r>(
        &mut self,
        row: &Row<'r>,
        place: Place,
        keys: Vec<NaturalKey<'r>>,
        charset: &mut Charset,
    ) -> Result<Fielded<'r>, Stop>
    where
        'a: 'r,
    {
        self.seen.amount = None;
        self.seen.account.clear();
        self.check_shape(row)?;
        let account = self.account(row, charset)?;
        let amount = self.amount(row, charset)?;
        self.seen.amount = Some(amount);
        let day = text(row, self.layout.booking_date, charset)?;
        let booking_date = self.day(&day, self.layout.booking_date)?;
        let mut read = Fielded { entry: Entry::new(place, amount, booking_date), balance: None };
        read.entry.account = account;
        read.entry.keys = keys;
        for at in 0..self.layout.others.len() {
            let (column, at) = self.layout.others[at];
            let cell = text(row, at, charset)?;
            if let Column::OriginalAmount = column {
                read.entry.original = self.original(row, &cell, at, amount, charset)?;
            } else {
                self.take(&mut read, column, cell, at)?;
            }
        }
        Ok(read)
    }

    /// Cells beyond the header's or missing ones mean that the row is cut, or that a delimiter
    /// stands inside a cell: then no column is certain.
    fn check_shape(&self, row: &Row<'_>) -> Result<(), Fault> {
        let width = self.layout.names.len();
        let filled = |at| !row.cell(at).trim_ascii().is_empty();
        let fault =
            |expected| Fault { reason: RejectReason::FieldUnreadable, at: usize::MAX, expected };
        if row.torn {
            return Err(fault("nothing between a closing quote and the delimiter".to_owned()));
        }
        if row.width() < width || (width..row.width()).any(filled) {
            return Err(fault(format!("{width} cells, and not {}", row.width())));
        }
        Ok(())
    }

    fn account<'r>(&mut self, row: &Row<'r>, charset: &mut Charset) -> Result<Cow<'r, str>, Stop>
    where
        'a: 'r,
    {
        let default = || Cow::Borrowed(self.source.account.as_deref().unwrap_or(""));
        let stated = match self.layout.account {
            Some(at) => text(row, at, charset)?,
            None => Cow::Borrowed(""),
        };
        let account = if stated.is_empty() { default() } else { stated };
        self.seen.account.push_str(&account);
        Ok(account)
    }

    /// Takes a column that is no part of amount, currency, account or booking date.
    fn take<'r>(
        &self,
        read: &mut Fielded<'r>,
        column: Column,
        text: Cow<'r, str>,
        at: usize,
    ) -> Result<(), Fault> {
        let entry = &mut read.entry;
        let currency = entry.amount.currency();
        match column {
            Column::Kind => entry.kind = known(&self.source.kinds, &text, at, "kinds")?,
            Column::Status => entry.status = known(&self.source.statuses, &text, at, "statuses")?,
            Column::Key(scheme) => entry.keys.extend(NaturalKey::given(scheme, whole(text, at)?)),
            Column::IntentKey => entry.intent = given(whole(text, at)?),
            Column::Reverses => entry.reverses = given(whole(text, at)?),
            Column::ClientKey => entry.client_key = given(whole(text, at)?),
            Column::Party => entry.party = text,
            Column::Text => entry.text = text,
            Column::Period => entry.period = given(text),
            Column::Channel => entry.channel = given(text),
            // The other columns say nothing where they are blank.
            _ if text.is_empty() => {}
            Column::UnderlyingKind => {
                entry.underlying_kind = Some(known(&self.source.kinds, &text, at, "kinds")?);
            }
            Column::ValueDate => entry.value_date = Some(self.day(&text, at)?),
            Column::EventAt => {
                let moment = self.dates.moment(&text);
                let expected =
                    || unreadable(at, credible("a date and time, or a declared `datetime`"));
                entry.event_at = Some(moment.ok_or_else(expected)?);
            }
            Column::GroupSize => {
                let size = text.parse().map_err(|_| unreadable(at, "a count".to_owned()))?;
                entry.group_size = Some(size);
            }
            Column::Rate => {
                let rate = self.filled_number(&text, at)?.to_decimal();
                let rate = rate.filter(|it| it.is_sign_positive() && !it.is_zero());
                let expected = || unreadable(at, "a rate above zero".to_owned());
                entry.rate = Some(rate.ok_or_else(expected)?);
            }
            Column::Fee => {
                let fee = self.money(&text, currency, at)?;
                entry.fee = Some(signed_as(fee, Money::new(1, currency), at)?);
            }
            Column::Rest => {
                entry.rest = Some(signed_as(self.money(&text, currency, at)?, entry.amount, at)?);
            }
            Column::Balance => read.balance = Some(self.balance(&text, currency, at)?),
            Column::Amount
            | Column::Debit
            | Column::Credit
            | Column::Mark
            | Column::Currency
            | Column::Account
            | Column::BookingDate
            | Column::OriginalAmount
            | Column::OriginalCurrency => {}
        }
        Ok(())
    }

    fn day(&self, text: &str, at: usize) -> Result<NaiveDate, Fault> {
        self.dates.day(text).ok_or_else(|| unreadable(at, self.dates.expected()))
    }
}

/// The text of a cell, without blanks around it.
pub(super) fn text<'r>(
    row: &Row<'r>,
    at: usize,
    charset: &mut Charset,
) -> Result<Cow<'r, str>, Stop> {
    if let Some(text) = row.ascii(at) {
        return Ok(Cow::Borrowed(trimmed(text)));
    }
    let decoded = match row.cell(at) {
        Cow::Borrowed(bytes) => charset.decode(bytes)?,
        Cow::Owned(bytes) => charset.decode(&bytes)?.map(|it| Cow::Owned(it.into_owned())),
    };
    match decoded {
        Some(Cow::Borrowed(text)) => Ok(Cow::Borrowed(trimmed(text))),
        Some(Cow::Owned(text)) if text.trim().len() == text.len() => Ok(Cow::Owned(text)),
        Some(Cow::Owned(text)) => Ok(Cow::Owned(text.trim().to_owned())),
        None => Err(unreadable(at, "text in the declared `encoding`".to_owned()).into()),
    }
}

/// A text without blanks around it; most have none, and that is told by their bytes.
fn trimmed(text: &str) -> &str {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(b'!'..=b'~'), Some(b'!'..=b'~')) => text,
        _ => text.trim(),
    }
}

fn unreadable(at: usize, expected: String) -> Fault {
    Fault { reason: RejectReason::FieldUnreadable, at, expected }
}

/// What a word of the file means: by the profile's table, or as our own name where there is none.
fn known<T: Word>(
    table: &BTreeMap<String, T>,
    text: &str,
    at: usize,
    key: &str,
) -> Result<T, Fault> {
    let known = if table.is_empty() { T::named(text) } else { table.get(text).copied() };
    known.ok_or_else(|| Fault {
        reason: RejectReason::KindUnknown,
        at,
        expected: format!("a value that `{key}` names, and not `{text}`"),
    })
}

/// What a table of the profile gives.
trait Word: Copy {
    fn named(text: &str) -> Option<Self>;
}

impl Word for Kind {
    fn named(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Word for Status {
    fn named(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// A key that no spreadsheet has damaged.
fn whole(text: Cow<'_, str>, at: usize) -> Result<Cow<'_, str>, Fault> {
    if is_mangled(&text) {
        let expected = "the key as issued; a spreadsheet has made it a number".to_owned();
        return Err(Fault { reason: RejectReason::KeyMangled, at, expected });
    }
    Ok(text)
}

fn given(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    (!text.is_empty()).then_some(text)
}
