//! What a name stands for: an id or how it begins, a hash, a file's name, a correction's key.

use std::collections::BTreeMap;

use sqlx::any::AnyRow;

use crate::journal::{Journal, JournalError, column::get};

/// What can be looked for by a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A run, by its id.
    Run,
    /// A file, by its SHA-256, its name or its id.
    File,
    /// A discrepancy, by its id.
    Discrepancy,
    /// A correction, by its key or its id; it stands for the discrepancy that it repairs.
    Correction,
}

/// How many candidates are listed.
const LISTED: usize = 10;

const RUNS: &str = "
    select run_id as id, run_id as name, as_of as more from run
    where tenant = $1 and (run_id >= $2 and run_id < $3 or run_id = $4)
    order by position limit 11";

const FILES: &str = "
    select file_id as id, name, sha256 as more from file
    where tenant = $1 and (sha256 >= $2 and sha256 < $3 or file_id >= $2 and file_id < $3
        or name = $4)
    order by position limit 11";

const DISCREPANCIES: &str = "
    select discrepancy_id as id, discrepancy_id as name, first_seen as more from discrepancy
    where tenant = $1 and (discrepancy_id >= $2 and discrepancy_id < $3 or discrepancy_id = $4)
    order by position limit 11";

const CORRECTIONS: &str = "
    select discrepancy_id as id, correction_key as name, discrepancy_id as more from correction
    where tenant = $1 and (correction_id >= $2 and correction_id < $3 or correction_key = $4)
    order by position limit 11";

impl Kind {
    fn sql(self) -> &'static str {
        match self {
            Self::Run => RUNS,
            Self::File => FILES,
            Self::Discrepancy => DISCREPANCIES,
            Self::Correction => CORRECTIONS,
        }
    }

    /// What a row of this kind is called in a list of candidates.
    fn told(self, name: &str, more: &str, id: &str) -> String {
        match self {
            Self::Run => format!("run {name} of {more}"),
            Self::File => format!("file `{name}`, SHA-256 {more}, id {id}"),
            Self::Discrepancy => format!("discrepancy {name}, first seen {more}"),
            Self::Correction => format!("correction `{name}` of discrepancy {more}"),
        }
    }

    /// What a row of this kind leads to.
    fn leads_to(self) -> Self {
        match self {
            Self::Correction => Self::Discrepancy,
            Self::Run | Self::File | Self::Discrepancy => self,
        }
    }
}

impl Journal {
    /// The id of the only thing of some kinds that a name stands for, with its kind: a correction
    /// stands for its discrepancy. What is named in full hides what only begins so.
    pub(super) async fn named(
        &self,
        tenant: &str,
        name: &str,
        kinds: &[Kind],
    ) -> Result<Option<(Kind, String)>, JournalError> {
        let (from, to) = span(name);
        let (mut whole, mut begun) = (BTreeMap::new(), BTreeMap::new());
        for kind in kinds {
            let query = sqlx::query(kind.sql()).bind(tenant);
            let query = query.bind(from.clone()).bind(to.clone()).bind(name);
            for row in query.fetch_all(&self.pool).await? {
                let (found, texts) = candidate(*kind, &row)?;
                let is_whole = texts.iter().any(|it| it == name);
                let told = kind.told(&texts[0], &texts[1], &found.1);
                let to = if is_whole { &mut whole } else { &mut begun };
                to.entry(found).or_insert(told);
            }
        }
        let mut found = if whole.is_empty() { begun } else { whole };
        let first = found.pop_first();
        let Some((first, told)) = first else { return Ok(None) };
        if found.is_empty() {
            return Ok(Some(first));
        }
        let mut candidates: Vec<_> = std::iter::once(told).chain(found.into_values()).collect();
        if candidates.len() > LISTED {
            candidates.truncate(LISTED);
            candidates.push("and more".to_owned());
        }
        Err(JournalError::Several { name: name.to_owned(), candidates })
    }
}

/// What a row leads to, and its name, what more is said of it, and its id.
fn candidate(kind: Kind, row: &AnyRow) -> Result<((Kind, String), [String; 3]), JournalError> {
    let id = get(row, "id")?;
    Ok(((kind.leads_to(), id.clone()), [get(row, "name")?, get(row, "more")?, id]))
}

/// The ids that begin with a text: from it on, and below the next. Ids are hexadecimal digits and
/// dashes, all below `g`.
fn span(prefix: &str) -> (String, String) {
    let prefix = prefix.to_lowercase();
    let end = format!("{prefix}g");
    (prefix, end)
}
