//! One run: both sides' files in; reasons, proof, proposals and verdict out (DESIGN §1).

mod coverage;
mod intake;
mod left;
mod roll_forward;
mod self_test;
mod settle;
mod verdict;

use std::{collections::BTreeMap, mem, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use chrono::{DateTime, NaiveDate, Utc};
use tokio::task::JoinHandle;

use crate::classification::{Evidence, Terms, classify, suspected::suspected_repeats};
use crate::clock::Clock;
use crate::config::{Config, Reconciliation, Source};
use crate::corrections::number;
use crate::domain::{
    calendar::Calendar,
    correction::Draft,
    id::{Hash, Parts, RunId},
    key::KeyScheme,
    run::{RunFacts, RunResult},
    side::Side,
};
use crate::frames::{HashKey, Layout, SideFrame};
use crate::inbox::{Arrival, Known};
use crate::journal::{Journal, JournalError, Recording};
use crate::matching::{cancel::cancel, explain::explain, order::canonical};
use crate::report::{self, view::ResultView};
use crate::sources;
use crate::store::{Store, StoreError};
use intake::{Judged, Rooms, SidePlan};
use self_test::Planted;

/// What a run is asked for.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// Which of its reconciliations.
    pub reconciliation: &'a Reconciliation,
    /// The day it speaks about; absent: the last day in the statement.
    pub as_of: Option<NaiveDate>,
    /// Our files.
    pub ours: Vec<PathBuf>,
    /// Their files.
    pub theirs: Vec<PathBuf>,
    /// Sides whose expected file is absent, with what was looked for.
    pub absent: Vec<(Side, String)>,
    /// Whether anything is kept.
    pub keep: Keep,
}

/// Whether a run is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Files, results and proposals are stored.
    Everything,
    /// The same result, nothing stored.
    Nothing,
}

/// Where a run tells how far it is.
pub trait Progress: Sync {
    /// A stage began.
    fn stage(&self, name: &'static str);
}

/// The rooms a run writes to; without a database it only computes.
pub struct House<'a> {
    /// The database.
    pub journal: Option<&'a Journal>,
    /// The raw files. A run that is not kept only looks at those of earlier runs.
    pub store: Option<&'a Arc<Store>>,
    /// The time.
    pub clock: &'a dyn Clock,
    /// How far it is.
    pub progress: &'a dyn Progress,
}

/// Runs one reconciliation for one day: takes both sides' files into the inbox, cancels what
/// agrees, explains the rest, gives each discrepancy its reason, proves that nothing else is open,
/// proposes corrections, and records it all.
///
/// A run that another overtakes while it computes is computed anew; nothing of it was stored.
pub async fn run(request: &Request<'_>, house: &House<'_>) -> anyhow::Result<RunResult> {
    for _ in 1..ATTEMPTS {
        match attempt(request, house).await {
            Err(error) if is_overtaken(&error) => tracing::info!("{error}; it is computed anew"),
            settled => return settled,
        }
    }
    attempt(request, house).await
}

/// How often a run is computed before being overtaken is an error.
const ATTEMPTS: u32 = 50;

fn is_overtaken(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(JournalError::Overtaken { .. }))
}

async fn attempt(request: &Request<'_>, house: &House<'_>) -> anyhow::Result<RunResult> {
    let started_at = house.clock.now();
    let tenant = request.config.tenant.as_str();
    let known = match house.journal {
        Some(journal) => journal.known(tenant, &request.reconciliation.name).await?,
        None => Known::default(),
    };
    house.progress.stage("reading");
    let plans = plans(request)?;
    let rooms = rooms(request, house);
    let [mut ours, mut theirs] = take_both(&plans, &known, rooms)?;
    let identities = [&mut ours, &mut theirs].map(|it| mem::take(&mut it.identities));
    let identities = put_identities(identities, rooms.takes);
    let as_of = as_of(request, &ours, &theirs, started_at.date_naive())?;
    let files: Vec<_> = ours.results.iter().chain(&theirs.results).cloned().collect();
    let coverage = coverage::coverage(&files);
    let holidays = request.reconciliation.holidays.iter().copied();
    let calendar = Calendar::named(request.reconciliation.calendar.0, holidays);
    let terms = Terms::of(tenant, request.reconciliation, &calendar, as_of, &coverage);

    house.progress.stage("cancelling");
    let planted = settle::currency(&files)
        .map_or_else(Planted::default, |currency| Planted::of(&terms, currency));
    planted.sow(&mut ours.columns, &mut theirs.columns);
    let frames = [ours.columns.finish(), theirs.columns.finish()];
    let cancelled = cancel(&frames[0], &frames[1], terms.repeat_seconds)?;

    house.progress.stage("explaining");
    let paired = [&ours.paired[..], &theirs.paired[..]];
    let left = left::Left::fetch(&plans, paired, &frames, &cancelled, &planted)?;
    let explained = explain(&left.sides, terms.rules);
    let counts = (left.sides.ours.len(), left.sides.theirs.len());
    anyhow::ensure!(
        explained.counts() == counts,
        "{:?} entries were explained, and {counts:?} were to be",
        explained.counts()
    );
    let evidence = evidence(&frames);
    let classified = classify(&left.sides, &evidence, &left.twins, &explained, &terms);

    house.progress.stage("proving");
    let attempt = match house.journal {
        Some(journal) => journal.next_attempt(tenant, &request.reconciliation.name, as_of).await?,
        None => 1,
    };
    let settlement = settle::Settlement {
        request,
        known: &known,
        terms: &terms,
        frames: [&frames[0], &frames[1]],
        cancelled: &cancelled,
        sides: &left.sides,
        planted: &planted,
    };
    let suspected = suspected_repeats(&left.suspects, &terms);
    let run = facts(request, as_of, attempt, started_at, known.chain_head);
    let (mut result, drafts) = settlement.result(run, files, coverage, classified, suspected);

    for (side, counts) in [(Side::Ours, result.counts_ours), (Side::Theirs, result.counts_theirs)] {
        let holds = counts.add_up() && counts.holds_all_of(&result.files, side);
        anyhow::ensure!(holds, "{side}: entries in and out differ: {counts:?}");
    }
    house.progress.stage("recording");
    let arrivals: Vec<_> = ours.arrivals.into_iter().chain(theirs.arrivals).collect();
    remember(&mut result, drafts, &calendar, house).await?;
    if request.keep == Keep::Everything {
        result = record(result, &arrivals, identities, house).await?;
    }
    Ok(result)
}

/// What history knows of the discrepancies, and the numbers of what they propose.
async fn remember(
    result: &mut RunResult,
    drafts: Vec<Draft>,
    calendar: &Calendar,
    house: &House<'_>,
) -> anyhow::Result<()> {
    let mut known = Vec::new();
    let mut first_seen = BTreeMap::new();
    if let Some(journal) = house.journal {
        let ids: Vec<_> = result.discrepancies.iter().map(|it| it.id).collect();
        first_seen = journal.first_seen(&ids).await?;
        known = journal.corrections(&result.run.tenant, &drafts).await?;
    }
    let mut corrections: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (draft, correction) in drafts.iter().zip(number(&drafts, &known)) {
        corrections.entry(draft.discrepancy).or_default().push(correction);
    }
    for discrepancy in &mut result.discrepancies {
        let first = first_seen.get(&discrepancy.id).copied().unwrap_or(result.run.as_of);
        discrepancy.first_seen = first.min(result.run.as_of);
        discrepancy.age_days = calendar.between(discrepancy.first_seen, result.run.as_of);
        discrepancy.corrections = corrections.remove(&discrepancy.id).unwrap_or_default();
    }
    Ok(())
}

/// The hashes of files' record identities, by the index of the file, when they are stored.
type Identified = JoinHandle<Result<Vec<(u16, Hash)>, StoreError>>;

/// Puts the record identities of files into the store, while the run goes on.
fn put_identities(
    sides: [BTreeMap<u16, Vec<u128>>; 2],
    store: Option<&Arc<Store>>,
) -> Option<Identified> {
    let store = Arc::clone(store?);
    let put = move |(file, identities)| Ok((file, store.put_identities(identities)?));
    Some(tokio::task::spawn_blocking(|| sides.into_iter().flatten().map(put).collect()))
}

/// Keeps the run: its result in the store, while everything else goes into one transaction that
/// ends when it is there.
async fn record(
    mut result: RunResult,
    arrivals: &[Arrival],
    identified: Option<Identified>,
    house: &House<'_>,
) -> anyhow::Result<RunResult> {
    let (Some(journal), Some(store)) = (house.journal, house.store) else { return Ok(result) };
    if let Some(identified) = identified {
        for (file, hash) in identified.await?? {
            result.files[usize::from(file)].identities = Some(hash);
        }
    }
    let result = Arc::new(result);
    let stored = tokio::task::spawn_blocking({
        let (result, store) = (Arc::clone(&result), Arc::clone(store));
        move || {
            let told = report::json::to_string(&ResultView::from(&*result))?;
            anyhow::Ok(store.put(&mut told.as_bytes())?.0)
        }
    });
    let recording = Recording { result: &result, arrivals, closed: &[] };
    let head = journal.record(&recording, async { stored.await? }).await?;
    let mut result = Arc::unwrap_or_clone(result);
    result.run.chain_head = Some(head);
    Ok(result)
}

fn facts(
    request: &Request<'_>,
    as_of: NaiveDate,
    attempt: u32,
    started_at: DateTime<Utc>,
    chain_head: Option<Hash>,
) -> RunFacts {
    let tenant = request.config.tenant.as_str();
    let name = request.reconciliation.name.as_str();
    let parts =
        Parts::new().with(tenant).with(name).with(&as_of.to_string()).with(&attempt.to_string());
    RunFacts {
        id: RunId::over(&parts),
        tenant: tenant.to_owned(),
        reconciliation: name.to_owned(),
        as_of,
        attempt,
        started_at,
        program: concat!("sverka ", env!("CARGO_PKG_VERSION")).to_owned(),
        rules_version: request.reconciliation.rules_version(),
        chain_head,
    }
}

/// What both sides are read by.
fn plans<'a>(request: &'a Request<'_>) -> anyhow::Result<[SidePlan<'a>; 2]> {
    let reconciliation = request.reconciliation;
    let source = |name: &str| {
        let found = request.config.sources.get(name);
        found.with_context(|| format!("no source is named `{name}`"))
    };
    let (ours, theirs) = (source(&reconciliation.ours)?, source(&reconciliation.theirs)?);
    let secret = Parts::new().with("hash-1").with(&request.config.tenant).sha256();
    let mut key = [0; 16];
    key.copy_from_slice(&secret.bytes()[..16]);
    let key = HashKey::new(key);
    let layout = Arc::new(Layout::new(&reconciliation.rules, &KeyScheme::ALL, key));
    let plan = |side, source: &'a Source, files: &[PathBuf], first_file| SidePlan {
        side,
        source,
        files: files.to_vec(),
        first_file,
        timezone: reconciliation.timezone,
        as_of: request.as_of,
        scale: sources::finest_scale([ours, theirs]),
        layout: Arc::clone(&layout),
        identity_key: key,
    };
    let first_theirs = u16::try_from(request.ours.len()).context("too many files")?;
    Ok([
        plan(Side::Ours, ours, &request.ours, 0),
        plan(Side::Theirs, theirs, &request.theirs, first_theirs),
    ])
}

fn rooms<'a>(request: &Request<'_>, house: &House<'a>) -> Rooms<'a> {
    let takes = house.store.filter(|_| request.keep == Keep::Everything);
    Rooms { takes, held: house.store.map(|it| &**it) }
}

/// Takes in both sides at the same time.
fn take_both(
    plans: &[SidePlan<'_>; 2],
    known: &Known,
    rooms: Rooms<'_>,
) -> anyhow::Result<[Judged; 2]> {
    std::thread::scope(|scope| {
        let theirs = scope.spawn(|| intake::take_in(&plans[1], known, rooms));
        let ours = intake::take_in(&plans[0], known, rooms)?;
        let theirs = theirs.join().map_err(|_| anyhow::anyhow!("a reader panicked"))??;
        Ok([ours, theirs])
    })
}

/// The day of the run: as asked for, else the last day in the statement, else in the ledger. One
/// that has not come yet is a mistyped date in a file, and is not taken from it; tomorrow may have
/// come where the file was written.
fn as_of(
    request: &Request<'_>,
    ours: &Judged,
    theirs: &Judged,
    today: NaiveDate,
) -> anyhow::Result<NaiveDate> {
    let last = |side: &Judged| {
        let statements = side.results.iter().flat_map(|it| &it.stated.statements);
        statements.filter_map(|it| it.to.max(it.last_booking)).max()
    };
    if let Some(asked) = request.as_of {
        return Ok(asked);
    }
    let day = last(theirs).or_else(|| last(ours));
    let day = day.context("neither side names a day; give the day to speak about with `--date`")?;
    let latest = today.succ_opt().unwrap_or(today);
    anyhow::ensure!(
        day <= latest,
        "the last day in the files, {day}, is still to come; if that is no slip in one of them, \
         give the day to speak about with `--date`"
    );
    Ok(day)
}

/// Evidence of both sides in canonical order.
fn evidence(frames: &[SideFrame; 2]) -> Evidence {
    let sorted = |frame: &SideFrame| {
        let mut evidence = frame.evidence().to_vec();
        evidence.sort_by(canonical);
        evidence
    };
    Evidence { ours: sorted(&frames[0]), theirs: sorted(&frames[1]) }
}
