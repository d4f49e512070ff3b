//! Opening a database and bringing it up to date, also where many do so at once.

use std::{str::FromStr as _, time::Duration};

use sqlx::{
    AnyConnection, Connection as _, SqlSafeStr,
    any::AnyPoolOptions,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    postgres::PgConnectOptions,
    sqlite::SqliteConnectOptions,
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

/// Why a schema of the future is left alone.
const NEWER: &str = "it was made by a newer version of this program";

/// How long a server may take to answer: one that is not there need not refuse.
const PATIENCE: Duration = Duration::from_secs(10);

impl Journal {
    /// Opens the database of a URL, `sqlite://…` (made if it is not there) or `postgres://…`, and
    /// brings it up to date. Trouble is told at once, by the name of the database.
    pub async fn connect(url: &str) -> Result<Self, JournalError> {
        let database = Database::of(url)?;
        let opened = database.open().await;
        opened.map_err(|cause| JournalError::Open { database: database.name, cause })
    }
}

/// A database that a URL names.
struct Database {
    dialect: Dialect,
    /// The URL with which it is opened.
    url: String,
    /// What it is called: never with its password.
    name: String,
}

impl Database {
    fn of(url: &str) -> Result<Self, JournalError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(url).map_err(|_| JournalError::Url)?;
            let name = postgres_name(&options);
            return Ok(Self { dialect: Dialect::Postgres, url: url.to_owned(), name });
        }
        if !url.starts_with("sqlite:") || SqliteConnectOptions::from_str(url).is_err() {
            return Err(JournalError::Url);
        }
        let name = url.split('?').next().unwrap_or(url).to_owned();
        let separator = if url.contains('?') { '&' } else { '?' };
        let made =
            if url.contains("mode=") { String::new() } else { format!("{separator}mode=rwc") };
        Ok(Self { dialect: Dialect::Sqlite, url: format!("{url}{made}"), name })
    }

    async fn open(&self) -> Result<Journal, String> {
        let dialect = self.dialect;
        let mut first = self.reach().await?;
        prepare(&mut first, dialect).await.map_err(cause)?;
        migrate(&mut first, dialect).await?;
        first.close().await.map_err(cause)?;
        let pool = AnyPoolOptions::new()
            .max_connections(4)
            .after_connect(move |connection, _| Box::pin(prepare(connection, dialect)))
            .connect_lazy(&self.url)
            .map_err(cause)?;
        Ok(Journal { pool, dialect })
    }

    /// A connection, or why there is none. A pool would try again for half a minute.
    async fn reach(&self) -> Result<AnyConnection, String> {
        sqlx::any::install_default_drivers();
        match tokio::time::timeout(PATIENCE, AnyConnection::connect(&self.url)).await {
            Ok(reached) => reached.map_err(cause),
            Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
        }
    }
}

/// A PostgreSQL database by whom, where and which.
fn postgres_name(options: &PgConnectOptions) -> String {
    let user = options.get_username();
    let place = options.get_socket().map_or_else(
        || format!("{}:{}", options.get_host(), options.get_port()),
        |socket| socket.display().to_string(),
    );
    format!("postgres://{user}@{place}/{}", options.get_database().unwrap_or(user))
}

/// Why the database refuses, in its own words and without those of the driver.
fn cause(error: sqlx::Error) -> String {
    if let Some(fault) = error.as_database_error() {
        return fault.message().to_owned();
    }
    if let sqlx::Error::Io(cause) = &error { cause.to_string() } else { error.to_string() }
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
async fn migrate(connection: &mut AnyConnection, dialect: Dialect) -> Result<(), String> {
    match dialect {
        Dialect::Postgres => {
            migrator(POSTGRES).run_direct(None, connection, false).await.map_err(outdated)
        }
        Dialect::Sqlite => {
            let mut locked = connection.begin_with("begin immediate").await.map_err(cause)?;
            migrator(SQLITE).run_direct(None, &mut *locked, false).await.map_err(outdated)?;
            locked.commit().await.map_err(cause)
        }
    }
}

/// Why the schema could not be brought up to date.
fn outdated(error: MigrateError) -> String {
    #[expect(clippy::wildcard_enum_match_arm, reason = "not our enum; the rest is told as it is")]
    match error {
        MigrateError::VersionMissing(_) => NEWER.to_owned(),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => cause(error),
        other => format!("it cannot be brought up to date: {other}"),
    }
}

fn migrator<const N: usize>(migrations: [(i64, &'static str, &'static str); N]) -> Migrator {
    let migrations = migrations.map(|(number, name, sql)| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.into())
}
