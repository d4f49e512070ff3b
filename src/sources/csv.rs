//! Delimited text by a declared profile.

mod chain;
mod fields;
mod labels;
mod layout;
pub(super) mod records;
mod tally;

use std::io::{BufRead, Read};

use crate::config::Source;
use crate::domain::entry::{EntrySink, Reject};
use crate::domain::key::NaturalKey;
use crate::domain::statement::Stated;
use crate::sources::encoding::Charset;
use crate::sources::{ReadContext, StatementError};

use fields::{Fault, Fielded, Fields, Stop};
use labels::{Labelled, Labels};
use layout::{Layout, Misfit};
use records::{Marks, PlainLine, Records, Row};
use tally::Tally;

/// How many rows are looked at for the header.
const HEADER_WITHIN: u64 = 200;

/// How many bytes of a file are looked at for its encoding.
const START: u64 = 4096;

/// Reads a delimited file; every record reaches `sink`, as an entry or as a reject with its reason.
pub(super) fn read(
    input: &mut dyn BufRead,
    context: &ReadContext<'_>,
    sink: &mut dyn EntrySink,
) -> Result<Stated, StatementError> {
    let source = context.source;
    let mut start = Vec::new();
    (&mut *input).take(START).read_to_end(&mut start)?;
    let (mut charset, mark) = Charset::settle(&start, source.encoding)?;
    let mut rest = start[mark..].chain(input);
    let mut records = Records::new(&mut rest, charset.transcoder(), marks(source), mark);
    settle_delimiter(&mut records, source)?;

    let mut labels = Labels::new(source);
    let mut tally = Tally::default();
    let mut fields = match find_header(&mut records, source, &mut charset, &mut labels)? {
        Some(layout) => Some(Fields::new(context, layout)?),
        None => None,
    };
    let mut keys = Vec::new();
    loop {
        if let Some(fields) = &mut fields {
            let mut reading = Reading { context, fields, labels: &mut labels, tally: &mut tally };
            reading.pass_unwanted(&mut records, sink)?;
        }
        let Some(row) = records.next()? else { break };
        let fields = match &mut fields {
            Some(fields) => fields,
            none => none.insert(Fields::new(context, by_places(source, &row)?)?),
        };
        let mut reading = Reading { context, fields, labels: &mut labels, tally: &mut tally };
        keys = recycled(reading.row(&row, keys, &mut charset, sink)?);
    }
    charset.finish()?;
    Ok(tally.finish(context, fields.as_ref(), &labels))
}

fn marks(source: &Source) -> Marks {
    let byte = |text: &Option<String>, default: u8| match text {
        Some(text) => text.bytes().next(),
        None => Some(default),
    };
    Marks {
        delimiter: byte(&source.delimiter, b',').unwrap_or(b','),
        quote: byte(&source.quote, b'"'),
    }
}

fn settle_delimiter(records: &mut Records<'_>, source: &Source) -> Result<(), StatementError> {
    let Some(delimiter) = records.take_separator_line()? else { return Ok(()) };
    let declared = marks(source);
    if source.delimiter.is_some() && declared.delimiter != delimiter {
        return Err(StatementError::Profile(format!(
            "the first line says `sep={}`, and `delimiter` is declared as `{}`",
            char::from(delimiter),
            char::from(declared.delimiter)
        )));
    }
    records.set_marks(Marks { delimiter, ..declared });
    Ok(())
}

/// Reads up to the header, the first row that has every column of the profile; `None` where the
/// profile says that there is none.
fn find_header(
    records: &mut Records<'_>,
    source: &Source,
    charset: &mut Charset,
    labels: &mut Labels<'_>,
) -> Result<Option<Layout>, StatementError> {
    if !source.header {
        return Ok(None);
    }
    let mut nearest: Option<Misfit> = None;
    while let Some(row) = records.next()? {
        let cells = cells(&row, charset)?;
        labels.take(&cells);
        match Layout::by_names(source, cells) {
            Ok(layout) => {
                layout.check_unique(source)?;
                return Ok(Some(layout));
            }
            Err(_) if row.is_blank() => {}
            Err(misfit) if nearest.as_ref().is_none_or(|it| misfit.is_nearer(it)) => {
                nearest = Some(misfit);
            }
            Err(_) => {}
        }
        labels.before += 1;
        if labels.before == HEADER_WITHIN {
            break;
        }
    }
    Err(nearest.map_or_else(
        || StatementError::Profile("the file is blank, without a header".to_owned()),
        Misfit::into_error,
    ))
}

fn by_places(source: &Source, row: &Row<'_>) -> Result<Layout, StatementError> {
    Layout::by_places(source, row.width()).map_err(Misfit::into_error)
}

fn first_filled(row: &Row<'_>) -> Option<usize> {
    (0..row.width()).find(|at| !row.cell(*at).trim_ascii().is_empty())
}

/// All cells of a row as texts.
fn cells(row: &Row<'_>, charset: &mut Charset) -> Result<Vec<String>, StatementError> {
    let text = |at| match fields::text(row, at, charset) {
        Ok(text) => Ok(text.into_owned()),
        // Rows that are no records are looked at, not relied on: what cannot be read is no label.
        Err(Stop::Field(_)) => Ok("\u{fffd}".to_owned()),
        Err(Stop::File(error)) => Err(error),
    };
    (0..row.width()).map(text).collect()
}

/// The emptied list for the next row, which saves a list for every row.
fn recycled<'n>(mut keys: Vec<NaturalKey<'_>>) -> Vec<NaturalKey<'n>> {
    keys.clear();
    let none = keys.into_iter().map(NaturalKey::into_owned);
    none.collect()
}

/// What one row is read with.
struct Reading<'c, 'f, 'l> {
    context: &'c ReadContext<'c>,
    fields: &'f mut Fields<'c>,
    labels: &'f mut Labels<'l>,
    tally: &'f mut Tally,
}

impl<'c> Reading<'c, '_, '_> {
    /// Passes over records that nobody wants and that end where their lines do.
    fn pass_unwanted(
        &mut self,
        records: &mut Records<'_>,
        sink: &mut dyn EntrySink,
    ) -> Result<(), StatementError> {
        while let Some(record) = self.tally.records.checked_add(1)
            && !sink.wants(self.context.place(record, 0, records.offset(), 0))
            && let Some(PlainLine { length, first }) = records.plain_line()?
            && self.is_surely_record(first)
        {
            self.tally.records = record;
            records.pass(length);
        }
        Ok(())
    }

    /// Gives a row to the sink, or takes it as one that is no record; gives back the list of keys.
    fn row<'r>(
        &mut self,
        row: &Row<'r>,
        keys: Vec<NaturalKey<'r>>,
        charset: &mut Charset,
        sink: &mut dyn EntrySink,
    ) -> Result<Vec<NaturalKey<'r>>, StatementError>
    where
        'c: 'r,
    {
        if self.labels.are_any() && self.begins_with_label(row, charset)? {
            self.labels.take(&cells(row, charset)?);
            self.labels.after += 1;
            return Ok(keys);
        }
        let Some(record) = self.tally.records.checked_add(1) else {
            let what = "more records than can be counted".to_owned();
            return Err(StatementError::Malformed { at: row.start, what });
        };
        let place = self.context.place(record, 0, row.start, row.length);
        if !sink.wants(place) && self.is_surely_record(row.ascii(0)) {
            self.tally.records = record;
            return Ok(keys);
        }
        match self.fields.read(row, place, keys, charset) {
            Ok(read) => {
                self.tally.records = record;
                self.tally.take(&read);
                let Fielded { entry, .. } = read;
                sink.entry(&entry);
                return Ok(entry.keys);
            }
            Err(Stop::File(error)) => return Err(error),
            Err(Stop::Field(_)) if self.is_no_record(row, charset)? => {}
            Err(Stop::Field(fault)) => {
                self.tally.records = record;
                self.tally.reject();
                sink.reject(self.refused(row, place, fault, charset)?);
            }
        }
        Ok(Vec::new())
    }

    fn begins_with_label(
        &self,
        row: &Row<'_>,
        charset: &mut Charset,
    ) -> Result<bool, StatementError> {
        let Some(first) = first_filled(row) else { return Ok(false) };
        match fields::text(row, first, charset) {
            Ok(text) => Ok(self.is_label(row, self.labels.in_first(&text))),
            Err(Stop::File(error)) => Err(error),
            Err(Stop::Field(_)) => Ok(false),
        }
    }

    /// Whether a row with a label is no record. One that names an operation beside the label is a
    /// record all the same: the label may be how the name of a party begins, and what is passed
    /// over is compared with nothing. Words that nobody declared hide nothing that has a day.
    fn is_label(&self, row: &Row<'_>, labelled: Option<Labelled>) -> bool {
        let first = first_filled(row);
        let filled = |at: usize| first != Some(at) && !row.cell(at).trim_ascii().is_empty();
        let layout = &self.fields.layout;
        let mut keys = layout.others.iter().filter(|(column, _)| column.names_operation());
        let (day, key) = (filled(layout.booking_date), keys.any(|(_, at)| filled(*at)));
        match labelled {
            Some(Labelled::Wholly) if self.context.source.skip_is_guess => !day && !key,
            Some(Labelled::Wholly) => !(day && key),
            Some(Labelled::AtItsBeginning) => !day && !key,
            None => false,
        }
    }

    /// Whether a row whose first cell is this text of ASCII is a record, whatever it says: nothing
    /// that [`is_no_record`](Self::is_no_record) would ask of it if it could not be read.
    fn is_surely_record(&self, first: Option<&str>) -> bool {
        let name = self.fields.layout.names.first().map_or("", String::as_str);
        let is_other = |cell: &str| !cell.trim().is_empty() && cell.trim() != name;
        !self.labels.are_any() && first.is_some_and(is_other)
    }

    /// Whether a row that cannot be read as a record is none: blank, the header again, or one that
    /// states something by a label in any of its cells.
    fn is_no_record(
        &mut self,
        row: &Row<'_>,
        charset: &mut Charset,
    ) -> Result<bool, StatementError> {
        if row.is_blank() {
            self.labels.after += 1;
            return Ok(true);
        }
        let cells = cells(row, charset)?;
        if self.context.source.header && cells == self.fields.layout.names {
            self.labels.headers += 1;
            return Ok(true);
        }
        let labelled = self.is_label(row, self.labels.in_any(&cells));
        if labelled {
            self.labels.take(&cells);
            self.labels.after += 1;
        }
        Ok(labelled)
    }

    fn refused(
        &mut self,
        row: &Row<'_>,
        place: crate::domain::entry::Place,
        fault: Fault,
        charset: &mut Charset,
    ) -> Result<Reject, StatementError> {
        let whole = fault.at == usize::MAX;
        let text = if whole {
            charset.decode(row.bytes())?.unwrap_or_else(|| String::from_utf8_lossy(row.bytes()))
        } else {
            let cell = row.cell(fault.at);
            charset
                .decode(&cell)?
                .map_or_else(|| String::from_utf8_lossy(&cell).into_owned(), Into::into)
                .into()
        };
        Ok(Reject {
            place,
            reason: fault.reason,
            field: if whole {
                "row".to_owned()
            } else {
                self.fields.layout.name(fault.at).to_owned()
            },
            text: text.chars().take(200).collect(),
            expected: fault.expected,
            amount: self.fields.seen.amount,
            account: std::mem::take(&mut self.fields.seen.account),
        })
    }
}

#[cfg(test)]
mod tests;
