//! The configuration: one TOML file as plain, checked values (DESIGN §10).

mod allowed;
mod column;
mod reconciliation;
mod source;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

pub use crate::domain::language::Language;
pub use column::Column;
pub use reconciliation::{
    Accept, Accounts, Approval, CalendarName, Ceiling, Reconciliation, RepeatWindow, Rule,
    RuleField, Tolerance,
};
pub use source::{Covers, Direction, Encoding, Format, Sign, Source, StatedLabels, TotalOf};

/// What is wrong with a configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read `{path}`: {cause}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// It is no TOML of the right shape; the message names line, key and what was expected.
    #[error("`{path}`: {message}")]
    Shape {
        /// The file.
        path: PathBuf,
        /// What and where.
        message: String,
    },
    /// Its values contradict each other.
    #[error("`{path}`: {message}")]
    Meaning {
        /// The file.
        path: PathBuf,
        /// What and where.
        message: String,
    },
}

/// The whole configuration.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Whose books; scopes every key.
    pub tenant: String,
    /// `sqlite://…` or `postgres://…`; absent: nothing is stored.
    pub database: Option<String>,
    /// A file that holds the database URL instead, for secrets.
    pub database_file: Option<PathBuf>,
    /// The folder of raw files and record identities; default: `store` beside the configuration.
    pub store: Option<PathBuf>,
    /// The language of the report.
    #[serde(default)]
    pub language: Language,
    /// What is compared with what.
    #[serde(rename = "reconciliation")]
    pub reconciliations: Vec<Reconciliation>,
    /// Where files come from, by name.
    #[serde(rename = "source")]
    pub sources: BTreeMap<String, Source>,
    /// The folder of the configuration file, from which relative paths start.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Config {
    /// Reads and checks a configuration file.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path)
            .map_err(|cause| ConfigError::Unreadable { path: path.to_owned(), cause })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut config = Self::parse(&text, path)?;
        config.folder = folder;
        Ok(config)
    }

    /// Parses and checks the text of a configuration; `path` is named in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| ConfigError::Shape {
            path: path.to_owned(),
            message: error.to_string(),
        })?;
        config
            .check()
            .map_err(|message| ConfigError::Meaning { path: path.to_owned(), message })?;
        Ok(config)
    }

    /// The URL of the database, from the configuration or the file it names; `None` where nothing
    /// is stored. A SQLite path that is not absolute starts from the configuration's folder.
    pub fn database_url(&self) -> Result<Option<String>, ConfigError> {
        self.url(self.database.as_deref(), self.database_file.as_deref())
    }

    /// The URL of the database that a source of format `sql` reads.
    pub fn source_url(&self, source: &Source) -> Result<Option<String>, ConfigError> {
        self.url(source.database.as_deref(), source.database_file.as_deref())
    }

    fn url(&self, url: Option<&str>, file: Option<&Path>) -> Result<Option<String>, ConfigError> {
        let url = match (url, file) {
            (Some(url), _) => url.to_owned(),
            (None, Some(file)) => {
                let path = self.folder.join(file);
                let text = fs::read_to_string(&path)
                    .map_err(|cause| ConfigError::Unreadable { path, cause })?;
                text.trim().to_owned()
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(match url.strip_prefix("sqlite://") {
            Some(path) if !path.starts_with(':') => {
                format!("sqlite://{}", self.folder.join(path).display())
            }
            Some(_) | None => url,
        }))
    }

    /// The folder of raw files and record identities.
    pub fn store_folder(&self) -> PathBuf {
        self.folder.join(self.store.as_deref().unwrap_or(Path::new("store")))
    }

    /// The reconciliation of a name, or the only one.
    pub fn reconciliation(&self, name: Option<&str>) -> Option<&Reconciliation> {
        match (name, self.reconciliations.as_slice()) {
            (None, [only]) => Some(only),
            (None, _) => None,
            (Some(name), all) => all.iter().find(|it| it.name == name),
        }
    }

    fn check(&self) -> Result<(), String> {
        allowed::name("tenant", &self.tenant)?;
        allowed::filled("database", self.database.as_deref())?;
        if self.database.is_some() && self.database_file.is_some() {
            return Err("`database` and `database_file` are both given".to_owned());
        }
        if self.reconciliations.is_empty() {
            return Err("no `[[reconciliation]]` is given; expected is one at least".to_owned());
        }
        let mut names = std::collections::BTreeSet::new();
        for reconciliation in &self.reconciliations {
            let name = &reconciliation.name;
            if !names.insert(name) {
                return Err(format!("two reconciliations are named `{name}`"));
            }
            reconciliation.check().map_err(|why| format!("reconciliation `{name}`: {why}"))?;
            for source in [&reconciliation.ours, &reconciliation.theirs] {
                if !self.sources.contains_key(source) {
                    return Err(format!(
                        "reconciliation `{name}` names source `{source}`, and no `[source.{source}]` is given"
                    ));
                }
            }
            let sides = [&reconciliation.ours, &reconciliation.theirs];
            let scale = sides.into_iter().filter_map(|it| self.sources.get(it)?.scale).max();
            let fits = reconciliation.tolerance.check(scale);
            let fits = fits.and_then(|()| reconciliation.adjustment_ceiling.check(scale));
            fits.map_err(|why| format!("reconciliation `{name}`: {why}"))?;
        }
        for (name, source) in &self.sources {
            allowed::name("source", name)?;
            source.check().map_err(|why| format!("source `{name}`: {why}"))?;
        }
        Ok(())
    }
}
