//! Notes: what the service is about. Each account sees its own.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};
use tollgate::{Rejection, dependency, secured};
use utoipa::{IntoParams, ToSchema};

use crate::App;
use crate::accounts::{NO_ACCOUNT, is_there};
use crate::error::{Detail, Refused};
use crate::scopes::{Caller, caller};

const PAGE: u32 = 100;

/// How many notes an account may have.
const QUOTA: u32 = 1_000;

const NO_NOTE: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_detail("No such note");

#[derive(Serialize, ToSchema)]
pub(crate) struct Note {
    id: i64,
    text: String,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewNote {
    #[schema(max_length = 10_000)]
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
        (status = 400, description = "The body is not JSON, or the text is too long", body = Detail),
        (status = 409, description = "You have 1000 notes, and no room for another", body = Detail),
    )
)]
pub(crate) async fn create(
    #[security(caller, scopes("notes:write"))] caller: Caller,
    State(app): State<App>,
    Json(NewNote { text }): Json<NewNote>,
) -> Result<(StatusCode, Json<Note>), Refused> {
    const TOO_LONG: Rejection =
        Rejection::new(StatusCode::BAD_REQUEST).with_detail("A note has at most 10000 characters");
    const TOO_MANY: Rejection =
        Rejection::new(StatusCode::CONFLICT).with_detail("You have 1000 notes: delete some");

    if text.chars().count() > 10_000 {
        return Err(TOO_LONG.into());
    }
    let account = caller.sub.clone();
    let note = app.store.write(move |database| {
        if !is_there(database, &account)? {
            return Ok(Err(NO_ACCOUNT));
        }
        let sql = "INSERT INTO notes (account, text) SELECT ?1, ?2
            WHERE (SELECT count(*) FROM notes WHERE account = ?1) < ?3";
        if database.execute(sql, (account, &text, QUOTA))? == 0 {
            return Ok(Err(TOO_MANY));
        }
        let id = database.last_insert_rowid();
        Ok(Ok(Note { id, text }))
    });
    let note = note.await??;
    Ok((StatusCode::CREATED, Json(note)))
}

/// The note of the path, which is the caller's: of another's, nobody learns that it exists.
#[dependency]
pub(crate) async fn own_note(
    #[security(caller)] caller: Caller,
    State(app): State<App>,
    Path(id): Path<i64>,
) -> Result<Note, Refused> {
    let account = caller.sub.clone();
    let note = app.store.read(move |database| {
        if !is_there(database, &account)? {
            return Ok(Err(NO_ACCOUNT));
        }
        let sql = "SELECT text FROM notes WHERE id = ?1 AND account = ?2";
        let text = database.query_row(sql, (id, account), |row| row.get(0));
        Ok(text
            .optional()?
            .map(|text| Note { id, text })
            .ok_or(NO_NOTE))
    });
    Ok(note.await??)
}

/// Deletes a note.
#[secured]
#[utoipa::path(
    delete,
    path = "/notes/{id}",
    params(("id" = i64, Path)),
    responses(
        (status = 204, description = "It is deleted"),
        (status = 404, description = "You have no such note", body = Detail),
    )
)]
pub(crate) async fn delete(
    #[security(own_note, scopes("notes:write"))] note: Note,
    State(app): State<App>,
) -> Result<StatusCode, Refused> {
    let deleted = app.store.write(move |database| {
        let sql = "DELETE FROM notes WHERE id = ?1";
        Ok(database.execute(sql, [note.id])? == 1)
    });
    if deleted.await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(NO_NOTE.into())
    }
}
