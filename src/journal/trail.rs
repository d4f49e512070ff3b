//! The trail: the rows of record from the runs and files to the corrections, as they stand in the
//! chain, so that an auditor can follow any of them back to its cause.

use sqlx::any::AnyRow;

use crate::domain::id::Hash;
use crate::journal::{
    Journal, JournalError,
    column::{get, number, value},
    named::Kind,
    row::select_in,
    table::{
        ARRIVAL, CORRECTION, DISCREPANCY, FILE, HISTORY, REJECT, RUN, RUN_FILE, STATEMENT, STEP,
        Table,
    },
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

/// The discrepancies whose entries were read from a file.
const OF_FILE: &str = "
    select distinct discrepancy_id from discrepancy_said
    where run_id in (select run_id from run_file where file_id = $1) and entries like $2
    order by discrepancy_id";

/// By whose ids a table's rows hang on what is followed.
#[derive(Clone, Copy)]
enum By {
    /// That of the run, file or discrepancy itself.
    Itself,
    /// Those of its files.
    Files,
    /// Those of its discrepancies.
    Discrepancies,
}

/// A table, the condition on its rows, and by whose ids it asks.
type Hang = (&'static Table, &'static str, By);

/// What a run read, said and proposed, in the order of a trail.
const OF_RUN: [Hang; 10] = [
    (&RUN, "run_id in ($1)", By::Itself),
    (&FILE, "file_id in (select file_id from run_file where run_id in ($1))", By::Itself),
    (&STATEMENT, "file_id in (select file_id from run_file where run_id in ($1))", By::Itself),
    (&ARRIVAL, "run_id in ($1)", By::Itself),
    (&RUN_FILE, "run_id in ($1)", By::Itself),
    (&REJECT, "run_id in ($1)", By::Itself),
    (
        &DISCREPANCY,
        "discrepancy_id in (select discrepancy_id from discrepancy_said where run_id in ($1))",
        By::Itself,
    ),
    (&HISTORY, "run_id in ($1)", By::Itself),
    (&CORRECTION, "run_id in ($1)", By::Itself),
    (&STEP, "run_id in ($1)", By::Itself),
];

/// The runs that a file came to, what it holds, and what became of it.
const OF_ONE_FILE: [Hang; 10] = [
    (&RUN, "run_id in (select run_id from arrival where file_id in ($1))", By::Itself),
    (&FILE, "file_id in ($1)", By::Itself),
    (&STATEMENT, "file_id in ($1)", By::Itself),
    (&ARRIVAL, "file_id in ($1)", By::Itself),
    (&RUN_FILE, "file_id in ($1)", By::Itself),
    (&REJECT, "file_id in ($1)", By::Itself),
    (&DISCREPANCY, "discrepancy_id in ($1)", By::Discrepancies),
    (&HISTORY, "discrepancy_id in ($1)", By::Discrepancies),
    (&CORRECTION, "discrepancy_id in ($1)", By::Discrepancies),
    steps(By::Discrepancies),
];

/// Where a discrepancy comes from, and what became of it.
const OF_DISCREPANCY: [Hang; 8] = [
    (
        &RUN,
        "run_id in (select run_id from discrepancy_said where discrepancy_id in ($1)
                    union select run_id from correction where discrepancy_id in ($1))",
        By::Itself,
    ),
    (&FILE, "file_id in ($1)", By::Files),
    (&STATEMENT, "file_id in ($1)", By::Files),
    (&ARRIVAL, "file_id in ($1)", By::Files),
    (&DISCREPANCY, "discrepancy_id in ($1)", By::Itself),
    (&HISTORY, "discrepancy_id in ($1)", By::Itself),
    (&CORRECTION, "discrepancy_id in ($1)", By::Itself),
    steps(By::Itself),
];

/// How the steps of a discrepancy's corrections hang on it.
const fn steps(by: By) -> Hang {
    let condition = "
        correction_id in (select correction_id from correction where discrepancy_id in ($1))";
    (&STEP, condition, by)
}

impl Journal {
    /// The trail of a run, by its id; of a file, by its SHA-256 or its name; of a discrepancy, by its
    /// id; or of the discrepancy that a correction repairs, by its key. Ids and hashes may be told by
    /// how they begin. `None` where nothing is named so.
    pub async fn trail(
        &self,
        tenant: &str,
        name: &str,
    ) -> Result<Option<Vec<TrailRow>>, JournalError> {
        let kinds = [Kind::Run, Kind::File, Kind::Discrepancy, Kind::Correction];
        let Some((kind, id)) = self.named(tenant, name, &kinds).await? else { return Ok(None) };
        let (hangs, files, discrepancies) = match kind {
            Kind::Run => (&OF_RUN[..], Vec::new(), Vec::new()),
            Kind::File => (&OF_ONE_FILE[..], Vec::new(), self.discrepancies_of(&id).await?),
            Kind::Discrepancy | Kind::Correction => {
                (&OF_DISCREPANCY[..], self.files_of(&id).await?, Vec::new())
            }
        };
        let itself = [id];
        let mut trail = Vec::new();
        for (table, condition, by) in hangs {
            let ids = match by {
                By::Itself => &itself[..],
                By::Files => &files,
                By::Discrepancies => &discrepancies,
            };
            let sql = format!("select * from {} where {condition} order by position", table.name);
            for row in select_in(&mut *self.pool.acquire().await?, &sql, ids).await? {
                trail.push(TrailRow::read(table, &row)?);
            }
        }
        Ok(Some(trail))
    }

    async fn discrepancies_of(&self, file: &str) -> Result<Vec<String>, JournalError> {
        let query = sqlx::query(OF_FILE).bind(file).bind(format!("%{file}%"));
        let rows = query.fetch_all(&self.pool).await?;
        rows.iter().map(|row| get(row, "discrepancy_id")).collect()
    }
}

impl TrailRow {
    fn read(table: &Table, row: &AnyRow) -> Result<Self, JournalError> {
        let mut columns = Vec::with_capacity(table.columns.len());
        for column in table.columns.iter().chain(table.mutable) {
            columns.push((*column, value(row, column)?.into_text()));
        }
        let text = get(row, "link")?;
        let link = Hash::from_hex(&text);
        Ok(Self {
            table: table.name,
            columns,
            position: u64::try_from(number(row, "position")?).unwrap_or_default(),
            link: link.ok_or(JournalError::Unreadable { table: table.name, what: "link", text })?,
        })
    }
}
