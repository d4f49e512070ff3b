//! `sverka run`.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context as _;
use chrono::NaiveDate;
use clap::Args;

use crate::cli::{
    ConfigArgs, destination::Destination, extracts::Extracts, journal, out, progress::Line,
    report_path, unconfigured::FileArgs,
};
use crate::clock::{Clock, System};
use crate::config::{Config, Reconciliation};
use crate::domain::{run::RunResult, side::Side, statement::FileVerdict};
use crate::pipeline::{self, House, Keep, Request};
use crate::report::{self, view::ResultView};
use crate::store::{Store, locate};

/// What `sverka run` is told.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    files: FileArgs,
    /// The day to speak about; default: the last day in the statement.
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<NaiveDate>,
    /// Print the whole result as JSON on standard output.
    #[arg(long)]
    json: bool,
    /// Where the report goes; default: beside the configuration.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The same result, and nothing stored; a report only where `--report` names one.
    #[arg(long)]
    dry_run: bool,
    /// The moment the run is said to begin, for a result that is the same byte for byte.
    #[arg(long, hide = true)]
    at: Option<chrono::DateTime<chrono::Utc>>,
}

/// Runs one reconciliation and says what it found; the exit status of DESIGN §10.
pub(super) async fn run(args: &RunArgs) -> anyhow::Result<u8> {
    let config = match args.files.config()? {
        Some(config) => config,
        None => args.config.load()?,
    };
    let reconciliation = args.config.reconciliation(&config)?;
    let extracts = Extracts::of(&config, reconciliation, args.date).await?;
    let request = request(args, &config, reconciliation, &extracts)?;
    let inputs = [request.ours.as_slice(), &request.theirs].concat();
    let place = |path| Destination::new(path, &config, &args.config.config, &inputs);
    // A place that is named is looked at before anything is kept.
    let named = args.report.clone().map(place).transpose()?;
    let journal = journal(&config).await?;
    let store = match &journal {
        Some(_) if !args.dry_run => Some(Arc::new(Store::at(&config.store_folder())?)),
        Some(_) | None => None,
    };
    let result = {
        let line = Line::new();
        let fixed = args.at.map(crate::clock::Fixed);
        let clock: &dyn Clock = fixed.as_ref().map_or(&System, |it| it);
        let house =
            House { journal: journal.as_ref(), store: store.as_ref(), clock, progress: &line };
        pipeline::run(&request, &house).await?
    };
    if let Some(journal) = journal {
        journal.close().await;
    }
    let destination = match (named, args.dry_run) {
        (Some(named), _) => Some(named),
        (None, true) => None,
        (None, false) => {
            let run = &result.run;
            Some(place(report_path(&config.folder, &run.reconciliation, run.as_of))?)
        }
    };
    tell(args, &config, &result, destination.as_ref())?;
    if let Some(advice) = args.files.advice(&result) {
        out::remark(&advice);
    }
    Ok(status(&result))
}

fn request<'a>(
    args: &'a RunArgs,
    config: &'a Config,
    reconciliation: &'a Reconciliation,
    extracts: &Extracts,
) -> anyhow::Result<Request<'a>> {
    let mut absent = Vec::new();
    let mut files = |side: Side, name: &str| -> anyhow::Result<Vec<PathBuf>> {
        if let Some(extract) = extracts.file(name) {
            return Ok(vec![extract.to_owned()]);
        }
        let source = config.sources.get(name).context("a source is missing")?;
        let Some(path) = &source.path else { return Ok(Vec::new()) };
        let shown = path.display().to_string();
        let found = match (args.date, shown.contains("{date}")) {
            (None, true) => anyhow::bail!("source `{name}` has `{shown}`: name a day by `--date`"),
            (date, _) => locate(&config.folder, path, date.unwrap_or_default())?,
        };
        if found.is_empty() {
            absent.push((side, shown));
        }
        Ok(found)
    };
    let ours = files(Side::Ours, &reconciliation.ours)?;
    let theirs = files(Side::Theirs, &reconciliation.theirs)?;
    let keep = if args.dry_run { Keep::Nothing } else { Keep::Everything };
    Ok(Request { config, reconciliation, as_of: args.date, ours, theirs, absent, keep })
}

/// Writes the report, and the verdict or the whole result to standard output.
fn tell(
    args: &RunArgs,
    config: &Config,
    result: &RunResult,
    destination: Option<&Destination>,
) -> anyhow::Result<()> {
    let view = ResultView::from(result);
    if let Some(destination) = destination {
        let options = report::html::Options::new(config.language);
        destination.write(&report::html::render(&view, options)?)?;
    }
    if args.json {
        return out::print(&report::json::to_string(&view)?);
    }
    let shown = destination.map(|it| it.path().display().to_string());
    out::print(&report::print::verdict(&view, config.language, shown.as_deref())?)
}

/// The exit status; what cannot be read is named among the errors too.
fn status(result: &RunResult) -> u8 {
    for file in result.files.iter().filter(|it| it.verdict == FileVerdict::Unreadable) {
        out::remark(&format!("sverka: cannot read `{}`: {}", file.name, file.explanation));
    }
    result.verdict.status()
}
