//! A file that a run holds on to: in the store, or where it lies when nothing is stored.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use sha2::{Digest, Sha256};

use crate::domain::id::Hash;
use crate::store::{Store, StoreError, disk};

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
    /// Takes a file's bytes into the store.
    pub fn stored(store: &Arc<Store>, path: &Path) -> Result<Self, StoreError> {
        let mut file = File::open(path).map_err(disk("open", path))?;
        let (hash, _) = store.put(&mut file)?;
        Ok(Self { name: name(path), hash, bytes: Bytes::Stored(Arc::clone(store)) })
    }

    /// Leaves a file where it lies.
    pub fn in_place(path: &Path) -> Result<Self, StoreError> {
        let mut file = File::open(path).map_err(disk("open", path))?;
        let mut hasher = Sha256::new();
        let mut block = vec![0; BLOCK];
        loop {
            let read = file.read(&mut block).map_err(disk("read", path))?;
            if read == 0 {
                break;
            }
            hasher.update(&block[..read]);
        }
        let hash = Hash::new(hasher.finalize().into());
        Ok(Self { name: name(path), hash, bytes: Bytes::InPlace(path.to_owned()) })
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
