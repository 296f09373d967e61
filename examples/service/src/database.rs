//! The database: SQLite in one file, or PostgreSQL for several nodes, through sqlx.
//!
//! The queries are the same for both. `unixepoch()` is the time of the database, on which all nodes
//! agree. Where two requests must come one after the other, an `UPDATE` that changes nothing locks
//! a row, so that the second one waits, on any node.
//!
//! A statement that writes and returns rows is read to its end, with `fetch_all`, if it is not in a
//! transaction. SQLite commits it at the end, and `fetch_one` would not see that this fails.

use std::{fs::OpenOptions, path::Path, time::Duration};

use futures_util::future::{BoxFuture, ready};
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::error::BoxDynError;
use sqlx::migrate::{Migration, MigrationSource, MigrationType, Migrator};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AnyPool, ConnectOptions, Connection as _, Executor};

use crate::error::Result;

pub(crate) type Connection = sqlx::AnyConnection;
pub(crate) type Transaction = sqlx::Transaction<'static, sqlx::Any>;

/// How long a request waits for a connection.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// A statement does not outlive its request for long, and a node that is frozen holds no row.
const POSTGRES_TIMES: &str = "SET lock_timeout = '5s'; SET statement_timeout = '8s';
    SET idle_in_transaction_session_timeout = '15s'";

/// Two pools, because SQLite has one writer at a time: writers queue for the one connection of
/// their pool, and none of them times out on the lock. With PostgreSQL, both are the same.
#[derive(Clone)]
pub(crate) struct Database {
    pub(crate) read: AnyPool,
    pub(crate) write: AnyPool,
}

impl Database {
    /// Begins to write. If a client disconnects, its request is dropped. A transaction that was
    /// dropped while it began would leave its connection half open, so it begins in a task.
    pub(crate) async fn begin(&self) -> Result<Transaction> {
        let pool = self.write.clone();
        Ok(tokio::spawn(async move { pool.begin().await }).await??)
    }
}

/// A change of the tables of a deployed service is one more file.
const MIGRATIONS: [&str; 2] =
    [include_str!("../migrations/1_tables.sql"), include_str!("../migrations/2_probes.sql")];

#[derive(Debug)]
enum Tables {
    Sqlite,
    Postgres,
}

impl MigrationSource<'static> for Tables {
    fn resolve(self) -> BoxFuture<'static, Result<Vec<Migration>, BoxDynError>> {
        let migrations = (1..).zip(MIGRATIONS).map(|(number, sql)| {
            let sql = self.dialect(sql).into();
            Migration::new(number, "tables".into(), MigrationType::Simple, sql, false)
        });
        Box::pin(ready(Ok(migrations.collect())))
    }
}

impl Tables {
    fn dialect(&self, sql: &str) -> String {
        match self {
            Self::Sqlite => sql
                .replace(
                    "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
                    "INTEGER PRIMARY KEY AUTOINCREMENT",
                )
                .replace("BIGINT", "INTEGER")
                .replace("\n);\n\n", "\n) STRICT;\n\n"),
            Self::Postgres => format!(
                "CREATE OR REPLACE FUNCTION unixepoch() RETURNS BIGINT LANGUAGE sql STABLE
                AS 'SELECT floor(extract(epoch FROM now()))::BIGINT';\n{sql}"
            ),
        }
    }
}

/// Opens the database, creates the file if it does not exist, and brings the tables up to date.
pub(crate) async fn open(database: &str) -> Result<Database> {
    install_default_drivers();
    let pool = |connections| {
        let pool = AnyPoolOptions::new().max_connections(connections).acquire_timeout(MAX_WAIT);
        // If SQLite fails to commit, it rolls back by itself, and sqlx still counts a transaction.
        // The next one would begin inside of it, and nothing would be stored.
        pool.before_acquire(|connection, _| Box::pin(ready(Ok(!connection.is_in_transaction()))))
    };
    if is_postgres(database) {
        let pool = pool(16).after_connect(|connection, _| {
            Box::pin(async { connection.execute(POSTGRES_TIMES).await.map(drop) })
        });
        // sqlx takes a lock: of several nodes that start at once, one creates the tables.
        migrate(database, Tables::Postgres).await?;
        let pool = pool.connect(database).await?;
        return Ok(Database { read: pool.clone(), write: pool });
    }
    let path = Path::new(database);
    let mut file = OpenOptions::new();
    // The signing keys are in there: nobody else may read it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    file.create(true).append(true).open(path)?;
    // Of several programs that start at once, one creates the tables. SQLite does not queue those
    // that come while it switches a new database to WAL, so they wait here.
    let first = file.open(path.with_added_extension("lock"))?;
    first.lock()?;
    let url = SqliteConnectOptions::new().filename(path).to_url_lossy();
    migrate(url.as_str(), Tables::Sqlite).await?;
    let write = pool(1).connect(url.as_str()).await?;
    let read = pool(4).connect(url.as_str()).await?;
    Ok(Database { read, write })
}

/// Brings the tables up to date. A node may be older than the tables: others restart before it.
async fn migrate(url: &str, tables: Tables) -> Result<()> {
    let mut connection = Connection::connect(url).await?;
    if let Tables::Sqlite = tables {
        // Readers do not wait for the writer. A commit survives a power failure, by default.
        connection.execute("PRAGMA journal_mode = WAL").await?;
    }
    Migrator::new(tables).await?.set_ignore_missing(true).run(&mut connection).await?;
    Ok(connection.close().await?)
}

fn is_postgres(database: &str) -> bool {
    database.starts_with("postgres://") || database.starts_with("postgresql://")
}

/// Returns what may be printed: the path of the file, or the server and the name.
pub(crate) fn name(database: &str) -> &str {
    if !is_postgres(database) {
        return database;
    }
    let (server, query) = database.split_once('?').unwrap_or((database, ""));
    match server.rsplit_once('@') {
        // A password is written there, or has a `?`.
        _ if query.contains('@') => "PostgreSQL",
        Some((_, server)) => server,
        None => server,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_in_a_name() {
        for (url, printed) in [
            ("notes.db", "notes.db"),
            ("postgres://me:secret@host:5432/notes?sslmode=disable", "host:5432/notes"),
            ("postgresql://host/notes", "postgresql://host/notes"),
            ("postgres://host/notes?password=sec@ret", "PostgreSQL"),
            ("postgres://me:sec?ret@host/notes", "PostgreSQL"),
        ] {
            assert_eq!(name(url), printed);
        }
    }
}
