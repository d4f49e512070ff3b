//! What is claimed from the counterparty.

use crate::domain::{correction::Claim, discrepancy::Discrepancy, money::Sum, reason::Reason};

/// What is claimed from the counterparty for a reason (DESIGN §8); `None` where nothing is,
/// as of an entry of no money.
pub fn claim(discrepancy: &Discrepancy) -> Option<Claim> {
    let outflow = discrepancy.difference().minor() > 0;
    let always = matches!(
        discrepancy.reason,
        Reason::RepeatedTheirs
            | Reason::MissingTheirs
            | Reason::PartyDiffers
            | Reason::RepeatedBoth
    );
    // Money that left on their side and that our books never asked for.
    let left = matches!(discrepancy.reason, Reason::MissingOurs | Reason::Unattributed) && outflow;
    let amount = claimed(discrepancy);
    (amount.minor() != 0 && (always || left)).then(|| {
        let key = discrepancy.natural_key.as_ref();
        let named = key.map_or("no key".to_owned(), |it| format!("{} {}", it.scheme, it.text));
        let happened = if left {
            "was never asked for"
        } else if discrepancy.reason == Reason::MissingTheirs {
            "is missing in their books"
        } else if discrepancy.reason == Reason::PartyDiffers {
            "went to another party"
        } else {
            "was executed twice"
        };
        let text = format!("operation {named} {happened}");
        Claim { amount, text }
    })
}

/// What is claimed: the difference, or where the sides agree what was executed too often.
fn claimed(discrepancy: &Discrepancy) -> Sum {
    let difference = discrepancy.difference();
    match (difference.minor(), discrepancy.amount_theirs) {
        (0, Some(theirs)) => Sum::new(-theirs.minor(), theirs.currency()),
        _ => difference,
    }
}
