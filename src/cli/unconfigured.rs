//! A run without configuration: two files, and what can be told from them (DESIGN §10).

use std::path::PathBuf;

use clap::Args;

use crate::config::Config;

/// The two files, and what they do not say of themselves.
#[derive(Debug, Args)]
pub(super) struct FileArgs {
    /// Our ledger, instead of a configuration.
    #[arg(long, requires = "theirs", conflicts_with = "config")]
    ours: Option<PathBuf>,
    /// The counterparty's statement, instead of a configuration.
    #[arg(long, requires = "ours")]
    theirs: Option<PathBuf>,
}

impl FileArgs {
    /// The configuration that two files amount to; `None` where none are named.
    pub(super) fn config(&self) -> anyhow::Result<Option<Config>> {
        let (Some(_), Some(_)) = (&self.ours, &self.theirs) else { return Ok(None) };
        anyhow::bail!("not yet")
    }
}
