//! Whether the program runs, and whether a proxy may send requests to it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use axum::http::StatusCode;
use tollgate::{Shared, public};

use crate::{database::Database, error::Internal, error::Result};

/// Whether the program was asked to stop.
pub(crate) type Stopping = AtomicBool;

/// Says that the program runs. If it does not answer, start it again.
#[public(reason = "it says nothing")]
pub(crate) async fn livez() {}

/// Says whether requests can be served.
#[public(reason = "it says nothing but yes or no")]
pub(crate) async fn readyz(db: Shared<Database>, stopping: Shared<Stopping>) -> StatusCode {
    let is_ready = can_sign(&db).await.unwrap_or_else(|Internal(error)| {
        tracing::warn!(%error, "the database is not ready");
        false
    });
    let is_ready = is_ready && !stopping.load(Relaxed);
    if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }
}

/// Returns `true` if a key is there, and the database can be written: a standby cannot.
pub(crate) async fn can_sign(db: &Database) -> Result<bool> {
    sqlx::query("UPDATE signing_keys SET id = id WHERE id < 0").execute(&db.write).await?;
    let key = sqlx::query("SELECT id FROM signing_keys WHERE pkcs8 <> '' LIMIT 1");
    Ok(key.fetch_optional(&db.read).await?.is_some())
}
