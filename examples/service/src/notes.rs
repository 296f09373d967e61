//! The routes of the application: notes, statistics and cleaning up.

use axum::{Json, extract::Path, extract::Query, http::StatusCode};
use doorward::{Rejection, Scheme, Shared, dependency, secured};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::{Detail, Internal, bad_request};
use crate::scopes::{Caller, Login, Operator, caller, person};
use crate::{database::Database, logins, signing};

#[derive(Serialize, ToSchema)]
pub(crate) struct Note {
    id: i64,
    text: String,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewNote {
    #[schema(max_length = 10_000, pattern = r"^[^\u0000]*$")]
    text: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct After {
    /// The id of the last note on the previous page.
    #[serde(default)]
    after: i64,
}

/// The maximum size of a page, in bytes of JSON, which a caller may read as slowly as they like. A
/// note takes less: up to six for each character.
const PAGE: usize = 64 * 1024;

const TOO_MANY: Rejection =
    Rejection::new(StatusCode::CONFLICT).with_detail("You have 1000 notes: delete some");
const NO_NOTE: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_detail("No such note");

/// Lists notes, the oldest first: up to 100, and up to 64 KiB of JSON. The last page is empty.
#[secured]
#[utoipa::path(get, path = "/notes", params(After),
    responses((status = 200, description = "The notes", body = [Note])))]
pub(crate) async fn list(
    #[security(person, scopes("notes:read"))] caller: Caller,
    db: Shared<Database>,
    Query(After { after }): Query<After>,
) -> Result<Json<Vec<Note>>, Rejection> {
    let sql = "SELECT id, text FROM notes WHERE account = $1 AND id > $2 ORDER BY id LIMIT 100";
    let mut rows = sqlx::query_as(sql).bind(&caller.sub).bind(after).fetch(&db.read);
    let (mut page, mut size) = (Vec::new(), 0);
    while let Some((id, text)) = rows.try_next().await.map_err(Internal::from)? {
        let note = Note { id, text };
        size += serde_json::to_vec(&note).map_err(Internal::from)?.len() + 1;
        if size >= PAGE {
            break;
        }
        page.push(note);
    }
    Ok(Json(page))
}

/// Adds a note.
#[secured]
#[utoipa::path(post, path = "/notes", request_body = NewNote, responses(
    (status = 201, description = "The note", body = Note),
    (status = 409, description = "You have 1000 notes, and no room for another", body = Detail),
))]
pub(crate) async fn create(
    #[security(person, scopes("notes:write"))] caller: Caller,
    db: Shared<Database>,
    Json(NewNote { text }): Json<NewNote>,
) -> Result<(StatusCode, Json<Note>), Rejection> {
    // PostgreSQL does not store a NUL.
    if text.chars().count() > 10_000 || text.contains('\0') {
        return Err(bad_request("A note has at most 10000 characters, and no NUL"));
    }
    // On PostgreSQL, requests at the same time may add a few more.
    let sql = "INSERT INTO notes (account, text) SELECT $1, $2
        WHERE (SELECT count(*) FROM notes WHERE account = $1) < 1000 RETURNING id";
    let query = sqlx::query_scalar(sql).bind(&caller.sub).bind(&text);
    let added: Vec<i64> = query.fetch_all(&db.write).await.map_err(Internal::from)?;
    let id = *added.first().ok_or(TOO_MANY)?;
    Ok((StatusCode::CREATED, Json(Note { id, text })))
}

/// An action on a note.
#[derive(Debug, PartialEq)]
pub(crate) enum Action {
    Read,
    Delete,
}

/// The note of the path, if the caller may do this: its owner may do anything, and callers with the
/// scope `admin` may delete it. Others get the same response as for no note, so nobody learns that
/// it exists.
#[dependency]
pub(crate) async fn note(
    #[argument] action: Action,
    #[security(person)] caller: Caller,
    db: Shared<Database>,
    Path(id): Path<i64>,
) -> Result<Note, Rejection> {
    let query = sqlx::query_as("SELECT text, account FROM notes WHERE id = $1").bind(id);
    let found = query.fetch_optional(&db.read).await;
    let (text, owner): (String, String) = found.map_err(Internal::from)?.ok_or(NO_NOTE)?;
    let is_admin = Login::CONFIG.grants(caller.scopes(), Login::ADMIN);
    let is_allowed = owner == caller.sub || (is_admin && action == Action::Delete);
    if is_allowed { Ok(Note { id, text }) } else { Err(NO_NOTE) }
}

/// Returns a note.
#[secured]
#[utoipa::path(get, path = "/notes/{id}", params(("id" = i64, Path)), responses(
    (status = 200, description = "The note", body = Note),
    (status = 404, description = "You have no such note", body = Detail),
))]
pub(crate) async fn read(
    #[security(note(Action::Read), scopes("notes:read"))] note: Note,
) -> Json<Note> {
    Json(note)
}

/// Deletes a note.
#[secured]
#[utoipa::path(delete, path = "/notes/{id}", params(("id" = i64, Path)), responses(
    (status = 204, description = "It is deleted"),
    (status = 404, description = "You have no such note", body = Detail),
))]
pub(crate) async fn delete(
    #[security(note(Action::Delete), scopes("notes:write"))] note: Note,
    db: Shared<Database>,
) -> Result<StatusCode, Rejection> {
    let query = sqlx::query("DELETE FROM notes WHERE id = $1").bind(note.id);
    let deleted = query.execute(&db.write).await.map_err(Internal::from)?;
    // Another request may have deleted it since.
    match deleted.rows_affected() {
        0 => Err(NO_NOTE),
        _ => Ok(StatusCode::NO_CONTENT),
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct Stats {
    accounts: i64,
    logins: i64,
    notes: i64,
}

/// Says how much is stored.
// The caller is checked and not used, so it is not a parameter.
#[secured(caller, scopes("stats:read"))]
#[utoipa::path(get, path = "/stats",
    responses((status = 200, description = "The numbers", body = Stats)))]
pub(crate) async fn stats(db: Shared<Database>) -> Result<Json<Stats>, Rejection> {
    let sql = "SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM logins),
        (SELECT count(*) FROM notes)";
    let row = sqlx::query_as(sql).fetch_one(&db.read).await;
    let (accounts, logins, notes) = row.map_err(Internal::from)?;
    Ok(Json(Stats { accounts, logins, notes }))
}

/// Deletes what has expired: logins, known networks and keys. A scheduled job calls this with its
/// key.
#[secured]
#[utoipa::path(post, path = "/purge",
    responses((status = 204, description = "They are deleted")))]
pub(crate) async fn purge(
    #[security(Operator, scopes("maintenance"))] operator: Operator,
    db: Shared<Database>,
) -> Result<StatusCode, Rejection> {
    let logins = logins::purge(&db).await?;
    signing::purge(&db).await?;
    let by = match operator {
        Operator::Caller(caller) => caller.sub.clone(),
        Operator::Job(name) => name,
    };
    tracing::info!(logins, by, "expired logins were deleted");
    Ok(StatusCode::NO_CONTENT)
}
