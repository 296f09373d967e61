//! Whether the program runs, and whether a proxy may send requests to it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::{extract::Request, http::StatusCode};
use doorward::{Shared, public};
use tokio::sync::Mutex;

use crate::{database::Database, error::Internal, error::Result};

/// For how long probes share what one of them has found, because each writes to the database.
const FRESH: Duration = Duration::from_millis(500);

/// In seconds. A query takes less, and tokens of a clock that is wrong are refused by others.
const MAX_SKEW: u64 = 10;

#[derive(Default)]
pub(crate) struct Health {
    /// Whether the program was asked to stop.
    pub(crate) stopping: AtomicBool,
    /// Whether the database was ready, and when it was asked.
    database: Mutex<Option<(bool, Instant)>>,
}

/// Returns `true` for a request of a probe, which waits for nobody, and which no proxy has sent.
pub(crate) fn is_probe(request: &Request) -> bool {
    matches!(request.uri().path(), "/livez" | "/readyz")
}

/// Says that the program runs. If it does not answer, start it again.
#[public(reason = "it says nothing")]
pub(crate) async fn livez() {}

/// Says whether requests can be served.
#[public(reason = "it says nothing but yes or no")]
pub(crate) async fn readyz(db: Shared<Database>, health: Shared<Health>) -> StatusCode {
    let mut database = health.database.lock().await;
    if database.is_none_or(|(_, asked)| asked.elapsed() > FRESH) {
        let time = can_sign(&db).await.unwrap_or_else(|Internal(error)| {
            tracing::warn!(%error, "the database is not ready");
            None
        });
        *database = Some((time.is_some_and(is_now), Instant::now()));
    }
    let is_ready = database.is_some_and(|(is_ready, _)| is_ready) && !health.stopping.load(Relaxed);
    if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

/// Returns `true` if the clock of this node agrees with a time of the database.
fn is_now(time: i64) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = now.as_secs().abs_diff(u64::try_from(time).unwrap_or_default());
    if seconds > MAX_SKEW {
        tracing::error!(seconds, "the clock of this node is not that of the database");
    }
    seconds <= MAX_SKEW
}

/// Returns the time if a key is there, and readers see what was written: a standby and a full disk
/// take nothing.
pub(crate) async fn can_sign(db: &Database) -> Result<Option<i64>> {
    let write = sqlx::query_scalar("UPDATE probes SET writes = writes + 1 RETURNING writes");
    let written: Vec<i64> = write.fetch_all(&db.write).await?;
    let sql = "SELECT unixepoch() FROM signing_keys
        WHERE pkcs8 <> '' AND (SELECT writes FROM probes) >= $1 LIMIT 1";
    let time = sqlx::query_scalar(sql).bind(written.first().copied());
    Ok(time.fetch_optional(&db.read).await?)
}
