//! Records that an earlier file of the same run tells too: taken once (DESIGN §5).
//!
//! Two files may hold equal rows because one overlaps the other, or because the counterparty really
//! booked twice; taking the second for the first would hide it. So a record counts as told again
//! only on a booking day of which the later file tells everything that the earlier ones told.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;

use crate::domain::entry::{Entry, EntrySink, Reject};
use crate::frames::{HashKey, identity, occurrence};

/// Identities of records, the n-th of a content told from the first.
#[derive(Debug)]
struct Counter {
    key: HashKey,
    seen: BTreeMap<u128, u32>,
}

impl Counter {
    fn new(key: HashKey) -> Self {
        Self { key, seen: BTreeMap::new() }
    }

    fn identity(&mut self, entry: &Entry<'_>) -> u128 {
        let content = identity(self.key, entry);
        let number = self.seen.entry(content).or_insert(0);
        *number += 1;
        occurrence(self.key, content, *number)
    }
}

/// What files tell of each booking day.
#[derive(Debug)]
pub(super) struct Told {
    counter: Counter,
    days: BTreeMap<NaiveDate, BTreeSet<u128>>,
}

impl Told {
    pub(super) fn new(key: HashKey) -> Self {
        Self { counter: Counter::new(key), days: BTreeMap::new() }
    }

    /// Adds what another file tells.
    pub(super) fn add(&mut self, other: Self) {
        for (day, identities) in other.days {
            self.days.entry(day).or_default().extend(identities);
        }
    }

    /// The records of days that a later file tells whole again.
    pub(super) fn again(&self, later: &Self) -> BTreeSet<u128> {
        let whole = self
            .days
            .iter()
            .filter(|(day, earlier)| later.days.get(*day).is_some_and(|it| earlier.is_subset(it)));
        whole.flat_map(|(_, identities)| identities).copied().collect()
    }
}

impl EntrySink for Told {
    fn entry(&mut self, entry: &Entry<'_>) {
        let identity = self.counter.identity(entry);
        self.days.entry(entry.booking_date).or_default().insert(identity);
    }

    fn reject(&mut self, _: Reject) {}
}

/// Lets through what is not told again.
pub(super) struct Fresh<'a> {
    sink: &'a mut dyn EntrySink,
    again: &'a BTreeSet<u128>,
    counter: Counter,
}

impl<'a> Fresh<'a> {
    pub(super) fn new(
        sink: &'a mut dyn EntrySink,
        again: &'a BTreeSet<u128>,
        key: HashKey,
    ) -> Self {
        Self { sink, again, counter: Counter::new(key) }
    }
}

impl EntrySink for Fresh<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        if !self.again.contains(&self.counter.identity(entry)) {
            self.sink.entry(entry);
        }
    }

    fn reject(&mut self, reject: Reject) {
        self.sink.reject(reject);
    }
}
