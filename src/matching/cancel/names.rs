//! Sets of names by which rows are found again.

use std::hash::{BuildHasherDefault, Hasher};

use crate::domain::repair::CUTS;
use crate::frames::{Cut, Token};

/// A set of 64-bit keyed hashes.
#[derive(Debug, Default)]
#[expect(clippy::disallowed_types, reason = "looked up only, never iterated")]
pub(super) struct Hashes(std::collections::HashSet<u64, BuildHasherDefault<AlreadyHashed>>);

impl Hashes {
    /// Adds a hash; whether it is new.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        self.0.insert(hash)
    }

    pub(super) fn contains(&self, hash: u64) -> bool {
        self.0.contains(&hash)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Extend<u64> for Hashes {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, hashes: I) {
        self.0.extend(hashes);
    }
}

/// Takes a number that is a keyed hash already as its own hash.
#[derive(Debug, Default)]
pub(super) struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Names of one link. Two keys meet when their folds are equal, or when one is exactly as long as
/// a cut leaves keys and its fold is what the cut leaves of the other.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Folds.
    pub(super) folds: Hashes,
    /// Folds of keys exactly as long as a cut leaves them.
    pub(super) exact: [Hashes; CUTS.len()],
    /// What cuts would have left of longer keys.
    pub(super) longer: [Hashes; CUTS.len()],
}

impl Names {
    pub(super) fn add(&mut self, token: Token) {
        self.folds.insert(token.fold);
        for (at, cut) in token.cuts.into_iter().enumerate() {
            match cut {
                Cut::None => {}
                Cut::Exact => {
                    self.exact[at].insert(token.fold);
                }
                Cut::Longer(hash) => {
                    self.longer[at].insert(hash);
                }
            }
        }
    }

    /// Whether a key with this token meets one of the names.
    pub(super) fn meet(&self, token: Token) -> bool {
        let meets = |(at, cut): (usize, &Cut)| match cut {
            Cut::None => false,
            Cut::Exact => self.longer[at].contains(token.fold),
            Cut::Longer(hash) => self.exact[at].contains(*hash),
        };
        self.folds.contains(token.fold) || token.cuts.iter().enumerate().any(meets)
    }
}
