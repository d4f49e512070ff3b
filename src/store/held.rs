//! A file that a run holds on to: in the store, or where it lies when nothing is stored.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::domain::id::Hash;
use crate::store::{Store, StoreError, disk, raw};

/// How much is read at a time.
const BLOCK: usize = 256 * 1024;

/// A file whose bytes can be read again.
#[derive(Debug, Clone)]
pub struct Held {
    name: String,
    hash: Hash,
    bytes: Bytes,
}

#[derive(Debug, Clone)]
enum Bytes {
    Stored(Arc<Store>),
    InPlace(PathBuf),
}

impl Held {
    /// Takes a file while `read` reads it: into the store, or with none only past its hash. `read` is
    /// told how long the file is by now. Gives what `read` made of it too. However little of it
    /// `read` reads, all of it is taken.
    pub fn take<T>(
        store: Option<&Arc<Store>>,
        path: &Path,
        read: impl FnOnce(&mut dyn BufRead, u64) -> T,
    ) -> Result<(Self, T), StoreError> {
        let mut file = File::open(path).map_err(disk("open", path))?;
        let length = file.metadata().map_err(disk("open", path))?.len();
        let (hash, _, told) =
            raw::take(store.map(Arc::as_ref), &mut file, |input| read(input, length))?;
        let bytes = match store {
            Some(store) => Bytes::Stored(Arc::clone(store)),
            None => Bytes::InPlace(path.to_owned()),
        };
        Ok((Self { name: name(path), hash, bytes }, told))
    }

    /// The file's name without its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The SHA-256 of its bytes.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Its bytes from the first on.
    pub fn open(&self) -> Result<Box<dyn BufRead + Send>, StoreError> {
        match &self.bytes {
            Bytes::Stored(store) => store.open(self.hash),
            Bytes::InPlace(path) => {
                let file = File::open(path).map_err(disk("open", path))?;
                Ok(Box::new(BufReader::with_capacity(BLOCK, file)))
            }
        }
    }
}

fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned())
}
