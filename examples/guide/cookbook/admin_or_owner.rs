use std::collections::HashMap;

use axum::extract::Path;
use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
    #[serde(default)]
    roles: Vec<String>,
}

#[http_bearer(verified = Claims)]
struct Api;

#[derive(Clone)]
struct Note {
    owner: String,
}

/// A table of your database.
struct Notes(HashMap<u32, Note>);

const NOT_FOUND: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found");

/// The note of the path, for its owner and for administrators.
#[dependency]
async fn note(
    #[security(Api)] caller: Verified<Claims>,
    Path(id): Path<u32>,
    notes: Shared<Notes>,
) -> Result<Note, Rejection> {
    let note = notes.0.get(&id).ok_or(NOT_FOUND)?;
    let is_admin = caller.roles.iter().any(|role| role == "admin");
    if is_admin || note.owner == caller.sub { Ok(note.clone()) } else { Err(NOT_FOUND) }
}

#[secured]
async fn read(#[security(note)] note: Note) -> String {
    format!("a note of {}", note.owner)
}

#[tokio::test]
async fn others_do_not_find_the_note() {
    use doorward::axum08::{Router, routing::get};
    use doorward::testing::TestAuthority;

    use super::{answer, bearer};

    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let tokens = authority.verifier::<Claims>().build().await.unwrap();
    let notes = Notes(HashMap::from([(1, Note { owner: "johndoe".to_owned() })]));
    let app: Router = Router::new()
        .route("/notes/{id}", get(read))
        .extension(Shared::new(tokens))
        .extension(Shared::new(notes));
    for (user, role, path, expected) in [
        ("johndoe", "reader", "/notes/1", 200),
        ("rita", "admin", "/notes/1", 200),
        ("alice", "reader", "/notes/1", 404),
        ("rita", "admin", "/notes/2", 404),
    ] {
        let token = authority.token(user).claim("roles", vec![role]).sign().unwrap();
        assert_eq!(answer(&app, bearer(path, &token)).await.0, expected, "{user} {path}");
    }
}
