//! Delimited text as rows of cells, each with its exact bytes in the file as received.
//!
//! Nothing of the file is kept but the row at hand and what was read ahead. A quote opens a cell
//! only where the cell begins with it, so that `ООО "Север"` needs no care.

use std::{borrow::Cow, io::BufRead};

use encoding_rs::{Decoder, DecoderResult};
use memchr::{memchr, memchr2, memchr3};

use crate::sources::{StatementError, encoding::utf16_length};

/// What separates and encloses cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sources) struct Marks {
    /// Between cells.
    pub delimiter: u8,
    /// Around cells, where cells are enclosed at all.
    pub quote: Option<u8>,
}

/// A reader of rows.
pub(in crate::sources) struct Records<'i> {
    input: &'i mut dyn BufRead,
    transcoder: Option<Decoder>,
    marks: Marks,
    buffer: Vec<u8>,
    /// Where in the buffer the next row begins, and where what was read ends.
    at: usize,
    end: usize,
    /// Whether the input has ended.
    ended: bool,
    /// Offset in the file as received of the byte at `at`.
    offset: u64,
    cells: Vec<Cell>,
}

/// The range of a cell in its row, without enclosing quotes.
#[derive(Debug, Clone, Copy)]
struct Cell {
    start: usize,
    end: usize,
    /// Whether doubled quotes in it stand for one.
    doubled: bool,
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub(in crate::sources) struct Row<'r> {
    /// Offset of its first byte in the file as received.
    pub start: u64,
    /// Its length there, without the line's end.
    pub length: u32,
    bytes: &'r [u8],
    /// All of it as text, where every byte is one of ASCII.
    ascii: Option<&'r str>,
    cells: &'r [Cell],
    quote: u8,
    /// Whether text follows a closing quote, so that the cells are not certain.
    pub torn: bool,
}

/// A row that ends where its line does, for no cell of it is enclosed.
#[derive(Debug, Clone, Copy)]
pub(in crate::sources) struct PlainLine<'r> {
    /// Its length in the buffer, without the line's end.
    pub length: usize,
    /// Its first cell, where that is ASCII.
    pub first: Option<&'r str>,
}

/// How much is read at once.
const CHUNK: usize = 256 * 1024;

/// A row longer than this has an open quote at its beginning, or is no row.
const LONGEST: usize = 1024 * 1024;

/// Where a row ends.
enum Scan {
    /// After this many bytes.
    Row { length: usize, torn: bool },
    /// Beyond what was read.
    Beyond { quoted: bool },
}

impl<'i> Records<'i> {
    /// Rows of what follows the first `skipped` bytes of a file, which are read already.
    pub(in crate::sources) fn new(
        input: &'i mut dyn BufRead,
        transcoder: Option<Decoder>,
        marks: Marks,
        skipped: usize,
    ) -> Self {
        let offset = u64::try_from(skipped).unwrap_or(u64::MAX);
        let buffer = vec![0; CHUNK];
        Self {
            input,
            transcoder,
            marks,
            buffer,
            at: 0,
            end: 0,
            ended: false,
            offset,
            cells: Vec::new(),
        }
    }

    /// The next row; rows without any byte are passed over.
    pub(in crate::sources) fn next(&mut self) -> Result<Option<Row<'_>>, StatementError> {
        self.pass_line_ends()?;
        if self.at == self.end {
            return Ok(None);
        }
        let (length, torn) = loop {
            match self.scan() {
                Scan::Row { length, torn } => break (length, torn),
                Scan::Beyond { quoted: true } if self.ended => {
                    return Err(self.malformed("a quote opens here and never closes"));
                }
                Scan::Beyond { .. } => {
                    if self.end - self.at > LONGEST {
                        return Err(self.malformed("a row of more than a mebibyte"));
                    }
                    self.fill()?;
                }
            }
        };
        let (from, start) = (self.at, self.offset);
        self.pass(length);
        let bytes = &self.buffer[from..from + length];
        Ok(Some(Row {
            start,
            length: u32::try_from(self.offset - start).unwrap_or(u32::MAX),
            bytes,
            ascii: std::str::from_utf8(bytes).ok().filter(|it| it.is_ascii()),
            cells: &self.cells,
            quote: self.marks.quote.unwrap_or(b'"'),
            torn,
        }))
    }

    /// How much of the file as received lies before what comes next.
    pub(in crate::sources) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next row, where what was read by now is enough to tell that it is plain.
    pub(in crate::sources) fn plain_line(
        &mut self,
    ) -> Result<Option<PlainLine<'_>>, StatementError> {
        self.pass_line_ends()?;
        let ahead = &self.buffer[self.at..self.end];
        let Some(length) = memchr2(b'\n', b'\r', ahead) else { return Ok(None) };
        let line = &ahead[..length];
        if self.marks.quote.is_some_and(|quote| memchr(quote, line).is_some()) {
            return Ok(None);
        }
        let first = memchr(self.marks.delimiter, line).map_or(line, |end| &line[..end]);
        let first = std::str::from_utf8(first).ok().filter(|it| it.is_ascii());
        Ok(Some(PlainLine { length, first }))
    }

    /// Takes the first line where it is `sep=` and one character, which spreadsheets write to name
    /// the delimiter.
    pub(in crate::sources) fn take_separator_line(&mut self) -> Result<Option<u8>, StatementError> {
        while self.end - self.at < 6 && !self.ended {
            self.fill()?;
        }
        let [b's', b'e', b'p', b'=', separator, b'\r' | b'\n', ..] = self.buffer[self.at..self.end]
        else {
            return Ok(None);
        };
        self.pass(5);
        Ok(Some(separator))
    }

    /// What separates and encloses cells from here on.
    pub(in crate::sources) fn set_marks(&mut self, marks: Marks) {
        self.marks = marks;
    }

    fn pass_line_ends(&mut self) -> Result<(), StatementError> {
        loop {
            let ahead = &self.buffer[self.at..self.end];
            let ends = ahead.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            self.pass(ends);
            if self.at < self.end || self.ended {
                return Ok(());
            }
            self.fill()?;
        }
    }

    /// Moves over bytes of the buffer, keeping the offset in the file.
    pub(in crate::sources) fn pass(&mut self, length: usize) {
        let bytes = &self.buffer[self.at..self.at + length];
        let received = if self.transcoder.is_some() { utf16_length(bytes) } else { length };
        self.offset += u64::try_from(received).unwrap_or(u64::MAX);
        self.at += length;
    }

    /// Finds the cells of the row at hand.
    fn scan(&mut self) -> Scan {
        let row = &self.buffer[self.at..self.end];
        let Marks { delimiter, quote } = self.marks;
        self.cells.clear();
        let (mut at, mut torn) = (0, false);
        loop {
            let mut cell = Cell { start: at, end: at, doubled: false };
            if quote.is_some() && row.get(at).copied() == quote {
                let Some(closing) = closing_quote(row, at, row[at], &mut cell.doubled) else {
                    return Scan::Beyond { quoted: true };
                };
                // The last byte read may be the first of a doubled quote.
                if closing + 1 == row.len() && !self.ended {
                    return Scan::Beyond { quoted: false };
                }
                (cell.start, cell.end) = (at + 1, closing);
                at = closing + 1;
            }
            let rest = &row[at..];
            let found = memchr3(delimiter, b'\n', b'\r', rest);
            if found.is_none() && !self.ended {
                return Scan::Beyond { quoted: false };
            }
            let length = found.unwrap_or(rest.len());
            if at == cell.start {
                cell.end = at + length;
            } else {
                torn |= !rest[..length].iter().all(|byte| *byte == b' ');
            }
            self.cells.push(cell);
            at += length;
            if row.get(at) != Some(&delimiter) {
                return Scan::Row { length: at, torn };
            }
            at += 1;
        }
    }

    /// Reads more, after moving the row at hand to the buffer's beginning.
    fn fill(&mut self) -> Result<(), StatementError> {
        self.buffer.copy_within(self.at..self.end, 0);
        self.end -= self.at;
        self.at = 0;
        if self.buffer.len() - self.end < CHUNK / 2 {
            self.buffer.resize(self.buffer.len() + CHUNK, 0);
        }
        let Some(decoder) = &mut self.transcoder else {
            let read = self.input.read(&mut self.buffer[self.end..])?;
            self.end += read;
            self.ended = read == 0;
            return Ok(());
        };
        let received = self.input.fill_buf()?;
        let last = received.is_empty();
        let space = &mut self.buffer[self.end..];
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(received, space, last);
        self.input.consume(read);
        self.end += written;
        if let DecoderResult::Malformed(..) = result {
            return Err(self.malformed("broken UTF-16 in this row or shortly after it"));
        }
        self.ended = last && result == DecoderResult::InputEmpty;
        Ok(())
    }

    fn malformed(&self, what: &str) -> StatementError {
        StatementError::Malformed { at: self.offset, what: what.to_owned() }
    }
}

/// Where the quote stands that closes a cell; `doubled` becomes true where quotes within are doubled.
fn closing_quote(row: &[u8], opening: usize, quote: u8, doubled: &mut bool) -> Option<usize> {
    let mut at = opening + 1;
    loop {
        let closing = at + memchr(quote, &row[at..])?;
        if row.get(closing + 1) != Some(&quote) {
            return Some(closing);
        }
        *doubled = true;
        at = closing + 2;
    }
}

impl<'r> Row<'r> {
    /// How many cells it has.
    pub(in crate::sources) fn width(&self) -> usize {
        self.cells.len()
    }

    /// The bytes of a cell as UTF-8 or in the file's one-byte encoding; empty beyond the last.
    pub(in crate::sources) fn cell(&self, at: usize) -> Cow<'r, [u8]> {
        let Some(cell) = self.cells.get(at) else { return Cow::Borrowed(&[]) };
        let bytes = &self.bytes[cell.start..cell.end];
        if !cell.doubled {
            return Cow::Borrowed(bytes);
        }
        let mut plain = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let Some(at) = memchr(self.quote, rest) {
            plain.extend_from_slice(&rest[..=at]);
            rest = rest.get(at + 2..).unwrap_or(&[]);
        }
        plain.extend_from_slice(rest);
        Cow::Owned(plain)
    }

    /// A cell that can be told without decoding: ASCII, without doubled quotes.
    pub(in crate::sources) fn ascii(&self, at: usize) -> Option<&'r str> {
        let cell = self.cells.get(at).filter(|it| !it.doubled)?;
        self.ascii?.get(cell.start..cell.end)
    }

    /// Whether it has no filled cell.
    pub(in crate::sources) fn is_blank(&self) -> bool {
        (0..self.width()).all(|at| self.cell(at).trim_ascii().is_empty())
    }

    /// The bytes of the row, in UTF-8 or in the file's one-byte encoding.
    pub(in crate::sources) fn bytes(&self) -> &'r [u8] {
        self.bytes
    }
}
