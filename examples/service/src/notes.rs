//! Notes: what the service is about. Each account sees its own.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use tollgate::{Rejection, secured};
use utoipa::{IntoParams, ToSchema};

use crate::App;
use crate::accounts::{NO_ACCOUNT, is_there};
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
        if !is_there(database, &account)? {
            return Ok(None);
        }
        let sql = "SELECT id, text FROM notes WHERE account = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
        let mut statement = database.prepare(sql)?;
        let notes = statement.query_map((account, after, PAGE), |row| {
            Ok(Note {
                id: row.get(0)?,
                text: row.get(1)?,
            })
        })?;
        Ok(Some(notes.collect::<Result<_, _>>()?))
    });
    Ok(Json(notes.await?.ok_or(NO_ACCOUNT)?))
}

/// Adds a note.
#[secured]
#[utoipa::path(
    post,
    path = "/notes",
    request_body = NewNote,
    responses(
        (status = 201, description = "The note", body = Note),
        (status = 400, description = "The body is not JSON, or the text is too long"),
        (status = 413, description = "The body is too long"),
        (status = 415, description = "The media type is not JSON"),
        (status = 422, description = "A member is missing, or of another type"),
    )
)]
pub(crate) async fn create(
    #[security(caller, scopes("notes:write"))] caller: Caller,
    State(app): State<App>,
    sent: Result<Json<NewNote>, JsonRejection>,
) -> Result<(StatusCode, Json<Note>), Refused> {
    let Json(NewNote { text }) = sent?;
    if text.len() > 10_000 {
        return Err(Rejection::detail(400, "A note has at most 10000 bytes").into());
    }
    let account = caller.sub.clone();
    let note = app.store.write(move |database| {
        if !is_there(database, &account)? {
            return Ok(None);
        }
        let sql = "INSERT INTO notes (account, text) VALUES (?1, ?2)";
        database.execute(sql, (account, &text))?;
        let id = database.last_insert_rowid();
        Ok(Some(Note { id, text }))
    });
    let note = note.await?.ok_or(NO_ACCOUNT)?;
    Ok((StatusCode::CREATED, Json(note)))
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
        if !is_there(database, &account)? {
            return Ok(None);
        }
        let sql = "DELETE FROM notes WHERE id = ?1 AND account = ?2";
        Ok(Some(database.execute(sql, (id, account))? == 1))
    });
    if deleted.await?.ok_or(NO_ACCOUNT)? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Rejection::detail(404, "No such note").into())
    }
}
