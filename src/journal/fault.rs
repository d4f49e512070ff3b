//! What the journal may fail at.

use crate::domain::id::RunId;

/// What the journal may fail at.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The URL names no database that is known here.
    #[error("a database is named by `sqlite://…` or `postgres://…`")]
    Url,
    /// Another run was stored meanwhile, and this one rests on what is no longer so: its attempt
    /// is taken, or its numbers are. Nothing of it was stored; it is computed anew.
    #[error("run {run} was overtaken by another that was stored meanwhile: {what}")]
    Overtaken {
        /// The run that was not stored.
        run: RunId,
        /// What is no longer so.
        what: String,
    },
    /// A sum beyond 64 bits of minor units: refused where it is stored (DESIGN §3).
    #[error("discrepancy {id}: {what} is beyond 64 bits of minor units")]
    Range {
        /// Whose.
        id: String,
        /// Which amount.
        what: &'static str,
    },
    /// An entry, a reject or an arrival names a file that its run does not list.
    #[error("the run lists no file {0}")]
    NoSuchFile(String),
    /// A name stands for more than one thing.
    #[error("`{name}` stands for more than one: {}", candidates.join("; "))]
    Several {
        /// The name.
        name: String,
        /// What it may stand for.
        candidates: Vec<String>,
    },
    /// A unique index or a check fired: something above it has a defect.
    #[error("constraint `{constraint}` fired: {message}")]
    Constraint {
        /// Its name in the migrations.
        constraint: String,
        /// The database's own words.
        message: String,
    },
    /// The head of a tenant's hash chain is gone while its runs are there: somebody took it out.
    #[error("runs of tenant `{tenant}` are on record, but the head of their hash chain is gone")]
    NoHead {
        /// Whose.
        tenant: String,
    },
    /// A stored row says what no version of this program writes.
    #[error("row of `{table}`: `{text}` is no {what}")]
    Unreadable {
        /// The table.
        table: &'static str,
        /// What was expected.
        what: &'static str,
        /// What stands there.
        text: String,
    },
    /// A value of ours has no form in JSON.
    #[error("cannot write JSON: {0}")]
    Json(serde_json::Error),
    /// The database cannot be reached, or its schema not be brought up to date.
    #[error("cannot open the database `{database}`: {cause}")]
    Open {
        /// Its name, without its password.
        database: String,
        /// Why.
        cause: String,
    },
    /// The database refused.
    #[error("database: {0}")]
    Database(sqlx::Error),
}

impl From<sqlx::Error> for JournalError {
    fn from(error: sqlx::Error) -> Self {
        let Some(fault) = error.as_database_error() else { return Self::Database(error) };
        match constraint(fault) {
            Some(constraint) => {
                Self::Constraint { constraint, message: fault.message().to_owned() }
            }
            None => Self::Database(error),
        }
    }
}

/// The unique constraints, which SQLite reports by their columns, with their names.
const UNIQUE: [(&str, &str); 7] = [
    ("run.tenant, run.reconciliation, run.as_of, run.attempt", "run_once_per_attempt"),
    ("file.tenant, file.reconciliation, file.side, file.sha256", "file_once_per_side"),
    ("correction.tenant, correction.correction_key", "correction_once_per_key"),
    (
        "correction.tenant, correction.intent_key, correction.form, correction.number",
        "correction_once_per_number",
    ),
    ("correction.tenant, correction.discrepancy_id", "correction_live_per_discrepancy"),
    ("correction.tenant, correction.intent_key, correction.repairs", "correction_live_per_posting"),
    ("opening.tenant, opening.reconciliation, opening.account, opening.currency", "opening_once"),
];

/// The name of the constraint that fired, on either database: PostgreSQL tells it; SQLite tells
/// the name of a check, the columns of a unique constraint, and nothing of a foreign key.
fn constraint(fault: &dyn sqlx::error::DatabaseError) -> Option<String> {
    if let Some(name) = fault.constraint() {
        return Some(name.to_owned());
    }
    let (what, detail) = fault.message().split_once(" constraint failed")?;
    let detail = detail.trim_start_matches(": ");
    let named = UNIQUE.iter().find(|(columns, _)| *columns == detail);
    Some(match (named, detail) {
        (Some((_, name)), _) => (*name).to_owned(),
        (None, "") => what.to_owned(),
        (None, detail) => detail.to_owned(),
    })
}
