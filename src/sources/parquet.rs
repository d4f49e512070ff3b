//! Reads Parquet: typed columns become the texts that a profile's columns are read from.
//!
//! Every value is told exactly: decimals by their own scale, dates and moments in ISO 8601 or the
//! form that the profile declares. A mapped column of floats is refused by name.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use chrono::{DateTime, NaiveDate};
use polars::prelude::{AnyValue, DataFrame, DataType, ParquetReader, SerReader, TimeUnit};

use crate::config::{Encoding, Source, StatedLabels};
use crate::domain::{
    entry::{Entry, EntrySink, Place, Reject},
    statement::Stated,
};
use crate::sources::{PARQUET, ReadContext, StatementError, csv, delimited::write_line};

/// Reads one file whole, for it can only be read by position. Records are its rows; they have a
/// number and no byte range.
pub(super) fn read(
    input: &mut dyn BufRead,
    context: &ReadContext<'_>,
    sink: &mut dyn EntrySink,
) -> Result<Stated, StatementError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    if !bytes.starts_with(PARQUET) {
        let what = "it is no Parquet file, which begins with `PAR1`".to_owned();
        return Err(StatementError::Malformed { at: 0, what });
    }
    let frame = ParquetReader::new(Cursor::new(bytes))
        .finish()
        .map_err(|error| StatementError::Malformed { at: 0, what: error.to_string() })?;
    refuse_floats(&frame, context.source)?;
    let source = canonical(context.source);
    let mut rows = BufReader::new(Rows::new(&frame, &source));
    let mut placeless = Placeless(sink);
    let mut stated =
        csv::read(&mut rows, &ReadContext { source: &source, ..*context }, &mut placeless)?;
    "parquet".clone_into(&mut stated.format);
    Ok(stated)
}

/// Types that are never money and never keys.
fn refuse_floats(frame: &DataFrame, source: &Source) -> Result<(), StatementError> {
    let schema = frame.schema();
    let inexact = schema.iter().find(|(name, kind)| {
        let mapped = source.columns.values().any(|it| it == name.as_str());
        mapped && matches!(kind, DataType::Float32 | DataType::Float64)
    });
    inexact.map_or(Ok(()), |(name, kind)| {
        let says = format!("column `{name}` is {kind}; expected an exact type, as decimal");
        Err(StatementError::Profile(says))
    })
}

/// How the rows are written, whatever else the profile says of text files.
fn canonical(source: &Source) -> Source {
    Source {
        encoding: Some(Encoding::Utf8),
        delimiter: Some(",".to_owned()),
        quote: Some("\"".to_owned()),
        decimal: Some(source.decimal.clone().unwrap_or_else(|| ".".to_owned())),
        header: true,
        skip: Vec::new(),
        stated: StatedLabels::default(),
        ..source.clone()
    }
}

/// The rows of a frame as delimited text, one at a time.
struct Rows<'a> {
    frame: &'a DataFrame,
    source: &'a Source,
    next: usize,
    line: Cursor<Vec<u8>>,
}

impl<'a> Rows<'a> {
    fn new(frame: &'a DataFrame, source: &'a Source) -> Self {
        Self { frame, source, next: 0, line: Cursor::default() }
    }

    /// Writes the header, then row after row; false behind the last.
    fn advance(&mut self) -> io::Result<bool> {
        let mut line = Vec::new();
        if self.next == 0 {
            let names = self.frame.get_column_names();
            write_line(&mut line, names.into_iter().map(|it| Some(it.as_str())))?;
        } else if self.next <= self.frame.height() {
            let row = self.next - 1;
            let mut cells = Vec::with_capacity(self.frame.width());
            for column in self.frame.columns() {
                let value = column.get(row).map_err(io::Error::other)?;
                let told = tell(&value, self.source);
                cells.push(told.map_err(|kind| {
                    let name = column.name();
                    io::Error::other(format!("row {row}, column `{name}`: {kind} is no text"))
                })?);
            }
            write_line(&mut line, cells.iter().map(Option::as_deref))?;
        } else {
            return Ok(false);
        }
        self.next += 1;
        self.line = Cursor::new(line);
        Ok(true)
    }
}

impl Read for Rows<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.line.read(block)?;
            if read > 0 || block.is_empty() || !self.advance()? {
                return Ok(read);
            }
        }
    }
}

/// A value as text, or its type where it has none. Floats stand only in columns that are not
/// mapped, and those are not looked at.
#[expect(clippy::wildcard_enum_match_arm, reason = "the engine's types are not ours to list")]
fn tell(value: &AnyValue<'_>, source: &Source) -> Result<Option<String>, String> {
    let told = match value {
        AnyValue::Null => return Ok(None),
        AnyValue::String(text) => (*text).to_owned(),
        AnyValue::StringOwned(text) => text.to_string(),
        AnyValue::Boolean(it) => it.to_string(),
        AnyValue::Int8(it) => it.to_string(),
        AnyValue::Int16(it) => it.to_string(),
        AnyValue::Int32(it) => it.to_string(),
        AnyValue::Int64(it) => it.to_string(),
        AnyValue::UInt8(it) => it.to_string(),
        AnyValue::UInt16(it) => it.to_string(),
        AnyValue::UInt32(it) => it.to_string(),
        AnyValue::UInt64(it) => it.to_string(),
        AnyValue::Float32(_) | AnyValue::Float64(_) => String::new(),
        AnyValue::Decimal(unscaled, _, scale) => decimal(*unscaled, *scale, source),
        AnyValue::Date(days) => day(*days, source).ok_or("a day beyond all calendars")?,
        AnyValue::Datetime(count, unit, _) | AnyValue::DatetimeOwned(count, unit, _) => {
            moment(*count, *unit, source).ok_or("a moment beyond all calendars")?
        }
        other => return Err(other.dtype().to_string()),
    };
    Ok(Some(told))
}

/// An exact decimal number with the profile's mark.
fn decimal(unscaled: i128, scale: usize, source: &Source) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", unscaled.unsigned_abs(), width = scale + 1);
    let (whole, rest) = digits.split_at(digits.len() - scale);
    match (rest, source.decimal.as_deref().unwrap_or(".")) {
        ("", _) => format!("{sign}{whole}"),
        (rest, mark) => format!("{sign}{whole}{mark}{rest}"),
    }
}

fn day(days: i32, source: &Source) -> Option<String> {
    let day = NaiveDate::from_epoch_days(days)?;
    Some(source.date.as_ref().map_or_else(|| day.to_string(), |it| day.format(it).to_string()))
}

/// A moment in UTC; without a zone it is told as it stands, and the profile's zone says what it is.
fn moment(count: i64, unit: TimeUnit, source: &Source) -> Option<String> {
    let moment = match unit {
        TimeUnit::Nanoseconds => DateTime::from_timestamp_nanos(count),
        TimeUnit::Microseconds => DateTime::from_timestamp_micros(count)?,
        TimeUnit::Milliseconds => DateTime::from_timestamp_millis(count)?,
    };
    let form = source.datetime.as_deref().unwrap_or("%Y-%m-%dT%H:%M:%S%.f");
    Some(moment.format(form).to_string())
}

/// Takes the byte range away: it is of the text, not of the file.
struct Placeless<'a>(&'a mut dyn EntrySink);

impl EntrySink for Placeless<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        self.0.entry(&Entry { place: without_bytes(entry.place), ..entry.clone() });
    }

    fn reject(&mut self, reject: Reject) {
        self.0.reject(Reject { place: without_bytes(reject.place), ..reject });
    }
}

fn without_bytes(place: Place) -> Place {
    Place { start: 0, length: 0, ..place }
}

#[cfg(test)]
mod tests {
    use polars::prelude::{Column, IntoColumn, NamedFrom, ParquetWriter, Series};

    use super::*;
    use crate::config::{Column as Role, Format};
    use crate::domain::entry::Kept;

    fn source() -> Source {
        let mut source = Source::new(Format::Parquet);
        source.currency = crate::domain::money::Currency::iso("EUR");
        source.columns =
            [(Role::Amount, "amount"), (Role::BookingDate, "day"), (Role::Party, "party")]
                .map(|(role, name)| (role, name.to_owned()))
                .into();
        source
    }

    /// Reads columns written as Parquet; each entry as `amount day party`, or the error.
    fn check(columns: Vec<Column>, expected: Result<&[&str], &str>) {
        let height = columns[0].len();
        let mut frame = DataFrame::new(height, columns).unwrap();
        let mut bytes = Vec::new();
        ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
        let (source, mut kept) = (source(), Kept::default());
        let read = read(&mut &bytes[..], &ReadContext::new(&source), &mut kept);
        match (read, expected) {
            (Ok(stated), Ok(expected)) => {
                let told: Vec<_> = kept
                    .entries
                    .iter()
                    .map(|it| format!("{} {} {}", it.amount, it.booking_date, it.party))
                    .collect();
                assert_eq!(told, expected);
                assert_eq!(stated.records, u64::try_from(height).unwrap());
                assert_eq!(stated.format, "parquet");
                assert!(kept.rejects.is_empty(), "{:?}", kept.rejects);
            }
            (Err(error), Err(says)) => assert!(error.to_string().contains(says), "{error}"),
            (read, expected) => panic!("{read:?}, expected {expected:?}"),
        }
    }

    fn days(of: &[i32]) -> Column {
        Series::new("day".into(), of).cast(&DataType::Date).unwrap().into_column()
    }

    fn text(name: &str, of: &[Option<&str>]) -> Column {
        Series::new(name.into(), of).into_column()
    }

    #[test]
    fn typed_columns_are_read_exactly() {
        let amounts = Series::new("amount".into(), &["90071992547409.93", "-0.05"]);
        let amounts = amounts.cast(&DataType::Decimal(38, 2)).unwrap();
        let party = text("party", &[Some("A, \"B\""), None]);
        check(
            vec![amounts.into_column(), days(&[20_783, 20_784]), party.clone()],
            Ok(&["90071992547409.93 2026-11-26 A, \"B\"", "-0.05 2026-11-27 "]),
        );
        let whole = Series::new("amount".into(), &[7_i64, -3]).into_column();
        check(
            vec![whole, days(&[20_783, 20_783]), party],
            Ok(&["7.00 2026-11-26 A, \"B\"", "-3.00 2026-11-26 "]),
        );
    }

    #[test]
    fn a_float_is_refused_by_name() {
        let floats = Series::new("amount".into(), &[0.1, 0.2]).into_column();
        let party = text("party", &[None, None]);
        check(vec![floats, days(&[1, 2]), party], Err("column `amount` is"));
    }

    #[test]
    fn a_column_that_is_not_there_is_named() {
        let amounts = text("amount", &[Some("1.00")]);
        check(vec![amounts, days(&[1])], Err("party"));
    }

    #[test]
    fn a_broken_file_is_refused() {
        let source = source();
        let read =
            read(&mut &b"PAR1 and no more"[..], &ReadContext::new(&source), &mut Kept::default());
        assert!(matches!(read, Err(StatementError::Malformed { .. })), "{read:?}");
    }
}
