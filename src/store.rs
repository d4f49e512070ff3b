//! Raw bytes and record identities on disk, by the SHA-256 of what was received.
//!
//! A file is written beside its place under a name of its own and renamed when it is whole and on
//! disk, so that a half-written file is never seen, whatever stops the program.

mod audit;
mod held;
mod identities;
mod locate;
mod raw;

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use crate::domain::id::Hash;

pub use audit::{Audit, Wanted};
pub use held::Held;
pub use identities::{Comparison, Identities};
pub use locate::locate;

/// What the store may fail at.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The disk refused.
    #[error("store: cannot {doing} `{path}`: {cause}")]
    Disk {
        /// What was tried.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A folder lies where a file is expected.
    #[error("`{}` is a folder, and a file is expected", .0.display())]
    Folder(PathBuf),
    /// What was to be stored could not be read.
    #[error("store: cannot read what was to be stored: {0}")]
    Input(io::Error),
    /// Nothing is stored under a hash.
    #[error("store: no file with SHA-256 {0}")]
    Absent(Hash),
    /// A stored file is not what its name says.
    #[error("store: `{path}` is damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Two records of one file share an identity: occurrences were not counted.
    #[error("store: record identity {0:032x} occurs twice in one file")]
    IdentityTwice(u128),
}

/// A folder of raw files and the identities of their records.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    drafts: AtomicU64,
}

impl Store {
    /// The store in a folder, which is made if it is not there. Drafts that a killed process left
    /// are removed.
    pub fn at(folder: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(disk("make", folder))?;
        let store = Self::read(folder);
        store.sweep()?;
        Ok(store)
    }

    /// The store in a folder that is only read; it need not be there.
    pub fn read(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), drafts: AtomicU64::new(0) }
    }

    /// Where a kind of file lies for a hash: spread over 256 folders.
    fn place(&self, room: &str, hash: Hash, ending: &str) -> PathBuf {
        let name = hash.to_string();
        self.folder.join(room).join(&name[..2]).join(format!("{name}{ending}"))
    }

    /// A new file under a name that nobody else uses, locked as long as it is written: that tells
    /// it from one that a killed process left.
    fn draft(&self) -> Result<Draft, StoreError> {
        loop {
            let number = self.drafts.fetch_add(1, Ordering::Relaxed);
            let path = self.folder.join(format!("draft-{}-{number}", std::process::id()));
            let file = match File::create_new(&path) {
                Ok(file) => file,
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(cause) => return Err(disk("create", &path)(cause)),
            };
            file.lock().map_err(disk("lock", &path))?;
            // Who sweeps may have found it before it was locked.
            if path.exists() {
                return Ok(Draft { path, file, kept: false });
            }
        }
    }
}

/// A file being written; it disappears unless it is moved to its place.
struct Draft {
    path: PathBuf,
    file: File,
    kept: bool,
}

impl Draft {
    /// Puts the whole file on disk and then under its name, in place of an equal one if any.
    fn keep_as(mut self, place: &Path) -> Result<(), StoreError> {
        self.file.sync_all().map_err(disk("sync", &self.path))?;
        let folder = place.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(disk("make", folder))?;
        fs::rename(&self.path, place).map_err(disk("rename to", place))?;
        self.kept = true;
        let opened = File::open(folder).map_err(disk("open", folder))?;
        opened.sync_all().map_err(disk("sync", folder))
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        if let Err(cause) = fs::remove_file(&self.path) {
            tracing::warn!("store: cannot remove draft `{}`: {cause}", self.path.display());
        }
    }
}

/// Says what was tried, and where, when the disk refuses.
fn disk(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |cause| StoreError::Disk { doing, path, cause }
}
