//! Single values: amounts, directions, statuses, days.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeZone, Utc};
use rust_decimal::Decimal;

use crate::domain::{
    entry::{RejectReason, Status},
    money::{Currency, Money, MoneyError},
};
use crate::sources::{ReadContext, camt::tree::Element, date};

/// A field that cannot be read, which rejects its record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) reason: RejectReason,
    /// The field's name in the file.
    pub(super) field: &'static str,
    /// Its text as received.
    pub(super) text: String,
    /// What was expected, as half a sentence.
    pub(super) expected: String,
}

impl Unreadable {
    /// A field that is not what it should be.
    pub(super) fn field(field: &'static str, text: &str, expected: impl Into<String>) -> Self {
        let (text, expected) = (text.to_owned(), expected.into());
        Self { reason: RejectReason::FieldUnreadable, field, text, expected }
    }
}

/// Which way money goes, as written: credit is in, debit is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Credit,
    Debit,
}

impl Direction {
    /// What an element's `CdtDbtInd` says, or `None` if it has none.
    pub(super) fn of(element: Element<'_>) -> Result<Option<Self>, Unreadable> {
        match element.text_at("CdtDbtInd") {
            "CRDT" => Ok(Some(Self::Credit)),
            "DBIT" => Ok(Some(Self::Debit)),
            "" => Ok(None),
            other => Err(Unreadable::field("CdtDbtInd", other, "`CRDT` or `DBIT`")),
        }
    }

    /// An unsigned amount with its sign. Amounts as read are never the one without opposite.
    pub(super) fn sign(self, amount: Money) -> Money {
        match self {
            Self::Credit => amount,
            Self::Debit => amount.checked_neg().unwrap_or(amount),
        }
    }

    /// The other way.
    pub(super) fn other(self) -> Self {
        match self {
            Self::Credit => Self::Debit,
            Self::Debit => Self::Credit,
        }
    }
}

/// The amount that an `Amt` states, unsigned as it is written.
pub(super) fn amount(element: Element<'_>, context: &ReadContext<'_>) -> Result<Money, Unreadable> {
    let code = element.currency();
    let currency = Currency::iso(code).filter(|it| it.code() == code).ok_or_else(|| {
        Unreadable::field("Amt/@Ccy", code, "a currency of ISO 4217, in capital letters")
    })?;
    number(element.text(), currency, context)
}

/// An unsigned number as an amount: digits with `.` as decimal mark.
pub(super) fn number(
    text: &str,
    currency: Currency,
    context: &ReadContext<'_>,
) -> Result<Money, Unreadable> {
    let unreadable = |expected: String| Unreadable::field("Amt", text, expected);
    let Some(decimal) = unsigned(text) else {
        return Err(unreadable("a number without sign and with `.` as decimal mark".to_owned()));
    };
    let allowed = context.decimals(currency);
    if decimal.normalize().scale() > u32::from(allowed) {
        let expected = format!("at most {allowed} decimals for {currency}");
        return Err(Unreadable {
            reason: RejectReason::DecimalsBeyondCurrency,
            ..unreadable(expected)
        });
    }
    Money::from_decimal(decimal, context.scaled(currency)).map_err(|error| match error {
        MoneyError::Decimals { .. } => unreadable(format!("a number of {currency}: {error}")),
        MoneyError::Range => unreadable("a number within 64 bits of minor units".to_owned()),
    })
}

/// A number of digits with at most one `.`.
pub(super) fn unsigned(text: &str) -> Option<Decimal> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = plain.then(|| Decimal::from_str_exact(text).ok())??;
    text.bytes().any(|byte| byte.is_ascii_digit()).then_some(number)
}

/// What `Sts` says: a text up to version 7, a choice of `Cd` and `Prtry` from then on. What a bank's
/// own words mean, the profile tells.
pub(super) fn status(entry: Element<'_>, context: &ReadContext<'_>) -> Result<Status, Unreadable> {
    let text = match entry.at("Sts/Cd").or_else(|| entry.at("Sts/Prtry")) {
        Some(code) => code.text(),
        None => entry.text_at("Sts"),
    };
    if let Some(status) = context.source.statuses.get(text) {
        return Ok(*status);
    }
    match text {
        "BOOK" => Ok(Status::Booked),
        "PDNG" | "INFO" | "FUTR" => Ok(Status::Pending),
        other => Err(Unreadable {
            reason: RejectReason::KindUnknown,
            ..Unreadable::field(
                "Sts",
                other,
                "`BOOK`, `PDNG`, `INFO`, `FUTR`, or a status that `statuses` names",
            )
        }),
    }
}

/// A day, and the moment where one is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) day: NaiveDate,
    pub(super) at: Option<DateTime<Utc>>,
}

/// What an element with `Dt` or `DtTm` in it states, or `None` if there is neither.
pub(super) fn moment(
    element: Option<Element<'_>>,
    field: &'static str,
    context: &ReadContext<'_>,
) -> Result<Option<Moment>, Unreadable> {
    let inner = element.and_then(|it| it.at("Dt").or_else(|| it.at("DtTm")));
    let Some(inner) = inner.filter(|it| !it.text().is_empty()) else { return Ok(None) };
    let unreadable = || {
        let expected = date::credible("a date or a date and time of ISO 8601");
        Unreadable::field(field, inner.text(), expected)
    };
    parse_moment(inner.text(), context).map(Some).ok_or_else(unreadable)
}

/// A date or a date and time, whichever element it stands in. A moment falls on the day that it has
/// in the zone of the reconciliation, and one without a zone is meant in that of its source. A day
/// is the same day in every zone.
pub(super) fn parse_moment(text: &str, context: &ReadContext<'_>) -> Option<Moment> {
    moment_written(text, context).filter(|it| date::is_credible(&it.day))
}

fn moment_written(text: &str, context: &ReadContext<'_>) -> Option<Moment> {
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Some(Moment { day, at: None });
    }
    let falling = |at: DateTime<Utc>| Moment {
        day: at.with_timezone(&context.timezone).date_naive(),
        at: Some(at),
    };
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Some(falling(at.to_utc()));
    }
    if let Ok(local) = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f") {
        let zone = context.source.timezone.unwrap_or(context.timezone);
        let at = zone.from_local_datetime(&local).earliest();
        // An hour that a change of clocks leaves out is still of its day.
        return Some(at.map_or(Moment { day: local.date(), at: None }, |it| falling(it.to_utc())));
    }
    let (day, zone) = text.split_at_checked(10)?;
    let zoned = DateTime::parse_from_rfc3339(&format!("{day}T00:00:00{zone}")).ok()?;
    Some(Moment { day: zoned.date_naive(), at: None })
}
