//! The other point of view: what is in on their account is out on ours.

use crate::config::{Sign, Source};
use crate::domain::{
    entry::{Entry, EntrySink, Reject},
    money::{Money, Sum},
    statement::{Stated, Statement},
};

/// Whether a source's signs are the opposite of ours. A mark alone tells the direction in every
/// camt file, so that [`Sign::Ignored`] changes nothing.
pub(super) fn is_mirrored(source: &Source) -> bool {
    let is_inverted = match source.sign {
        Sign::Inverted => true,
        Sign::AsWritten | Sign::Ignored => false,
    };
    is_inverted != source.mirror
}

/// A sink that turns every amount around.
pub(super) struct Mirror<'a>(pub(super) &'a mut dyn EntrySink);

impl EntrySink for Mirror<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        let mut turned = entry.clone();
        turned.amount = opposite(entry.amount);
        turned.original = entry.original.map(opposite);
        self.0.entry(&turned);
    }

    fn reject(&mut self, reject: Reject) {
        let amount = reject.amount.map(opposite);
        self.0.reject(Reject { amount, ..reject });
    }
}

/// What a file states, turned around. Control totals are summed without sign.
pub(super) fn turn(stated: &mut Stated) {
    for statement in &mut stated.statements {
        let Statement { opening, closing, movement, .. } = statement;
        *opening = opening.map(opposite);
        *closing = closing.map(opposite);
        *movement = movement.map(|it| Sum::new(-it.minor(), it.currency()));
    }
}

/// Amounts come from unsigned ones, so that every one of them has an opposite.
fn opposite(amount: Money) -> Money {
    amount.checked_neg().unwrap_or(amount)
}
