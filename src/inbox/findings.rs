//! Everything that can be found against a file.

use chrono::NaiveDate;

use crate::domain::{
    page,
    side::Side,
    statement::{FileFault, FileVerdict, Statement},
};
use crate::inbox::{Arriving, Expected, Known, is_beside, is_same};

/// All findings, in no order.
pub(super) fn all(arriving: &Arriving<'_>, known: &Known, expected: &Expected) -> Vec<FileFault> {
    let mut found = arriving.stated.faults.clone();
    found.extend(uncounted(arriving));
    found.extend(repeat(arriving, known));
    found.extend(emptiness(arriving));
    for (at, statement) in arriving.stated.statements.iter().enumerate() {
        found.extend(foreign(statement, expected));
        found.extend(missing_pages(statement, arriving, known));
        if statement.is_whole() {
            found.extend(miscount(statement));
            found.extend(imbalance(statement));
            found.extend(other_total(statement));
        }
        found.extend(unfit_whole(statement, arriving));
        let before = &arriving.stated.statements[..at];
        found.extend(told_twice(statement, before));
        found.extend(unchained(statement, before));
        found.extend(gap(statement, arriving.side, before, known));
        found.extend(overlap(statement, arriving, known));
    }
    found
}

/// Every record is read or refused; anything else is a fault of the reader, and the file is not
/// trusted.
fn uncounted(arriving: &Arriving<'_>) -> Option<FileFault> {
    let (records, read, rejects) = (arriving.stated.records, arriving.read, arriving.rejects);
    (records != read + rejects).then(|| FileFault {
        verdict: FileVerdict::Incomplete,
        what: format!("records in the file: {records}, read: {read}, refused: {rejects}"),
    })
}

/// The same statement in other bytes: repeated where every record is known and none vanished,
/// else restated. Where only its days and its opening tell that it is the same, it may have grown:
/// then it overlaps. A file without a known identity repeats where all its records are known.
fn repeat(arriving: &Arriving<'_>, known: &Known) -> Option<FileFault> {
    let earlier = known.earlier_version(arriving.side, arriving.stated);
    if let Some(earlier) = earlier {
        let name = &earlier.name;
        let Some(revision) = arriving.revision else {
            let what = format!(
                "the statement taken as `{name}` comes again, and what it held is not in the store: \
                 the two cannot be compared"
            );
            return Some(FileFault { verdict: FileVerdict::Restated, what });
        };
        if revision.added == 0 && revision.vanished == 0 {
            let what = format!("the same statement was taken before in other bytes as `{name}`");
            return Some(FileFault { verdict: FileVerdict::Repeated, what });
        }
        let mut statements = arriving.stated.statements.iter();
        if revision.vanished == 0 && statements.all(|it| it.identity.is_empty()) {
            return None;
        }
        let what = format!(
            "the statement taken as `{name}` comes again; records added: {}, vanished: {}",
            revision.added, revision.vanished
        );
        return Some(FileFault { verdict: FileVerdict::Restated, what });
    }
    let all_held = arriving.entries > 0 && arriving.held == arriving.entries;
    all_held.then(|| FileFault {
        verdict: FileVerdict::Repeated,
        what: format!("every entry ({}) was taken before from other files", arriving.entries),
    })
}

fn emptiness(arriving: &Arriving<'_>) -> Option<FileFault> {
    (arriving.entries == 0 && arriving.rejects == 0)
        .then(|| FileFault { verdict: FileVerdict::Empty, what: "it holds no entry".to_owned() })
}

/// Blanks and case do not tell accounts apart: an IBAN is printed in groups of four.
fn foreign(statement: &Statement, expected: &Expected) -> Option<FileFault> {
    let plain = |text: &str| text.split_whitespace().collect::<String>().to_uppercase();
    let foreign = |what| Some(FileFault { verdict: FileVerdict::Foreign, what });
    let (named, account) = (&statement.account, expected.account.as_deref());
    if let Some(account) = account
        && !named.is_empty()
        && plain(named) != plain(account)
    {
        return foreign(format!("it speaks of account `{named}`, expected is `{account}`"));
    }
    match (statement.currency, expected.currency) {
        (Some(stated), Some(currency)) if stated.code() != currency.code() => {
            foreign(format!("it speaks of {stated}, expected is {currency}"))
        }
        _ => None,
    }
}

fn miscount(statement: &Statement) -> Option<FileFault> {
    let stated = statement.count.filter(|count| *count != statement.counted)?;
    let what = format!("entries stated: {stated}, found: {}", statement.counted);
    Some(FileFault { verdict: FileVerdict::Incomplete, what })
}

/// A paged statement is complete when pages from the first to the last are held or came along.
fn missing_pages(
    statement: &Statement,
    arriving: &Arriving<'_>,
    known: &Known,
) -> Option<FileFault> {
    let held = known.in_force(arriving.side).flat_map(|it| &it.statements);
    let here = arriving.stated.statements.iter().chain(arriving.companions);
    let all: Vec<_> = held.chain(here).collect();
    let own = all.iter().filter(|it| it.is_paged_with(statement));
    let of_statement = || {
        let what = page::missing(own.flat_map(|it| it.pages_of_it()))?;
        Some(format!("{what} of statement `{}` is missing", statement.identity))
    };
    let of_message = |name: &str| {
        let pages = all.iter().flat_map(|it| &it.pages).filter(|it| it.message == name);
        Some(format!("{} of message `{name}` is missing", page::missing(pages)?))
    };
    let of_any_message = || {
        let mut messages = statement.pages.iter().filter(|it| !it.message.is_empty());
        messages.find_map(|it| of_message(&it.message))
    };
    let what = of_statement().or_else(of_any_message)?;
    Some(FileFault { verdict: FileVerdict::Incomplete, what })
}

/// What is found against a statement whose pages came as several files of this arrival: its count,
/// total and balances are those of all of them.
fn unfit_whole(statement: &Statement, arriving: &Arriving<'_>) -> Option<FileFault> {
    if statement.is_whole() {
        return None;
    }
    let here = arriving.stated.statements.iter().chain(arriving.companions);
    let pages = page::whole(here.filter(|it| it.is_paged_with(statement)));
    let whole = pages.first().filter(|it| it.is_whole())?;
    miscount(whole).or_else(|| imbalance(whole)).or_else(|| other_total(whole))
}

fn imbalance(statement: &Statement) -> Option<FileFault> {
    let (opening, closing) = (statement.opening?, statement.closing?);
    let off = statement.imbalance().filter(|it| it.minor() != 0)?;
    let moved = off.plus(i128::from(closing.minor()) - i128::from(opening.minor()));
    let what = format!(
        "opening {opening} and movements {moved} do not lead to closing {closing}: {off} {} over",
        off.currency()
    );
    Some(FileFault { verdict: FileVerdict::OutOfBalance, what })
}

fn other_total(statement: &Statement) -> Option<FileFault> {
    let (stated, read) = (statement.total?, statement.totalled?);
    (stated.minor() != read.minor()).then(|| FileFault {
        verdict: FileVerdict::TotalsDiffer,
        what: format!("it states a total of {stated} and sums to {read} {}", read.currency()),
    })
}

/// The file tells a statement that it has told already: which of the two holds is for a person.
fn told_twice(statement: &Statement, before: &[Statement]) -> Option<FileFault> {
    before.iter().any(|it| is_same(it, statement)).then(|| FileFault {
        verdict: FileVerdict::Restated,
        what: format!("it tells statement `{}` twice", statement.identity),
    })
}

/// Two statements of a file speak of the same days, and neither goes on where the other ended:
/// then they are not two stretches of one account, and its records may be there twice.
fn unchained(statement: &Statement, before: &[Statement]) -> Option<FileFault> {
    let (opening, closing) = (statement.opening?, statement.closing?);
    let chained = |it: &Statement| it.closing == Some(opening) || it.opening == Some(closing);
    let beside = before
        .iter()
        .filter(|it| it.account == statement.account && it.currency == statement.currency)
        .filter(|it| !precedes(it, statement) && !precedes(statement, it));
    let mut beside = beside.filter(|it| it.opening.is_some() && it.closing.is_some()).peekable();
    beside.peek()?;
    (!beside.any(chained)).then(|| FileFault {
        verdict: FileVerdict::Gap,
        what: format!(
            "statement `{}` goes from {opening} to {closing} on days that another tells otherwise",
            statement.identity
        ),
    })
}

/// A statement was never seen between this one and the latest before it, told by its number or
/// by a balance that does not carry on. Days without either are left to coverage.
fn gap(
    statement: &Statement,
    side: Side,
    before: &[Statement],
    known: &Known,
) -> Option<FileFault> {
    let trusted = known.in_force(side).filter(|it| it.verdict.is_trusted());
    let earlier = page::whole(trusted.flat_map(|it| &it.statements).chain(before));
    let previous = earlier
        .iter()
        .filter(|it| it.account == statement.account && it.currency == statement.currency)
        .filter(|it| precedes(it, statement))
        .max_by_key(|it| (last_day(it), it.sequence))?;
    let numbers = previous.sequence.zip(statement.sequence);
    if let Some((last, number)) = numbers
        && number > last + 1
    {
        let what = format!("statement {number} follows {last}: those between were never seen");
        return Some(FileFault { verdict: FileVerdict::Gap, what });
    }
    let (closing, opening) = (previous.closing?, statement.opening?);
    (closing != opening).then(|| FileFault {
        verdict: FileVerdict::Gap,
        what: format!("it opens with {opening}, and the one before closed with {closing}"),
    })
}

/// Whether one statement speaks of days before another, or of a lower number where a day is not
/// told.
fn precedes(one: &Statement, other: &Statement) -> bool {
    match (last_day(one), first_day(other)) {
        (Some(last), Some(first)) => last < first,
        _ => one.sequence.zip(other.sequence).is_some_and(|(one, other)| one < other),
    }
}

fn overlap(statement: &Statement, arriving: &Arriving<'_>, known: &Known) -> Option<FileFault> {
    let overlapping = |what| Some(FileFault { verdict: FileVerdict::Overlapping, what });
    if arriving.held > 0 {
        let (held, entries) = (arriving.held, arriving.entries);
        return overlapping(format!("entries taken before: {held} of {entries}"));
    }
    let (from, to) = (first_day(statement)?, last_day(statement)?);
    let trusted = known.in_force(arriving.side).filter(|it| it.verdict.is_trusted());
    for file in trusted {
        for other in file.statements.iter().filter(|it| !is_beside(it, statement)) {
            let (Some(first), Some(last)) = (first_day(other), last_day(other)) else { continue };
            let (first, last) = (first.max(from), last.min(to));
            // A statement that ends where the next begins shares that day by custom, not by
            // content: only a whole day inside both is an overlap.
            if first < last || (first == last && whole_day(statement, other, first)) {
                let what = format!("{first} to {last} are covered already by `{}`", file.name);
                return overlapping(what);
            }
        }
    }
    None
}

/// Whether a single shared day is a day of one of the statements alone.
fn whole_day(one: &Statement, other: &Statement, day: NaiveDate) -> bool {
    let only = |it: &Statement| first_day(it) == Some(day) && last_day(it) == Some(day);
    only(one) && only(other)
}

fn first_day(statement: &Statement) -> Option<NaiveDate> {
    statement.from.or(statement.first_booking)
}

fn last_day(statement: &Statement) -> Option<NaiveDate> {
    statement.to.or(statement.last_booking)
}
