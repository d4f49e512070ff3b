//! The end of a statement: its reversals get their sign, and what it states is checked.

use chrono::{Days, NaiveDate};

use crate::domain::{
    entry::{Entry, EntrySink},
    money::{Currency, Money, Sum},
    page::Page,
    statement::{FileFault, FileVerdict, Stated, Statement},
};
use crate::sources::{
    ReadContext,
    camt::{
        balance::Balance,
        book::{Book, Held, Moves},
    },
};

/// How a statement means its reversals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reversals {
    /// `CdtDbtInd` tells the direction of the reversal itself, as the standard has it.
    AsWritten,
    /// `CdtDbtInd` tells the direction of what is reversed.
    Inverted,
}

/// Ends a statement: gives its reversals their sign, checks what it states, and adds it to what
/// the file states.
pub(super) fn close(
    mut book: Book,
    context: &ReadContext<'_>,
    sink: &mut dyn EntrySink,
    stated: &mut Stated,
) {
    let name = book.header.name();
    let currency = book.currency(context);
    let moves = currency.and_then(|it| book.moves.get(&it)).copied().unwrap_or_default();
    let (opening, closing) = ends(&book, currency);
    let reversals =
        if book.pages.is_whole() { decide(opening, closing, moves) } else { Reversals::AsWritten };
    if reversals == Reversals::Inverted {
        stated.remarks.push(format!(
            "{name} closes only if its reversals move money against their `CdtDbtInd`, so they do"
        ));
    }
    for held in std::mem::take(&mut book.held) {
        sink.entry(&signed(held, reversals));
    }
    if book.undated > 0 {
        let undated = book.undated;
        let remark = format!("{name}: {undated} records state no day, the statement's is taken");
        stated.remarks.push(remark);
    }
    stated.faults.append(&mut book.faults);
    if stated.format.starts_with("camt.053") {
        stated.faults.extend(without_balance(&name, &book));
    }
    let mut statement = facts(&book, currency);
    statement.movement = currency.map(|it| Sum::new(movement(moves, reversals), it));
    stated.faults.extend(imbalance(&name, &book, &statement, moves));
    tie_totals(&name, &book, &mut statement, context, &mut stated.faults);
    stated.statements.push(statement);
}

/// A statement of a past day begins and ends with a balance (ISO 20022, camt.053): without one of
/// them nothing tells that its records are all there. The first page has the one, the last the other.
fn without_balance(name: &str, book: &Book) -> Option<FileFault> {
    let (opening, closing) = book.balances();
    let opens = opening.is_some() || !book.pages.contains(1);
    let closes = closing.is_some() || !book.pages.last().is_some_and(|(_, is_last)| is_last);
    let what = match (opens, closes) {
        (true, true) => return None,
        (false, true) => "opening balance",
        (true, false) => "closing balance",
        (false, false) => "balance",
    };
    let what = format!("{name} states no {what}");
    Some(FileFault { verdict: FileVerdict::Incomplete, what })
}

/// Its opening and closing balance, where they are of its currency.
fn ends(book: &Book, currency: Option<Currency>) -> (Option<Money>, Option<Money>) {
    let (opening, closing) = book.balances();
    let of =
        |it: Option<&Balance>| it.map(|it| it.amount).filter(|it| Some(it.currency()) == currency);
    (of(opening), of(closing))
}

/// Reversals are inverted only where the statement closes with them inverted and does not close
/// with them as written.
fn decide(opening: Option<Money>, closing: Option<Money>, moves: Moves) -> Reversals {
    let (Some(opening), Some(closing)) = (opening, closing) else { return Reversals::AsWritten };
    let needed = i128::from(closing.minor()) - i128::from(opening.minor());
    let closes = |reversals| explains(movement(moves, reversals) - needed, moves);
    if !closes(Reversals::AsWritten) && closes(Reversals::Inverted) {
        return Reversals::Inverted;
    }
    Reversals::AsWritten
}

/// Whether what is left over by the arithmetic is nothing, or exactly what was rejected: a record
/// that was rejected is reported by itself, and may be one that is not booked.
fn explains(left: i128, moves: Moves) -> bool {
    left == 0 || left + moves.rejected == 0
}

fn movement(moves: Moves, reversals: Reversals) -> i128 {
    match reversals {
        Reversals::AsWritten => moves.plain + moves.reversed,
        Reversals::Inverted => moves.plain - moves.reversed,
    }
}

/// The entry of a reversal with its sign; the other party changes sides with it.
fn signed(held: Held, reversals: Reversals) -> Entry<'static> {
    let Held { mut entry, party_otherwise } = held;
    match reversals {
        Reversals::AsWritten => {}
        Reversals::Inverted => {
            entry.amount = entry.amount.checked_neg().unwrap_or(entry.amount);
            entry.original = entry.original.and_then(Money::checked_neg);
            entry.party = party_otherwise.into();
        }
    }
    entry
}

fn facts(book: &Book, currency: Option<Currency>) -> Statement {
    let header = &book.header;
    let (opening, closing) = ends(book, currency);
    Statement {
        identity: book.identity.clone(),
        account: header.account.clone(),
        currency,
        from: header.from.or_else(|| first_day(book)),
        to: header.to.or_else(|| book.balances().1?.day),
        first_booking: book.first_booking,
        last_booking: book.last_booking,
        opening,
        closing,
        counted: book.all.records(),
        totalled: sole_currency(book, currency).map(|it| Sum::new(book.all.gross(), it)),
        sequence: header.sequence,
        pages: pages(book),
        copy: header.is_copy,
        ..Statement::default()
    }
}

fn pages(book: &Book) -> Vec<Page> {
    let own = book.pages.told().filter(|_| book.header.page.is_some());
    let mut pages: Vec<_> = own.chain(book.pages_beside.iter().cloned()).collect();
    pages.sort_unstable();
    pages.dedup();
    pages
}

/// The currency of its records where they are all of one, or of none.
fn sole_currency(book: &Book, currency: Option<Currency>) -> Option<Currency> {
    currency.filter(|it| book.moves.keys().all(|other| other == it))
}

/// The first day that a statement without period speaks about. Banks date its opening with that
/// day or with the one before, and no day is claimed that may be meant as the one before.
fn first_day(book: &Book) -> Option<NaiveDate> {
    let (opening, closing) = book.balances();
    let (opening, closing) = (opening?.day?, closing?.day?);
    if opening >= closing || book.first_booking.is_some_and(|it| it <= opening) {
        return Some(opening.min(closing));
    }
    opening.checked_add_days(Days::new(1))
}

/// Why a statement does not close, if it states both balances and does not.
fn imbalance(name: &str, book: &Book, statement: &Statement, moves: Moves) -> Option<FileFault> {
    let fault = |what| Some(FileFault { verdict: FileVerdict::OutOfBalance, what });
    let (opening, closing) = book.balances();
    let (opening, closing) = (opening?.amount, closing?.amount);
    let currency = opening.currency();
    if currency != closing.currency() {
        let other = closing.currency();
        return fault(format!(
            "{name} opens with {opening} {currency} and closes with {closing} {other}"
        ));
    }
    let mut others = book.moves.iter().filter(|(it, _)| **it != currency);
    if let Some((other, _)) = others.find(|(_, moves)| **moves != Moves::default()) {
        return fault(format!("{name} is kept in {currency} and has booked records in {other}"));
    }
    let left = statement.imbalance()?;
    if explains(left.minor(), moves) {
        return None;
    }
    let sum = statement.movement?;
    let reached = sum.plus(i128::from(opening.minor()));
    let rejected = match moves.rejected {
        0 => String::new(),
        minor => format!(" (rejected records of {} not counted)", Sum::new(minor, currency)),
    };
    fault(format!(
        "{name} does not close: {opening} and {sum} moved make {reached}, {closing} {currency} \
         is stated: a difference of {left}{rejected}"
    ))
}

/// Checks the control totals, where all pages are here that they may sum up. Some banks count every record, some only the booked ones: the totals
/// hold if they tie to either.
fn tie_totals(
    name: &str,
    book: &Book,
    statement: &mut Statement,
    context: &ReadContext<'_>,
    faults: &mut Vec<FileFault>,
) {
    let Some(summary) = &book.summary else { return };
    let currency = sole_currency(book, statement.currency);
    if statement.currency.is_some() && currency.is_none() {
        let what = format!("{name} states totals over records of several currencies");
        faults.push(FileFault { verdict: FileVerdict::TotalsDiffer, what });
    }
    statement.count = summary.count();
    statement.total = currency.and_then(|it| summary.sum(it, context));
    let of = |tally| summary.faults(name, tally, currency, context);
    if !book.pages.is_whole() {
        return;
    }
    let mut found = of(book.all);
    if !found.is_empty() && of(book.booked).is_empty() {
        found.clear();
        statement.counted = book.booked.records();
        statement.totalled = currency.map(|it| Sum::new(book.booked.gross(), it));
    }
    faults.append(&mut found);
}
