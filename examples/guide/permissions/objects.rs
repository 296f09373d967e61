use std::collections::HashMap;

use axum::extract::Path;
use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::jwt::TokenVerifier;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};

#[http_bearer(scopes("notes:read" = "Read notes.", "notes:write" = "Change notes."), verified = Claims)]
struct Api;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Action {
    Read,
    Change,
}

#[derive(Clone)]
struct Note {
    owner: String,
    is_public: bool,
}

/// A table of your database.
struct Notes(HashMap<u32, Note>);

const NOT_FOUND: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found");
const NOT_YOURS: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not your note");

/// The note of the path, if the caller may do this to it.
#[dependency]
async fn note(
    #[argument] action: Action,
    #[security(Api)] caller: Verified<Claims>,
    Path(id): Path<u32>,
    notes: Shared<Notes>,
) -> Result<Note, Rejection> {
    let note = notes.0.get(&id).ok_or(NOT_FOUND)?;
    match (note.owner == caller.sub, note.is_public, action) {
        (true, _, _) | (_, true, Action::Read) => Ok(note.clone()),
        (_, true, Action::Change) => Err(NOT_YOURS),
        (_, false, _) => Err(NOT_FOUND),
    }
}

#[secured]
async fn read(#[security(note(Action::Read), scopes("notes:read"))] note: Note) -> String {
    format!("a note of {}", note.owner)
}

#[secured]
async fn change(#[security(note(Action::Change), scopes("notes:write"))] note: Note) -> String {
    format!("changed a note of {}", note.owner)
}

fn app(tokens: TokenVerifier<Claims>, notes: Notes) -> Router {
    Router::new()
        .route("/notes/{id}", get(read).put(change))
        .extension(Shared::new(tokens))
        .extension(Shared::new(notes))
}

#[tokio::test]
async fn each_note_is_for_its_owner() -> Result<(), Box<dyn std::error::Error>> {
    use tower::ServiceExt;

    let authority = doorward::testing::TestAuthority::new("https://api.example.com")?;
    let of = |owner: &str, is_public| Note { owner: owner.to_owned(), is_public };
    let notes = [(1, of("johndoe", false)), (2, of("alice", false)), (3, of("alice", true))];
    let app = app(authority.verifier().build().await?, Notes(HashMap::from(notes)));
    for (scope, method, id, expected) in [
        ("notes:write", "PUT", 1, 200),
        ("notes:write", "PUT", 2, 404),
        ("notes:write", "PUT", 3, 403),
        ("notes:write", "PUT", 4, 404),
        ("notes:read", "PUT", 1, 403),
        ("notes:read", "GET", 1, 200),
        ("notes:read", "GET", 2, 404),
        ("notes:read", "GET", 3, 200),
    ] {
        let token = authority.token("johndoe").scopes([scope]).sign()?;
        let request = http::Request::builder()
            .method(method)
            .uri(format!("/notes/{id}"))
            .header("authorization", format!("Bearer {}", token.as_str()))
            .body(axum::body::Body::empty())?;
        let response = app.clone().oneshot(request).await?;
        assert_eq!(response.status(), expected, "{scope} {method} {id}");
    }
    Ok(())
}
