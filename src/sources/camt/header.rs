//! What a statement says of itself before its records: identity, account, period, page.

use chrono::{Datelike, Days, NaiveDate, NaiveTime};

use crate::domain;
use crate::sources::{
    ReadContext,
    camt::{
        tree::Element,
        value::{self, Moment},
    },
};

/// A page and whether it is the last.
pub(super) type Page = (u32, bool);

/// The header of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GroupHeader {
    /// The day it was made.
    pub(super) created: Option<NaiveDate>,
    /// Its name, with the day it was made.
    name: String,
    pub(super) page: Option<Page>,
}

impl GroupHeader {
    /// Reads a `GrpHdr`.
    pub(super) fn read(element: Element<'_>, context: &ReadContext<'_>) -> Self {
        let page = element.at("MsgPgntn").and_then(page);
        let created = created(element, context);
        let day = created.map(|it| format!("/{it}")).unwrap_or_default();
        let name = format!("{}{day}", element.text_at("MsgId"));
        Self { created, name, page }
    }

    /// Its page, where a statement in it counts pages of its own otherwise.
    pub(super) fn page_beside(&self, own: Page) -> Option<domain::page::Page> {
        let (number, last) = self.page.filter(|it| *it != own)?;
        Some(domain::page::Page { message: self.name.clone(), number, last })
    }
}

/// The header of one `Stmt`, `Rpt` or `Ntfctn`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) id: String,
    pub(super) account: String,
    /// The currency the account is kept in, as written.
    pub(super) currency: String,
    pub(super) sequence: Option<u64>,
    pub(super) created: Option<NaiveDate>,
    pub(super) from: Option<NaiveDate>,
    pub(super) to: Option<NaiveDate>,
    pub(super) page: Option<Page>,
    pub(super) is_copy: bool,
}

impl Header {
    /// A statement's header before anything of it was read.
    pub(super) fn of(group: &GroupHeader, context: &ReadContext<'_>) -> Self {
        let account = context.source.account.clone().unwrap_or_default();
        Self { account, page: group.page, created: group.created, ..Self::default() }
    }

    /// Takes what an element says, if it is one of the header's.
    pub(super) fn take(&mut self, element: Element<'_>, context: &ReadContext<'_>) {
        match element.name() {
            "Id" => element.text().clone_into(&mut self.id),
            "StmtPgntn" | "RptPgntn" | "NtfctnPgntn" => self.page = page(element).or(self.page),
            "ElctrncSeqNb" => self.sequence = element.text().parse().ok(),
            "LglSeqNb" => self.sequence = self.sequence.or(element.text().parse().ok()),
            "CreDtTm" => {
                let moment = value::parse_moment(element.text(), context);
                self.created = moment.map(|it| it.day).or(self.created);
            }
            "FrToDt" => (self.from, self.to) = period(element, context),
            "CpyDplctInd" => self.is_copy = true,
            "Acct" => {
                element.text_at("Ccy").clone_into(&mut self.currency);
                if let Some(account) = account(element) {
                    account.clone_into(&mut self.account);
                }
            }
            _ => {}
        }
    }

    /// The statement's name at its bank: message, account, number and year, as numbers begin anew
    /// every year. Blank where it has no number.
    pub(super) fn identity(&self, message: &str) -> String {
        let number = match self.sequence {
            Some(sequence) if self.id.is_empty() => sequence.to_string(),
            Some(_) | None => self.id.clone(),
        };
        if number.is_empty() {
            return number;
        }
        let year = self.created.or(self.to).map(|it| format!("/{}", it.year())).unwrap_or_default();
        format!("{message}/{}/{number}{year}", self.account)
    }

    /// How the statement is called in remarks and faults.
    pub(super) fn name(&self) -> String {
        format!("statement `{}` of account `{}`", self.id, self.account)
    }
}

fn page(element: Element<'_>) -> Option<Page> {
    let number = element.text_at("PgNb").parse().ok()?;
    Some((number, matches!(element.text_at("LastPgInd"), "true" | "1")))
}

fn created(element: Element<'_>, context: &ReadContext<'_>) -> Option<NaiveDate> {
    value::parse_moment(element.text_at("CreDtTm"), context).map(|it| it.day)
}

/// The account's number: an IBAN, or whatever its bank uses.
fn account(element: Element<'_>) -> Option<&str> {
    let paths = ["Id/IBAN", "Id/Othr/Id", "Id/BBAN", "Id/PrtryAcct/Id"];
    paths.into_iter().map(|path| element.text_at(path)).find(|it| !it.is_empty())
}

/// First and last day of a period. One that ends as a day begins does not reach into that day.
fn period(
    element: Element<'_>,
    context: &ReadContext<'_>,
) -> (Option<NaiveDate>, Option<NaiveDate>) {
    let moment = |names: [&str; 2]| {
        let text = names.into_iter().map(|it| element.text_at(it)).find(|it| !it.is_empty());
        value::parse_moment(text?, context)
    };
    let from = moment(["FrDtTm", "FrDt"]).map(|it| it.day);
    let to = moment(["ToDtTm", "ToDt"]).map(|it| {
        let before = it.day.checked_sub_days(Days::new(1)).filter(|_| is_midnight(it, context));
        before.filter(|day| from.is_some_and(|from| from <= *day)).unwrap_or(it.day)
    });
    (from, to)
}

fn is_midnight(moment: Moment, context: &ReadContext<'_>) -> bool {
    moment.at.is_some_and(|at| at.with_timezone(&context.timezone).time() == NaiveTime::MIN)
}

/// The pages of one statement or message that are in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages(Vec<Page>);

impl Pages {
    /// Adds a page.
    pub(super) fn add(&mut self, page: Page) {
        self.0.push(page);
        self.0.sort_unstable();
    }

    /// The highest page.
    pub(super) fn last(&self) -> Option<Page> {
        self.0.last().copied()
    }

    /// Whether a page of this number is there.
    pub(super) fn contains(&self, number: u32) -> bool {
        self.0.iter().any(|(it, _)| *it == number)
    }

    /// All of them, as the house tells them.
    pub(super) fn told(&self) -> impl Iterator<Item = domain::page::Page> {
        self.0.iter().map(|(number, last)| domain::page::Page::new(*number, *last))
    }

    /// Whether all are there, from the first to the last.
    pub(super) fn is_whole(&self) -> bool {
        let told: Vec<_> = self.told().collect();
        domain::page::missing(&told).is_none()
    }
}
