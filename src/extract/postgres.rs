//! Rows of PostgreSQL, each value as the server prints it.

use futures_util::TryStreamExt as _;
use sqlx::{
    AssertSqlSafe, Column, Connection, Executor, PgConnection, Row, SqlSafeStr, Statement,
    TypeInfo, ValueRef, postgres::PgRow,
};

use crate::extract::{Delimited, ExtractError};

/// One snapshot in which nothing can be written; dates and times print alike everywhere.
const BEGIN: &str = "begin isolation level repeatable read read only;
    set local datestyle = 'ISO, YMD';
    set local timezone = 'UTC';
    set local extra_float_digits = 1;";

/// Types whose values are not exact.
const INEXACT: [&str; 2] = ["FLOAT4", "FLOAT8"];

/// Writes what a query gives. The simple protocol gives every value as the server's own text, so
/// that a numeric stays exact whatever its size.
pub(super) async fn rows(
    url: &str,
    query: &str,
    table: &mut Delimited<'_>,
) -> Result<(), ExtractError> {
    let mut connection = PgConnection::connect(url).await?;
    sqlx::raw_sql(BEGIN).execute(&mut connection).await?;
    let statement = AssertSqlSafe(query.to_owned()).into_sql_str();
    let prepared = (&mut connection).prepare(statement).await?;
    for column in prepared.columns() {
        let kind = column.type_info().name();
        if INEXACT.contains(&kind) {
            let column = column.name().to_owned();
            return Err(ExtractError::Inexact { column, kind: kind.to_owned() });
        }
    }
    table.header(prepared.columns().iter().map(Column::name))?;
    {
        let mut rows = sqlx::raw_sql(AssertSqlSafe(query.to_owned())).fetch(&mut connection);
        while let Some(row) = rows.try_next().await? {
            write(&row, table)?;
        }
    }
    sqlx::raw_sql("rollback").execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

fn write(row: &PgRow, table: &mut Delimited<'_>) -> Result<(), ExtractError> {
    let mut cells = Vec::with_capacity(row.len());
    for at in 0..row.len() {
        let value = row.try_get_raw(at)?;
        if value.is_null() {
            cells.push(None);
            continue;
        }
        let untold = |_| ExtractError::Untold {
            row: table.next_row(),
            column: row.columns()[at].name().to_owned(),
            kind: row.columns()[at].type_info().name().to_owned(),
        };
        cells.push(Some(value.as_str().map_err(untold)?));
    }
    table.row(cells.into_iter())
}
