//! Whether everything in the store is what its name says.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use crate::domain::id::Hash;
use crate::store::{Store, StoreError, disk};

/// What a look at every file of the store found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audit {
    /// How many files are whole.
    pub whole: usize,
    /// What is missing, altered or unreadable, each as a sentence without a full stop.
    pub faults: Vec<String>,
    /// Drafts that no living process writes: something stopped a run. The next run removes them.
    pub stale: Vec<PathBuf>,
}

/// What is to be held: the hash, and what it is called.
pub type Wanted = BTreeSet<(Hash, String)>;

impl Audit {
    /// Reads every file of a room and holds it against its name.
    fn look(
        &mut self,
        room: &Path,
        open: impl Fn(Hash, &Path) -> Result<Box<dyn BufRead + Send>, StoreError>,
    ) -> Result<(), StoreError> {
        for path in files(room)? {
            let Some(hash) = named(&path) else {
                self.faults.push(format!("stranger: `{}` is not named by its hash", show(&path)));
                continue;
            };
            match open(hash, &path).and_then(|mut input| hash_of(&mut input, &path)) {
                Ok(found) if found == hash => self.whole += 1,
                Ok(found) => self
                    .faults
                    .push(format!("altered: the bytes of `{}` have SHA-256 {found}", show(&path))),
                Err(cause) => self.faults.push(format!("altered: {cause}")),
            }
        }
        Ok(())
    }

    /// Names what is to be held and is not.
    fn miss(&mut self, wanted: &Wanted, holds: impl Fn(Hash) -> bool) {
        let missing = wanted.iter().filter(|(hash, _)| !holds(*hash));
        self.faults.extend(missing.map(|(hash, name)| format!("missing: {name}, SHA-256 {hash}")));
    }
}

impl Store {
    /// Reads every file and holds it against its name, and the store against the raw files and the
    /// identities that it is to hold, each with what it is called. Changes nothing.
    pub fn audit(&self, wanted: [&Wanted; 2]) -> Result<Audit, StoreError> {
        let mut audit = Audit::default();
        audit.look(&self.folder.join("raw"), |hash, _| self.open(hash))?;
        audit.look(&self.folder.join("identities"), |_, path| {
            let file = File::open(path).map_err(disk("open", path))?;
            Ok(Box::new(BufReader::with_capacity(64 * 1024, file)))
        })?;
        let [raw, identities] = wanted;
        audit.miss(raw, |hash| self.holds(hash).is_some());
        audit.miss(identities, |hash| self.place("identities", hash, "").is_file());
        audit.stale = self.stale_drafts()?.into_iter().map(|(path, _)| path).collect();
        Ok(audit)
    }

    /// Removes the drafts that no living process writes.
    pub(super) fn sweep(&self) -> Result<(), StoreError> {
        for (path, lock) in self.stale_drafts()? {
            match fs::remove_file(&path) {
                Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                    return Err(disk("remove", &path)(cause));
                }
                _ => drop(lock),
            }
        }
        Ok(())
    }

    /// The drafts that nobody holds a lock on, each locked for the caller.
    fn stale_drafts(&self) -> Result<Vec<(PathBuf, File)>, StoreError> {
        let mut stale = Vec::new();
        for path in listed(&self.folder)? {
            let is_draft = path
                .file_name()
                .is_some_and(|it| it.to_str().is_some_and(|name| name.starts_with("draft-")));
            if !is_draft || path.is_dir() {
                continue;
            }
            match File::open(&path) {
                Ok(file) => match file.try_lock() {
                    Ok(()) => stale.push((path, file)),
                    Err(fs::TryLockError::WouldBlock) => {}
                    Err(fs::TryLockError::Error(cause)) => return Err(disk("lock", &path)(cause)),
                },
                // Its writer has just put it in its place.
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                Err(cause) => return Err(disk("open", &path)(cause)),
            }
        }
        Ok(stale)
    }
}

/// The files in the folders of a room, in order.
fn files(room: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut found = Vec::new();
    for path in listed(room)? {
        if path.is_dir() { found.extend(listed(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

/// What lies in a folder, in order; nothing where there is none.
fn listed(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let listing = match fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(disk("list", folder)(cause)),
    };
    let paths: Result<Vec<_>, _> = listing.map(|it| it.map(|it| it.path())).collect();
    let mut paths = paths.map_err(disk("list", folder))?;
    paths.sort();
    Ok(paths)
}

/// The hash that a file is named by.
fn named(path: &Path) -> Option<Hash> {
    let name = path.file_name()?.to_str()?;
    Hash::from_hex(name.strip_suffix(".zst").unwrap_or(name))
}

fn hash_of(input: &mut dyn Read, path: &Path) -> Result<Hash, StoreError> {
    let mut hasher = Sha256::new();
    let mut block = vec![0; 256 * 1024];
    loop {
        match input.read(&mut block) {
            Ok(0) => return Ok(Hash::new(hasher.finalize().into())),
            Ok(read) => hasher.update(&block[..read]),
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(disk("read", path)(cause)),
        }
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_stale_when_its_process_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let held = store.draft().unwrap();
        let left = folder.path().join("draft-1-0");
        fs::write(&left, "half of it").unwrap();
        assert_eq!(store.audit([&BTreeSet::new(); 2]).unwrap().stale, [left.as_path()]);
        let again = Store::at(folder.path()).unwrap();
        assert!(!left.exists() && held.path.exists(), "only the stale one is swept");
        let other = again.draft().unwrap();
        assert_ne!(other.path, held.path, "two stores on one folder share no draft");
    }
}
