//! Where what is on record lies: by a configuration, or by the database alone.

use anyhow::Context as _;
use clap::Args;

use crate::cli::{ConfigArgs, journal_to_read, unconfigured};
use crate::config::Config;
use crate::journal::{Journal, StoredRun};

/// Which record is looked at.
#[derive(Debug, Args)]
pub(super) struct RecordArgs {
    #[command(flatten)]
    pub(super) config: ConfigArgs,
    /// The database, instead of a configuration; files lie in `store`, as `run --database` has it.
    #[arg(long, value_name = "URL", conflicts_with = "config")]
    database: Option<String>,
    /// Whose books, where the database holds those of several.
    #[arg(long, requires = "database")]
    tenant: Option<String>,
}

impl RecordArgs {
    /// The configuration that is named, or the one that a database alone amounts to. Its tenant is
    /// blank where none is named.
    pub(super) fn config(&self) -> anyhow::Result<Config> {
        let Some(url) = &self.database else { return self.config.load() };
        let tenant = self.tenant.clone().unwrap_or_default();
        Ok(Config { tenant, ..unconfigured::house(Some(url.clone())) })
    }

    /// The journal, and the configuration with the tenant that is looked at.
    pub(super) async fn open(&self) -> anyhow::Result<(Config, Journal)> {
        let mut config = self.config()?;
        let journal = journal_to_read(&config).await?;
        config.tenant = self.tenant(&config, &journal).await?;
        Ok((config, journal))
    }

    /// The tenant that is named, or the only one of the database.
    pub(super) async fn tenant(
        &self,
        config: &Config,
        journal: &Journal,
    ) -> anyhow::Result<String> {
        if self.database.is_none() {
            return Ok(config.tenant.clone());
        }
        let tenants = journal.tenants().await?;
        match (&self.tenant, tenants.as_slice()) {
            (Some(named), all) if all.contains(named) => Ok(named.clone()),
            (None, [only]) => Ok(only.clone()),
            (_, []) => anyhow::bail!("nothing is on record yet"),
            (Some(named), all) => anyhow::bail!(
                "nothing of tenant `{named}` is on record, only of {}",
                all.join(", ")
            ),
            (None, all) => {
                anyhow::bail!("name one of the tenants {} by `--tenant`", all.join(", "))
            }
        }
    }

    /// The latest run of the reconciliation that is named, or of the only one.
    pub(super) async fn latest(
        &self,
        config: &Config,
        journal: &Journal,
    ) -> anyhow::Result<StoredRun> {
        let name = match (&self.database, &self.config.reconciliation) {
            (None, _) => self.config.reconciliation(config)?.name.clone(),
            (Some(_), Some(named)) => named.clone(),
            (Some(_), None) => match journal.reconciliations(&config.tenant).await?.as_slice() {
                [only] => only.clone(),
                all => anyhow::bail!(
                    "name one of the reconciliations {} by `--reconciliation`",
                    all.join(", ")
                ),
            },
        };
        let run = journal.latest_run(&config.tenant, &name).await?;
        run.with_context(|| format!("no run of `{name}` is on record"))
    }
}
