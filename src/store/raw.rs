//! Raw bytes, unchanged.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    ops::Range,
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
        Taking::new(Some(self), input).finish()
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

/// Bytes on their way into the store, or with none only past their hash. Who reads them reads
/// exactly what is hashed and stored.
pub(super) struct Taking<'i> {
    store: Option<&'i Store>,
    input: &'i mut dyn Read,
    sink: Option<Sink>,
    hasher: Sha256,
    length: u64,
    block: Vec<u8>,
    /// What of the block was read by nobody yet.
    unread: Range<usize>,
    /// Whether the input has ended. What is added to it later is not taken.
    ended: bool,
    /// What went wrong, whatever was made of it by who read.
    failed: Option<StoreError>,
}

impl<'i> Taking<'i> {
    /// Nothing was taken yet.
    pub(super) fn new(store: Option<&'i Store>, input: &'i mut dyn Read) -> Self {
        Self {
            store,
            input,
            sink: None,
            hasher: Sha256::new(),
            length: 0,
            block: vec![0; BLOCK],
            unread: 0..0,
            ended: false,
            failed: None,
        }
    }

    /// Takes the rest, and says the hash and the length of everything.
    pub(super) fn finish(mut self) -> Result<(Hash, u64), StoreError> {
        while !self.ended && self.refill().is_ok() {}
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        let hash = Hash::new(self.hasher.finalize().into());
        if let (Some(store), Some(sink)) = (self.store, self.sink) {
            sink.keep(store, hash)?;
        }
        Ok((hash, self.length))
    }

    fn refill(&mut self) -> io::Result<()> {
        self.take_block().map_err(|failed| {
            let told = io::Error::other(failed.to_string());
            self.ended = true;
            self.failed = Some(failed);
            told
        })
    }

    fn take_block(&mut self) -> Result<(), StoreError> {
        let read = fill(self.input, &mut self.block).map_err(StoreError::Input)?;
        let block = &self.block[..read];
        if let (Some(store), None) = (self.store, &self.sink) {
            self.sink = Some(Sink::begin(store, block)?);
        }
        if let Some(sink) = &mut self.sink {
            sink.write(block)?;
        }
        self.hasher.update(block);
        self.length += u64::try_from(read).unwrap_or(u64::MAX);
        self.unread = 0..read;
        self.ended = read < self.block.len();
        Ok(())
    }
}

impl BufRead for Taking<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.unread.is_empty() && !self.ended {
            self.refill()?;
        }
        Ok(&self.block[self.unread.clone()])
    }

    fn consume(&mut self, amount: usize) {
        self.unread.start = self.unread.end.min(self.unread.start + amount);
    }
}

impl Read for Taking<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

/// Where bytes go on their way to disk.
struct Sink {
    draft: Draft,
    form: Form,
}

/// As they are, or compressed: each block a frame of its own, which spares the encoder the search
/// beyond it. Frames in a row are one file of zstd (RFC 8878, section 3).
enum Form {
    Plain,
    Compressed { encoder: zstd::bulk::Compressor<'static>, frame: Vec<u8> },
}

impl Sink {
    /// A draft for bytes that begin with these.
    fn begin(store: &Store, start: &[u8]) -> Result<Self, StoreError> {
        let draft = store.draft()?;
        if COMPRESSED.iter().any(|magic| start.starts_with(magic)) {
            return Ok(Self { draft, form: Form::Plain });
        }
        let encoder = zstd::bulk::Compressor::new(LEVEL);
        let encoder = encoder.map_err(disk("compress", &draft.path))?;
        let frame = Vec::with_capacity(zstd::zstd_safe::compress_bound(BLOCK));
        Ok(Self { draft, form: Form::Compressed { encoder, frame } })
    }

    /// Writes a block.
    fn write(&mut self, block: &[u8]) -> Result<(), StoreError> {
        let bytes = match &mut self.form {
            Form::Plain => block,
            Form::Compressed { encoder, frame } => {
                let compressed = encoder.compress_to_buffer(block, frame);
                compressed.map_err(disk("compress", &self.draft.path))?;
                &*frame
            }
        };
        self.draft.write_all(bytes).map_err(disk("write", &self.draft.path))
    }

    /// Puts everything written in its place, unless the same bytes are there already.
    fn keep(self, store: &Store, hash: Hash) -> Result<(), StoreError> {
        let ending = match self.form {
            Form::Plain => "",
            Form::Compressed { .. } => ".zst",
        };
        if store.holds(hash).is_some() {
            return Ok(());
        }
        self.draft.keep_as(&store.place("raw", hash, ending))
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

    /// A file that somebody still writes: more comes after its end was reached.
    struct Growing(Vec<&'static [u8]>);

    impl Read for Growing {
        fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
            let mut next = if self.0.is_empty() { &b""[..] } else { self.0.remove(0) };
            next.read(block)
        }
    }

    #[test]
    fn what_was_read_is_what_is_stored_although_the_file_grows() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let mut input = Growing(vec![b"record 1\n", b"", b"record 2\n", b""]);
        let mut taking = Taking::new(Some(&store), &mut input);
        let mut read = Vec::new();
        taking.read_to_end(&mut read).unwrap();
        let (hash, length) = taking.finish().unwrap();
        assert_eq!((read.as_slice(), length), (&b"record 1\n"[..], 9));
        let mut stored = Vec::new();
        store.open(hash).unwrap().read_to_end(&mut stored).unwrap();
        assert_eq!(stored, read);
    }

    #[test]
    fn what_the_reader_makes_of_a_failure_does_not_hide_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let mut input = Breaking(b"half of it");
        let mut taking = Taking::new(Some(&store), &mut input);
        assert!(taking.fill_buf().is_err(), "a block that cannot be filled is none");
        let error = taking.finish().unwrap_err();
        assert!(matches!(error, StoreError::Input(_)), "{error}");
        assert_eq!(files(folder.path()), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_record_is_read_by_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path()).unwrap();
        let (hash, _) = store.put(&mut &b"head\nrecord 1\nrecord 2\n"[..]).unwrap();
        assert_eq!(store.range(hash, 5, 8).unwrap(), b"record 1");
    }
}
