//! Runs.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::any::AnyRow;

use crate::domain::{
    id::{Hash, RunId},
    run::RunFacts,
};
use crate::journal::{
    Journal, JournalError,
    chain::Chain,
    column::{Columns, get},
    named::Kind,
    record::Recording,
    row::{Row, int, moment, text},
    table::RUN,
};

/// A run as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRun {
    /// What it is, with the head of the chain after it.
    pub facts: RunFacts,
    /// Its exit status.
    pub status: u8,
    /// Its whole result as JSON, in the store.
    pub result: Hash,
}

const HIGHEST: &str = "
    select cast(coalesce(max(attempt), 0) as bigint) as attempt from run
    where tenant = $1 and reconciliation = $2 and as_of = $3";

const TAKEN: &str = "select run_id from run where run_id = $1";

const BY_ID: &str = "select * from run where run_id = $1";

const LATEST: &str = "
    select * from run where tenant = $1 and reconciliation = $2 order by position desc limit 1";

const TENANTS: &str = "select tenant from chain_head order by tenant";

const RECONCILIATIONS: &str = "
    select distinct reconciliation from run where tenant = $1 order by reconciliation";

impl Journal {
    /// Whose books are on record.
    pub async fn tenants(&self) -> Result<Vec<String>, JournalError> {
        let rows = sqlx::query(TENANTS).fetch_all(&self.pool).await?;
        rows.iter().map(|row| get(row, "tenant")).collect()
    }

    /// The reconciliations of a tenant that have runs on record.
    pub async fn reconciliations(&self, tenant: &str) -> Result<Vec<String>, JournalError> {
        let rows = sqlx::query(RECONCILIATIONS).bind(tenant).fetch_all(&self.pool).await?;
        rows.iter().map(|row| get(row, "reconciliation")).collect()
    }

    /// The number of the next attempt at a day.
    pub async fn next_attempt(
        &self,
        tenant: &str,
        reconciliation: &str,
        as_of: NaiveDate,
    ) -> Result<u32, JournalError> {
        let query = sqlx::query(HIGHEST).bind(tenant).bind(reconciliation).bind(as_of.to_string());
        let row = query.fetch_one(&self.pool).await?;
        let highest: u32 = Columns::of(&RUN, &row).fit("attempt")?;
        Ok(highest.saturating_add(1))
    }

    /// The run of an id or of its beginning.
    pub async fn find_run(
        &self,
        tenant: &str,
        prefix: &str,
    ) -> Result<Option<StoredRun>, JournalError> {
        let found = self.named(tenant, prefix, &[Kind::Run]).await?;
        let Some((_, id)) = found else { return Ok(None) };
        let query = sqlx::query(BY_ID).bind(id);
        query.fetch_optional(&self.pool).await?.as_ref().map(read).transpose()
    }

    /// The run of a reconciliation that was stored last.
    pub async fn latest_run(
        &self,
        tenant: &str,
        reconciliation: &str,
    ) -> Result<Option<StoredRun>, JournalError> {
        let query = sqlx::query(LATEST).bind(tenant).bind(reconciliation);
        query.fetch_optional(&self.pool).await?.as_ref().map(read).transpose()
    }
}

/// Whether a run's attempt is taken: another run of the same day was stored meanwhile.
pub(super) async fn refuse_taken(chain: &mut Chain, run: &RunFacts) -> Result<(), JournalError> {
    let query = sqlx::query(TAKEN).bind(run.id.to_string());
    if query.fetch_optional(&mut **chain.transaction()).await?.is_none() {
        return Ok(());
    }
    let what = format!("attempt {} is taken", run.attempt);
    Err(JournalError::Overtaken { run: run.id, what })
}

/// The row of a run, with the hash of its stored result; the last of its transaction, so that its
/// link is the head after the run.
pub(super) fn row(recording: &Recording<'_>, stored: Hash) -> Row {
    let (run, verdict) = (&recording.result.run, &recording.result.verdict);
    vec![
        text(run.id),
        text(&run.tenant),
        text(&run.reconciliation),
        text(run.as_of),
        int(run.attempt),
        text(moment(run.started_at)),
        text(&run.program),
        text(run.rules_version),
        int(verdict.status()),
        int(i64::from(verdict.complete)),
        int(i64::from(verdict.agrees)),
        text(verdict.independent.name()),
        text(stored),
    ]
}

fn read(row: &AnyRow) -> Result<StoredRun, JournalError> {
    let columns = Columns::of(&RUN, row);
    Ok(StoredRun {
        facts: RunFacts {
            id: columns.read("run_id", RunId::parse)?,
            tenant: columns.text("tenant")?,
            reconciliation: columns.text("reconciliation")?,
            as_of: columns.parse("as_of")?,
            attempt: columns.fit("attempt")?,
            started_at: columns.parse::<DateTime<Utc>>("started_at")?,
            program: columns.text("program")?,
            rules_version: columns.read("rules_version", Hash::from_hex)?,
            chain_head: Some(columns.read("link", Hash::from_hex)?),
        },
        status: columns.fit("status")?,
        result: columns.read("result_sha256", Hash::from_hex)?,
    })
}
