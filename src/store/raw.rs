//! Raw bytes, unchanged.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::PathBuf,
};

use sha2::{Digest, Sha256};

use crate::domain::id::Hash;
use crate::store::{Draft, Store, StoreError, disk};

/// How much is held in memory at a time.
const BLOCK: usize = 256 * 1024;

/// The fastest level: the store must not be what a run waits for.
const LEVEL: i32 = 1;

/// How files begin that are compressed already, or are read by position: Parquet, ZIP (XLSX), gzip
/// and zstd. They are stored as they are.
const COMPRESSED: [&[u8]; 4] = [b"PAR1", b"PK\x03\x04", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"];

impl Store {
    /// Stores everything that `input` gives and says its hash and length. The same bytes are
    /// stored once.
    pub fn put(&self, input: &mut dyn Read) -> Result<(Hash, u64), StoreError> {
        let mut block = vec![0; BLOCK];
        let first = fill(input, &mut block).map_err(StoreError::Input)?;
        let plain = COMPRESSED.iter().any(|magic| block[..first].starts_with(magic));
        let draft = self.draft()?;
        let path = draft.path.clone();
        let mut sink = if plain {
            Sink::Plain(draft)
        } else {
            let encoder = zstd::Encoder::new(draft, LEVEL).map_err(disk("compress", &path))?;
            Sink::Compressed(encoder)
        };
        let (mut hasher, mut length, mut read) = (Sha256::new(), 0, first);
        while read > 0 {
            hasher.update(&block[..read]);
            sink.write_all(&block[..read]).map_err(disk("write", &path))?;
            length += u64::try_from(read).unwrap_or(u64::MAX);
            read = fill(input, &mut block).map_err(StoreError::Input)?;
        }
        let hash = Hash::new(hasher.finalize().into());
        let draft = sink.finish().map_err(disk("write", &path))?;
        if self.holds(hash).is_none() {
            draft.keep_as(&self.place("raw", hash, if plain { "" } else { ".zst" }))?;
        }
        Ok((hash, length))
    }

    /// The bytes of a hash from the first on, as they were received.
    pub fn open(&self, hash: Hash) -> Result<Box<dyn BufRead + Send>, StoreError> {
        let (path, plain) = self.holds(hash).ok_or(StoreError::Absent(hash))?;
        let file = File::open(&path).map_err(disk("open", &path))?;
        if plain {
            return Ok(Box::new(BufReader::with_capacity(BLOCK, file)));
        }
        let decoder = zstd::Decoder::new(file).map_err(disk("open", &path))?;
        Ok(Box::new(BufReader::with_capacity(BLOCK, decoder)))
    }

    /// The path of a file that is stored as it is, for formats that are read by position; `None`
    /// where it is compressed or not stored.
    pub fn path(&self, hash: Hash) -> Option<PathBuf> {
        self.holds(hash).and_then(|(path, plain)| plain.then_some(path))
    }

    /// Part of a stored file: the text of one record, to be shown.
    pub fn range(&self, hash: Hash, start: u64, length: u64) -> Result<Vec<u8>, StoreError> {
        let path = self.holds(hash).map(|(path, _)| path).ok_or(StoreError::Absent(hash))?;
        let mut input = self.open(hash)?;
        let mut bytes = Vec::new();
        io::copy(&mut input.by_ref().take(start), &mut io::sink()).map_err(disk("read", &path))?;
        input.take(length).read_to_end(&mut bytes).map_err(disk("read", &path))?;
        Ok(bytes)
    }

    /// Where the bytes of a hash lie, and whether they lie there as they are.
    fn holds(&self, hash: Hash) -> Option<(PathBuf, bool)> {
        [("", true), (".zst", false)]
            .map(|(ending, plain)| (self.place("raw", hash, ending), plain))
            .into_iter()
            .find(|(path, _)| path.is_file())
    }
}

/// Where bytes go on their way to disk.
enum Sink {
    Plain(Draft),
    Compressed(zstd::Encoder<'static, Draft>),
}

impl Sink {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(draft) => draft.write_all(bytes),
            Self::Compressed(encoder) => encoder.write_all(bytes),
        }
    }

    fn finish(self) -> io::Result<Draft> {
        match self {
            Self::Plain(draft) => Ok(draft),
            Self::Compressed(encoder) => encoder.finish(),
        }
    }
}

/// Fills the block, less only at the end of the input.
fn fill(input: &mut dyn Read, block: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < block.len() {
        match input.read(&mut block[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives some bytes and then breaks off.
    struct Breaking(&'static [u8]);

    impl Read for Breaking {
        fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
            match self.0.read(block)? {
                0 => Err(io::Error::other("the line went dead")),
                read => Ok(read),
            }
        }
    }

    fn check(bytes: &[u8], plain: bool) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let (hash, length) = store.put(&mut &bytes[..]).unwrap();
        assert_eq!((hash, length), (Hash::of(bytes), u64::try_from(bytes.len()).unwrap()));
        assert_eq!(store.put(&mut &bytes[..]).unwrap(), (hash, length));
        let mut read = Vec::new();
        store.open(hash).unwrap().read_to_end(&mut read).unwrap();
        assert!(read == bytes, "{} bytes read, {length} stored", read.len());
        assert_eq!(store.path(hash).is_some(), plain);
        assert_eq!(files(folder.path()).len(), 1, "stored once, no draft left");
    }

    fn files(folder: &std::path::Path) -> Vec<PathBuf> {
        let all = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        all.flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
    }

    #[test]
    fn bytes_come_back_unchanged() {
        check(b"", false);
        check(b"id;amount\r\n1;2,50\r\n", false);
        check(&b"\xff\x00 PAR1".repeat(200_000), false);
        check(b"PAR1 and what follows", true);
        check(b"PK\x03\x04", true);
    }

    #[test]
    fn a_half_written_file_is_never_visible() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let error = store.put(&mut Breaking(b"half of it")).unwrap_err();
        assert!(matches!(error, StoreError::Input(_)), "{error}");
        assert_eq!(files(folder.path()), Vec::<PathBuf>::new());
        assert!(matches!(store.open(Hash::of(b"half of it")), Err(StoreError::Absent(_))));
    }

    #[test]
    fn a_record_is_read_by_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let (hash, _) = store.put(&mut &b"head\nrecord 1\nrecord 2\n"[..]).unwrap();
        assert_eq!(store.range(hash, 5, 8).unwrap(), b"record 1");
    }
}
