//! `sverka doctor`: whether everything stands ready, and what this version does not do yet.

use std::fmt::Write as _;

use clap::Args;

use crate::cli::{ConfigArgs, journal_as_it_is, out};
use crate::config::Config;
use crate::journal::ChainState;

/// What `sverka doctor` is told.
#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    config: ConfigArgs,
}

/// What later versions bring. A line leaves this list in the commit that builds it.
const NOT_YET: [&str; 11] = [
    "formats besides delimited text, camt, Parquet and SQL queries",
    "open items carried into the next run; late arrivals close only what the same run reads",
    "the reasons correction_overtaken, correction_not_effective, changed_after_agreement, \
     backdated, elsewhere_ours, elsewhere_theirs, expired_theirs and vanished",
    "causes besides retry_same_intent and retry_new_key; the perimeter",
    "subset sums and business-day windows as pairing rules",
    "holiday calendars besides target2; `holidays` lists days by hand",
    "independence found in the data besides equal bytes and a shared origin",
    "approval, posting and delivery of corrections; they stay proposed",
    "the HTTP interface and the queue of the operator",
    "Russian for every remark of the readers; what is not translated says that it is English",
    "the speed and memory aimed at for a million rows a side and more",
];

/// Checks configuration, database, chain and store.
pub(super) async fn doctor(args: &DoctorArgs) -> anyhow::Result<u8> {
    let config = args.config.load()?;
    let mut told = String::new();
    writeln!(told, "configuration: ok, {} reconciliations", config.reconciliations.len())?;
    let healthy = check_journal(&config, &mut told).await?;
    writeln!(told, "not there yet:")?;
    for line in NOT_YET {
        writeln!(told, "  - {line}")?;
    }
    out::print(&told)?;
    Ok(if healthy { 0 } else { out::TROUBLE })
}

async fn check_journal(config: &Config, told: &mut String) -> anyhow::Result<bool> {
    let Some(journal) = journal_as_it_is(config).await? else {
        writeln!(told, "database: nothing is stored yet")?;
        return Ok(true);
    };
    writeln!(told, "database: ok")?;
    writeln!(told, "store: ok, {}", config.store_folder().display())?;
    let state = journal.verify_chain(&config.tenant).await?;
    journal.close().await;
    match state {
        ChainState::Whole { rows, head } => {
            let head = head.map_or("none yet".to_owned(), |it| it.to_string());
            writeln!(told, "hash chain: whole, {rows} rows, head {head}")?;
            Ok(true)
        }
        broken @ ChainState::Broken { .. } => {
            writeln!(told, "hash chain: BROKEN: {broken:?}")?;
            Ok(false)
        }
    }
}
