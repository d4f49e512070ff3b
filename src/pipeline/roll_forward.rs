//! The roll-forward of a side: from its first opening balance by its entries to its last closing.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::classification::proof::Line;
use crate::domain::{
    money::{Money, Sum},
    page::whole,
    run::FileResult,
    side::Side,
    statement::Statement,
};
use crate::frames::SideFrame;

/// Where the balances of a side, from the first opening to the last closing that its files state,
/// are not what its entries of those days move: of them too much or too little was taken.
pub(super) fn unrolled(files: &[FileResult], frame: &SideFrame) -> Vec<String> {
    let side = frame.side();
    let mut stretches: BTreeMap<Line, Stretch> = BTreeMap::new();
    for statement in in_order(files, side) {
        let Some((opening, closing)) = statement.opening.zip(statement.closing) else {
            continue;
        };
        let line = (statement.account.trim().to_owned(), closing.currency());
        let stretch = stretches.entry(line).or_insert(Stretch { opening, closing, days: None });
        stretch.closing = closing;
        stretch.speak_of(&statement);
    }
    let totals = frame.totals();
    let off = stretches.into_iter().filter_map(|((account, currency), stretch)| {
        let of_it = totals.iter().filter(|it| {
            it.account.trim() == account && it.currency == currency && stretch.holds(it.day)
        });
        let mut of_it = of_it.peekable();
        of_it.peek()?;
        let moved = of_it.fold(Sum::zero(currency), |sum, it| sum.plus(it.minor));
        let Stretch { opening, closing, .. } = stretch;
        let off = moved.plus(i128::from(opening.minor()) - i128::from(closing.minor()));
        let account = [&account, currency.code()].join(" ");
        (off.minor() != 0).then(|| {
            format!(
                "{side}: {}: opening {opening} and entries of {moved} do not lead to closing \
                 {closing}: {off} over",
                account.trim_start()
            )
        })
    });
    off.collect()
}

/// Statements that balances lead through, with the days that they speak of.
struct Stretch {
    opening: Money,
    closing: Money,
    days: Option<(NaiveDate, NaiveDate)>,
}

impl Stretch {
    fn speak_of(&mut self, statement: &Statement) {
        let stated =
            [statement.from, statement.to, statement.first_booking, statement.last_booking];
        let held = self.days.into_iter().flat_map(<[NaiveDate; 2]>::from);
        let days: Vec<_> = stated.into_iter().flatten().chain(held).collect();
        self.days = days.iter().min().copied().zip(days.iter().max().copied());
    }

    fn holds(&self, day: NaiveDate) -> bool {
        self.days.is_some_and(|(from, to)| from <= day && day <= to)
    }
}

/// The statements of a side's paired files in their order; those of the same days without a number
/// go on from balance to balance. Pages of one statement are one.
pub(super) fn in_order(files: &[FileResult], side: Side) -> Vec<Statement> {
    let paired = files.iter().filter(|it| it.side == side && it.verdict.is_paired());
    let mut statements = whole(paired.flat_map(|it| &it.stated.statements));
    statements.sort_by_key(|it| (it.from.or(it.first_booking), it.to, it.sequence));
    chained(&statements).into_iter().cloned().collect()
}

/// Sorted statements, where those that sort alike go on from balance to balance.
fn chained(sorted: &[Statement]) -> Vec<&Statement> {
    let days = |it: &Statement| (it.from, it.to, it.sequence);
    let mut ordered: Vec<&Statement> = Vec::with_capacity(sorted.len());
    for alike in sorted.chunk_by(|one, other| days(one) == days(other)) {
        let mut rest: Vec<_> = alike.iter().collect();
        while !rest.is_empty() {
            let goes_on = |it: &&Statement| {
                ordered
                    .last()
                    .is_some_and(|last| last.closing.is_some() && last.closing == it.opening)
            };
            let begins = |it: &&Statement| !rest.iter().any(|other| other.closing == it.opening);
            let at = rest.iter().position(goes_on).or_else(|| rest.iter().position(begins));
            let next = rest.remove(at.unwrap_or(0));
            ordered.push(next);
        }
    }
    ordered
}
