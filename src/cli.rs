//! The command line: what an operator types, and the exit status of DESIGN §10.

mod destination;
mod doctor;
mod explain;
mod extracts;
mod look;
mod opening;
mod out;
mod progress;
mod record;
mod run;
mod unconfigured;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context as _;
use chrono::NaiveDate;
use clap::{Args, Parser, Subcommand};
use tracing::Level;
use tracing_subscriber::{
    filter::Targets, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

use crate::config::{Config, Reconciliation};
use crate::journal::{Journal, database_name};

/// What a scheduler learns from a command.
const EXIT_STATUS: &str = "\
Exit status:
  0  the sides agree
  1  discrepancies are open
  3  nothing may be concluded yet: a file is absent, cut or out of balance, money was rejected,
     something is unexplained or not signed off, or nothing was compared
  2  trouble: usage, configuration, or a file that cannot be read";

/// How the commands are used.
const EXAMPLES: &str = "\
Examples:
  sverka run --ours ledger.csv --theirs statement.xml       two files, without a configuration
  sverka run --config sverka.toml --date 2026-11-30         the run of a day
  sverka report                                             the report of the latest run, again
  sverka explain 7c1f                                       a discrepancy, by how its id begins
  sverka trail 7c1f                                         where it comes from and what it led to
  sverka opening accept --by 'A. Petrova' --why 'agreed'    sign off the opening difference";

/// Two-sided reconciliation: our ledger against an independent statement.
#[derive(Debug, Parser)]
#[command(name = "sverka", version, max_term_width = 100)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_STATUS}"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare both sides for one day; write the report and propose corrections.
    #[command(after_help = EXIT_STATUS)]
    Run(Box<run::RunArgs>),
    /// Write the report of a run that is on record again.
    #[command(after_help = format!("{EXIT_STATUS}\n\nThe status is that of the run."))]
    Report(look::ReportArgs),
    /// Tell everything about one discrepancy, with its history.
    Explain(look::NameArgs),
    /// Follow a run, file, discrepancy or correction to its cause and effects.
    Trail(look::NameArgs),
    /// Check the configuration, the database and the chain, and say what is not there yet.
    Doctor(doctor::DoctorArgs),
    /// Sign off the difference of the opening balances.
    #[command(subcommand)]
    Opening(opening::OpeningCommand),
}

/// Which configuration, and which reconciliation of it.
#[derive(Debug, Clone, Args)]
struct ConfigArgs {
    /// The configuration file.
    #[arg(long, value_name = "FILE", default_value = "sverka.toml")]
    config: PathBuf,
    /// The reconciliation, where the configuration has more than one.
    #[arg(long, value_name = "NAME")]
    reconciliation: Option<String>,
}

impl ConfigArgs {
    fn load(&self) -> anyhow::Result<Config> {
        Ok(Config::load(&self.config)?)
    }

    fn reconciliation<'c>(&self, config: &'c Config) -> anyhow::Result<&'c Reconciliation> {
        let names: Vec<_> = config.reconciliations.iter().map(|it| it.name.as_str()).collect();
        let found = config.reconciliation(self.reconciliation.as_deref());
        found.with_context(|| {
            format!("name one of the reconciliations {} by `--reconciliation`", names.join(", "))
        })
    }
}

/// The database of a configuration, with paths of SQLite read from the configuration's folder.
async fn journal(config: &Config) -> anyhow::Result<Option<Journal>> {
    let url = config.database_url()?;
    let Some(url) = url else { return Ok(None) };
    Ok(Some(Journal::connect(&url).await?))
}

/// The database of a configuration as it stands, neither made nor changed; `None` where there is
/// none yet.
async fn journal_as_it_is(config: &Config) -> anyhow::Result<Option<Journal>> {
    let Some(url) = config.database_url()? else { return Ok(None) };
    Ok(Journal::read(&url).await?)
}

/// The database of a command that tells what is on record.
async fn journal_to_read(config: &Config) -> anyhow::Result<Journal> {
    let url = database_needed(config)?;
    let name = database_name(&url)?;
    let journal = Journal::read(&url).await?;
    journal.with_context(|| format!("nothing is on record yet: there is no journal in `{name}`"))
}

/// The URL of the database that a command cannot do without.
fn database_needed(config: &Config) -> anyhow::Result<String> {
    let url = config.database_url()?;
    url.context("the configuration names no `database`, so nothing is on record")
}

/// Runs the command line and gives the exit status.
pub fn main() -> ExitCode {
    listen();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return out::usage(&error),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let status = runtime
        .context("cannot start the runtime")
        .and_then(|runtime| runtime.block_on(execute(cli.command)));
    match status {
        Ok(status) => ExitCode::from(status),
        Err(error) => out::trouble(&error),
    }
}

/// Our own log goes to standard error; what the driver of a database says is told where it is met.
fn listen() {
    let ours = Targets::new().with_target(env!("CARGO_CRATE_NAME"), Level::INFO);
    tracing_subscriber::fmt().with_writer(std::io::stderr).finish().with(ours).init();
}

async fn execute(command: Command) -> anyhow::Result<u8> {
    match command {
        Command::Run(args) => run::run(&args).await,
        Command::Report(args) => look::report(&args).await,
        Command::Explain(args) => look::explain(&args).await,
        Command::Trail(args) => look::trail(&args).await,
        Command::Doctor(args) => doctor::doctor(&args).await,
        Command::Opening(command) => opening::opening(&command).await,
    }
}

/// Where a report goes if nothing else is said: beside the configuration, named by what it is.
fn report_path(folder: &Path, reconciliation: &str, as_of: NaiveDate) -> PathBuf {
    folder.join(format!("{reconciliation}-{as_of}.html"))
}
