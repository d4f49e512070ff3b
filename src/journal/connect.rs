//! Opening a database and bringing it up to date, also where many do so at once.

use sqlx::{
    AnyConnection, Connection as _, SqlSafeStr,
    any::AnyPoolOptions,
    migrate::{Migration, MigrationType, Migrator},
};

use crate::journal::{Dialect, Journal, JournalError};

/// The migrations of SQLite; PostgreSQL has the same numbers.
const SQLITE: [(i64, &str, &str); 1] =
    [(1, "journal", include_str!("../../migrations/sqlite/0001_journal.sql"))];

/// The migrations of PostgreSQL.
const POSTGRES: [(i64, &str, &str); 1] =
    [(1, "journal", include_str!("../../migrations/postgres/0001_journal.sql"))];

/// What every connection to SQLite is told first: nothing that was acknowledged is ever lost, who
/// finds the database busy waits, and 64 MB of it are kept in memory while a bad day is written. Its
/// rows are long, so its pages are; they go from the log to their place when the last connection
/// closes, or when the log is longer than a bad day makes it.
const PRAGMAS: [&str; 7] = [
    "pragma busy_timeout = 60000",
    "pragma page_size = 16384",
    "pragma journal_mode = wal",
    "pragma synchronous = full",
    "pragma foreign_keys = on",
    "pragma cache_size = -65536",
    "pragma wal_autocheckpoint = 16384",
];

/// How often SQLite is asked to keep a log before being busy is an error.
const ATTEMPTS: u32 = 100;

impl Journal {
    /// Opens the database of a URL, `sqlite://…` (made if it is not there) or `postgres://…`, and
    /// brings it up to date.
    pub async fn connect(url: &str) -> Result<Self, JournalError> {
        sqlx::any::install_default_drivers();
        let (dialect, url) = dialect(url)?;
        let mut first = AnyConnection::connect(&url).await?;
        prepare(&mut first, dialect).await?;
        migrate(&mut first, dialect).await?;
        first.close().await?;
        let pool = AnyPoolOptions::new()
            .max_connections(4)
            .after_connect(move |connection, _| Box::pin(prepare(connection, dialect)))
            .connect(&url)
            .await?;
        Ok(Self { pool, dialect })
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

/// Tells a connection what every one is told first.
async fn prepare(connection: &mut AnyConnection, dialect: Dialect) -> Result<(), sqlx::Error> {
    match dialect {
        Dialect::Postgres => Ok(()),
        Dialect::Sqlite => {
            for pragma in PRAGMAS {
                told(connection, pragma).await?;
            }
            Ok(())
        }
    }
}

/// Tells SQLite one thing. It does not wait where a database that keeps no log yet is to keep one,
/// and another connection is at it; whoever is told so waits for the other by asking to write.
async fn told(connection: &mut AnyConnection, pragma: &'static str) -> Result<(), sqlx::Error> {
    for _ in 1..ATTEMPTS {
        match sqlx::raw_sql(pragma).execute(&mut *connection).await {
            Err(error) if is_busy(&error) => {
                connection.begin_with("begin immediate").await?.rollback().await?;
            }
            told => return told.map(drop),
        }
    }
    sqlx::raw_sql(pragma).execute(&mut *connection).await.map(drop)
}

/// Whether SQLite says that another connection holds what is asked for.
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|it| it.code());
    // `SQLITE_BUSY` and what extends it, in the low byte.
    code.and_then(|it| it.parse::<u32>().ok()).is_some_and(|it| it & 0xff == 5)
}

/// Brings the schema up to date under a lock, so that of many that open a fresh database one makes
/// it and the others find it made. For PostgreSQL the migrator takes an advisory lock itself.
async fn migrate(connection: &mut AnyConnection, dialect: Dialect) -> Result<(), JournalError> {
    match dialect {
        Dialect::Postgres => migrator(POSTGRES).run_direct(None, connection, false).await?,
        Dialect::Sqlite => {
            let mut locked = connection.begin_with("begin immediate").await?;
            migrator(SQLITE).run_direct(None, &mut *locked, false).await?;
            locked.commit().await?;
        }
    }
    Ok(())
}

fn migrator<const N: usize>(migrations: [(i64, &'static str, &'static str); N]) -> Migrator {
    let migrations = migrations.map(|(number, name, sql)| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.into())
}
