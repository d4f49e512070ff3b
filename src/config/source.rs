//! A source: a file's format and the profile that reads it.

use std::{collections::BTreeMap, fmt, path::PathBuf, str::FromStr};

use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, de::Error};

use crate::config::{allowed, column::Column};
use crate::domain::{
    entry::{Kind, Status},
    money::Currency,
};

/// The format of a source's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Delimited text by profile.
    Csv,
    /// ISO 20022 camt.052, .053, .054.
    Camt,
    /// Parquet.
    Parquet,
    /// A read-only query on the ledger's database, materialised by `extract`.
    Sql,
}

/// How the characters of a text file are written as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, low byte first.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, high byte first.
    #[serde(rename = "utf-16be")]
    Utf16Be,
    /// Cyrillic as Windows writes it.
    #[serde(rename = "windows-1251")]
    Windows1251,
    /// Western European as Windows writes it.
    #[serde(rename = "windows-1252")]
    Windows1252,
    /// Cyrillic as DOS wrote it.
    #[serde(rename = "cp866")]
    Cp866,
    /// Western European of ISO.
    #[serde(rename = "iso-8859-1")]
    Iso88591,
}

/// How a source's sign becomes ours: positive is money in on the account (DESIGN §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// Positive, credit or an incoming mark is money in.
    #[default]
    AsWritten,
    /// Positive, credit or an incoming mark is money out.
    Inverted,
    /// The column or mark alone tells the direction; the number's own sign says nothing.
    Ignored,
}

/// Which way a mark says that money goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Onto the account.
    In,
    /// From the account.
    Out,
}

/// Which days a file covers, where it states none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Covers {
    /// Exactly the day of the run that takes it.
    Date,
}

/// What a stated control total sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TotalOf {
    /// Signed amounts.
    #[default]
    Net,
    /// Amounts without their signs.
    Gross,
}

/// The labels of the rows before or after the records in which a file states something of itself.
///
/// The value is the next filled cell after the label, or what follows a colon in the label's own
/// cell. A label that the file does not have makes the file `incomplete`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedLabels {
    /// The opening balance.
    pub opening: Option<String>,
    /// The closing balance.
    pub closing: Option<String>,
    /// The number of records.
    pub count: Option<String>,
    /// The control total over all records.
    pub total: Option<String>,
    /// What the control total sums: `net` (default) or `gross`.
    #[serde(default)]
    pub total_of: TotalOf,
    /// The first day.
    pub from: Option<String>,
    /// The last day: a ledger's cut-off.
    pub cut_off: Option<String>,
    /// The statement's number.
    pub number: Option<String>,
}

/// Where a side's files come from and how they are read: `[source.<name>]`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The format: `csv`, `camt`, `parquet` or `sql`.
    pub format: Format,
    /// The file, relative to the configuration; `{date}` stands for the as-of day, `*` for any text.
    pub path: Option<PathBuf>,
    /// Where the evidence comes from; two sides of one origin are not independent.
    pub origin: Option<String>,
    /// The account its entries belong to, where the records name none; else the one expected.
    pub account: Option<String>,
    /// The currency of its amounts, where the records name none.
    #[serde(default, deserialize_with = "word")]
    pub currency: Option<Currency>,
    /// Decimals its amounts are written with, where they are more than the currency's own.
    #[serde(default, deserialize_with = "allowed::scale")]
    pub scale: Option<u8>,
    /// How its sign becomes ours: `as_written` (default), `inverted`, `ignored`.
    #[serde(default)]
    pub sign: Sign,
    /// Whether the account is held *for* the counterparty, so that their in is our out.
    #[serde(default)]
    pub mirror: bool,
    /// The zone of its times, where they state none; default: the reconciliation's.
    pub timezone: Option<Tz>,
    /// `date`: a file covers exactly the day of the run, even where it does not say so.
    pub covers: Option<Covers>,

    /// For `sql`: the ledger's database, `postgres://…` or `sqlite://…`.
    pub database: Option<String>,
    /// For `sql`: a file that holds the database URL instead, for secrets.
    pub database_file: Option<PathBuf>,
    /// For `sql`: one query, run in a read-only snapshot; `{date}` stands for the as-of day as a
    /// date literal. Its columns are named as `columns` names them.
    pub query: Option<String>,

    /// Which column stands for what: `{ amount = "Betrag", end_to_end_id = "e2e" }`. `#3` is the
    /// third column, whatever its name.
    #[serde(default)]
    pub columns: BTreeMap<Column, String>,
    /// What the values of the kind column mean; without it they must be our own names.
    #[serde(default, deserialize_with = "words")]
    pub kinds: BTreeMap<String, Kind>,
    /// What the values of the status column mean; without it they must be our own names.
    #[serde(default, deserialize_with = "words")]
    pub statuses: BTreeMap<String, Status>,
    /// What the values of the currency column mean, where they are no ISO codes: `{ "810" = "RUB" }`.
    #[serde(default, deserialize_with = "words")]
    pub currencies: BTreeMap<String, Currency>,
    /// What the values of the mark column mean: `{ D = "out", C = "in" }`, the default.
    #[serde(default)]
    pub marks: BTreeMap<String, Direction>,

    /// How characters are written; default: as the byte order mark says, else UTF-8.
    pub encoding: Option<Encoding>,
    /// What separates cells, one ASCII character; default: a comma, or what a first line `sep=;` says.
    pub delimiter: Option<String>,
    /// What encloses cells, one ASCII character, or `""` for nothing; default: `"`.
    pub quote: Option<String>,
    /// The decimal mark, `.` or `,`. Without it a number that may mean two things is refused.
    pub decimal: Option<String>,
    /// What groups thousands: `.`, `,`, `'`, a blank (any kind of blank), or `""` for nothing;
    /// default: any of them but the decimal mark.
    pub thousands: Option<String>,
    /// The form of its dates (`%d.%m.%Y`); default: ISO 8601.
    pub date: Option<String>,
    /// The form of its moments (`%d.%m.%Y %H:%M:%S`); default: ISO 8601.
    pub datetime: Option<String>,
    /// Whether a row names the columns; without one, columns are `#1`, `#2`, ….
    #[serde(default = "yes")]
    pub header: bool,
    /// First cells of rows that are no records: `["Total", "Page"]`.
    #[serde(default)]
    pub skip: Vec<String>,
    /// Whether nobody declared those words: then they hide no row that has a day.
    #[serde(skip)]
    pub skip_is_guess: bool,
    /// What the file states of itself, by label.
    #[serde(default)]
    pub stated: StatedLabels,
}

impl Source {
    /// A source of a format with nothing else declared.
    pub fn new(format: Format) -> Self {
        Self {
            format,
            path: None,
            origin: None,
            account: None,
            currency: None,
            scale: None,
            sign: Sign::default(),
            mirror: false,
            timezone: None,
            covers: None,
            database: None,
            database_file: None,
            query: None,
            columns: BTreeMap::new(),
            kinds: BTreeMap::new(),
            statuses: BTreeMap::new(),
            currencies: BTreeMap::new(),
            marks: BTreeMap::new(),
            encoding: None,
            delimiter: None,
            quote: None,
            decimal: None,
            thousands: None,
            date: None,
            datetime: None,
            header: true,
            skip: Vec::new(),
            skip_is_guess: false,
            stated: StatedLabels::default(),
        }
    }

    /// Whether its values agree with each other.
    pub fn check(&self) -> Result<(), String> {
        if self.path.is_none() && self.format != Format::Sql {
            return Err("`path` is missing".to_owned());
        }
        self.check_query()?;
        self.check_filled()?;
        self.check_text()?;
        match self.format {
            Format::Csv | Format::Parquet | Format::Sql => self.check_columns(),
            Format::Camt if !self.columns.is_empty() => {
                Err("`columns` are of no use to format `camt`".to_owned())
            }
            Format::Camt => Ok(()),
        }
    }

    fn check_query(&self) -> Result<(), String> {
        let named = self.database.is_some() || self.database_file.is_some();
        match (self.format == Format::Sql, named, self.query.as_deref()) {
            (true, false, _) => Err("`database` or `database_file` is missing".to_owned()),
            (true, true, None) => Err("`query` is missing".to_owned()),
            (true, true, Some(query)) if query.trim_end_matches([';', ' ', '\n']).contains(';') => {
                Err("`query` holds more than one statement".to_owned())
            }
            (true, true, Some(_)) | (false, false, None) => Ok(()),
            (false, _, _) => {
                Err("`database` and `query` are of use to format `sql` only".to_owned())
            }
        }
    }

    fn check_filled(&self) -> Result<(), String> {
        let path = self.path.as_ref().map(|it| it.to_string_lossy());
        allowed::filled("path", path.as_deref())?;
        allowed::filled("origin", self.origin.as_deref())?;
        allowed::filled("account", self.account.as_deref())?;
        for (column, name) in &self.columns {
            allowed::filled(&format!("columns.{}", column.name()), Some(name))?;
        }
        let StatedLabels { opening, closing, count, total, total_of: _, from, cut_off, number } =
            &self.stated;
        let labels = [
            ("opening", opening),
            ("closing", closing),
            ("count", count),
            ("total", total),
            ("from", from),
            ("cut_off", cut_off),
            ("number", number),
        ];
        for (key, label) in labels {
            allowed::filled(&format!("stated.{key}"), label.as_deref())?;
        }
        self.skip.iter().try_for_each(|it| allowed::filled("skip", Some(it)))
    }

    fn check_text(&self) -> Result<(), String> {
        let mark = "one ASCII character";
        one_of("delimiter", self.delimiter.as_deref(), mark, |it| it.len() == 1 && it.is_ascii())?;
        let mark = "one ASCII character, or `\"\"` for nothing";
        one_of("quote", self.quote.as_deref(), mark, |it| it.len() <= 1 && it.is_ascii())?;
        one_of("decimal", self.decimal.as_deref(), "`.` and `,`", |it| matches!(it, "." | ","))?;
        let marks = "`.`, `,`, `'`, a blank, or `\"\"` for nothing";
        one_of("thousands", self.thousands.as_deref(), marks, |it| {
            matches!(it, "" | " " | "." | "," | "'")
        })?;
        if self.delimiter.is_some() && self.delimiter == self.quote {
            return Err("`delimiter` and `quote` are the same".to_owned());
        }
        match (self.decimal.as_deref(), self.thousands.as_deref()) {
            (Some(decimal), Some(thousands)) if decimal == thousands => {
                Err("`decimal` and `thousands` are the same".to_owned())
            }
            (None, Some("." | ",")) => {
                Err("`thousands` is declared, and `decimal` is not".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn check_columns(&self) -> Result<(), String> {
        let has = |column| self.columns.contains_key(&column);
        let needs = |column: Column, other: Column| {
            if !has(column) || has(other) {
                return Ok(());
            }
            Err(format!("column `{}` needs column `{}`", column.name(), other.name()))
        };
        if !has(Column::BookingDate) {
            return Err("`columns` has no `booking_date`".to_owned());
        }
        if has(Column::Amount) == (has(Column::Debit) || has(Column::Credit)) {
            return Err("`columns` has either `amount`, or `debit` and `credit`".to_owned());
        }
        needs(Column::Debit, Column::Credit)?;
        needs(Column::Credit, Column::Debit)?;
        needs(Column::Mark, Column::Amount)?;
        needs(Column::OriginalAmount, Column::OriginalCurrency)?;
        needs(Column::OriginalCurrency, Column::OriginalAmount)?;
        needs(Column::UnderlyingKind, Column::Kind)?;
        if self.sign == Sign::Ignored && !has(Column::Mark) && !has(Column::Debit) {
            return Err("`sign = \"ignored\"` needs a mark, or debit and credit columns".to_owned());
        }
        let place =
            |name: &String| name.strip_prefix('#').is_some_and(|it| it.parse() != Ok(0_u16));
        if !self.header && !self.columns.values().all(place) {
            return Err("without a header, columns are named `#1`, `#2`, …".to_owned());
        }
        Ok(())
    }
}

fn one_of(
    key: &str,
    value: Option<&str>,
    allowed: &str,
    good: impl Fn(&str) -> bool,
) -> Result<(), String> {
    match value {
        Some(text) if !good(text) => Err(format!("`{key}` is {text:?}; allowed is {allowed}")),
        Some(_) | None => Ok(()),
    }
}

fn yes() -> bool {
    true
}

/// A value that is parsed from its name, told by the error where it is none.
struct Word<T>(T);

impl<'de, T: FromWord> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let text = String::deserialize(input)?;
        T::from_word(&text).map(Self).map_err(D::Error::custom)
    }
}

/// What a configuration names by one of our words.
trait FromWord: Sized {
    fn from_word(text: &str) -> Result<Self, impl fmt::Display>;
}

impl FromWord for Kind {
    fn from_word(text: &str) -> Result<Self, impl fmt::Display> {
        Self::from_str(text)
    }
}

impl FromWord for Status {
    fn from_word(text: &str) -> Result<Self, impl fmt::Display> {
        Self::from_str(text)
    }
}

impl FromWord for Currency {
    fn from_word(text: &str) -> Result<Self, impl fmt::Display> {
        Self::iso(text).ok_or_else(|| format!("`{text}` is no currency"))
    }
}

fn word<'de, D: Deserializer<'de>, T: FromWord>(input: D) -> Result<Option<T>, D::Error> {
    Ok(Some(Word::deserialize(input)?.0))
}

fn words<'de, D: Deserializer<'de>, T: FromWord>(
    input: D,
) -> Result<BTreeMap<String, T>, D::Error> {
    let words = BTreeMap::<String, Word<T>>::deserialize(input)?;
    Ok(words.into_iter().map(|(name, word)| (name, word.0)).collect())
}
