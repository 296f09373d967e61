//! Whether the program runs, and whether a proxy may send requests to it.

use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::StatusCode;
use tollgate::{Shared, public};

use crate::database::Database;

/// Whether the program was asked to stop.
#[derive(Default)]
pub(crate) struct Stopping(AtomicBool);

impl Stopping {
    pub(crate) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Says that the program runs. If it does not answer, start it again.
#[public(reason = "it says nothing")]
pub(crate) async fn livez() {}

/// Says whether requests can be served: the database answers, a key is there, and the program was
/// not asked to stop.
#[public(reason = "it says nothing but yes or no")]
pub(crate) async fn readyz(db: Shared<Database>, stopping: Shared<Stopping>) -> StatusCode {
    let key = sqlx::query("SELECT id FROM signing_keys WHERE pkcs8 <> '' LIMIT 1");
    match key.fetch_one(&db.read).await {
        Ok(_) if !stopping.has_begun() => StatusCode::OK,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    }
}
