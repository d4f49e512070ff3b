//! Rows of SQLite, whose values have types of their own.

use std::str::FromStr as _;

use futures_util::TryStreamExt as _;
use sqlx::{
    AssertSqlSafe, Column, ConnectOptions, Connection, Executor, Row, SqlSafeStr, Statement,
    TypeInfo, ValueRef,
    sqlite::{SqliteConnectOptions, SqliteRow},
};

use crate::extract::{Delimited, ExtractError};

/// Writes what a query gives. The file is opened so that nothing can be written to it.
pub(super) async fn rows(
    url: &str,
    query: &str,
    table: &mut Delimited<'_>,
) -> Result<(), ExtractError> {
    let options = SqliteConnectOptions::from_str(url)?.read_only(true);
    let mut connection = options.connect().await?;
    sqlx::raw_sql("pragma query_only = on; begin").execute(&mut connection).await?;
    let statement = AssertSqlSafe(query.to_owned()).into_sql_str();
    let prepared = (&mut connection).prepare(statement).await?;
    table.header(prepared.columns().iter().map(Column::name))?;
    {
        let mut rows = sqlx::query(AssertSqlSafe(query.to_owned())).fetch(&mut connection);
        while let Some(row) = rows.try_next().await? {
            write(&row, table)?;
        }
    }
    sqlx::raw_sql("rollback").execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

fn write(row: &SqliteRow, table: &mut Delimited<'_>) -> Result<(), ExtractError> {
    let mut cells = Vec::with_capacity(row.len());
    for (at, column) in row.columns().iter().enumerate() {
        cells.push(cell(row, at, column.name(), table.next_row())?);
    }
    table.row(cells.iter().map(Option::as_deref))
}

/// A value as text: whole numbers and texts as they are; a float is refused, whatever it holds.
fn cell(
    row: &SqliteRow,
    at: usize,
    name: &str,
    number: u64,
) -> Result<Option<String>, ExtractError> {
    let value = row.try_get_raw(at)?;
    let kind = value.type_info().name().to_owned();
    match kind.as_str() {
        _ if value.is_null() => Ok(None),
        "INTEGER" | "BOOLEAN" => Ok(Some(row.try_get_unchecked::<i64, _>(at)?.to_string())),
        "TEXT" | "DATE" | "DATETIME" | "TIME" => Ok(Some(row.try_get_unchecked(at)?)),
        "REAL" => Err(ExtractError::Inexact { column: name.to_owned(), kind }),
        _ => Err(ExtractError::Untold { row: number, column: name.to_owned(), kind }),
    }
}
