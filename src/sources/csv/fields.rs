//! One row as one entry, or the field for which it is refused.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::NaiveDate;

use crate::config::{Column, Direction, Sign, Source};
use crate::domain::entry::{Entry, Kind, Place, RejectReason, Status};
use crate::domain::key::{NaturalKey, is_mangled};
use crate::domain::money::{Currency, Money, MoneyError};
use crate::sources::csv::layout::{Amounts, Layout};
use crate::sources::csv::records::Row;
use crate::sources::date::Dates;
use crate::sources::encoding::Charset;
use crate::sources::number::{Grammar, Number, NumberError};
use crate::sources::{ReadContext, StatementError};

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

    /// The amount as our side's sign has it: positive is money in.
    fn amount(&mut self, row: &Row<'_>, charset: &mut Charset) -> Result<Money, Stop> {
        let ignored = self.source.sign == Sign::Ignored;
        let (number, at, direction) = match self.layout.amounts {
            Amounts::Signed(at) => {
                let number = self.filled_number(&text(row, at, charset)?, at)?;
                (number, at, None)
            }
            Amounts::Marked { amount, mark } => {
                let number = self.filled_number(&text(row, amount, charset)?, amount)?;
                let direction = self.mark(&text(row, mark, charset)?, mark)?;
                (number, amount, Some(direction))
            }
            Amounts::Split { debit, credit } => {
                let out = self.number(&text(row, debit, charset)?, debit)?;
                let into = self.number(&text(row, credit, charset)?, credit)?;
                match (out, into) {
                    (Some(out), Some(into)) if !out.is_zero() && !into.is_zero() => {
                        let expected = "a debit or a credit, and not both";
                        return Err(unreadable(credit, expected.to_owned()).into());
                    }
                    (Some(out), None) => (out, debit, Some(Direction::Out)),
                    (Some(out), Some(into)) if into.is_zero() => (out, debit, Some(Direction::Out)),
                    (_, Some(into)) => (into, credit, Some(Direction::In)),
                    (None, None) => {
                        let expected = "a debit or a credit";
                        return Err(unreadable(credit, expected.to_owned()).into());
                    }
                }
            }
        };
        let currency = self.currency(row, number, at, charset)?;
        let minor = self.minor(number, currency, at)?;
        if direction.is_some() && minor < 0 && !ignored {
            let expected = "an amount without a sign, or `sign = \"ignored\"`".to_owned();
            return Err(unreadable(at, expected).into());
        }
        let out = direction == Some(Direction::Out);
        let minor = if direction.is_some() { minor.checked_abs() } else { Some(minor) };
        let turned = out ^ (self.source.sign == Sign::Inverted) ^ self.source.mirror;
        let minor = minor.and_then(|it| if turned { it.checked_neg() } else { Some(it) });
        let minor = minor.ok_or_else(|| unreadable(at, MoneyError::Range.to_string()))?;
        Ok(Money::new(minor, self.context.scaled(currency)))
    }

    /// Which way a mark says that money goes.
    fn mark(&self, text: &str, at: usize) -> Result<Direction, Fault> {
        let known = if self.source.marks.is_empty() {
            default_mark(text)
        } else {
            self.source.marks.get(text).copied()
        };
        known.ok_or_else(|| Fault {
            reason: RejectReason::KindUnknown,
            at,
            expected: "a mark that `marks` names".to_owned(),
        })
    }

    /// The currency of the row, in the currency's own scale.
    fn currency(
        &mut self,
        row: &Row<'_>,
        number: Number,
        at: usize,
        charset: &mut Charset,
    ) -> Result<Currency, Stop> {
        let stated = match self.layout.currency {
            Some(at) => {
                let text = text(row, at, charset)?;
                if text.is_empty() { None } else { Some(self.currency_named(&text, at)?) }
            }
            None => None,
        };
        let known = stated.or(self.source.currency);
        match (known, number.currency) {
            (Some(known), Some(beside)) if known.code() != beside.code() => {
                Err(unreadable(at, format!("an amount in {known}")).into())
            }
            (known, beside) => known.or(beside).ok_or_else(|| {
                let at = self.layout.currency.unwrap_or(at);
                unreadable(at, "a currency, or a declared `currency`".to_owned()).into()
            }),
        }
    }

    fn currency_named(&mut self, text: &str, at: usize) -> Result<Currency, Fault> {
        if let Some((name, currency)) = &self.last
            && name == text
        {
            return Ok(*currency);
        }
        let mapped = self.source.currencies.get(text).copied();
        let currency = mapped
            .or_else(|| Currency::iso(text))
            .ok_or_else(|| unreadable(at, "a currency of ISO 4217".to_owned()))?;
        self.last = Some((text.to_owned(), currency));
        Ok(currency)
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
                    || unreadable(at, "a date and time, or a declared `datetime`".to_owned());
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

    fn original(
        &mut self,
        row: &Row<'_>,
        cell: &str,
        at: usize,
        amount: Money,
        charset: &mut Charset,
    ) -> Result<Option<Money>, Stop> {
        let Some(currency_at) = self.layout.original_currency.filter(|_| !cell.is_empty()) else {
            return Ok(None);
        };
        let code = text(row, currency_at, charset)?;
        let currency = self.source.currencies.get(code.as_ref()).copied();
        let currency = currency
            .or_else(|| Currency::iso(&code))
            .ok_or_else(|| unreadable(currency_at, "a currency of ISO 4217".to_owned()))?;
        Ok(Some(signed_as(self.money(cell, currency, at)?, amount, at)?))
    }

    /// A balance, positive where the account holds money. One signed column has its balances in
    /// its own sign; debits and credits, whichever of them comes in, do not.
    fn balance(&self, text: &str, currency: Currency, at: usize) -> Result<Money, Fault> {
        let money = self.money(text, currency, at)?;
        let turned = if self.turns_balances() { money.checked_neg() } else { Some(money) };
        turned.ok_or_else(|| unreadable(at, MoneyError::Range.to_string()))
    }

    /// Whether a stated balance has the opposite sign of ours.
    pub(super) fn turns_balances(&self) -> bool {
        let signed = matches!(self.layout.amounts, Amounts::Signed(_));
        (signed && self.source.sign == Sign::Inverted) ^ self.source.mirror
    }

    fn day(&self, text: &str, at: usize) -> Result<NaiveDate, Fault> {
        self.dates.day(text).ok_or_else(|| unreadable(at, self.dates.expected()))
    }

    fn money(&self, text: &str, currency: Currency, at: usize) -> Result<Money, Fault> {
        let number = self.filled_number(text, at)?;
        // The entry's currency is at the run's scale; what may be written is its own.
        let own = Currency::iso(currency.code()).unwrap_or(currency);
        Ok(Money::new(self.minor(number, own, at)?, self.context.scaled(own)))
    }

    fn minor(&self, number: Number, currency: Currency, at: usize) -> Result<i64, Fault> {
        let scaled = self.context.scaled(currency);
        number.minor(self.context.decimals(currency), scaled).map_err(|why| match why {
            MoneyError::Decimals { decimals } => Fault {
                reason: RejectReason::DecimalsBeyondCurrency,
                at,
                expected: format!("at most {decimals} decimals, or a declared `scale`"),
            },
            MoneyError::Range => unreadable(at, "at most 64 bits of minor units".to_owned()),
        })
    }

    fn filled_number(&self, text: &str, at: usize) -> Result<Number, Fault> {
        let expected = || unreadable(at, self.numbers.expected().to_owned());
        self.number(text, at)?.ok_or_else(expected)
    }

    /// A number, or `None` for a blank.
    fn number(&self, text: &str, at: usize) -> Result<Option<Number>, Fault> {
        if text.is_empty() {
            return Ok(None);
        }
        self.numbers.parse(text).map(Some).map_err(|why| Fault {
            reason: match why {
                NumberError::Wrong => RejectReason::FieldUnreadable,
                NumberError::Ambiguous => RejectReason::NumberAmbiguous,
            },
            at,
            expected: self.numbers.expected().to_owned(),
        })
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

/// The mark's usual meaning, seen from the account: a credit comes in.
fn default_mark(text: &str) -> Option<Direction> {
    match text {
        "C" | "CR" | "CRDT" | "Credit" | "credit" | "К" | "Кт" | "Кредит" | "+" => {
            Some(Direction::In)
        }
        "D" | "DR" | "DBIT" | "Debit" | "debit" | "Д" | "Дт" | "Дебет" | "-" => {
            Some(Direction::Out)
        }
        _ => None,
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

/// The amount with the sign of another, whatever its own.
fn signed_as(money: Money, other: Money, at: usize) -> Result<Money, Fault> {
    if money.is_outflow() == other.is_outflow() {
        return Ok(money);
    }
    money.checked_neg().ok_or_else(|| unreadable(at, MoneyError::Range.to_string()))
}
