//! The balances of a statement.

use chrono::NaiveDate;

use crate::domain::money::Money;
use crate::sources::{
    ReadContext,
    camt::{
        tree::Element,
        value::{self, Direction, Unreadable},
    },
};

/// One `Bal`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Balance {
    kind: BalanceKind,
    /// Negative where the account is in debit.
    pub(super) amount: Money,
    pub(super) day: Option<NaiveDate>,
}

/// Which balance it is, as far as booked money is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BalanceKind {
    /// `OPBD`: opening, booked.
    Opening,
    /// `PRCD`: the closing of the day before.
    Previous,
    /// `CLBD`: closing, booked.
    Closing,
    /// `ITBD`: booked so far, at the end of a page or in the course of a day.
    Interim,
}

impl Balance {
    /// Reads a `Bal`; `None` for balances that are not of booked money: available, expected,
    /// forward, for information, or of a type only its bank knows.
    pub(super) fn read(
        element: Element<'_>,
        context: &ReadContext<'_>,
    ) -> Result<Option<Self>, Unreadable> {
        let types = ["Tp/CdOrPrtry/Cd", "Tp/CdOrPrtry/Prtry", "Tp/Cd", "Tp"];
        let code = types.into_iter().map(|path| element.text_at(path)).find(|it| !it.is_empty());
        let kind = match code.unwrap_or("") {
            "OPBD" => BalanceKind::Opening,
            "PRCD" => BalanceKind::Previous,
            "CLBD" => BalanceKind::Closing,
            "ITBD" => BalanceKind::Interim,
            _ => return Ok(None),
        };
        let absent = |field| Unreadable::field(field, "", "an amount with its direction");
        let amount = element.at("Amt").ok_or_else(|| absent("Bal/Amt"))?;
        let amount = value::amount(amount, context)?;
        let direction = Direction::of(element)?.ok_or_else(|| absent("Bal/CdtDbtInd"))?;
        let day = value::moment(element.at("Dt"), "Bal/Dt", context)?.map(|it| it.day);
        Ok(Some(Self { kind, amount: direction.sign(amount), day }))
    }
}

/// The balances between which a statement's entries lie.
///
/// An interim balance stands in for the one that is missing: for the opening where a closing is
/// stated (a page that continues another), for the closing where an opening is stated (a page that
/// is continued, or a report within the day). Of balances for several days the outermost count.
pub(super) fn ends(balances: &[Balance]) -> (Option<&Balance>, Option<&Balance>) {
    let of = |kind| balances.iter().filter(move |it| it.kind == kind);
    let first = |kind| of(kind).min_by_key(|it| it.day);
    let opening = first(BalanceKind::Opening).or_else(|| first(BalanceKind::Previous));
    let closing = of(BalanceKind::Closing).max_by_key(|it| it.day);
    let mut interim = of(BalanceKind::Interim);
    match (opening, closing) {
        (Some(_), Some(_)) => (opening, closing),
        (Some(_), None) => (opening, interim.next_back()),
        (None, Some(_)) => (interim.next(), closing),
        (None, None) => match (interim.next(), interim.next_back()) {
            (only, None) => (None, only),
            both => both,
        },
    }
}
