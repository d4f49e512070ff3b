//! A source: a file's format and the profile that reads it.

use std::path::PathBuf;

use serde::Deserialize;

/// The format of a source's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Delimited text by profile.
    Csv,
    /// ISO 20022 camt.052, .053, .054.
    Camt,
    /// Parquet.
    Parquet,
    /// A read-only query on the ledger's database, materialised by `extract`.
    Sql,
}

/// Where a side's files come from and how they are read.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The format.
    pub format: Format,
    /// The file, relative to the configuration; `{date}` stands for the as-of day, `*` for any text.
    pub path: Option<PathBuf>,
    /// The account its entries belong to, where the records name none; else the one expected.
    pub account: Option<String>,
    /// Decimals its amounts are written with, where they are more than the currency's own.
    pub scale: Option<u8>,
    /// Where the evidence comes from; two sides of one origin are not independent.
    pub origin: Option<String>,
}

impl Source {
    /// Whether its values agree with each other.
    pub fn check(&self) -> Result<(), String> {
        if self.path.is_none() && self.format != Format::Sql {
            return Err("`path` is missing".to_owned());
        }
        Ok(())
    }
}
