//! Notes: what the service is about. Each account sees its own.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tollgate::{Rejection, secured};
use utoipa::{IntoParams, ToSchema};

use crate::App;
use crate::error::Refused;
use crate::scopes::{Caller, caller};

const PAGE: u32 = 100;

#[derive(Serialize, ToSchema)]
pub(crate) struct Note {
    id: i64,
    text: String,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewNote {
    /// At most 10,000 bytes.
    text: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct After {
    /// The last note of the page before.
    #[serde(default)]
    after: i64,
}

/// Lists notes, the oldest first, up to 100.
#[secured]
#[utoipa::path(
    get,
    path = "/notes",
    params(After),
    responses((status = 200, description = "The notes", body = [Note]))
)]
pub(crate) async fn list(
    #[security(caller, scopes("notes:read"))] caller: Caller,
    State(app): State<App>,
    Query(After { after }): Query<After>,
) -> Result<Json<Vec<Note>>, Refused> {
    let account = caller.sub.clone();
    let notes = app.store.read(move |database| {
        let sql = "SELECT id, text FROM notes WHERE account = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
        let mut statement = database.prepare(sql)?;
        let notes = statement.query_map((account, after, PAGE), |row| {
            Ok(Note {
                id: row.get(0)?,
                text: row.get(1)?,
            })
        })?;
        Ok(notes.collect::<Result<_, _>>()?)
    });
    Ok(Json(notes.await?))
}

/// Adds a note.
#[secured]
#[utoipa::path(
    post,
    path = "/notes",
    responses(
        (status = 201, description = "The note", body = Note),
        (status = 400, description = "The text is too long"),
    )
)]
pub(crate) async fn create(
    #[security(caller, scopes("notes:write"))] caller: Caller,
    State(app): State<App>,
    Json(NewNote { text }): Json<NewNote>,
) -> Result<(StatusCode, Json<Note>), Refused> {
    if text.len() > 10_000 {
        return Err(Rejection::detail(400, "A note has at most 10000 bytes").into());
    }
    let account = caller.sub.clone();
    let note = app.store.write(move |database| {
        let sql = "INSERT INTO notes (account, text) VALUES (?1, ?2)";
        database.execute(sql, (account, &text))?;
        let id = database.last_insert_rowid();
        Ok(Note { id, text })
    });
    Ok((StatusCode::CREATED, Json(note.await?)))
}

/// Deletes a note.
#[secured]
#[utoipa::path(
    delete,
    path = "/notes/{id}",
    responses(
        (status = 204, description = "It is deleted"),
        (status = 404, description = "You have no such note"),
    )
)]
pub(crate) async fn delete(
    #[security(caller, scopes("notes:write"))] caller: Caller,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<StatusCode, Refused> {
    let account = caller.sub.clone();
    let deleted = app.store.write(move |database| {
        let sql = "DELETE FROM notes WHERE id = ?1 AND account = ?2";
        Ok(database.execute(sql, (id, account))? == 1)
    });
    if deleted.await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Rejection::detail(404, "No such note").into())
    }
}
