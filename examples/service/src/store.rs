//! The database: SQLite, in one file.
//!
//! A unit of work is a closure that runs on a thread for blocking work, with a connection of its
//! own, in one transaction. A transaction that writes begins with `BEGIN IMMEDIATE`: it has the
//! lock before it reads, so what it has read still holds when it writes. Those who read do not wait
//! for it, because the journal is a write-ahead log (WAL). What is committed stays, even if the
//! power fails (`synchronous = FULL`).
//!
//! SQLite has one writer at a time. Those of this program stand in a queue, so none of them waits
//! in vain.
//!
//! `PATH.lock` is beside the database. Who opens that locks it, so that of several programs that
//! start at once one makes the tables.

use std::error::Error;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use rusqlite_migration::{M, Migrations};
use tokio::sync::Semaphore;

use crate::error::Internal;

const MIGRATIONS: &[M<'_>] = &[
    M::up(include_str!("../migrations/1-first.sql")),
    M::up(include_str!("../migrations/2-known-networks.sql")),
];

const READERS: usize = 4;

/// How long a transaction waits for that of another program, such as a backup.
const WAIT: Duration = Duration::from_secs(5);

#[derive(Clone)]
pub(crate) struct Store {
    path: PathBuf,
    idle: Arc<Mutex<Vec<Connection>>>,
    readers: Arc<Semaphore>,
    writer: Arc<Semaphore>,
}

impl Store {
    /// Opens the database, creates it if there is none, and brings its tables up to date.
    pub(crate) fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut options = OpenOptions::new();
        // The key that signs tokens is in there: nobody else may read it.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.create(true).append(true);
        // Which migrations are missing is read before the transaction that makes them, so nobody
        // else may do the same until this is closed.
        let lock = options.open(lock_path(path))?;
        lock.lock()?;
        options.open(path)?;
        let mut connection = connect(path)?;
        let migrated = Migrations::from_slice(MIGRATIONS).to_latest(&mut connection);
        migrated.map_err(short)?;
        drop(lock);
        Ok(Self {
            path: path.to_owned(),
            idle: Arc::new(Mutex::new(vec![connection])),
            readers: Arc::new(Semaphore::new(READERS)),
            writer: Arc::new(Semaphore::new(1)),
        })
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Internal> + Send + 'static,
    ) -> Result<T, Internal> {
        self.run(&self.readers, TransactionBehavior::Deferred, work)
            .await
    }

    /// Commits what the work has done, unless it returns an error.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Internal> + Send + 'static,
    ) -> Result<T, Internal> {
        self.run(&self.writer, TransactionBehavior::Immediate, work)
            .await
    }

    async fn run<T: Send + 'static>(
        &self,
        queue: &Arc<Semaphore>,
        behavior: TransactionBehavior,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Internal> + Send + 'static,
    ) -> Result<T, Internal> {
        let permit = queue.clone().acquire_owned().await?;
        let store = self.clone();
        // If the caller goes away, the work goes on, and keeps its permit until it is done.
        let done = tokio::task::spawn_blocking(move || {
            let idle = || store.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = idle().pop();
            let mut connection = kept.map_or_else(|| connect(&store.path), Ok)?;
            let result = transact(&mut connection, behavior, work);
            idle().push(connection);
            drop(permit);
            result
        });
        done.await?
    }
}

fn transact<T>(
    connection: &mut Connection,
    behavior: TransactionBehavior,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, Internal>,
) -> Result<T, Internal> {
    // It is rolled back unless it is committed.
    let transaction = connection.transaction_with_behavior(behavior)?;
    let value = work(&transaction)?;
    transaction.commit()?;
    Ok(value)
}

fn lock_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".lock");
    name.into()
}

/// Without the SQL of the migration, which is long.
fn short(error: rusqlite_migration::Error) -> Box<dyn Error> {
    match error {
        rusqlite_migration::Error::RusqliteError { err, .. } => match err {
            rusqlite::Error::SqlInputError { msg, .. } => msg.into(),
            err => err.into(),
        },
        error => error.into(),
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(WAIT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // For the migrations.
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_fails_leaves_nothing() {
        let folder = std::env::temp_dir().join(format!("tollgate-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let store = Store::open(&folder.join("notes.db")).unwrap();
        let add = "INSERT INTO accounts (id, name, password_hash) VALUES ('1', 'johndoe', '')";
        let failed = store.write(move |database| {
            database.execute(add, ())?;
            Ok(database.execute("INSERT INTO no_such_table VALUES (1)", ())?)
        });
        assert!(failed.await.is_err());
        let panicked = store.write(move |database| -> Result<(), _> {
            database.execute(add, ())?;
            panic!("in the middle")
        });
        assert!(panicked.await.is_err());
        let count = store.read(|database| {
            let sql = "SELECT count(*) FROM accounts";
            Ok(database.query_row(sql, (), |row| row.get::<_, u32>(0))?)
        });
        assert_eq!(count.await.unwrap(), 0);
        assert_eq!(
            store
                .write(move |database| Ok(database.execute(add, ())?))
                .await
                .unwrap(),
            1
        );
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_migrations_apply() {
        Migrations::from_slice(MIGRATIONS).validate().unwrap();
    }
}
