//! Raw bytes, unchanged.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    ops::Range,
    path::PathBuf,
    sync::{Arc, mpsc},
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
        take(Some(self), input, |_| ()).map(|(hash, length, ())| (hash, length))
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
    pub(super) fn holds(&self, hash: Hash) -> Option<(PathBuf, bool)> {
        [("", true), (".zst", false)]
            .map(|(ending, plain)| (self.place("raw", hash, ending), plain))
            .into_iter()
            .find(|(path, _)| path.is_file())
    }
}

/// Takes everything that `input` gives into a store, or with none only past its hash, while `read`
/// reads it: who reads them reads exactly what is hashed and stored. However little `read` reads,
/// all of it is taken. Gives hash and length, and what `read` made of it.
///
/// Hashing and storing have a thread of their own, so that reading does not wait for them.
pub(super) fn take<T>(
    store: Option<&Store>,
    input: &mut dyn Read,
    read: impl FnOnce(&mut dyn BufRead) -> T,
) -> Result<(Hash, u64, T), StoreError> {
    let (kept, told) = std::thread::scope(|scope| {
        let (blocks, taken) = mpsc::sync_channel(AHEAD);
        let keeper = scope.spawn(move || Kept::all(store, taken));
        let mut taking = Taking {
            input,
            blocks,
            ring: Default::default(),
            unread: 0..0,
            ended: false,
            failed: None,
        };
        let told = read(&mut taking);
        let read_all = taking.finish();
        let kept = keeper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        read_all.and(kept).map(|kept| (kept, told))
    })?;
    if let (Some(store), Some(sink)) = (store, kept.sink) {
        sink.keep(store, kept.hash)?;
    }
    Ok((kept.hash, kept.length, told))
}

/// How many blocks may wait to be stored.
const AHEAD: usize = 4;

/// Bytes that are read while they are taken.
struct Taking<'i> {
    input: &'i mut dyn Read,
    blocks: mpsc::SyncSender<Arc<Vec<u8>>>,
    /// The blocks, the last one first. When one is wanted, nobody holds the one that was last the
    /// longest ago: so many wait at most, one is being kept, and one is being read.
    ring: [Arc<Vec<u8>>; AHEAD + 2],
    /// What of the first block was read by nobody yet.
    unread: Range<usize>,
    /// Whether the input has ended. What is added to it later is not taken.
    ended: bool,
    /// What went wrong, whatever was made of it by who read.
    failed: Option<StoreError>,
}

impl Taking<'_> {
    /// Takes the rest.
    fn finish(mut self) -> Result<(), StoreError> {
        while !self.ended && self.refill().is_ok() {}
        self.failed.map_or(Ok(()), Err)
    }

    fn refill(&mut self) -> io::Result<()> {
        self.ring.rotate_right(1);
        let block = Arc::make_mut(&mut self.ring[0]);
        block.resize(BLOCK, 0);
        let read = fill(self.input, block).map_err(|cause| {
            let told = io::Error::other(cause.to_string());
            self.ended = true;
            self.failed = Some(StoreError::Input(cause));
            told
        })?;
        self.ended = read < BLOCK;
        block.truncate(read);
        self.unread = 0..read;
        // Who keeps the blocks says why it takes no more.
        self.blocks.send(Arc::clone(&self.ring[0])).map_err(|_| {
            self.ended = true;
            io::Error::other("the store takes no more")
        })
    }
}

/// Blocks that were hashed, and with a store written.
struct Kept {
    hash: Hash,
    length: u64,
    sink: Option<Sink>,
}

impl Kept {
    fn all(
        store: Option<&Store>,
        blocks: mpsc::Receiver<Arc<Vec<u8>>>,
    ) -> Result<Self, StoreError> {
        let (mut hasher, mut length, mut sink) = (Sha256::new(), 0, None);
        for block in blocks {
            if let (Some(store), None) = (store, &sink) {
                sink = Some(Sink::begin(store, &block)?);
            }
            if let Some(sink) = &mut sink {
                sink.write(&block)?;
            }
            hasher.update(&*block);
            length += u64::try_from(block.len()).unwrap_or(u64::MAX);
        }
        Ok(Self { hash: Hash::new(hasher.finalize().into()), length, sink })
    }
}

impl BufRead for Taking<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.unread.is_empty() && !self.ended {
            self.refill()?;
        }
        Ok(&self.ring[0][self.unread.clone()])
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
        let mut read = Vec::new();
        let taken = take(Some(&store), &mut input, |it| it.read_to_end(&mut read).unwrap());
        let (hash, length, _) = taken.unwrap();
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
        let is_told = |it: &mut dyn BufRead| {
            assert!(it.fill_buf().is_err(), "a block that cannot be filled is none");
        };
        let error = take(Some(&store), &mut input, is_told).unwrap_err();
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
