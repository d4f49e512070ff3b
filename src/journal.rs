//! The journal: everything that is kept, on SQLite or PostgreSQL, and all SQL of the house.
//!
//! One text of SQL serves both databases: columns are texts and 64-bit integers, parameters are
//! `$1`, and the `Any` driver speaks to either. Rows of record are only added, each as a link of
//! its tenant's hash chain (see [`ChainState`]).

mod chain;
mod column;
mod correction;
mod discrepancy;
mod evidence;
mod fault;
mod file;
mod look;
mod opening;
mod record;
mod row;
mod run;
mod table;
mod trail;

use sqlx::{
    SqlSafeStr,
    any::{Any, AnyPoolOptions},
    migrate::{Migration, MigrationType, Migrator},
};

pub use chain::ChainState;
pub use discrepancy::{Detail, State};
pub use evidence::Evidence;
pub use fault::JournalError;
pub use look::{History, OpenItem, StoredDiscrepancy};
pub use opening::SignOff;
pub use record::Recording;
pub use run::StoredRun;
pub use trail::TrailRow;

/// The migrations of SQLite; PostgreSQL has the same numbers.
const SQLITE: [(i64, &str, &str); 1] =
    [(1, "journal", include_str!("../migrations/sqlite/0001_journal.sql"))];

/// The migrations of PostgreSQL.
const POSTGRES: [(i64, &str, &str); 1] =
    [(1, "journal", include_str!("../migrations/postgres/0001_journal.sql"))];

/// What every connection to SQLite is told first: nothing that was acknowledged is ever lost, who
/// finds the database busy waits, and 64 MB of it are kept in memory while a bad day is written. Its
/// rows are long, so its pages are; they go from the log to their place when the last connection
/// closes, or when the log is longer than a bad day makes it.
const PRAGMAS: [&str; 7] = [
    "pragma page_size = 16384",
    "pragma journal_mode = wal",
    "pragma synchronous = full",
    "pragma foreign_keys = on",
    "pragma busy_timeout = 60000",
    "pragma cache_size = -65536",
    "pragma wal_autocheckpoint = 16384",
];

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
    /// Opens the database of a URL, `sqlite://…` (made if it is not there) or `postgres://…`, and
    /// brings it up to date.
    pub async fn connect(url: &str) -> Result<Self, JournalError> {
        sqlx::any::install_default_drivers();
        let (dialect, url) = dialect(url)?;
        let pool = AnyPoolOptions::new()
            .max_connections(4)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if dialect == Dialect::Sqlite {
                        for pragma in PRAGMAS {
                            sqlx::raw_sql(pragma).execute(&mut *connection).await?;
                        }
                    }
                    Ok(())
                })
            })
            .connect(&url)
            .await?;
        migrator(dialect).run(&pool).await?;
        Ok(Self { pool, dialect })
    }

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

/// Which database a URL names, and the URL with which it is opened.
fn dialect(url: &str) -> Result<(Dialect, String), JournalError> {
    if url.starts_with("postgres://") || url.starts_with("postgresql://") {
        return Ok((Dialect::Postgres, url.to_owned()));
    }
    if !url.starts_with("sqlite:") {
        return Err(JournalError::Url);
    }
    let separator = if url.contains('?') { '&' } else { '?' };
    let made = if url.contains("mode=") { String::new() } else { format!("{separator}mode=rwc") };
    Ok((Dialect::Sqlite, format!("{url}{made}")))
}

fn migrator(dialect: Dialect) -> Migrator {
    let all = match dialect {
        Dialect::Sqlite => SQLITE,
        Dialect::Postgres => POSTGRES,
    };
    let migrations = all.map(|(number, name, sql)| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.into())
}
