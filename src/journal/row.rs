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

/// How many values one statement adds at most: SQLite takes 32,766 parameters, and more than this
/// make neither database faster.
const VALUES: usize = 8_000;

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
    values: usize,
    form: Form,
}

/// How a database takes many rows fastest: SQLite as parameters, PostgreSQL as one parameter, an
/// array of objects in JSON, for it plans and types every parameter of its own.
enum Form {
    Parameters(AnyArguments),
    Json(Vec<u8>),
}

impl Batch {
    /// No rows yet of a table.
    pub(super) fn of(table: &Table, dialect: Dialect) -> Self {
        let form = match dialect {
            Dialect::Sqlite => Form::Parameters(AnyArguments::default()),
            Dialect::Postgres => Form::Json(Vec::new()),
        };
        Self { table: table.name, columns: table.all_columns(), values: 0, form }
    }

    fn rows(&self) -> usize {
        self.values / self.columns.len()
    }

    /// Whether no more rows fit.
    pub(super) fn is_full(&self) -> bool {
        self.rows() == VALUES / self.columns.len()
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.values == 0
    }

    /// Adds the values of the next columns; behind the last column begins the next row.
    pub(super) fn add(&mut self, values: impl Iterator<Item = Value>) -> Result<(), JournalError> {
        for value in values {
            let at = self.values % self.columns.len();
            match &mut self.form {
                Form::Parameters(arguments) => bind(arguments, value)?,
                Form::Json(json) => {
                    json.extend_from_slice(if at > 0 {
                        b","
                    } else if self.values > 0 {
                        b"},{"
                    } else {
                        b"[{"
                    });
                    write_member(json, self.columns[at], &value).map_err(JournalError::Json)?;
                }
            }
            self.values += 1;
        }
        Ok(())
    }

    /// Adds the rows to the table.
    pub(super) async fn insert(self, transaction: &mut Transaction) -> Result<(), JournalError> {
        let (table, columns, rows) = (self.table, self.columns.join(", "), self.rows());
        let (sql, arguments) = match self.form {
            Form::Parameters(arguments) => {
                let row = format!("({})", vec!["?"; self.columns.len()].join(", "));
                let rows = vec![row; rows].join(", ");
                (format!("insert into {table} ({columns}) values {rows}"), arguments)
            }
            Form::Json(mut json) => {
                json.extend_from_slice(b"}]");
                let mut arguments = AnyArguments::default();
                bind(&mut arguments, text(String::from_utf8_lossy(&json)))?;
                let rows = format!("json_populate_recordset(null::{table}, $1::json)");
                (format!("insert into {table} ({columns}) select {columns} from {rows}"), arguments)
            }
        };
        let query = sqlx::query_with(AssertSqlSafe(sql), arguments);
        query.execute(&mut **transaction).await?;
        Ok(())
    }
}

fn bind(arguments: &mut AnyArguments, value: Value) -> Result<(), JournalError> {
    let bound = match value {
        Value::Text(Some(text)) => arguments.add(text),
        Value::Text(None) => arguments.add(None::<String>),
        Value::Int(number) => arguments.add(number),
    };
    Ok(bound.map_err(sqlx::Error::Encode)?)
}

/// Writes a column and its value as a member of an object.
fn write_member(json: &mut Vec<u8>, column: &str, value: &Value) -> serde_json::Result<()> {
    serde_json::to_writer(&mut *json, column)?;
    json.push(b':');
    match value {
        Value::Text(text) => serde_json::to_writer(json, text),
        Value::Int(number) => serde_json::to_writer(json, number),
    }
}

/// Runs a statement that asks for `in ($1)` with many ids, some at a time. It is planned each time:
/// PostgreSQL would go on with the plan that it made while the tables were empty.
pub(super) async fn select_in(
    connection: &mut sqlx::AnyConnection,
    sql: &str,
    ids: &[String],
) -> Result<Vec<AnyRow>, JournalError> {
    let mut found = Vec::new();
    for some in ids.chunks(IDS) {
        let query = sqlx::query(AssertSqlSafe(widened(sql, some.len()))).persistent(false);
        let query = some.iter().fold(query, |query, id| query.bind(id.clone()));
        found.extend(query.fetch_all(&mut *connection).await?);
    }
    Ok(found)
}

/// The same statement with `in ($1)` widened to `count` parameters.
fn widened(sql: &str, count: usize) -> String {
    let all: Vec<String> = (1..=count).map(|number| format!("${number}")).collect();
    sql.replace("in ($1)", &format!("in ({})", all.join(", ")))
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
    fn a_statement_asks_for_many_rows() {
        let sql = widened("select 1 from file where file_id in ($1) order by 1", 3);
        assert_eq!(sql, "select 1 from file where file_id in ($1, $2, $3) order by 1");
    }
}
