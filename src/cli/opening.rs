//! `sverka opening`: a named person signs the difference of the opening balances off.

use clap::Subcommand;

use crate::cli::{database_needed, out, record::RecordArgs};
use crate::clock::{Clock, System};
use crate::domain::money::{Currency, Money};
use crate::inbox::OpeningAccepted;
use crate::journal::{Journal, SignOff, Signed};
use crate::report::view::ProofView;

/// What can be done about openings.
#[derive(Debug, Subcommand)]
pub(super) enum OpeningCommand {
    /// Accept the difference of the openings of the latest run, or one that is named.
    Accept(AcceptArgs),
}

/// What `sverka opening accept` is told.
#[derive(Debug, clap::Args)]
pub(super) struct AcceptArgs {
    #[command(flatten)]
    record: RecordArgs,
    /// Who signs.
    #[arg(long, value_name = "NAME")]
    by: String,
    /// Why the difference is right.
    #[arg(long, value_name = "TEXT")]
    why: String,
    /// The account; default: every account with a difference in the latest run.
    #[arg(long, value_name = "ACCOUNT")]
    account: Option<String>,
}

/// Signs off what the latest run found.
pub(super) async fn opening(command: &OpeningCommand) -> anyhow::Result<u8> {
    let OpeningCommand::Accept(args) = command;
    anyhow::ensure!(!args.by.trim().is_empty(), "`--by` is blank: name the person who signs");
    anyhow::ensure!(!args.why.trim().is_empty(), "`--why` is blank: say why it is right");
    let (config, record) = args.record.open().await?;
    let run = args.record.latest(&config, &record).await?;
    record.close().await;
    let reconciliation = run.facts.reconciliation.clone();
    let journal = Journal::connect(&database_needed(&config)?).await?;
    let view = super::look::view(&config, run.result)?;
    let asked = |line: &&ProofView| args.account.as_ref().is_none_or(|it| *it == line.account);
    let mut found = 0;
    for line in view.proof.iter().filter(asked) {
        let difference = money(line)?;
        if difference.minor() == 0 {
            continue;
        }
        let sign_off = SignOff {
            tenant: config.tenant.clone(),
            reconciliation: reconciliation.clone(),
            opening: OpeningAccepted {
                account: line.account.clone(),
                difference,
                by: args.by.clone(),
                why: args.why.clone(),
            },
            at: System.now(),
        };
        let became = match journal.accept_opening(&sign_off).await? {
            Signed::Now(_) => format!("accepted by {}", args.by),
            Signed::Before(before) => {
                format!("was accepted before by {}: {}; nothing is written", before.by, before.why)
            }
        };
        // The account is blank where neither side names one.
        let of = if line.account.is_empty() { "" } else { " of " };
        out::print(&format!(
            "opening difference {difference} {}{of}{} {became}\n",
            difference.currency(),
            line.account,
        ))?;
        found += 1;
    }
    anyhow::ensure!(found > 0, "the latest run has no opening difference to sign off");
    Ok(0)
}

/// The difference as money, at the scale it was written with.
fn money(line: &ProofView) -> anyhow::Result<Money> {
    let unreadable = || anyhow::anyhow!("the stored result is damaged: {line:?}");
    let currency = Currency::iso(&line.currency).ok_or_else(unreadable)?;
    let text = line.opening_difference.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, it)| it.len());
    let currency = currency.with_decimals(u8::try_from(decimals)?);
    let amount = text.parse().map_err(|_| unreadable())?;
    Ok(Money::from_decimal(amount, currency)?)
}
