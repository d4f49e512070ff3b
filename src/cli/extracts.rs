//! The extracts of a run: what queries gave, in a folder of their own until the run has taken it.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use chrono::NaiveDate;

use crate::cli::out;
use crate::config::{Config, Format, Reconciliation};
use crate::extract::extract;

/// Files by the name of their source; they are removed with this.
pub(super) struct Extracts {
    folder: PathBuf,
    files: BTreeMap<String, PathBuf>,
}

impl Extracts {
    /// Runs the queries of a reconciliation's sources.
    pub(super) async fn of(
        config: &Config,
        reconciliation: &Reconciliation,
        day: Option<NaiveDate>,
    ) -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("sverka-{}", std::process::id()));
        let mut extracts = Self { folder, files: BTreeMap::new() };
        for name in [&reconciliation.ours, &reconciliation.theirs] {
            let source = config.sources.get(name).filter(|it| it.format == Format::Sql);
            let Some(source) = source else { continue };
            let url = config.source_url(source)?.context("a source names no database")?;
            let query = source.query.as_deref().context("a source has no query")?;
            let day_text = day.map(|it| format!("-{it}")).unwrap_or_default();
            let path = extracts.folder.join(format!("{name}{day_text}.csv"));
            fs::create_dir_all(&extracts.folder)
                .with_context(|| format!("cannot make {}", extracts.folder.display()))?;
            let file =
                File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
            let mut file = BufWriter::new(file);
            extract(&url, query, day, &mut file)
                .await
                .with_context(|| format!("source `{name}`"))?;
            extracts.files.insert(name.clone(), path);
        }
        Ok(extracts)
    }

    /// The extract of a source, if it has one.
    pub(super) fn file(&self, source: &str) -> Option<&Path> {
        self.files.get(source).map(PathBuf::as_path)
    }
}

impl Drop for Extracts {
    fn drop(&mut self) {
        if self.files.is_empty() {
            return;
        }
        if let Err(cause) = fs::remove_dir_all(&self.folder) {
            out::remark(&format!("sverka: cannot remove {}: {cause}", self.folder.display()));
        }
    }
}
