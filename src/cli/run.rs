//! `sverka run`.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context as _;
use chrono::NaiveDate;
use clap::Args;

use crate::cli::{
    ConfigArgs, destination::Destination, extracts::Extracts, journal, journal_as_it_is, out,
    progress::Line, report_path, unconfigured::FileArgs,
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
    let journal =
        if args.dry_run { journal_as_it_is(&config).await? } else { journal(&config).await? };
    let store = match (&journal, args.dry_run) {
        (Some(_), false) => Some(Arc::new(Store::at(&config.store_folder())?)),
        (Some(_), true) => Some(Arc::new(Store::read(&config.store_folder()))),
        (None, _) => None,
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
        (Some(named), _) => Ok(Some(named)),
        (None, true) => Ok(None),
        (None, false) => {
            let run = &result.run;
            place(report_path(&config.folder, &run.reconciliation, run.as_of)).map(Some)
        }
    };
    let unwritten = tell(args, &config, &result, destination)?;
    if let Some(advice) = args.files.advice(&result) {
        out::remark(&advice);
    }
    let status = status(&result);
    let Some(error) = unwritten else { return Ok(status) };
    out::trouble(&error);
    if store.is_some() && !args.dry_run {
        let (id, place) = (result.run.id, args.place());
        let again = format!("sverka report {id} --report PATH{place}");
        out::remark(&format!("the run is on record; write its report by `{again}`"));
    }
    Ok(out::TROUBLE)
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

impl RunArgs {
    /// What names the same record to another command; the URL of a database may hold a password.
    fn place(&self) -> String {
        if self.files.config_is_made() {
            return " --database URL".to_owned();
        }
        format!(" --config {}", self.config.config.display())
    }
}

/// Writes the report, and the verdict or the whole result to standard output. Gives why the report
/// could not be written: what was found is told all the same.
fn tell(
    args: &RunArgs,
    config: &Config,
    result: &RunResult,
    destination: anyhow::Result<Option<Destination>>,
) -> anyhow::Result<Option<anyhow::Error>> {
    let view = ResultView::from(result);
    let options = report::html::Options::new(config.language);
    let write = || {
        let Some(it) = destination? else { return Ok(None) };
        it.write(&report::html::render(&view, options)?)?;
        anyhow::Ok(Some(it.path().display().to_string()))
    };
    let json = || args.json.then(|| report::json::to_string(&view)).transpose();
    let (written, json) = rayon::join(write, json);
    let (shown, unwritten) = written.map_or_else(|error| (None, Some(error)), |it| (it, None));
    let told = match json? {
        Some(json) => json,
        None => report::print::verdict(&view, config.language, shown.as_deref())?,
    };
    out::print(&told)?;
    Ok(unwritten)
}

/// The exit status; what cannot be read is named among the errors too.
fn status(result: &RunResult) -> u8 {
    for file in result.files.iter().filter(|it| it.verdict == FileVerdict::Unreadable) {
        out::remark(&format!("sverka: cannot read `{}`: {}", file.name, file.explanation));
    }
    result.verdict.status()
}
