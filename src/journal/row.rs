//! Rows on their way into the database: values, their hash, and the statement that adds many.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{
    Arguments as _, AssertSqlSafe,
    any::{AnyArguments, AnyRow},
};

use crate::domain::{
    id::{Hash, Parts},
    money::Currency,
};
use crate::journal::{Dialect, JournalError, Transaction, table::Table};

/// How many values one statement adds at most. PostgreSQL has them all in its socket's buffer, and
/// works on them while the next are formed; more make neither database faster.
const VALUES: usize = 3_000;

/// How many ids a statement asks for at most.
const IDS: usize = 1_000;

/// What a column holds. An absent value knows its type, because PostgreSQL asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(Option<String>),
    Int(Option<i64>),
}

impl Value {
    /// The value as a text, whatever its type.
    pub(super) fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => text,
            Self::Int(number) => number.map(|it| it.to_string()),
        }
    }
}

/// The values of a row, in declared order.
pub(super) type Row = Vec<Value>;

/// A text as a column takes it. PostgreSQL has no NUL in a text, so that its symbol stands for it
/// in both databases; the bytes as received are in the store.
#[expect(clippy::needless_pass_by_value, reason = "callers hand over what they have")]
pub(super) fn text(value: impl ToString) -> Value {
    let text = value.to_string();
    Value::Text(Some(if text.contains('\0') { text.replace('\0', "\u{2400}") } else { text }))
}

/// A value as JSON.
pub(super) fn json(value: &impl Serialize) -> Result<Value, JournalError> {
    Ok(text(serde_json::to_string(value).map_err(JournalError::Json)?))
}

/// A text that may be absent.
pub(super) fn text_if(value: Option<impl ToString>) -> Value {
    value.map_or(Value::Text(None), text)
}

/// A number. A count beyond 63 bits cannot come out of a file; it would be kept at the most.
pub(super) fn int(number: impl TryInto<i64>) -> Value {
    Value::Int(Some(number.try_into().unwrap_or(i64::MAX)))
}

/// A number that may be absent.
pub(super) fn int_if(number: Option<impl TryInto<i64>>) -> Value {
    number.map_or(Value::Int(None), int)
}

/// A currency as a column holds it, with its decimals where they are not the standard's: minor
/// units of two scales are never added up.
pub(super) fn currency_text(currency: Currency) -> String {
    match Currency::iso(currency.code()) {
        Some(standard) if standard == currency => currency.code().to_owned(),
        _ => format!("{}.{}", currency.code(), currency.decimals()),
    }
}

/// The currency that a column holds.
pub(super) fn parse_currency(text: &str) -> Option<Currency> {
    let Some((code, decimals)) = text.split_once('.') else { return Currency::iso(text) };
    Some(Currency::iso(code)?.with_decimals(decimals.parse().ok()?))
}

/// A moment as a column holds it: UTC, of fixed width, so that texts sort as moments do.
pub(super) fn moment(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
}

/// The hash of a row: table and columns in declared order, length-prefixed, null distinct.
pub(super) fn row_hash(table: &Table, row: &[Value]) -> Hash {
    let mut parts = Parts::new().with(table.name);
    for value in row {
        match value {
            Value::Text(text) => parts.push(text.as_deref()),
            Value::Int(number) => parts.push(number.map(|it| it.to_string()).as_deref()),
        }
    }
    parts.sha256()
}

/// Rows that one statement adds to a table.
pub(super) struct Batch {
    table: &'static str,
    columns: Vec<&'static str>,
    values: Vec<Value>,
}

impl Batch {
    /// No rows yet of a table.
    pub(super) fn of(table: &Table) -> Self {
        let columns = table.all_columns();
        Self { table: table.name, values: Vec::with_capacity(VALUES + columns.len()), columns }
    }

    /// Whether no more rows fit.
    pub(super) fn is_full(&self) -> bool {
        self.values.len() >= VALUES
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds the values of the next columns; behind the last column begins the next row.
    pub(super) fn add(&mut self, values: impl Iterator<Item = Value>) {
        self.values.extend(values);
    }

    /// The statement that adds the rows.
    pub(super) fn insert(self, dialect: Dialect) -> Result<Insert, JournalError> {
        let (table, columns) = (self.table, self.columns.join(", "));
        let (rows, parameters) = match dialect {
            Dialect::Sqlite => self.into_parameters(),
            Dialect::Postgres => self.as_lines(),
        };
        let mut arguments = AnyArguments::default();
        for value in parameters {
            let bound = match value {
                Value::Text(Some(text)) => arguments.add(text),
                Value::Text(None) => arguments.add(None::<String>),
                Value::Int(number) => arguments.add(number),
            };
            bound.map_err(sqlx::Error::Encode)?;
        }
        Ok(Insert { sql: format!("insert into {table} ({columns}) {rows}"), arguments })
    }

    /// Each value as a parameter, which is fastest for SQLite.
    fn into_parameters(self) -> (String, Vec<Value>) {
        let row = format!("({})", vec!["?"; self.columns.len()].join(", "));
        let rows = vec![row; self.values.len() / self.columns.len()].join(", ");
        (format!("values {rows}"), self.values)
    }

    /// The rows as one text with marks between them, between their values, and for null, none of
    /// which is in a value: PostgreSQL would plan and type every parameter of its own.
    fn as_lines(&self) -> (String, Vec<Value>) {
        let width = self.columns.len();
        let mark = self.absent_mark();
        let [row, cell, null] = ["r", "c", "n"].map(|kind| format!("{mark}{kind}"));
        let mut lines = String::new();
        for (at, value) in self.values.iter().enumerate() {
            if at > 0 {
                lines.push_str(if at % width == 0 { &row } else { &cell });
            }
            match value {
                Value::Text(Some(text)) => lines.push_str(text),
                Value::Int(Some(number)) => lines.push_str(&number.to_string()),
                Value::Text(None) | Value::Int(None) => lines.push_str(&null),
            }
        }
        let place = |(at, value): (usize, &Value)| match value {
            Value::Text(_) => format!("v[{}]", at + 1),
            Value::Int(_) => format!("v[{}]::bigint", at + 1),
        };
        let values: Vec<_> = self.values[..width].iter().enumerate().map(place).collect();
        // `offset 0` keeps the planner from cutting a line up again for each of its values.
        let rows = format!(
            "select {} from (select string_to_array(line, $3, $4) as v
             from unnest(string_to_array($1, $2)) as line offset 0) as lines",
            values.join(", ")
        );
        (rows, [lines, row, cell, null].map(text).to_vec())
    }

    /// A mark that no value holds: the unit separator with the first number that none has behind
    /// it. There is one, for the values hold only so many.
    fn absent_mark(&self) -> String {
        let holds = |mark: &str| {
            let texts = self.values.iter();
            texts.filter(|it| matches!(it, Value::Text(Some(text)) if text.contains(mark))).count()
        };
        let mut number = 0_u32;
        loop {
            let mark = format!("\u{1f}{number}");
            if holds(&mark) == 0 {
                return mark;
            }
            number += 1;
        }
    }
}

/// A statement that adds rows.
pub(super) struct Insert {
    sql: String,
    arguments: AnyArguments,
}

impl Insert {
    /// Adds the rows to the table.
    pub(super) async fn execute(self, transaction: &mut Transaction) -> Result<(), JournalError> {
        let query = sqlx::query_with(AssertSqlSafe(self.sql), self.arguments);
        query.execute(&mut **transaction).await?;
        Ok(())
    }
}

/// Runs a statement that asks for `in ($1)` with many ids, some at a time. It is planned each time:
/// PostgreSQL would go on with the plan that it made while the tables were empty.
pub(super) async fn select_in(
    connection: &mut sqlx::AnyConnection,
    sql: &str,
    ids: &[String],
) -> Result<Vec<AnyRow>, JournalError> {
    let sql = sql.replace("in ($1)", among(connection.backend_name()));
    let mut found = Vec::new();
    for some in ids.chunks(IDS) {
        let some = serde_json::to_string(some).map_err(JournalError::Json)?;
        let query = sqlx::query(AssertSqlSafe(sql.clone())).persistent(false).bind(some);
        found.extend(query.fetch_all(&mut *connection).await?);
    }
    Ok(found)
}

/// What says that a value is among those of a JSON array: one parameter, because SQLite looks each
/// of many up among all the others.
fn among(backend: &str) -> &'static str {
    match backend {
        "PostgreSQL" => "= any(array(select json_array_elements_text($1::json)))",
        _ => "in (select value from json_each($1))",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finer_scale_is_kept_with_the_currency() {
        let euro = Currency::iso("EUR").unwrap();
        for (given, stored) in [(euro, "EUR"), (euro.with_decimals(3), "EUR.3")] {
            assert_eq!(currency_text(given), stored);
            assert_eq!(parse_currency(stored), Some(given));
        }
        assert_eq!(parse_currency("EUR.x"), None);
    }

    #[test]
    fn null_and_blank_give_two_hashes() {
        let table = &crate::journal::table::RUN_FILE;
        assert_ne!(row_hash(table, &[Value::Text(None)]), row_hash(table, &[text("")]));
    }

    #[test]
    fn a_mark_is_in_no_value() {
        let mut batch = Batch::of(&crate::journal::table::RUN_FILE);
        batch.add([text("a\u{1f}0b"), text("\u{1f}1"), text("\u{1f}"), text("")].into_iter());
        assert_eq!(batch.absent_mark(), "\u{1f}2");
        batch.values.clear();
        assert_eq!(batch.absent_mark(), "\u{1f}0");
    }
}
