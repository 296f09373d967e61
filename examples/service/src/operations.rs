//! What machines and administrators do.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tollgate::secured;
use utoipa::ToSchema;

use crate::App;
use crate::error::Refused;
use crate::logins;
use crate::scopes::{Operator, caller};

#[derive(Serialize, ToSchema)]
pub(crate) struct Stats {
    accounts: u64,
    logins: u64,
    notes: u64,
}

/// Says how much is stored.
// It does not matter who asks, so the caller is no parameter.
#[secured(caller, scopes("stats:read"))]
#[utoipa::path(
    get,
    path = "/stats",
    responses((status = 200, description = "The numbers", body = Stats))
)]
pub(crate) async fn stats(State(app): State<App>) -> Result<Json<Stats>, Refused> {
    let stats = app.store.read(|database| {
        let sql = "SELECT (SELECT count(*) FROM accounts),
            (SELECT count(*) FROM logins), (SELECT count(*) FROM notes)";
        let stats = database.query_row(sql, (), |row| {
            Ok(Stats {
                accounts: row.get(0)?,
                logins: row.get(1)?,
                notes: row.get(2)?,
            })
        });
        Ok(stats?)
    });
    Ok(Json(stats.await?))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Purged {
    logins: usize,
}

/// Deletes the logins that have expired. A job calls this by the clock, with its key.
#[secured]
#[utoipa::path(
    post,
    path = "/purge",
    responses((status = 200, description = "What was deleted", body = Purged))
)]
pub(crate) async fn purge(
    #[security(Operator, scopes("maintenance"))] operator: Operator,
    State(app): State<App>,
) -> Result<Json<Purged>, Refused> {
    let logins = app.store.write(logins::purge).await?;
    let by = match operator {
        Operator::Person(caller) => caller.sub.clone(),
        Operator::Job(name) => name,
    };
    tracing::info!(logins, by, "expired logins were deleted");
    Ok(Json(Purged { logins }))
}
