//! A run without configuration: two files, and what can be told from them (DESIGN §10).

mod direction;
mod options;
mod profile;

use std::{collections::BTreeMap, path::PathBuf};

use clap::Args;

use crate::cli::out;
use crate::config::{Column, Config, Reconciliation, Rule, RuleField, Sign, Source};
use crate::domain::{language::Language, run::RunResult, side::Side};
use crate::sources;
use options::{OptionsOurs, OptionsTheirs};
use profile::Profile;

/// The name of the reconciliation of two files; its report is named by it.
const NAME: &str = "files";

/// The two files, and what they do not say of themselves.
#[derive(Debug, Args)]
pub(super) struct FileArgs {
    /// Our ledger, instead of a configuration.
    #[arg(long, value_name = "FILE", requires = "theirs", conflicts_with_all = ["config", "reconciliation"])]
    ours: Option<PathBuf>,
    /// The counterparty's statement, instead of a configuration.
    #[arg(long, value_name = "FILE", requires = "ours")]
    theirs: Option<PathBuf>,
    /// Where to keep what two files amount to; without it nothing is stored.
    #[arg(long, value_name = "URL", requires = "ours")]
    database: Option<String>,
    #[command(flatten)]
    options_ours: OptionsOurs,
    #[command(flatten)]
    options_theirs: OptionsTheirs,
}

impl FileArgs {
    /// The configuration that two files amount to, printed as it is made; `None` where none are
    /// named.
    pub(super) fn config(&self) -> anyhow::Result<Option<Config>> {
        let (Some(ours), Some(theirs)) = (&self.ours, &self.theirs) else { return Ok(None) };
        let mut ours = Profile::of(ours, &self.options_ours.given())?;
        let mut theirs = Profile::of(theirs, &self.options_theirs.given())?;
        ours.take_account_of(&theirs)?;
        theirs.take_account_of(&ours)?;
        let rules = rules(&ours.source, &theirs.source)?;
        for (side, profile) in [(Side::Ours, &ours), (Side::Theirs, &theirs)] {
            for remark in &profile.remarks {
                out::remark(&format!("{side}: {remark}"));
            }
        }
        let names: Vec<&str> = rules.iter().map(|it| it.name.as_str()).collect();
        out::remark(&format!("rules: {}, exactly, within 2 days", names.join(", ")));
        let sides = [Side::Ours.name(), Side::Theirs.name()];
        let reconciliation =
            Reconciliation { rules, ..Reconciliation::new(NAME, sides[0], sides[1]) };
        let sources = [(sides[0], ours.source), (sides[1], theirs.source)];
        Ok(Some(Config {
            reconciliations: vec![reconciliation],
            sources: BTreeMap::from(sources.map(|(name, source)| (name.to_owned(), source))),
            ..house(self.database.clone())
        }))
    }

    /// Whether two files stand for a configuration.
    pub(super) fn config_is_made(&self) -> bool {
        self.ours.is_some()
    }

    /// What to try where most pairs say that one side's sign is the other's turned round.
    pub(super) fn advice(&self, result: &RunResult) -> Option<String> {
        self.ours.as_ref()?;
        let (option, word) = match self.options_ours.given().sign {
            Sign::AsWritten => ("--ours-sign", "inverted"),
            Sign::Inverted | Sign::Ignored => ("--ours-sign", "as_written"),
        };
        let (turned, pairs) = direction::turned(result);
        (turned * 2 > pairs).then(|| {
            format!(
                "{turned} of {pairs} pairs of equal keys differ in direction: \
                 if our ledger tells money out as positive, give `{option} {word}`"
            )
        })
    }
}

/// What is so of every configuration that was not written down.
pub(super) fn house(database: Option<String>) -> Config {
    Config {
        tenant: NAME.to_owned(),
        database,
        database_file: None,
        store: None,
        language: Language::default(),
        reconciliations: Vec::new(),
        sources: BTreeMap::new(),
        folder: PathBuf::new(),
    }
}

/// Every key that both sides can have, exactly; a key that a group shares compares the group.
fn rules(ours: &Source, theirs: &Source) -> anyhow::Result<Vec<Rule>> {
    let (of_ours, of_theirs) = (keys(ours), keys(theirs));
    let shared = of_ours.iter().filter(|it| of_theirs.contains(it));
    let mut rules: Vec<Rule> =
        shared.map(|field| Rule { group: is_group(*field), ..Rule::over(*field) }).collect();
    rules.sort_by_key(|rule| rule.group);
    let told = |keys: &[RuleField]| match keys {
        [] => "none".to_owned(),
        keys => keys.iter().map(|it| it.name()).collect::<Vec<_>>().join(", "),
    };
    anyhow::ensure!(
        !rules.is_empty(),
        "both sides share no key: ours has {}, theirs has {}; name the column of one on each side, as \
         `--ours-column end_to_end_id=NAME`",
        told(&of_ours),
        told(&of_theirs)
    );
    Ok(rules)
}

fn keys(source: &Source) -> Vec<RuleField> {
    let intent = source.columns.contains_key(&Column::IntentKey).then_some(RuleField::Intent);
    intent.into_iter().chain(sources::schemes(source).into_iter().map(RuleField::Key)).collect()
}

fn is_group(field: RuleField) -> bool {
    match field {
        RuleField::Key(scheme) => scheme.is_group(),
        RuleField::Intent
        | RuleField::Amount
        | RuleField::Currency
        | RuleField::Account
        | RuleField::Party => false,
    }
}
