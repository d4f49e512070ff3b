//! Opening a database and bringing it up to date, also where many do so at once.

use std::{path::PathBuf, str::FromStr as _, time::Duration};

use sqlx::{
    AnyConnection, Connection as _, Row as _, SqlSafeStr,
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

/// What a connection is told that only reads.
const READING_SQLITE: [&str; 2] = ["pragma busy_timeout = 60000", "pragma query_only = on"];

/// The same for PostgreSQL.
const READING_POSTGRES: [&str; 1] = ["set default_transaction_read_only = on"];

/// The number of the newest migration.
const NEWEST: i64 = SQLITE[SQLITE.len() - 1].0;

const MIGRATED: &str = "
    select cast(coalesce(max(version), 0) as bigint) as number from _sqlx_migrations";

/// How often SQLite is asked to keep a log before being busy is an error.
const ATTEMPTS: u32 = 100;

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

    /// Opens the database of a URL only to be read: it is neither made nor changed, and may lie
    /// where nothing can be written. `None` where there is none yet, or no journal in it.
    pub async fn read(url: &str) -> Result<Option<Self>, JournalError> {
        let database = Database::of(url)?;
        let opened = database.open_to_read().await;
        opened.map_err(|cause| JournalError::Open { database: database.name, cause })
    }
}

/// What a URL's name is to people: never with a password. A text that names no database is not
/// repeated, for it may hold one.
pub fn database_name(url: &str) -> Result<String, JournalError> {
    Database::of(url).map(|it| it.name)
}

/// A database that a URL names.
struct Database {
    dialect: Dialect,
    /// The URL with which it is opened.
    url: String,
    /// Where it lies, if it is a file.
    file: Option<PathBuf>,
    /// What it is called: never with its password.
    name: String,
}

impl Database {
    fn of(url: &str) -> Result<Self, JournalError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(url).map_err(|_| JournalError::Url)?;
            let name = postgres_name(&options);
            return Ok(Self { dialect: Dialect::Postgres, url: url.to_owned(), file: None, name });
        }
        if !url.starts_with("sqlite:") {
            return Err(JournalError::Url);
        }
        let options = SqliteConnectOptions::from_str(url).map_err(|_| JournalError::Url)?;
        let in_memory = url.contains(":memory:") || url.contains("mode=memory");
        let file = (!in_memory).then(|| options.get_filename().to_owned());
        let name = url.split('?').next().unwrap_or(url).to_owned();
        Ok(Self { dialect: Dialect::Sqlite, url: url.to_owned(), file, name })
    }

    async fn open(&self) -> Result<Journal, String> {
        let url = match self.dialect {
            Dialect::Sqlite if !self.url.contains("mode=") => with(&self.url, "mode=rwc"),
            Dialect::Sqlite | Dialect::Postgres => self.url.clone(),
        };
        let mut first = reach(&url).await?;
        let told = match self.dialect {
            Dialect::Sqlite => &PRAGMAS[..],
            Dialect::Postgres => &[],
        };
        tell(&mut first, told).await.map_err(cause)?;
        migrate(&mut first, self.dialect).await?;
        first.close().await.map_err(cause)?;
        self.pool(&url, told)
    }

    async fn open_to_read(&self) -> Result<Option<Journal>, String> {
        if self.file.as_ref().is_some_and(|file| !file.exists()) {
            return Ok(None);
        }
        let told = match self.dialect {
            Dialect::Sqlite => &READING_SQLITE[..],
            Dialect::Postgres => &READING_POSTGRES,
        };
        let url = match self.dialect {
            // Not `ro`: who may write cleans up what reading itself leaves beside the file.
            Dialect::Sqlite => with(&self.url.replace("mode=rwc", "mode=rw"), "mode=rw"),
            Dialect::Postgres => self.url.clone(),
        };
        let (url, newest) = match newest(&url, told).await {
            Err(Refused::Readonly(_)) if self.is_all_in_its_file() => {
                let url = with(&url, "immutable=true");
                let newest = newest(&url, told).await;
                (url, newest)
            }
            newest => (url, newest),
        };
        match newest.map_err(Refused::into_cause)? {
            None | Some(0) => Ok(None),
            Some(number) if number < NEWEST => Err(older()),
            Some(number) if number > NEWEST => Err(newer()),
            Some(_) => self.pool(&url, told).map(Some),
        }
    }

    /// Whether nothing waits in the log of SQLite, which reading where nothing can be written would
    /// pass over.
    fn is_all_in_its_file(&self) -> bool {
        let Some(file) = &self.file else { return false };
        let mut log = file.clone().into_os_string();
        log.push("-wal");
        PathBuf::from(log).metadata().map_or(true, |it| it.len() == 0)
    }

    /// Connections that are opened when they are needed.
    fn pool(&self, url: &str, told: &'static [&'static str]) -> Result<Journal, String> {
        let pool = AnyPoolOptions::new()
            .max_connections(4)
            .after_connect(move |connection, _| Box::pin(tell(connection, told)))
            .connect_lazy(url)
            .map_err(cause)?;
        Ok(Journal { pool, dialect: self.dialect })
    }
}

/// A connection, or why there is none. A pool would try again for half a minute.
async fn reach(url: &str) -> Result<AnyConnection, String> {
    sqlx::any::install_default_drivers();
    match tokio::time::timeout(PATIENCE, AnyConnection::connect(url)).await {
        Ok(reached) => reached.map_err(cause),
        Err(_) => Err(format!("no answer within {} s", PATIENCE.as_secs())),
    }
}

/// Why nothing could be read.
enum Refused {
    /// SQLite has no place for what it writes beside a file that it reads.
    Readonly(String),
    /// Anything else.
    Other(String),
}

impl Refused {
    fn of(error: sqlx::Error) -> Self {
        // `SQLITE_READONLY` and `SQLITE_CANTOPEN`.
        if matches!(sqlite_code(&error), Some(8 | 14)) {
            return Self::Readonly(cause(error));
        }
        Self::Other(cause(error))
    }

    fn into_cause(self) -> String {
        match self {
            Self::Readonly(cause) | Self::Other(cause) => cause,
        }
    }
}

/// The number of the newest migration that a database has had; `None` where it has no journal.
async fn newest(url: &str, told: &[&'static str]) -> Result<Option<i64>, Refused> {
    let mut first = reach(url).await.map_err(Refused::Other)?;
    let read = async {
        tell(&mut first, told).await?;
        let row = sqlx::query(MIGRATED).fetch_one(&mut first).await?;
        row.try_get::<i64, _>("number")
    };
    let read = read.await;
    let number = match read {
        Ok(number) => Some(number),
        Err(error) if is_no_table(&error) => None,
        Err(error) => return Err(Refused::of(error)),
    };
    first.close().await.map_err(Refused::of)?;
    Ok(number)
}

/// Whether a database says that it has no such table; each has its own words for it.
fn is_no_table(error: &sqlx::Error) -> bool {
    let fault = error.as_database_error();
    fault.is_some_and(|it| {
        it.code().is_some_and(|code| code == "42P01") || it.message().starts_with("no such table")
    })
}

/// A URL with one more parameter, unless it says something of that already.
fn with(url: &str, parameter: &str) -> String {
    let name = parameter.split('=').next().unwrap_or(parameter);
    if url.contains(&format!("{name}=")) {
        return url.to_owned();
    }
    let separator = if url.contains('?') { '&' } else { '?' };
    format!("{url}{separator}{parameter}")
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
#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands it over")]
fn cause(error: sqlx::Error) -> String {
    if let Some(fault) = error.as_database_error() {
        return fault.message().to_owned();
    }
    if let sqlx::Error::Io(cause) = &error { cause.to_string() } else { error.to_string() }
}

/// Tells a connection what every one is told first.
async fn tell(connection: &mut AnyConnection, told: &[&'static str]) -> Result<(), sqlx::Error> {
    for text in told {
        tell_one(connection, text).await?;
    }
    Ok(())
}

/// Tells SQLite one thing. It does not wait where a database that keeps no log yet is to keep one,
/// and another connection is at it; whoever is told so waits for the other by asking to write.
async fn tell_one(connection: &mut AnyConnection, pragma: &'static str) -> Result<(), sqlx::Error> {
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
    sqlite_code(error) == Some(5)
}

/// The primary result code of SQLite, which those that extend it have in the low byte; the codes of
/// PostgreSQL have five characters.
fn sqlite_code(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error()?.code()?;
    let number = if code.len() < 5 { code.parse::<u32>().ok()? } else { return None };
    Some(number & 0xff)
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
        MigrateError::VersionMissing(_) => newer(),
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => cause(error),
        other => format!("it cannot be brought up to date: {other}"),
    }
}

/// Why a schema of the future is left alone.
fn newer() -> String {
    "it was made by a newer version of this program".to_owned()
}

/// Why a schema of the past is not read: reading changes nothing.
fn older() -> String {
    "it was made by an older version of this program; a run brings it up to date".to_owned()
}

/// The whole schema, as all migrations together make it.
pub(super) fn schema(dialect: Dialect) -> String {
    let migrations = match dialect {
        Dialect::Sqlite => SQLITE,
        Dialect::Postgres => POSTGRES,
    };
    migrations.map(|(_, _, sql)| sql).concat()
}

fn migrator<const N: usize>(migrations: [(i64, &'static str, &'static str); N]) -> Migrator {
    let migrations = migrations.map(|(number, name, sql)| {
        Migration::new(number, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.into())
}
