//! `sverka report`, `explain`, `trail`: what is on record.

use std::{io::Read, path::PathBuf};

use anyhow::Context as _;
use clap::Args;

use crate::cli::{ConfigArgs, destination::Destination, explain, journal_needed, out, report_path};
use crate::config::Config;
use crate::domain::id::Hash;
use crate::report::{self, view::ResultView};
use crate::store::Store;

/// What `sverka report` is told.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// The run's id, or how it begins; default: the latest run.
    run: Option<String>,
    /// Where the report goes; default: beside the configuration.
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
    config: ConfigArgs,
    /// An id, how it begins, or a correction's key.
    name: String,
}

/// The stored result of a run, with its texts.
pub(super) fn view(config: &Config, result: Hash) -> anyhow::Result<ResultView> {
    let store = Store::at(&config.store_folder())?;
    let mut text = String::new();
    store.open(result)?.read_to_string(&mut text).context("the stored result is no text")?;
    Ok(report::json::read(&text)?)
}

/// Writes the report of a stored run again.
pub(super) async fn report(args: &ReportArgs) -> anyhow::Result<u8> {
    let config = args.config.load()?;
    let reconciliation = args.config.reconciliation(&config)?;
    let journal = journal_needed(&config).await?;
    let found = match &args.run {
        Some(prefix) => journal.find_run(&config.tenant, prefix).await?,
        None => journal.latest_run(&config.tenant, &reconciliation.name).await?,
    };
    journal.close().await;
    let wanted = args.run.as_deref().unwrap_or("latest");
    let run = found.with_context(|| format!("no single run `{wanted}` is on record"))?;
    let mut view = view(&config, run.result)?;
    view.run.chain_head = run.facts.chain_head.map(|it| it.to_string());
    if args.json {
        out::print(&report::json::to_string(&view)?)?;
        return Ok(run.status);
    }
    let default = || report_path(&config.folder, &run.facts.reconciliation, run.facts.as_of);
    let path = args.report.clone().unwrap_or_else(default);
    let destination = Destination::new(path, &config, &args.config.config, &[])?;
    let options = report::html::Options::new(config.language);
    destination.write(&report::html::render(&view, options)?)?;
    out::print(&format!("report: {}\n", destination.path().display()))?;
    Ok(run.status)
}

/// Tells everything about one discrepancy.
pub(super) async fn explain(args: &NameArgs) -> anyhow::Result<u8> {
    let config = args.config.load()?;
    let journal = journal_needed(&config).await?;
    let found = journal.find_discrepancy(&config.tenant, &args.name).await?;
    journal.close().await;
    let found =
        found.with_context(|| format!("no single discrepancy `{}` is on record", args.name))?;
    out::print(&explain::discrepancy(&found, config.language))?;
    Ok(0)
}

/// Follows the chain of what is on record about a name, both ways.
pub(super) async fn trail(args: &NameArgs) -> anyhow::Result<u8> {
    let config = args.config.load()?;
    let journal = journal_needed(&config).await?;
    let found = journal.trail(&config.tenant, &args.name).await?;
    journal.close().await;
    let rows = found.with_context(|| format!("nothing named `{}` is on record", args.name))?;
    out::print(&explain::trail(&rows))?;
    Ok(0)
}
