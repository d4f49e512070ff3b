//! The evidence digest: what an approval signs (DESIGN §8).

use crate::domain::{
    correction::Leg,
    discrepancy::Discrepancy,
    entry::Entry,
    id::{Hash, Parts},
};

/// SHA-256 over discrepancy id, reason, the version of the rule that paired it, the sorted identities of its entries with amounts,
/// dates and kinds, and the proposed legs; not file, record or run, so that a harmless re-upload
/// voids nothing.
pub fn evidence(discrepancy: &Discrepancy, rule: Option<Hash>, legs: &[Leg]) -> Hash {
    let mut parts = Parts::new()
        .with("evidence-1")
        .with(&discrepancy.id.to_string())
        .with(discrepancy.reason.code());
    parts.push(rule.map(|it| it.to_string()).as_deref());
    for (side, entries) in [("ours", &discrepancy.ours), ("theirs", &discrepancy.theirs)] {
        let mut identities: Vec<_> = entries.iter().map(entry_identity).collect();
        identities.sort();
        for identity in identities {
            parts = parts.with(side).with(&identity);
        }
    }
    for leg in legs {
        parts = parts
            .with(&leg.account)
            .with(&leg.amount.to_string())
            .with(leg.amount.currency().code());
    }
    parts.sha256()
}

/// What an entry says, as one text: equal for the same entry in any file.
pub(super) fn entry_identity(entry: &Entry<'_>) -> String {
    let mut parts = Parts::new()
        .with(entry.account.trim())
        .with(&entry.amount.to_string())
        .with(entry.amount.currency().code())
        .with(&entry.booking_date.to_string())
        .with(entry.kind.name())
        .with(entry.status.name())
        .with(&entry.party);
    parts.push(entry.value_date.map(|it| it.to_string()).as_deref());
    parts.push(entry.intent.as_deref());
    parts.push(entry.event_at.map(|it| it.to_rfc3339()).as_deref());
    for key in &entry.keys {
        parts = parts.with(key.scheme.name()).with(&key.text);
    }
    parts.sha256().to_string()
}
