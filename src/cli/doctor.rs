//! `sverka doctor`: whether everything stands ready, and what this version does not do yet.

use clap::Args;

use crate::cli::{out, record::RecordArgs};
use crate::config::Config;
use crate::journal::{ChainState, Journal, database_name};
use crate::store::{Store, Wanted};

/// What `sverka doctor` is told.
#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    record: RecordArgs,
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

/// Checks configuration, database, chain and store, each by itself as far as it can be; nothing is
/// made or changed.
pub(super) async fn doctor(args: &DoctorArgs) -> anyhow::Result<u8> {
    let mut told = Told::default();
    match args.record.config() {
        Ok(config) => {
            let reconciliations = counted(config.reconciliations.len(), "reconciliation");
            told.good(format!("configuration: ok, {reconciliations}"));
            let journal = check_database(&config, &mut told).await;
            if let Some(journal) = &journal {
                check_schema(journal, &mut told).await;
            }
            let tenants = match &journal {
                Some(journal) => tenants(args, &config, journal, &mut told).await,
                None => Vec::new(),
            };
            for (journal, tenant) in
                journal.iter().flat_map(|it| tenants.iter().map(move |t| (it, t)))
            {
                check_chain(journal, tenant, &mut told).await;
            }
            check_store(journal.as_ref(), &config, &tenants, &mut told).await;
            if let Some(journal) = journal {
                journal.close().await;
            }
        }
        Err(error) => {
            told.bad(format!("configuration: WRONG: {}", out::causes(&error)));
            told.good("database, hash chain, store: not checked, for it names them".to_owned());
        }
    }
    told.good("not there yet:".to_owned());
    for line in NOT_YET {
        told.good(format!("  - {line}"));
    }
    out::print(&(told.lines.join("\n") + "\n"))?;
    Ok(if told.is_ill { out::TROUBLE } else { 0 })
}

/// What is told, and whether anything is wrong.
#[derive(Default)]
struct Told {
    lines: Vec<String>,
    is_ill: bool,
}

impl Told {
    fn good(&mut self, line: String) {
        self.lines.push(line);
    }

    fn bad(&mut self, line: String) {
        self.is_ill = true;
        self.lines.push(line);
    }
}

async fn check_database(config: &Config, told: &mut Told) -> Option<Journal> {
    let url = match config.database_url() {
        Ok(Some(url)) => url,
        Ok(None) => {
            told.good("database: none named, nothing is stored".to_owned());
            return None;
        }
        Err(error) => {
            told.bad(format!("database: WRONG: {error}"));
            return None;
        }
    };
    let opened = match database_name(&url) {
        Ok(name) => Journal::read(&url).await.map(|journal| (name, journal)),
        Err(error) => Err(error),
    };
    match opened {
        Ok((name, Some(journal))) => {
            told.good(format!("database: ok, `{name}`"));
            Some(journal)
        }
        Ok((name, None)) => {
            told.good(format!("database: nothing on record yet, `{name}`"));
            None
        }
        Err(error) => {
            told.bad(format!("database: WRONG: {error}"));
            None
        }
    }
}

/// Holds what guards the rows against what the migrations make.
async fn check_schema(journal: &Journal, told: &mut Told) {
    match journal.schema_faults().await {
        Ok(faults) if faults.is_empty() => told.good("schema: as it was made".to_owned()),
        Ok(faults) => {
            told.bad(format!("schema: WRONG: {}", counted(faults.len(), "fault")));
            for it in faults {
                told.bad(format!("  - {it}"));
            }
        }
        Err(error) => told.bad(format!("schema: cannot be checked: {error}")),
    }
}

/// Whose books are checked: those of the tenant that is named, or of all where none is.
async fn tenants(
    args: &DoctorArgs,
    config: &Config,
    journal: &Journal,
    told: &mut Told,
) -> Vec<String> {
    if !config.tenant.is_empty() {
        let tenant = args.record.tenant(config, journal).await;
        return tenant.map_or_else(
            |error| {
                told.bad(format!("tenant: WRONG: {error}"));
                Vec::new()
            },
            |it| vec![it],
        );
    }
    journal.tenants().await.unwrap_or_else(|error| {
        told.bad(format!("tenants: cannot be told: {error}"));
        Vec::new()
    })
}

async fn check_chain(journal: &Journal, tenant: &str, told: &mut Told) {
    match journal.verify_chain(tenant).await {
        Ok(ChainState::Whole { rows, head }) => {
            let head = head.map_or("none yet".to_owned(), |it| it.to_string());
            told.good(format!("hash chain: whole, {rows} rows, head {head}"));
        }
        Ok(ChainState::Broken { position, row, what }) => {
            let row = if row.is_empty() { String::new() } else { format!(", {row}") };
            told.bad(format!("hash chain: BROKEN at position {position}{row}: {what}"));
        }
        Err(error) => told.bad(format!("hash chain: cannot be checked: {error}")),
    }
}

/// Holds the store against what the database says is in it, where there is one to ask.
async fn check_store(
    journal: Option<&Journal>,
    config: &Config,
    tenants: &[String],
    told: &mut Told,
) {
    let folder = config.store_folder();
    let [mut raw, mut identities] = [Wanted::new(), Wanted::new()];
    for (journal, tenant) in journal.into_iter().flat_map(|it| tenants.iter().map(move |t| (it, t)))
    {
        match journal.stored(tenant).await {
            Ok(stored) => {
                raw.extend(stored.raw);
                identities.extend(stored.identities);
            }
            Err(error) => told.bad(format!("store: cannot tell what it is to hold: {error}")),
        }
    }
    let audit = match Store::read(&folder).audit([&raw, &identities]) {
        Ok(audit) => audit,
        Err(error) => return told.bad(format!("store: WRONG: {error}")),
    };
    let place = format!("`{}`", folder.display());
    if audit.faults.is_empty() {
        told.good(format!("store: whole, {} in {place}", counted(audit.whole, "file")));
    } else {
        let faults = counted(audit.faults.len(), "fault");
        let whole = counted(audit.whole, "whole file");
        told.bad(format!("store: WRONG: {faults} beside {whole} in {place}"));
    }
    for fault in audit.faults {
        told.bad(format!("  - {fault}"));
    }
    for draft in audit.stale {
        let draft = draft.display();
        told.good(format!(
            "  - left by a run that was stopped, the next run removes it: `{draft}`"
        ));
    }
}

/// A number of things in English.
fn counted(number: usize, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}
