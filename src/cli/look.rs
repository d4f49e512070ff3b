//! `sverka report`, `explain`, `trail`: what is on record.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Args;

use crate::cli::{destination::Destination, explain, out, record::RecordArgs, report_path};
use crate::config::Config;
use crate::domain::id::{Hash, RunId};
use crate::report::{self, view::ResultView};
use crate::store::Store;

/// What `sverka report` is told.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    record: RecordArgs,
    /// The run's id, or how it begins; default: the latest run.
    run: Option<String>,
    /// Where the report goes; default: beside the configuration, by day, or by run if one is named.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the stored result as JSON instead.
    #[arg(long)]
    json: bool,
}

/// What `sverka explain` and `sverka trail` are told.
#[derive(Debug, Args)]
pub(super) struct NameArgs {
    #[command(flatten)]
    record: RecordArgs,
    /// An id or how it begins, or a correction's key; `trail` also takes a file's name or SHA-256.
    name: String,
}

/// The stored result of a run, with its texts.
pub(super) fn view(config: &Config, result: Hash) -> anyhow::Result<ResultView> {
    let store = Store::read(&config.store_folder());
    let mut text = String::new();
    store.open(result)?.read_to_string(&mut text).context("the stored result is no text")?;
    Ok(report::json::read(&text)?)
}

/// Writes the report of a stored run again.
pub(super) async fn report(args: &ReportArgs) -> anyhow::Result<u8> {
    let (config, journal) = args.record.open().await?;
    let run = match &args.run {
        Some(prefix) => journal
            .find_run(&config.tenant, prefix)
            .await?
            .with_context(|| format!("no run `{prefix}` is on record"))?,
        None => args.record.latest(&config, &journal).await?,
    };
    journal.close().await;
    let mut view = view(&config, run.result)?;
    view.run.chain_head = run.facts.chain_head.map(|it| it.to_string());
    if args.json {
        out::print(&report::json::to_string(&view)?)?;
        return Ok(run.status);
    }
    let default = || {
        let path = report_path(&config.folder, &run.facts.reconciliation, run.facts.as_of);
        // A run that is named may be an old one; the day's report is the newest run's.
        if args.run.is_some() { path_of_run(&path, &run.facts.id) } else { path }
    };
    let path = args.report.clone().unwrap_or_else(default);
    let destination = Destination::new(path, &config, &args.record.config.config, &[])?;
    let options = report::html::Options::new(config.language);
    destination.write(&report::html::render(&view, options)?)?;
    out::print(&format!("report: {}\n", destination.path().display()))?;
    Ok(run.status)
}

/// Where the report of one run goes: beside that of its day, under a name of its own.
fn path_of_run(path: &Path, run: &RunId) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-run-{run}.html"))
}

/// Tells everything about one discrepancy.
pub(super) async fn explain(args: &NameArgs) -> anyhow::Result<u8> {
    let (config, journal) = args.record.open().await?;
    let found = journal.find_discrepancy(&config.tenant, &args.name).await?;
    journal.close().await;
    let found = found.with_context(|| {
        format!(
            "nothing named `{}` is on record: looked for a discrepancy by its id and for a \
             correction by its key or id",
            args.name
        )
    })?;
    out::print(&explain::discrepancy(&found, config.language))?;
    Ok(0)
}

/// Follows the chain of what is on record about a name, both ways.
pub(super) async fn trail(args: &NameArgs) -> anyhow::Result<u8> {
    let (config, journal) = args.record.open().await?;
    let found = journal.trail(&config.tenant, &args.name).await?;
    journal.close().await;
    let rows = found.with_context(|| {
        format!(
            "nothing named `{}` is on record: looked for a run or a discrepancy by its id, for a \
             file by its SHA-256, name or id, and for a correction by its key or id",
            args.name
        )
    })?;
    out::print(&explain::trail(&rows))?;
    Ok(0)
}
