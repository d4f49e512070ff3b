//! The journal: everything that is kept, on SQLite or PostgreSQL, and all SQL of the house.
//!
//! One text of SQL serves both databases: columns are texts and 64-bit integers, parameters are
//! `$1`, and the `Any` driver speaks to either. Rows of record are only added, each as a link of
//! its tenant's hash chain (see [`ChainState`]).

mod chain;
mod column;
mod connect;
mod correction;
mod discrepancy;
mod evidence;
mod fault;
mod file;
mod look;
mod named;
mod opening;
mod record;
mod row;
mod run;
mod schema;
mod table;
mod trail;

use sqlx::any::Any;

pub use chain::ChainState;
pub use connect::database_name;
pub use discrepancy::{Detail, State};
pub use evidence::Evidence;
pub use fault::JournalError;
pub use look::{History, OpenItem, Stored, StoredDiscrepancy};
pub use opening::{SignOff, Signed};
pub use record::Recording;
pub use run::StoredRun;
pub use trail::TrailRow;

/// Which database it is; only the beginning of a transaction differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Sqlite,
    Postgres,
}

/// A database with the journal in it.
#[derive(Debug, Clone)]
pub struct Journal {
    pool: sqlx::Pool<Any>,
    dialect: Dialect,
}

/// A transaction on either database.
type Transaction = sqlx::Transaction<'static, Any>;

impl Journal {
    /// Closes every connection.
    pub async fn close(self) {
        self.pool.close().await;
    }

    /// Begins to write. SQLite is told so at once: a reader that turns writer would fail where
    /// another wrote in between.
    async fn begin(&self) -> Result<Transaction, JournalError> {
        let begin = match self.dialect {
            Dialect::Sqlite => "begin immediate",
            Dialect::Postgres => "begin",
        };
        Ok(self.pool.begin_with(begin).await?)
    }
}
