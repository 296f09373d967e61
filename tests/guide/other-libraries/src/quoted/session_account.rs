//! Handlers that take their account of a session as an extractor.
//!
//! No scheme describes a `Session`, so a value that is made only from it (`account`) declares nothing at
//! a door, and is named as a guard. With the cookie below it as a scheme (`member`), the handler needs no
//! guard, the cookie is in the API description, and requests from other sites are refused.

use axum::{body::Body, http::Request};
use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::{ApiKey, Rejection, api_key, dependency, secured};
use tower::ServiceExt;
use tower_sessions::{MemoryStore, Session, SessionManagerLayer};

async fn name(session: &Session) -> Result<String, Rejection> {
    let name = session.get("user").await;
    name.map_err(|_| Rejection::new(StatusCode::INTERNAL_SERVER_ERROR))?
        .ok_or(Rejection::NOT_AUTHENTICATED)
}

struct Account(String);

#[dependency(extract)]
async fn account(session: Session) -> Result<Account, Rejection> {
    Ok(Account(name(&session).await?))
}

#[secured(account)] // without it, this handler does not compile at the door
async fn settings(account: Account) -> String {
    account.0
}

/// The cookie of the session layer.
#[api_key(cookie = "id")]
struct SessionCookie;

struct Member(String);

#[dependency(extract)]
async fn member(
    #[security(SessionCookie)] _id: ApiKey,
    session: Session,
) -> Result<Member, Rejection> {
    Ok(Member(name(&session).await?))
}

async fn profile(member: Member) -> String {
    member.0
}

#[tokio::test]
async fn a_session_is_an_extracted_account() -> Result<(), Box<dyn std::error::Error>> {
    let app: Router =
        Router::new().route("/settings", get(settings)).route("/profile", get(profile));
    assert_eq!(
        app.routes().to_string(),
        "GET  /profile   SessionCookie\nGET  /settings  account\n"
    );
    let app = app.into_inner();
    let log_in = async |session: Session| {
        session.insert("user", "johndoe").await.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
    };
    let app = app.route("/login", axum::routing::get(log_in));
    let app = app.layer(SessionManagerLayer::new(MemoryStore::default()));
    let ask = async |path: &str, cookie: &str| {
        let request = Request::get(path).header("cookie", cookie).body(Body::empty()).unwrap();
        app.clone().oneshot(request).await.unwrap()
    };
    let answer = ask("/login", "").await;
    let cookie = answer.headers()["set-cookie"].to_str()?.split(';').next().unwrap();
    for path in ["/settings", "/profile"] {
        assert_eq!(ask(path, cookie).await.status(), StatusCode::OK, "{path}");
        assert_eq!(ask(path, "id=guess").await.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    Ok(())
}
