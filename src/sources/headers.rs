//! A profile from the header alone, where there is no configuration: columns by their English or
//! Russian names, marks and forms by what the first rows can only mean. What may mean two things is
//! an error that names the option to give.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono_tz::Tz;

use crate::config::{Column, Encoding, Format, Sign, Source};
use crate::domain::entry::{Reject, RejectReason};
use crate::domain::money::Currency;
use crate::sources::StatementError;
use crate::sources::csv::records::{Marks, Records};
use crate::sources::date::Dates;
use crate::sources::encoding::Charset;
use crate::sources::names::{KINDS, STATUSES, TOTALS, column_named};
use crate::sources::number::{Grammar, NumberError};

/// What the command line says of a file.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// How its options begin: `--ours`, `--theirs`.
    pub prefix: String,
    /// `--ours-currency`.
    pub currency: Option<Currency>,
    /// `--ours-delimiter`.
    pub delimiter: Option<String>,
    /// `--ours-decimal`.
    pub decimal: Option<String>,
    /// `--ours-date`.
    pub date: Option<String>,
    /// `--ours-encoding`.
    pub encoding: Option<Encoding>,
    /// `--ours-account`.
    pub account: Option<String>,
    /// `--ours-sign`.
    pub sign: Sign,
    /// `--ours-column`, which may be given many times: a column's name, or `#` and its place.
    pub columns: BTreeMap<Column, String>,
}

/// A profile made from a header.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// The profile.
    pub source: Source,
    /// What was recognised, for people: it is printed, never silently relied on.
    pub remarks: Vec<String>,
}

/// Why no profile can be made without being told more.
#[derive(Debug, thiserror::Error)]
pub enum HeadersError {
    /// A column that an option names is not there.
    #[error("no column `{name}` for {column} is among {found}")]
    NoColumn {
        /// Its name as given.
        name: String,
        /// What it was to stand for.
        column: &'static str,
        /// The columns that are there.
        found: String,
    },
    /// Something is not told, or may mean two things; an option tells it.
    #[error("{what}: give `{option}`")]
    Untold {
        /// What.
        what: String,
        /// The option, with an example of its value.
        option: String,
    },
    /// The bytes are no text.
    #[error(transparent)]
    Text(#[from] StatementError),
}

/// What may separate cells, the likelier first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How many rows are looked at.
const ROWS: usize = 100;

/// Forms of a date that are tried in turn; blank is ISO 8601.
const FORMS: [&str; 10] = [
    "",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%Y%m%d",
    "%Y/%m/%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
];

/// The profile of a delimited file by its first bytes (some tens of thousands are enough).
pub fn profile_for(start: &[u8], given: &Given) -> Result<Recognised, HeadersError> {
    let text = decoded(start, given)?;
    let (text, named) = without_separator_line(&text);
    let separator = given.delimiter.as_ref().and_then(|it| it.bytes().next()).or(named);
    let delimiters = separator.map_or_else(|| DELIMITERS.to_vec(), |it| vec![it]);
    // The first of equals stands, hence the reversed order of `max_by_key`.
    let tables: Vec<Table> =
        delimiters.into_iter().map(|it| Table::read(text.as_bytes(), it, given)).collect();
    let best = tables.iter().rev().max_by_key(|it| it.columns.len());
    let nearest = best.filter(|it| !it.columns.is_empty());
    nearest.map_or(Ok(()), |it| it.check_given(given))?;
    let table = nearest.filter(|it| it.is_complete());
    let table = table.ok_or_else(|| without_header(nearest, text, &given.prefix))?;
    table.check_unique(given)?;
    let mut source = Source::new(Format::Csv);
    source.delimiter = Some(char::from(table.delimiter).to_string());
    source.columns = table.columns.keys().map(|it| (*it, table.reference(table.at(*it)))).collect();
    source.encoding = given.encoding;
    source.sign = given.sign;
    source.account.clone_from(&given.account);
    source.skip = TOTALS.map(str::to_owned).to_vec();
    source.skip_is_guess = true;
    source.kinds = words(&KINDS);
    source.statuses = words(&STATUSES);
    source.currency = table.currency(given)?;
    source.decimal = table.decimal(given)?;
    source.date = table.date(given)?;
    let remarks = vec![table.mapping(), forms(&source)];
    Ok(Recognised { source, remarks })
}

/// What to give so that a record refused without a configuration can be read.
pub fn untold(reject: &Reject, prefix: &str) -> Option<HeadersError> {
    match reject.reason {
        RejectReason::NumberAmbiguous => Some(ambiguous(&reject.text, prefix)),
        RejectReason::FieldUnreadable
        | RejectReason::DecimalsBeyondCurrency
        | RejectReason::KindUnknown
        | RejectReason::KeyMangled => None,
    }
}

/// What the row lacks that is most like a header, and the options that tell it.
fn without_header(nearest: Option<&Table>, text: &str, prefix: &str) -> HeadersError {
    let has = |column| nearest.is_some_and(|it| it.columns.contains_key(&column));
    let (needs, names) = match (has(Column::BookingDate), has(Column::Amount)) {
        (true, _) => ("an amount", &[Column::Amount][..]),
        (false, true) => ("a date", &[Column::BookingDate][..]),
        (false, false) => ("a date and an amount", &[Column::BookingDate, Column::Amount][..]),
    };
    let found = if let Some(table) = nearest {
        format!("the nearest has {}", table.names_told())
    } else {
        let first = text.lines().map(str::trim).find(|it| !it.is_empty());
        format!("the first row is `{}`", first.unwrap_or(""))
    };
    let options = names.iter().map(|it| format!("{prefix}-column {}=NAME", it.name()));
    HeadersError::Untold {
        what: format!("no header names {needs}; {found}"),
        option: options.collect::<Vec<_>>().join("` and `"),
    }
}

fn ambiguous(text: &str, prefix: &str) -> HeadersError {
    HeadersError::Untold {
        what: format!("`{text}` may mean two numbers"),
        option: format!("{prefix}-decimal .` or `{prefix}-decimal ,"),
    }
}

/// The text of the first bytes, up to the last whole character.
fn decoded<'s>(start: &'s [u8], given: &Given) -> Result<Cow<'s, str>, HeadersError> {
    let (mut charset, mark) = Charset::settle(start, given.encoding)?;
    let bytes = &start[mark..];
    if let Some(mut decoder) = charset.transcoder() {
        let mut text = String::with_capacity(bytes.len() * 2);
        let _ = decoder.decode_to_string(bytes, &mut text, false);
        return Ok(Cow::Owned(text));
    }
    let whole = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        Ok(_) | Err(_) => bytes,
    };
    let untold = || HeadersError::Untold {
        what: "the file is not UTF-8".to_owned(),
        option: format!("{}-encoding windows-1251", given.prefix),
    };
    charset.decode(whole).map_err(|_| untold())?.ok_or_else(untold)
}

/// The text after a first line `sep=;`, and what that names.
fn without_separator_line(text: &str) -> (&str, Option<u8>) {
    match text.strip_prefix("sep=").and_then(|it| it.split_once('\n')) {
        Some((line, rest)) => (rest, line.bytes().next()),
        None => (text, None),
    }
}

/// The header found with one delimiter, and the rows below it.
struct Table {
    delimiter: u8,
    names: Vec<String>,
    /// Where what may stand for a column stands: one place each, once they are checked.
    columns: BTreeMap<Column, Vec<usize>>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(mut text: &[u8], delimiter: u8, given: &Given) -> Self {
        let marks = Marks { delimiter, quote: Some(b'"') };
        let mut records = Records::new(&mut text, None, marks, 0);
        let mut table =
            Self { delimiter, names: Vec::new(), columns: BTreeMap::new(), rows: Vec::new() };
        // The last row may be cut, and a quote may stay open there: what was read until then counts.
        while let Ok(Some(row)) = records.next() {
            let cell = |at| String::from_utf8_lossy(&row.cell(at)).trim().to_owned();
            let cells: Vec<String> = (0..row.width()).map(cell).collect();
            let columns = recognised(&cells, &given.columns);
            if columns.len() > table.columns.len() {
                (table.names, table.columns) = (cells, columns);
                table.rows.clear();
            } else {
                table.rows.push(cells);
            }
            if table.rows.len() == ROWS {
                break;
            }
        }
        table.rows.retain(|row| row.len() == table.names.len());
        table
    }

    fn is_complete(&self) -> bool {
        let has = |column| self.columns.contains_key(&column);
        let amount = has(Column::Amount) || (has(Column::Debit) && has(Column::Credit));
        has(Column::BookingDate) && amount
    }

    /// That everything given is there.
    fn check_given(&self, given: &Given) -> Result<(), HeadersError> {
        let absent = |(column, _): &(&Column, &String)| !self.columns.contains_key(column);
        if let Some((column, name)) = given.columns.iter().find(absent) {
            return Err(HeadersError::NoColumn {
                name: name.clone(),
                column: column.name(),
                found: self.names_told(),
            });
        }
        Ok(())
    }

    /// That nothing may be two columns.
    fn check_unique(&self, given: &Given) -> Result<(), HeadersError> {
        let doubtful = self.columns.iter().find(|(_, places)| places.len() > 1);
        let Some((column, places)) = doubtful else { return Ok(()) };
        let told = |at: &usize| format!("`{}` (#{})", self.names[*at], at + 1);
        let told: Vec<String> = places.iter().map(told).collect();
        let first = self.reference(self.at(*column));
        Err(HeadersError::Untold {
            what: format!("{} may each be {}", told.join(" and "), column.name()),
            option: format!("{}-column {}={first}", given.prefix, column.name()),
        })
    }

    fn names_told(&self) -> String {
        self.names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
    }

    /// Where a recognised column stands.
    fn at(&self, column: Column) -> usize {
        self.columns.get(&column).and_then(|it| it.first()).copied().unwrap_or(0)
    }

    /// A column's name, or its place where the name stands twice.
    fn reference(&self, at: usize) -> String {
        let name = &self.names[at];
        let once = self.names.iter().filter(|it| *it == name).count() == 1;
        if once { name.clone() } else { format!("#{}", at + 1) }
    }

    /// The filled cells of some columns, in the rows looked at.
    fn cells<'t>(&'t self, columns: &'t [Column]) -> impl Iterator<Item = &'t str> {
        let places = columns.iter().filter_map(|it| self.columns.get(it)?.first());
        let cells = places.flat_map(|at| self.rows.iter().map(|row| row[*at].as_str()));
        cells.filter(|it| it.contains(|c: char| c.is_ascii_digit()))
    }

    fn currency(&self, given: &Given) -> Result<Option<Currency>, HeadersError> {
        if given.currency.is_none() && !self.columns.contains_key(&Column::Currency) {
            return Err(HeadersError::Untold {
                what: "no column names the currency".to_owned(),
                option: format!("{}-currency EUR", given.prefix),
            });
        }
        Ok(given.currency)
    }

    /// The decimal mark, given or shown by numbers that can be read with one mark only.
    fn decimal(&self, given: &Given) -> Result<Option<String>, HeadersError> {
        if given.decimal.is_some() {
            return Ok(given.decimal.clone());
        }
        let amounts = [Column::Amount, Column::Debit, Column::Credit, Column::Balance, Column::Fee];
        let reads = |mark: &str, text: &str| Grammar::new(Some(mark), None).parse(text).is_ok();
        let shown = |text: &&str| text.contains(['.', ',']) && reads(".", text) != reads(",", text);
        let of = |text: &str| if reads(".", text) { "." } else { "," };
        let mut marks = self.cells(&amounts).filter(shown).map(of);
        if let Some(mark) = marks.next() {
            return match marks.find(|it| *it != mark) {
                None => Ok(Some(mark.to_owned())),
                Some(_) => Err(HeadersError::Untold {
                    what: "amounts are written with both `.` and `,` as decimal mark".to_owned(),
                    option: format!("{}-decimal {mark}", given.prefix),
                }),
            };
        }
        let plain = Grammar::new(None, None);
        let doubtful = |text: &&str| plain.parse(text) == Err(NumberError::Ambiguous);
        match self.cells(&amounts).find(doubtful) {
            Some(text) => Err(ambiguous(text, &given.prefix)),
            None => Ok(None),
        }
    }

    /// The form of dates, given or the only one that reads them all.
    fn date(&self, given: &Given) -> Result<Option<String>, HeadersError> {
        if given.date.is_some() {
            return Ok(given.date.clone());
        }
        let columns = [Column::BookingDate, Column::ValueDate];
        let dates = |form: &str| {
            let mut source = Source::new(Format::Csv);
            source.date = (!form.is_empty()).then(|| form.to_owned());
            Dates::new(&source, Tz::UTC).ok()
        };
        let known: Vec<(&str, Dates)> =
            FORMS.into_iter().filter_map(|form| Some((form, dates(form)?))).collect();
        // What no form reads shows none: its record is refused, whichever form is right.
        let readable = |text: &&str| known.iter().any(|(_, it)| it.day(text).is_some());
        let shown: Vec<&str> = self.cells(&columns).filter(readable).collect();
        let reads_all = |it: &Dates| shown.iter().all(|text| it.day(text).is_some());
        let forms: Vec<&str> = match shown.as_slice() {
            [] => Vec::new(),
            _ => known.iter().filter(|(_, it)| reads_all(it)).map(|(form, _)| *form).collect(),
        };
        let text = shown.first().copied().or_else(|| self.cells(&columns).next());
        match (forms.as_slice(), text) {
            (_, None) => Ok(None),
            ([only], _) => Ok((!only.is_empty()).then(|| (*only).to_owned())),
            ([], Some(text)) => Err(HeadersError::Untold {
                what: format!("the form of dates such as `{text}` is not known"),
                option: format!("{}-date {}", given.prefix, example(text)),
            }),
            ([first, ..], Some(text)) => Err(HeadersError::Untold {
                what: format!("`{text}` may mean two dates"),
                option: format!("{}-date {first}", given.prefix),
            }),
        }
    }

    /// Which column was taken for what, for people.
    fn mapping(&self) -> String {
        let name =
            |column: &Column| format!("`{}` is {}", self.names[self.at(*column)], column.name());
        let mapped: Vec<String> = self.columns.keys().map(name).collect();
        let unread = |at: &usize| !self.columns.values().any(|it| it.contains(at));
        let unread: Vec<String> = (0..self.names.len())
            .filter(unread)
            .map(|at| format!("`{}`", self.names[at]))
            .collect();
        let rest = if unread.is_empty() {
            String::new()
        } else {
            format!("; not read: {}", unread.join(", "))
        };
        format!("columns by name: {}{rest}", mapped.join(", "))
    }
}

/// A form that would read a date with a year of two digits, which is never taken without being
/// told; for any other text, a form to begin from.
fn example(text: &str) -> String {
    let short = FORMS.map(|it| it.replace("%Y", "%y"));
    let reads = |form: &String| {
        let source = Source { date: Some(form.clone()), ..Source::new(Format::Csv) };
        !form.is_empty() && Dates::new(&source, Tz::UTC).is_ok_and(|it| it.day(text).is_some())
    };
    short.into_iter().find(reads).unwrap_or_else(|| "%d.%m.%Y".to_owned())
}

/// What the cells of a row stand for, if it is a header: as is given, else by their names.
fn recognised(cells: &[String], given: &BTreeMap<Column, String>) -> BTreeMap<Column, Vec<usize>> {
    let mut columns: BTreeMap<Column, Vec<usize>> = BTreeMap::new();
    for (column, name) in given {
        let places: Vec<usize> = places(cells, name).collect();
        if !places.is_empty() {
            columns.insert(*column, places);
        }
    }
    let taken: Vec<usize> = columns.values().flatten().copied().collect();
    for (at, cell) in cells.iter().enumerate().filter(|(at, _)| !taken.contains(at)) {
        if let Some(column) = column_named(cell).filter(|it| !given.contains_key(it)) {
            columns.entry(column).or_default().push(at);
        }
    }
    if columns.contains_key(&Column::Amount) {
        columns.remove(&Column::Debit);
        columns.remove(&Column::Credit);
    } else {
        columns.remove(&Column::Mark);
    }
    let both = [Column::OriginalAmount, Column::OriginalCurrency];
    if !both.iter().all(|it| columns.contains_key(it)) {
        columns.retain(|it, _| !both.contains(it));
    }
    if !columns.contains_key(&Column::Kind) {
        columns.remove(&Column::UnderlyingKind);
    }
    columns
}

/// Where a column stands by its name, or by `#` and its place.
fn places<'c>(cells: &'c [String], name: &'c str) -> impl Iterator<Item = usize> + 'c {
    let place = name.strip_prefix('#').and_then(|it| it.parse().ok());
    (0..cells.len()).filter(move |at| cells[*at] == name || place == Some(at + 1))
}

/// A table of words, each in lower case, upper case, and with a capital.
fn words<T: Copy>(table: &[(&str, T)]) -> BTreeMap<String, T> {
    let cases = |word: &str| {
        let mut letters = word.chars();
        let capital = letters.next().map(|it| it.to_uppercase().collect::<String>());
        let capital = capital.unwrap_or_default() + letters.as_str();
        [word.to_owned(), word.to_uppercase(), capital]
    };
    table.iter().flat_map(|(word, it)| cases(word).map(|word| (word, *it))).collect()
}

fn forms(source: &Source) -> String {
    let shown = |text: &Option<String>, default: &str| text.clone().unwrap_or(default.to_owned());
    let delimiter = match source.delimiter.as_deref() {
        Some("\t") => "tab".to_owned(),
        Some(text) => format!("`{text}`"),
        None => "`,`".to_owned(),
    };
    format!(
        "delimiter {delimiter}, decimal mark {}, dates {}",
        shown(&source.decimal, "not needed"),
        shown(&source.date, "as 2026-01-31")
    )
}
