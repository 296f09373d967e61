use doorward::axum08::{Router, routing::get};
use doorward::verify::Verified;
use doorward::{Rejection, dependency, http_bearer, secured};

#[http_bearer(
    scopes("notes:read" = "Read notes.", "notes:write" = "Change notes."),
    verified = serde_json::Value,
)]
struct Notes;

/// The note of the path, if it is the caller's.
#[dependency]
fn note(#[security(Notes)] caller: Verified<serde_json::Value>) -> Result<(), Rejection> {
    if caller["sub"] == "alice" { Ok(()) } else { Err(Rejection::NOT_AUTHENTICATED) }
}

#[secured(Notes, scopes("notes:read"))]
async fn list() {}

#[secured(note, scopes("notes:read"))]
async fn read() {}

#[secured(Notes, scopes("notes:write"))]
async fn add() {}

/// What a caller may do, for the buttons of a page.
fn may(routes: &doorward::routes::Routes, caller: &Verified<serde_json::Value>) -> Vec<String> {
    let may = routes.may::<Notes>(caller);
    may.map(|(route, may)| format!("{} {}: {may}", route.method(), route.path())).collect()
}

#[test]
fn a_reader_may_read() {
    let app: Router =
        Router::new().route("/notes", get(list).post(add)).route("/notes/{id}", get(read));
    let reader = Verified::new(serde_json::Value::Null, ["notes:read".to_owned()]);
    assert_eq!(may(&app.routes(), &reader), ["GET /notes: yes", "GET /notes/{id}: depends"]);
}
