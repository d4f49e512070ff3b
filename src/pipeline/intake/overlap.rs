//! Records that an earlier file of the same run holds: taken once (DESIGN §5).

use std::collections::BTreeMap;

use crate::domain::entry::{Entry, EntrySink, Reject};
use crate::frames::{HashKey, identity, occurrence};

/// The identities of the records that a run has taken of one side, sorted.
#[derive(Debug, Default)]
pub(super) struct Taken(Vec<u128>);

impl Taken {
    /// How many of these identities are taken already.
    pub(super) fn count(&self, identities: &[u128]) -> u64 {
        let held = identities.iter().filter(|it| self.holds(**it)).count();
        u64::try_from(held).unwrap_or(u64::MAX)
    }

    /// Takes these too.
    pub(super) fn take(&mut self, identities: &[u128]) {
        if self.0.is_empty() {
            self.0 = identities.to_vec();
            return;
        }
        self.0.extend(identities);
        self.0.sort_unstable();
        self.0.dedup();
    }

    fn holds(&self, identity: u128) -> bool {
        self.0.binary_search(&identity).is_ok()
    }
}

/// Lets through what is not taken yet. Equal rows of one file are as many operations as rows, so
/// the n-th of a content is told from the first.
pub(super) struct Fresh<'a> {
    sink: &'a mut dyn EntrySink,
    taken: &'a Taken,
    key: HashKey,
    seen: BTreeMap<u128, u32>,
}

impl<'a> Fresh<'a> {
    pub(super) fn new(sink: &'a mut dyn EntrySink, taken: &'a Taken, key: HashKey) -> Self {
        Self { sink, taken, key, seen: BTreeMap::new() }
    }
}

impl EntrySink for Fresh<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        let content = identity(self.key, entry);
        let number = self.seen.entry(content).or_insert(0);
        *number += 1;
        if !self.taken.holds(occurrence(self.key, content, *number)) {
            self.sink.entry(entry);
        }
    }

    fn reject(&mut self, reject: Reject) {
        self.sink.reject(reject);
    }
}
