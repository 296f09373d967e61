//! The database: SQLite in one file, through sqlx.
//!
//! To use another database of sqlx, change this file and the types in `migrations`.

use std::io::{Write, stdout};
use std::{fs::OpenOptions, path::Path};

use futures_util::future::{BoxFuture, ready};
use sqlx::error::BoxDynError;
use sqlx::migrate::{Migration, MigrationSource, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use tollgate::secrecy::ExposeSecret;

use crate::{error::Result, passwords, secrets, signing};

pub(crate) type Connection = sqlx::SqliteConnection;

/// With the feature `macros`, `sqlx::migrate!()` does the same, and takes longer to compile.
#[derive(Debug)]
struct Migrations;

impl MigrationSource<'static> for Migrations {
    fn resolve(self) -> BoxFuture<'static, Result<Vec<Migration>, BoxDynError>> {
        let sql = include_str!("../migrations/1_tables.sql");
        let tables = Migration::new(1, "tables".into(), MigrationType::Simple, sql.into(), false);
        Box::pin(ready(Ok(vec![tables])))
    }
}

/// Two pools, because SQLite has one writer at a time: writers queue for the one connection of
/// their pool, and none of them times out on the lock. With PostgreSQL, both would be the same.
pub(crate) struct Database {
    pub(crate) read: SqlitePool,
    pub(crate) write: SqlitePool,
}

/// Opens the database, creates it if it does not exist, and brings its tables up to date.
pub(crate) async fn open(path: &Path) -> Result<Database> {
    let mut file = OpenOptions::new();
    // The signing key is in there: nobody else may read it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o600);
    file.create(true).append(true).open(path)?;
    // Of several programs that start at once, one creates the tables. SQLite does not queue those
    // that come while it switches a new database to WAL, so they wait here.
    let first = file.open(path.with_added_extension("lock"))?;
    first.lock()?;
    // Readers do not wait for the writer (WAL). A commit survives a power failure, by default.
    let options = SqliteConnectOptions::new().filename(path);
    let options = options.journal_mode(SqliteJournalMode::Wal);
    let pool = |connections| SqlitePoolOptions::new().max_connections(connections);
    let write = pool(1).connect_with(options.clone()).await?;
    Migrator::new(Migrations).await?.run(&write).await?;
    let read = pool(4).connect_with(options).await?;
    Ok(Database { read, write })
}

/// Fills a new database, and prints each secret once. Later starts do nothing.
pub(crate) async fn fill(db: &Database, url: &str) -> Result<()> {
    let mut transaction = db.write.begin().await?;
    let sql = "INSERT INTO signing_key (id, pkcs8) VALUES (1, $1) ON CONFLICT DO NOTHING";
    let query = sqlx::query(sql).bind(signing::new_key()?);
    if query.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(());
    }
    let (admin, reporter, job) = (secrets::random()?, secrets::random()?, secrets::random()?);
    let sql = "INSERT INTO accounts (id, name, password_hash, is_admin)
        VALUES ($1, 'admin', $2, TRUE)";
    let (id, hash) = (secrets::random_id()?, passwords::hash(&admin)?);
    let query = sqlx::query(sql).bind(id).bind(hash);
    query.execute(&mut *transaction).await?;
    let sql = r#"INSERT INTO clients (id, secret_hash, grants, scopes)
        VALUES ('reporter', $1, '["client_credentials"]', '["stats:read"]')"#;
    let query = sqlx::query(sql).bind(secrets::hash(&reporter));
    query.execute(&mut *transaction).await?;
    let sql = r#"INSERT INTO api_keys (id, secret_hash, scopes)
        VALUES ('purge-job', $1, '["maintenance"]')"#;
    let query = sqlx::query(sql).bind(secrets::hash(&job));
    query.execute(&mut *transaction).await?;

    // Printed before the hashes are committed: if that fails, the next start makes other secrets.
    let [admin, reporter, job] = [&admin, &reporter, &job].map(ExposeSecret::expose_secret);
    writeln!(
        stdout(),
        "These secrets are new, and shown only now:
  the password of `admin`: {admin}
  curl -u 'reporter:{reporter}' -d grant_type=client_credentials {url}/token
  curl -X POST -H 'x-api-key: purge-job.{job}' {url}/purge"
    )?;
    Ok(transaction.commit().await?)
}
