use axum::extract::Path;
use doorward::axum08::{Router, asked, routing::get};
use doorward::http::StatusCode;
use doorward::jwt::TokenVerifier;
use doorward::testing::TestAuthority;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, public, secured};
use tower::ServiceExt;

#[http_bearer(
    scopes("notes:read" = "Read notes.", "notes:write" implies("notes:read") = "Change notes."),
    verified = Claims,
)]
struct Notes;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

/// The note 1 is alice's.
#[dependency]
fn note(
    #[security(Notes)] caller: Verified<Claims>,
    Path(id): Path<u32>,
) -> Result<u32, Rejection> {
    let not_found = Rejection::new(StatusCode::NOT_FOUND);
    if id == 1 && caller.sub == "alice" { Ok(id) } else { Err(not_found) }
}

#[secured]
async fn read(#[security(note, scopes("notes:read"))] note: u32) -> String {
    format!("note {note}")
}

#[secured]
async fn delete(#[security(note, scopes("notes:write"))] note: u32) -> String {
    format!("note {note} is deleted")
}

#[public(reason = "load balancers ask it")]
async fn health() -> &'static str {
    "ok"
}

fn app(tokens: TokenVerifier<Claims>) -> Router {
    Router::new()
        .route("/health", get(health))
        .route("/notes/{id}", get(read).delete(delete))
        .extension(Shared::new(tokens))
}

const WHO: &str = "\
\x20                    nobody  reader  alice  bob
GET     /health      in      in      in     in
DELETE  /notes/{id}  401     403     in     404
GET     /notes/{id}  401     in      in     404
";

#[tokio::test]
async fn who_may_call_what() -> Result<(), Box<dyn std::error::Error>> {
    let authority = TestAuthority::new("https://api.example.com")?;
    let app = app(authority.verifier().build().await?); // the router of the service
    let routes = app.routes();
    let who = routes
        .asked_by("nobody", None)
        .asked_by("reader", authority.token("alice").scopes(["notes:read"]).sign()?)
        .asked_by("alice", authority.token("alice").scopes(["notes:write"]).sign()?)
        .asked_by("bob", authority.token("bob").scopes(["notes:write"]).sign()?)
        .sample("/notes/{id}", "/notes/1")
        .table(|ask| app.clone().oneshot(asked(ask)))
        .await?;
    assert_eq!(who.to_string(), WHO);
    Ok(())
}
