//! Every field that differs between the sides of a pairing.

use std::fmt::Display;

use crate::domain::{discrepancy::Difference, entry::Entry, repair::fold_party};

/// All differences of a block: sums for amounts, the first entry of each side for the rest.
/// `outside_window` tells whether the dates count as different.
pub(super) fn differences(
    ours: &[&Entry<'_>],
    theirs: &[&Entry<'_>],
    (amount_ours, amount_theirs): (String, String),
    outside_window: bool,
) -> Vec<Difference> {
    let (Some(one), Some(other)) = (ours.first(), theirs.first()) else { return Vec::new() };
    let single = ours.len() == 1 && theirs.len() == 1;
    let mut found = Vec::new();
    let mut note = |field, differs: bool, ours: Option<String>, theirs: Option<String>| {
        if differs {
            found.push(Difference { field, ours, theirs });
        }
    };
    let text = |it: &dyn Display| Some(it.to_string());
    note("amount", amount_ours != amount_theirs, Some(amount_ours), Some(amount_theirs));
    let (currency, other_currency) = (one.amount.currency(), other.amount.currency());
    note("currency", currency != other_currency, text(&currency), text(&other_currency));
    let (kind, other_kind) = (one.compared_kind(), other.compared_kind());
    let labelled = one.kind != other.kind && single;
    note("kind", labelled && kind != other_kind, text(&one.kind), text(&other.kind));
    let names = (fold_party(&one.party), fold_party(&other.party));
    let parties = single && stated_and_different(&names.0, &names.1);
    note("party", parties, text(&one.party), text(&other.party));
    let accounts = stated_and_different(one.account.trim(), other.account.trim());
    note("account", accounts, text(&one.account), text(&other.account));
    let fees = one.fee.zip(other.fee).is_some_and(|(one, other)| one != other);
    note(
        "fee",
        single && fees,
        one.fee.map(|it| it.to_string()),
        other.fee.map(|it| it.to_string()),
    );
    let (period, other_period) = (one.period.as_deref(), other.period.as_deref());
    let periods =
        period.zip(other_period).is_some_and(|(one, other)| stated_and_different(one, other));
    note("period", periods, period.map(str::to_owned), other_period.map(str::to_owned));
    note("booking_date", outside_window, text(&one.booking_date), text(&other.booking_date));
    found
}

fn stated_and_different(one: &str, other: &str) -> bool {
    !one.is_empty() && !other.is_empty() && one != other
}

/// The difference of two keys that are equal only after a repair, if it is one.
pub(super) fn key_difference(ours: &Entry<'_>, theirs: &Entry<'_>) -> Option<Difference> {
    ours.keys.iter().find_map(|key| {
        let other = theirs.key(key.scheme)?;
        (key.text != other).then(|| Difference {
            field: key.scheme.name(),
            ours: Some(key.text.clone().into_owned()),
            theirs: Some(other.to_owned()),
        })
    })
}
