//! One run: both sides' files in; reasons, proof, proposals and verdict out (DESIGN §1).

mod coverage;
mod intake;
mod left;
mod self_test;
mod settle;
mod verdict;

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use chrono::NaiveDate;

use crate::{
    classification::{Evidence, Terms, classify, suspected::suspected_repeats},
    clock::Clock,
    config::{Config, Reconciliation},
    domain::{
        calendar::Calendar,
        id::{Parts, RunId},
        run::{RunFacts, RunResult},
        side::Side,
    },
    frames::{HashKey, Layout, SideFrame},
    inbox::Known,
    journal::Journal,
    matching::{
        cancel::{Cancelled, cancel},
        explain::{Sides, explain},
        order::canonical,
    },
    sources,
    store::Store,
};
use intake::{Judged, ReadFile, SidePlan};
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
    /// The raw files.
    pub store: Option<&'a Arc<Store>>,
    /// The time.
    pub clock: &'a dyn Clock,
    /// How far it is.
    pub progress: &'a dyn Progress,
}

/// Runs one reconciliation for one day: takes both sides' files into the inbox, cancels what
/// agrees, explains the rest, gives each discrepancy its reason, proves that nothing else is open,
/// proposes corrections, and records it all.
pub async fn run(request: &Request<'_>, house: &House<'_>) -> anyhow::Result<RunResult> {
    let started_at = house.clock.now();
    let tenant = request.config.tenant.as_str();
    let known = match house.journal {
        Some(journal) => journal.known(tenant, &request.reconciliation.name).await?,
        None => Known::default(),
    };
    let store = house.store.filter(|_| request.keep == Keep::Everything);

    house.progress.stage("reading");
    let plans = plans(request);
    let [ours, theirs] = read_both(&plans, store)?;
    let as_of = as_of(request, &ours, &theirs)?;
    let mut ours = intake::judge(&plans[0], ours, &known, house.store)?;
    let mut theirs = intake::judge(&plans[1], theirs, &known, house.store)?;

    let files: Vec<_> = ours.results.iter().chain(&theirs.results).cloned().collect();
    let coverage = coverage::coverage(&files);
    let calendar = Calendar::with_holidays(request.reconciliation.holidays.iter().copied());
    let terms = Terms::of(tenant, request.reconciliation, &calendar, as_of, &coverage);

    house.progress.stage("cancelling");
    let planted = Planted::of(&terms, settle::currency(&files));
    planted.sow(&mut ours.columns, &mut theirs.columns);
    let (frame_ours, frame_theirs) = (take(&mut ours).finish(), take(&mut theirs).finish());
    let cancelled = cancel(&frame_ours, &frame_theirs, terms.repeat_seconds)?;

    house.progress.stage("explaining");
    let sides = fetch_sides(&plans, [&ours, &theirs], &cancelled, &planted)?;
    let evidence = evidence(&frame_ours, &frame_theirs);
    let twins = fetch_twins(&plans[0], &ours, &cancelled, &sides)?;
    let explained = explain(&sides, terms.rules);
    anyhow::ensure!(
        explained.counts() == (sides.ours.len(), sides.theirs.len()),
        "entries in and out of the pairing differ: {:?} explained of {:?}",
        explained.counts(),
        (sides.ours.len(), sides.theirs.len())
    );
    let classified = classify(&sides, &evidence, &twins, &explained, &terms);
    let suspected = suspected_repeats(&twins, &terms);

    house.progress.stage("proving");
    let run = RunFacts {
        id: RunId::over(&Parts::new()),
        tenant: tenant.to_owned(),
        reconciliation: request.reconciliation.name.clone(),
        as_of,
        attempt: 1,
        started_at,
        program: concat!("sverka ", env!("CARGO_PKG_VERSION")).to_owned(),
        rules_version: request.reconciliation.rules_version(),
        chain_head: known.chain_head,
    };
    let settlement = settle::Settlement {
        request,
        known: &known,
        terms: &terms,
        frames: [&frame_ours, &frame_theirs],
        cancelled: &cancelled,
        sides: &sides,
        planted: &planted,
    };
    let mut result = settlement.result(run, files, coverage, classified, suspected);
    house.progress.stage("recording");
    record(&mut result, &ours, &theirs, request, house).await?;
    Ok(result)
}
