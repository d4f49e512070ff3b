//! Extract: our ledger straight from its database, as a canonical file (DESIGN §4).
//!
//! One query runs in one read-only snapshot, and what it gives is written as delimited text that
//! then goes through the inbox like any other file. The same rows give the same bytes. Numbers are
//! taken as the database prints them; a column of floats is refused by name.

mod delimited;
mod postgres;
mod sqlite;

use std::io::{self, Write};

use chrono::NaiveDate;

use delimited::Delimited;

/// Where `{date}` stands in a query, the day goes.
const DAY: &str = "{date}";

/// What an extraction may fail at. Nothing that was written before counts for anything.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The database refuses the connection, the query or a row.
    #[error("the ledger's database: {0}")]
    Database(#[from] sqlx::Error),
    /// The file cannot be written.
    #[error("cannot write the extract: {0}")]
    Write(#[from] io::Error),
    /// The query asks for a day, and none is given.
    #[error("the query has `{{date}}`: name a day by `--date`")]
    NoDay,
    /// A column holds floats, which are never money and never keys.
    #[error("column `{column}` is {kind}: cast it to an exact type in the query")]
    Inexact {
        /// The column.
        column: String,
        /// Its type.
        kind: String,
    },
    /// A value cannot be told as text.
    #[error("row {row}, column `{column}`: {kind} cannot be told as text; cast it in the query")]
    Untold {
        /// Number of the row, from 1.
        row: u64,
        /// The column.
        column: String,
        /// Its type.
        kind: String,
    },
    /// The URL is neither of PostgreSQL nor of SQLite.
    #[error("the ledger's database is neither `postgres://…` nor `sqlite://…`")]
    UnknownDatabase,
}

/// Runs a query on the database of a URL and writes its rows; gives their number.
pub async fn extract(
    url: &str,
    query: &str,
    day: Option<NaiveDate>,
    out: &mut (dyn Write + Send),
) -> Result<u64, ExtractError> {
    let asks_for_day = query.contains(DAY);
    let query = match (asks_for_day, day) {
        (true, None) => return Err(ExtractError::NoDay),
        // A day prints as digits and dashes alone, so that nothing else can get into the query.
        (true, Some(day)) => query.replace(DAY, &format!("'{day}'")),
        (false, _) => query.to_owned(),
    };
    let query = query.trim_end_matches([';', ' ', '\n']);
    let mut table = Delimited::new(out);
    if url.starts_with("sqlite:") {
        sqlite::rows(url, query, &mut table).await?;
    } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
        postgres::rows(url, query, &mut table).await?;
    } else {
        return Err(ExtractError::UnknownDatabase);
    }
    table.finish(day.filter(|_| asks_for_day))
}
