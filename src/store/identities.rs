//! The record identities of a file: a sorted column of 16 bytes each, kept by its own hash.
//!
//! Databases hold rows for what is not agreed; everything else is found again through this.

use std::{
    cmp::Ordering,
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

use sha2::{Digest, Sha256};

use crate::domain::id::Hash;
use crate::store::{Store, StoreError, disk};

/// Bytes of one identity.
const WIDTH: u64 = 16;

/// How many identities are hashed at a time.
const BLOCK: usize = 4 * 1024;

/// How the identities of two files relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Comparison {
    /// In both.
    pub shared: u64,
    /// Only in the file at hand: records added since.
    pub added: u64,
    /// Only in the stored one: records vanished since.
    pub vanished: u64,
}

/// The identities of one stored file.
#[derive(Debug)]
pub struct Identities {
    path: PathBuf,
    file: File,
    count: u64,
}

impl Store {
    /// Stores the identities of a file's records, sorted here, and says under which hash: one file
    /// has others to another tenant, or read by another profile.
    pub fn put_identities(&self, mut identities: Vec<u128>) -> Result<Hash, StoreError> {
        identities.sort_unstable();
        if let Some(pair) = identities.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(StoreError::IdentityTwice(pair[0]));
        }
        let hash = hash_of(&identities);
        let place = self.place("identities", hash, "");
        if place.is_file() {
            return Ok(hash);
        }
        let draft = self.draft()?;
        let path = draft.path.clone();
        let mut output = BufWriter::new(draft);
        for identity in &identities {
            output.write_all(&identity.to_be_bytes()).map_err(disk("write", &path))?;
        }
        let draft = output.into_inner().map_err(|it| disk("write", &path)(it.into_error()))?;
        draft.keep_as(&place)?;
        Ok(hash)
    }

    /// The identities under a hash, or `None` where none are stored.
    pub fn identities(&self, hash: Hash) -> Result<Option<Identities>, StoreError> {
        let path = self.place("identities", hash, "");
        let opened = match File::open(&path) {
            Ok(opened) => opened,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(disk("open", &path)(cause)),
        };
        let length = opened.metadata().map_err(disk("open", &path))?.len();
        if !length.is_multiple_of(WIDTH) {
            let what = format!("{length} bytes are no whole number of identities");
            return Err(StoreError::Damaged { path, what });
        }
        Ok(Some(Identities { path, file: opened, count: length / WIDTH }))
    }
}

/// The hash of identities as they are written.
fn hash_of(identities: &[u128]) -> Hash {
    let mut hasher = Sha256::new();
    for some in identities.chunks(BLOCK) {
        let bytes: Vec<u8> = some.iter().flat_map(|it| it.to_be_bytes()).collect();
        hasher.update(&bytes);
    }
    Hash::new(hasher.finalize().into())
}

impl Identities {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether a record is among them; reads a few blocks, however many there are.
    pub fn contains(&mut self, identity: u128) -> Result<bool, StoreError> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.at(middle)?.cmp(&identity) {
                Ordering::Equal => return Ok(true),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        Ok(false)
    }

    /// Calls `found` with the index of each of some sorted identities that is among these, in one
    /// pass over both.
    pub fn shared_with(
        &mut self,
        sorted: &[u128],
        mut found: impl FnMut(usize),
    ) -> Result<(), StoreError> {
        self.merge(sorted, |step| {
            if let Step::Shared(at) = step {
                found(at);
            }
        })
    }

    /// How some sorted identities relate to these, in one pass over both.
    pub fn compare(&mut self, sorted: &[u128]) -> Result<Comparison, StoreError> {
        let mut comparison = Comparison::default();
        self.merge(sorted, |step| match step {
            Step::Shared(_) => comparison.shared += 1,
            Step::Added => comparison.added += 1,
            Step::Vanished => comparison.vanished += 1,
        })?;
        Ok(comparison)
    }

    fn merge(&mut self, sorted: &[u128], mut step: impl FnMut(Step)) -> Result<(), StoreError> {
        self.file.seek(SeekFrom::Start(0)).map_err(disk("read", &self.path))?;
        let mut input = BufReader::with_capacity(64 * 1024, &self.file);
        let mut next = 0;
        for _ in 0..self.count {
            let mut bytes = [0; 16];
            input.read_exact(&mut bytes).map_err(disk("read", &self.path))?;
            let stored = u128::from_be_bytes(bytes);
            while sorted.get(next).is_some_and(|it| *it < stored) {
                step(Step::Added);
                next += 1;
            }
            if sorted.get(next) == Some(&stored) {
                step(Step::Shared(next));
                next += 1;
            } else {
                step(Step::Vanished);
            }
        }
        for _ in next..sorted.len() {
            step(Step::Added);
        }
        Ok(())
    }

    fn at(&mut self, index: u64) -> Result<u128, StoreError> {
        let mut bytes = [0; 16];
        let read = self
            .file
            .seek(SeekFrom::Start(index * WIDTH))
            .and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(disk("read", &self.path))?;
        Ok(u128::from_be_bytes(bytes))
    }
}

/// One step of a merge.
enum Step {
    /// In both; where it stands in the file at hand.
    Shared(usize),
    /// Only in the file at hand.
    Added,
    /// Only in the stored one.
    Vanished,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn check(stored: &[u128], sorted: &[u128], expected: (u64, u64, u64)) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let file = store.put_identities(stored.to_vec()).unwrap();
        assert_eq!(store.put_identities(stored.to_vec()).unwrap(), file);
        assert_eq!(store.audit([&BTreeSet::new(); 2]).unwrap().whole, 1);
        let mut identities = store.identities(file).unwrap().unwrap();
        let found = identities.compare(sorted).unwrap();
        assert_eq!((found.shared, found.added, found.vanished), expected);
        let mut shared = Vec::new();
        identities.shared_with(sorted, |at| shared.push(sorted[at])).unwrap();
        let both: Vec<u128> = sorted.iter().copied().filter(|it| stored.contains(it)).collect();
        assert_eq!(shared, both);
        for identity in stored {
            assert!(identities.contains(*identity).unwrap(), "{identity}");
        }
        for identity in sorted {
            assert_eq!(identities.contains(*identity).unwrap(), stored.contains(identity));
        }
    }

    #[test]
    fn a_record_is_known_exactly_when_it_was_stored() {
        check(&[], &[], (0, 0, 0));
        check(&[9, 3, u128::MAX, 5], &[3, 4, 5, 10], (2, 2, 2));
        check(&[7], &[], (0, 0, 1));
        check(&[], &[1, 2], (0, 2, 0));
        check(&[1, 2, 3], &[1, 2, 3], (3, 0, 0));
    }

    #[test]
    fn an_identity_that_occurs_twice_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let error = store.put_identities(vec![4, 1, 4]).unwrap_err();
        assert!(matches!(error, StoreError::IdentityTwice(4)), "{error}");
        assert!(store.identities(Hash::of(b"none")).unwrap().is_none());
    }
}
