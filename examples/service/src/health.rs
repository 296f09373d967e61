//! Whether the program runs, and whether a proxy may send requests to it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tokio::sync::Mutex;
use tollgate::{Shared, public};

use crate::{database::Database, error::Internal, error::Result};

/// For how long probes share what one of them has found, because each writes to the database.
const FRESH: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(crate) struct Health {
    /// Whether the program was asked to stop.
    pub(crate) stopping: AtomicBool,
    /// Whether the database was ready, and when it was asked.
    database: Mutex<Option<(bool, Instant)>>,
}

/// Says that the program runs. If it does not answer, start it again.
#[public(reason = "it says nothing")]
pub(crate) async fn livez() {}

/// Says whether requests can be served.
#[public(reason = "it says nothing but yes or no")]
pub(crate) async fn readyz(db: Shared<Database>, health: Shared<Health>) -> StatusCode {
    let mut database = health.database.lock().await;
    let recent = database.filter(|(_, asked)| asked.elapsed() < FRESH);
    let (is_ready, _) = match recent {
        Some(recent) => recent,
        None => *database.insert((is_ready(&db).await, Instant::now())),
    };
    let is_ready = is_ready && !health.stopping.load(Relaxed);
    if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

async fn is_ready(db: &Database) -> bool {
    can_sign(db).await.unwrap_or_else(|Internal(error)| {
        tracing::warn!(%error, "the database is not ready");
        false
    })
}

/// Returns `true` if a key is there, and readers see what was written: a standby and a full disk
/// take nothing.
pub(crate) async fn can_sign(db: &Database) -> Result<bool> {
    let write = sqlx::query_scalar("UPDATE probes SET writes = writes + 1 RETURNING writes");
    let written: Vec<i64> = write.fetch_all(&db.write).await?;
    let sql = "SELECT id FROM signing_keys
        WHERE pkcs8 <> '' AND (SELECT writes FROM probes) >= $1 LIMIT 1";
    let key = sqlx::query(sql).bind(written.first().copied());
    Ok(key.fetch_optional(&db.read).await?.is_some())
}
