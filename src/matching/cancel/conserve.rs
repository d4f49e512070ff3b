//! The proof that nothing was lost: removed + left = read, and removed alike on both sides.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::domain::side::Side;
use crate::frames::{SideFrame, Sums, Total, date, index};
use crate::matching::cancel::{AgreedTotal, CancelError, pairs::Pairs};

/// Our book, their book, our day, their day.
type Meeting = (u32, u32, i32, i32);

/// The money removed, after proving that with what is left it is what was read.
pub(super) fn prove(
    sides: [&SideFrame; 2],
    pairs: &Pairs,
) -> Result<Vec<AgreedTotal>, CancelError> {
    let removed = removed(sides, pairs);
    let check_side = |side: usize| {
        let of_side = removed[side].iter().map(|(meeting, total)| {
            let (book_ours, book_theirs, day_ours, day_theirs) = *meeting;
            ([(book_ours, day_ours), (book_theirs, day_theirs)][side], *total)
        });
        check(sides[side], side, of_side, pairs)
    };
    let (checked_ours, checked_theirs) = rayon::join(|| check_side(0), || check_side(1));
    checked_ours.and(checked_theirs)?;
    let [ours, theirs] = removed;
    let mut totals = Vec::with_capacity(ours.len());
    for (meeting, total) in &ours {
        let total = agreed(sides, *meeting, *total);
        if theirs.get(meeting) != ours.get(meeting) {
            return Err(CancelError::Unequal { currency: total.currency, day: total.day_ours });
        }
        totals.push(total);
    }
    totals.sort();
    Ok(totals)
}

/// What was removed, summed from the rows of each side apart.
fn removed(sides: [&SideFrame; 2], pairs: &Pairs) -> [BTreeMap<Meeting, Total>; 2] {
    let [ours, theirs] = sides.map(SideFrame::rows);
    let rows = (0..ours.len()).into_par_iter().filter(|row| !sides[0].is_planted(*row));
    let sums = rows.fold(<[Sums<Meeting>; 2]>::default, |mut sums, row| {
        if let Some(partner) = pairs.partner(0, row) {
            let (one, other) = (ours.row(row), theirs.row(partner));
            let meeting = (one.book, other.book, one.day, other.day);
            sums[0].add(meeting, one.amount);
            sums[1].add(meeting, other.amount);
        }
        sums
    });
    sums.reduce(Default::default, |[ours, theirs], [more_ours, more_theirs]| {
        [ours.and(more_ours), theirs.and(more_theirs)]
    })
    .map(Sums::finish)
}

fn check(
    frame: &SideFrame,
    side: usize,
    removed: impl Iterator<Item = ((u32, i32), Total)>,
    pairs: &Pairs,
) -> Result<(), CancelError> {
    let rows = frame.rows();
    let mut sums = Sums::default();
    for row in (0..frame.len()).filter(|row| !pairs.is_paired(side, *row)) {
        if !frame.is_planted(row) {
            let row = rows.row(row);
            sums.add((row.book, row.day), row.amount);
        }
    }
    removed.for_each(|(key, total)| sums.add_total(key, total));
    let (found, read) = (sums.finish(), frame.totals_by_book());
    let differs = |it: &&(u32, i32)| found.get(*it) != read.get(*it);
    let Some((book, day)) = read.keys().chain(found.keys()).find(differs) else { return Ok(()) };
    let (account, currency) = frame.books().list()[index(*book)].clone();
    Err(CancelError::Unbalanced { side: Side::ALL[side], account, currency, day: date(*day) })
}

fn agreed(sides: [&SideFrame; 2], meeting: Meeting, total: Total) -> AgreedTotal {
    let (book_ours, book_theirs, day_ours, day_theirs) = meeting;
    let (account_ours, currency) = sides[0].books().list()[index(book_ours)].clone();
    let (account_theirs, _) = sides[1].books().list()[index(book_theirs)].clone();
    AgreedTotal {
        account_ours,
        account_theirs,
        currency,
        day_ours: date(day_ours),
        day_theirs: date(day_theirs),
        minor: total.minor,
        count: total.count,
    }
}
