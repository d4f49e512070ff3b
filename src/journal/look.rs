//! Looking discrepancies up: what is open, since when, and what was said of each.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use sqlx::any::AnyRow;

use crate::domain::{
    correction::Correction,
    discrepancy::Pairing,
    id::{DiscrepancyId, Hash, RunId},
    key::{IntentKey, NaturalKey},
    money::Money,
    reason::Reason,
};
use crate::journal::{
    Journal, JournalError,
    column::{Columns, get, number_if},
    correction,
    discrepancy::{Detail, State},
    evidence::{self, Evidence, Origins},
    named::Kind,
    row::select_in,
    table::{DISCREPANCY, FILE, HISTORY, RUN},
};

/// An item that is not closed, with its evidence: it joins the next runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenItem {
    /// Its identity.
    pub id: DiscrepancyId,
    /// The as-of day of the first run that saw it.
    pub first_seen: NaiveDate,
    /// Its entries, in the order in which they were first given.
    pub evidence: Vec<Evidence>,
}

/// A discrepancy as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDiscrepancy {
    /// Its identity.
    pub id: DiscrepancyId,
    /// The reconciliation.
    pub reconciliation: String,
    /// The leg.
    pub leg: String,
    /// The account.
    pub account: String,
    /// The key it is known by.
    pub natural_key: Option<NaturalKey<'static>>,
    /// Its intent.
    pub intent: IntentKey,
    /// The as-of day of the first run that saw it.
    pub first_seen: NaiveDate,
    /// That run.
    pub first_run: RunId,
    /// What was said of it, oldest first; never empty.
    pub history: Vec<History>,
    /// Its entries.
    pub evidence: Vec<Evidence>,
    /// Its corrections, whatever became of them.
    pub corrections: Vec<Correction>,
}

/// What was said of a discrepancy from one run on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// The run.
    pub run: RunId,
    /// The day it spoke about.
    pub as_of: NaiveDate,
    /// How it stood.
    pub state: State,
    /// From which sides it was seen; `None` once closed.
    pub pairing: Option<Pairing>,
    /// Why; `None` once closed.
    pub reason: Option<Reason>,
    /// Our money.
    pub amount_ours: Option<Money>,
    /// Their money.
    pub amount_theirs: Option<Money>,
    /// When it is due.
    pub due_on: Option<NaiveDate>,
    /// Everything else.
    pub detail: Detail,
}

const FIRST_SEEN: &str = "
    select discrepancy_id, first_seen from discrepancy where discrepancy_id in ($1)";

const OPEN: &str = "
    select d.discrepancy_id, d.first_seen from discrepancy d
    where d.tenant = $1 and d.reconciliation = $2 and 'closed' <> coalesce((
        select h.state from discrepancy_history h where h.discrepancy_id = d.discrepancy_id
        order by h.number desc limit 1), d.state)
    order by d.discrepancy_id";

const BY_ID: &str = "select * from discrepancy where discrepancy_id = $1";

const HISTORY_OF: &str = "
    select * from discrepancy_said where discrepancy_id = $1 order by number";

const ENTRIES: &str = "
    select discrepancy_id, entries from discrepancy_said
    where discrepancy_id in ($1) and entries is not null order by discrepancy_id, number";

const ORIGINS: &str = "select file_id, sha256, name from file where file_id in ($1)";

const STORED_FILES: &str = "
    select sha256, name, identities_sha256 from file where tenant = $1";

const STORED_RESULTS: &str = "select result_sha256, run_id from run where tenant = $1";

/// What the store is to hold, each by its hash and with what it is called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stored {
    /// Files as they came, and results.
    pub raw: BTreeSet<(Hash, String)>,
    /// The identities of the records of files.
    pub identities: BTreeSet<(Hash, String)>,
}

impl Journal {
    /// What of a tenant the store is to hold.
    pub async fn stored(&self, tenant: &str) -> Result<Stored, JournalError> {
        let mut stored = Stored::default();
        for row in sqlx::query(STORED_FILES).bind(tenant).fetch_all(&self.pool).await? {
            let columns = Columns::of(&FILE, &row);
            let name = format!("file `{}`", get(&row, "name")?);
            let identities = columns.read_if("identities_sha256", Hash::from_hex)?;
            let named = identities.map(|it| (it, format!("the record identities of {name}")));
            stored.identities.extend(named);
            stored.raw.insert((columns.read("sha256", Hash::from_hex)?, name));
        }
        for row in sqlx::query(STORED_RESULTS).bind(tenant).fetch_all(&self.pool).await? {
            let hash = Columns::of(&RUN, &row).read("result_sha256", Hash::from_hex)?;
            stored.raw.insert((hash, format!("the result of run {}", get(&row, "run_id")?)));
        }
        Ok(stored)
    }

    /// Since when each of some discrepancies has been known; those that are new are left out.
    pub async fn first_seen(
        &self,
        ids: &[DiscrepancyId],
    ) -> Result<BTreeMap<DiscrepancyId, NaiveDate>, JournalError> {
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let rows = select_in(&mut *self.pool.acquire().await?, FIRST_SEEN, &ids).await?;
        rows.iter().map(identity_and_day).collect()
    }

    /// Everything of a reconciliation that is not closed, waiting and tolerated items included.
    pub async fn open_items(
        &self,
        tenant: &str,
        reconciliation: &str,
    ) -> Result<Vec<OpenItem>, JournalError> {
        let query = sqlx::query(OPEN).bind(tenant).bind(reconciliation);
        let rows = query.fetch_all(&self.pool).await?;
        let ids: Vec<String> =
            rows.iter().map(|row| get(row, "discrepancy_id")).collect::<Result<_, _>>()?;
        let mut evidence = self.evidence(&ids).await?;
        let mut items = Vec::with_capacity(rows.len());
        for (row, id) in rows.iter().zip(ids) {
            let evidence = evidence.remove(&id).unwrap_or_default();
            let (id, first_seen) = identity_and_day(row)?;
            items.push(OpenItem { id, first_seen, evidence });
        }
        Ok(items)
    }

    /// The discrepancy of an id or of its beginning, or the one that a correction repairs.
    pub async fn find_discrepancy(
        &self,
        tenant: &str,
        name: &str,
    ) -> Result<Option<StoredDiscrepancy>, JournalError> {
        let found = self.named(tenant, name, &[Kind::Discrepancy, Kind::Correction]).await?;
        let Some((_, id)) = found else { return Ok(None) };
        let row = sqlx::query(BY_ID).bind(id.clone()).fetch_one(&self.pool).await?;
        let rows = sqlx::query(HISTORY_OF).bind(id.clone()).fetch_all(&self.pool).await?;
        let history = rows.iter().map(history).collect::<Result<_, _>>()?;
        let evidence = self.evidence(std::slice::from_ref(&id)).await?.remove(&id);
        let mut connection = self.pool.acquire().await?;
        let corrections = correction::of_discrepancy(&mut connection, &id).await?;
        let columns = Columns::of(&DISCREPANCY, &row);
        let key = columns.parse_if("key_scheme")?.zip(columns.text_if("key_text")?);
        Ok(Some(StoredDiscrepancy {
            id: columns.read("discrepancy_id", DiscrepancyId::parse)?,
            reconciliation: columns.text("reconciliation")?,
            leg: columns.text("leg")?,
            account: columns.text("account")?,
            natural_key: key.map(|(scheme, text)| NaturalKey { scheme, text: text.into() }),
            intent: columns.read("intent_key", IntentKey::stated)?,
            first_seen: columns.parse("first_seen")?,
            first_run: columns.read("run_id", RunId::parse)?,
            history,
            evidence: evidence.unwrap_or_default(),
            corrections,
        }))
    }

    /// The entries of some discrepancies.
    async fn evidence(
        &self,
        ids: &[String],
    ) -> Result<BTreeMap<String, Vec<Evidence>>, JournalError> {
        let mut connection = self.pool.acquire().await?;
        let mut lists = Vec::new();
        for row in select_in(&mut connection, ENTRIES, ids).await? {
            lists.push((get(&row, "discrepancy_id")?, get(&row, "entries")?));
        }
        let mut files = BTreeSet::new();
        for (_, list) in &lists {
            files.extend(evidence::standings(list)?.into_iter().map(|it| it.0));
        }
        let mut origins = Origins::new();
        for row in select_in(&mut connection, ORIGINS, &Vec::from_iter(files)).await? {
            let hash = Columns::of(&FILE, &row).read("sha256", Hash::from_hex)?;
            origins.insert(get(&row, "file_id")?, (hash, get(&row, "name")?));
        }
        let mut of: BTreeMap<String, Vec<Evidence>> = BTreeMap::new();
        for (id, list) in lists {
            of.entry(id).or_default().extend(evidence::read(&list, &origins)?);
        }
        Ok(of)
    }

    /// The ids of the files that the entries of a discrepancy were read from.
    pub(super) async fn files_of(&self, id: &str) -> Result<Vec<String>, JournalError> {
        let mut connection = self.pool.acquire().await?;
        let mut files = BTreeSet::new();
        for row in select_in(&mut connection, ENTRIES, &[id.to_owned()]).await? {
            let standings = evidence::standings(&get(&row, "entries")?)?;
            files.extend(standings.into_iter().map(|it| it.0));
        }
        Ok(Vec::from_iter(files))
    }
}

fn identity_and_day(row: &AnyRow) -> Result<(DiscrepancyId, NaiveDate), JournalError> {
    let columns = Columns::of(&DISCREPANCY, row);
    let id = columns.read("discrepancy_id", DiscrepancyId::parse)?;
    Ok((id, columns.parse("first_seen")?))
}

fn history(row: &AnyRow) -> Result<History, JournalError> {
    let columns = Columns::of(&HISTORY, row);
    let pairings = [Pairing::Both, Pairing::OursOnly, Pairing::TheirsOnly];
    let pairing = |it: &str| pairings.into_iter().find(|pairing| pairing.name() == it);
    let state = |it: &str| State::ALL.into_iter().find(|state| state.name() == it);
    let amount = |minor, currency| -> Result<Option<Money>, JournalError> {
        let currency = columns.currency_if(currency)?;
        Ok(number_if(row, minor)?.zip(currency).map(|(minor, it)| Money::new(minor, it)))
    };
    Ok(History {
        run: columns.read("run_id", RunId::parse)?,
        as_of: columns.parse("as_of")?,
        state: columns.read("state", state)?,
        pairing: columns.read_if("pairing", pairing)?,
        reason: columns.parse_if("reason")?,
        amount_ours: amount("amount_ours_minor", "currency")?,
        amount_theirs: amount("amount_theirs_minor", "currency_theirs")?,
        due_on: columns.parse_if("due_on")?,
        detail: columns.read_if("detail", |it| serde_json::from_str(it).ok())?.unwrap_or_default(),
    })
}
