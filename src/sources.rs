//! Readers: the bytes of a file become entries, rejects, and what the file states of itself.
//!
//! Every reader is a plain function from bytes to calls of a sink. It streams: whatever the size of
//! the file, it holds one record at a time.

pub mod camt;
mod csv;
mod date;
pub mod delimited;
mod encoding;
pub mod headers;
mod names;
pub mod number;
mod parquet;
mod stranger;

use std::io::{self, BufRead};

use chrono::NaiveDate;
use chrono_tz::Tz;

use crate::config::{Column, Encoding, Format, Source, StatedLabels};
use crate::domain::{
    entry::{EntrySink, Place},
    key::KeyScheme,
    money::Currency,
    statement::Stated,
};

pub use stranger::stranger;

/// What a reader must know besides the bytes.
#[derive(Debug, Clone, Copy)]
pub struct ReadContext<'a> {
    /// The profile of the file's source.
    pub source: &'a Source,
    /// Index of the file in its run's list, for [`Place::file`].
    pub file: u16,
    /// The reconciliation's zone, in which a moment falls on a booking day.
    pub timezone: Tz,
    /// The day the run speaks about, which a source with `covers = "date"` speaks about too.
    pub as_of: Option<NaiveDate>,
    /// The finest scale that a source of the reconciliation declares, see [`finest_scale`].
    pub scale: Option<u8>,
}

impl<'a> ReadContext<'a> {
    /// A context in which only the source is known: UTC, the currencies' own scales.
    pub fn new(source: &'a Source) -> Self {
        Self { source, file: 0, timezone: Tz::UTC, as_of: None, scale: source.scale }
    }

    /// The currency at the scale of the run, at which both sides keep their amounts.
    pub fn scaled(&self, currency: Currency) -> Currency {
        currency.with_decimals(currency.decimals().max(self.scale.unwrap_or(0)))
    }

    /// How many decimals an amount of this currency may be written with: the currency's own, or
    /// what the profile declares. More is `decimals_beyond_currency`, even where the run is finer.
    pub fn decimals(&self, currency: Currency) -> u8 {
        currency.decimals().max(self.source.scale.unwrap_or(0))
    }

    /// The place of an entry of this file.
    pub fn place(&self, record: u32, part: u16, start: u64, length: u32) -> Place {
        Place { file: self.file, record, part, start, length }
    }
}

/// The finest scale that any of the sources declares: both sides of a reconciliation are kept at
/// it, so that their amounts are compared in the same units.
pub fn finest_scale<'a>(sources: impl IntoIterator<Item = &'a Source>) -> Option<u8> {
    sources.into_iter().filter_map(|it| it.scale).max()
}

/// The schemes of which a record of this source may have a key.
pub fn schemes(source: &Source) -> Vec<KeyScheme> {
    let declared = |column: &Column| {
        if let Column::Key(scheme) = column { Some(*scheme) } else { None }
    };
    match source.format {
        Format::Camt => camt::schemes().collect(),
        Format::Csv | Format::Parquet | Format::Sql => {
            source.columns.keys().filter_map(declared).collect()
        }
    }
}

/// Why a file as a whole cannot be read. What was given to the sink before counts for nothing.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// The bytes do not come.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The bytes are not text in the encoding that they or the profile claim.
    #[error("{0}")]
    Encoding(String),
    /// The structure is broken, or is none of this format.
    #[error("byte {at}: {what}")]
    Malformed {
        /// Offset of the byte in the file as received.
        at: u64,
        /// What is wrong there, as half a sentence.
        what: String,
    },
    /// It is a well-known file of another kind, or empty.
    #[error("{0}")]
    Stranger(&'static str),
    /// The profile does not fit the file: a column that is not there, a header that never comes.
    #[error("{0}")]
    Profile(String),
}

/// Reads one file by its source's profile; every record reaches `sink`, as entries or as a reject
/// with its reason.
pub fn read(
    input: &mut dyn BufRead,
    context: &ReadContext<'_>,
    sink: &mut dyn EntrySink,
) -> Result<Stated, StatementError> {
    // Text that has no header may have no line either.
    let expected = |what: &str| what == stranger::EMPTY && !context.source.header;
    if let Some(what) = stranger(input.fill_buf()?).filter(|it| !expected(it)) {
        return Err(StatementError::Stranger(what));
    }
    match context.source.format {
        Format::Camt => camt::read(input, context, sink),
        Format::Csv => csv::read(input, context, sink),
        Format::Sql => {
            let source = canonical(context.source);
            csv::read(input, &ReadContext { source: &source, ..*context }, sink)
        }
        Format::Parquet => parquet::read(input, context, sink),
    }
}

/// How the rows of a query were written, whatever the profile says of text files: `extract` writes
/// UTF-8 with commas, points and ISO 8601 dates, and states the count and the cut-off.
fn canonical(source: &Source) -> Source {
    Source {
        encoding: Some(Encoding::Utf8),
        delimiter: Some(",".to_owned()),
        quote: Some("\"".to_owned()),
        decimal: Some(".".to_owned()),
        thousands: Some(String::new()),
        header: true,
        stated: StatedLabels {
            count: Some(EXTRACT_COUNT.to_owned()),
            cut_off: source
                .query
                .as_ref()
                .filter(|it| it.contains("{date}"))
                .map(|_| EXTRACT_CUT_OFF.to_owned()),
            ..StatedLabels::default()
        },
        ..source.clone()
    }
}

/// The labels of the trailer that `extract` writes.
pub const EXTRACT_COUNT: &str = "sverka-rows";

/// See [`EXTRACT_COUNT`].
pub const EXTRACT_CUT_OFF: &str = "sverka-cut-off";

/// The magic number at both ends of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// How files begin that have commas or semicolons too, and are no delimited text: XML, JSON,
/// `SWIFT` MT, 1C, OFX, BAI2.
const NOT_DELIMITED: [&str; 8] =
    ["<", "{", "[", ":20:", ":940:", "1CClientBank", "OFXHEADER", "01,"];

/// The format of a file by its first bytes (a few thousand are enough), or `None`.
pub fn recognise(start: &[u8]) -> Option<Format> {
    if start.starts_with(PARQUET) {
        return Some(Format::Parquet);
    }
    let text = readable(start)?;
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('<') {
        let camt = text.contains("camt.05") || text.contains("BkToCstmr");
        return camt.then_some(Format::Camt);
    }
    if NOT_DELIMITED.iter().any(|it| text.starts_with(it)) {
        return None;
    }
    let delimited = text.lines().any(|line| line.contains([',', ';', '\t', '|']));
    delimited.then_some(Format::Csv)
}

/// The bytes as text good enough to look for ASCII in, or `None` where they are no text at all.
fn readable(start: &[u8]) -> Option<String> {
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(start) {
        return Some(encoding.decode(start).0.into_owned());
    }
    (!start.contains(&0)).then(|| String::from_utf8_lossy(start).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(start: &[u8], expected: Option<Format>) {
        assert_eq!(recognise(start), expected, "{}", String::from_utf8_lossy(start));
    }

    #[test]
    fn a_format_is_told_by_its_first_bytes() {
        check(b"PAR1\x15\x04", Some(Format::Parquet));
        check(b"id;amount\n1;2\n", Some(Format::Csv));
        check("\u{feff}id,amount\n".as_bytes(), Some(Format::Csv));
        check(b"\xff\xfei\0d\0\t\0a\0\n\0", Some(Format::Csv));
        check(
            b"<?xml version=\"1.0\"?>\n<Document xmlns=\"urn:x:camt.053.001.08\">",
            Some(Format::Camt),
        );
        check(b"<Document><ns:BkToCstmrStmt>", Some(Format::Camt));
    }

    #[test]
    fn a_file_of_no_known_format_is_none() {
        check(b"", None);
        check(b"one word", None);
        check(b"<html>a,b</html>", None);
        check(b":20:STARTUMSE\n:61:2601010101C5,00", None);
        check(b"1CClientBankExchange\nA=1,2", None);
        check(b"PK\x03\x04\0\0,", None);
    }
}
