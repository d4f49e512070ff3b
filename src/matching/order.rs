//! The canonical order of entries: by what they say, never by where they stood in a file.

use std::cmp::Ordering;

use crate::domain::entry::Entry;

/// Orders two entries by (booking date, event time, keys, content) and only at the very end by
/// their place, which decides nothing but the record number shown for entries that are equal.
pub fn canonical(one: &Entry<'_>, other: &Entry<'_>) -> Ordering {
    by_time(one, other)
        .then_with(|| one.keys.cmp(&other.keys))
        .then_with(|| one.intent.cmp(&other.intent))
        .then_with(|| one.amount.cmp(&other.amount))
        .then_with(|| one.kind.cmp(&other.kind))
        .then_with(|| one.account.cmp(&other.account))
        .then_with(|| one.party.cmp(&other.party))
        .then_with(|| one.text.cmp(&other.text))
        .then_with(|| one.value_date.cmp(&other.value_date))
        .then_with(|| one.status.cmp(&other.status))
        .then_with(|| one.place.cmp(&other.place))
}

fn by_time(one: &Entry<'_>, other: &Entry<'_>) -> Ordering {
    one.booking_date.cmp(&other.booking_date).then_with(|| one.event_at.cmp(&other.event_at))
}
