//! The trail: the rows of record from the runs and files to the corrections, as they stand in the
//! chain, so that an auditor can follow any of them back to its cause.

use crate::domain::id::Hash;
use crate::journal::{
    Journal, JournalError,
    column::{get, number, value},
    row::select_in,
    run::{only, span},
    table::{ARRIVAL, CORRECTION, DISCREPANCY, FILE, HISTORY, RUN, STATEMENT, STEP, Table},
};

/// A row of record in a trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrailRow {
    /// Its table.
    pub table: &'static str,
    /// Its columns, in declared order, as texts.
    pub columns: Vec<(&'static str, Option<String>)>,
    /// Its place in the tenant's chain.
    pub position: u64,
    /// Its link.
    pub link: Hash,
}

/// The discrepancy that an id, or the beginning of one, names: its own, or that of a correction,
/// by id or by key.
const NAMED: &str = "
    select discrepancy_id from discrepancy
    where tenant = $1 and discrepancy_id >= $2 and discrepancy_id < $3
    union
    select discrepancy_id from correction
    where tenant = $1 and (correction_key = $4 or correction_id >= $2 and correction_id < $3)
    order by 1 limit 2";

/// By what a table's rows hang on a discrepancy.
#[derive(Clone, Copy)]
enum Hangs {
    /// By a condition on its id.
    On(&'static str),
    /// By the files that its entries were read from.
    OnFiles,
}

/// How each table hangs on a discrepancy, in the order of a trail.
const HANGS: [(&Table, Hangs); 8] = [
    (
        &RUN,
        Hangs::On(
            "run_id in (select run_id from discrepancy_said where discrepancy_id in ($1)
                        union select run_id from correction where discrepancy_id in ($1))",
        ),
    ),
    (&FILE, Hangs::OnFiles),
    (&STATEMENT, Hangs::OnFiles),
    (&ARRIVAL, Hangs::OnFiles),
    (&DISCREPANCY, Hangs::On("discrepancy_id in ($1)")),
    (&HISTORY, Hangs::On("discrepancy_id in ($1)")),
    (&CORRECTION, Hangs::On("discrepancy_id in ($1)")),
    (
        &STEP,
        Hangs::On(
            "correction_id in (
                 select correction_id from correction where discrepancy_id in ($1))",
        ),
    ),
];

impl Journal {
    /// The trail of a discrepancy, or of the discrepancy that a correction repairs; `None` where
    /// the id, or its beginning, or the correction's key, names nothing.
    pub async fn trail(
        &self,
        tenant: &str,
        name: &str,
    ) -> Result<Option<Vec<TrailRow>>, JournalError> {
        let (from, to) = span(name);
        let query = sqlx::query(NAMED).bind(tenant).bind(from).bind(to).bind(name);
        let Some(row) = only(name, query.fetch_all(&self.pool).await?)? else { return Ok(None) };
        let id = get(&row, "discrepancy_id")?;
        let files = self.files_of(&id).await?;
        let itself = [id];
        let mut trail = Vec::new();
        for (table, hangs) in HANGS {
            let (condition, ids) = match hangs {
                Hangs::On(condition) => (condition, &itself[..]),
                Hangs::OnFiles => ("file_id in ($1)", &files[..]),
            };
            let sql = format!("select * from {} where {condition} order by position", table.name);
            for row in select_in(&mut *self.pool.acquire().await?, &sql, ids).await? {
                let mut columns = Vec::with_capacity(table.columns.len());
                for column in table.columns.iter().chain(table.mutable) {
                    columns.push((*column, value(&row, column)?.into_text()));
                }
                let text = get(&row, "link")?;
                let link = Hash::from_hex(&text);
                trail.push(TrailRow {
                    table: table.name,
                    columns,
                    position: u64::try_from(number(&row, "position")?).unwrap_or_default(),
                    link: link.ok_or(JournalError::Unreadable {
                        table: table.name,
                        what: "link",
                        text,
                    })?,
                });
            }
        }
        Ok(Some(trail))
    }
}
