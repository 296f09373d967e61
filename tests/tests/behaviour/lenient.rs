//! A wrong credential of an alternative may count as none, and any `Authorization` header may have
//! to be right.

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use doorward::openapi::Operation;
use doorward::scheme::RefusedRequest;
use doorward::{
    ApiKey, BearerToken, Rejection, api_key, dependency, http_bearer, one_of, operation, plan,
    secured,
};
use http::StatusCode;
use serde_json::json;

use super::asking;

#[http_bearer]
struct Api;

#[api_key(cookie = "session")]
struct Session;

#[api_key(header = "x-key")]
struct Key;

/// A session whose name is that of a user, or of the status that refuses it.
#[dependency]
async fn session_user(#[security(Session)] session: ApiKey) -> Result<String, Rejection> {
    match session.as_str().parse() {
        Ok(status) => Err(Rejection::new(StatusCode::from_u16(status).unwrap())),
        Err(_) => Ok(session.as_str().to_owned()),
    }
}

/// The same session as an administrator's.
#[dependency]
async fn administrator(#[security(Session)] session: ApiKey) -> Result<String, Rejection> {
    match session.as_str() {
        "401" => Ok("the administrator".to_owned()),
        _ => Err(Rejection::NOT_AUTHENTICATED),
    }
}

#[one_of]
#[derive(Debug)]
#[expect(dead_code, reason = "read by `Debug`")]
enum Visitor {
    #[security(session_user, lenient)]
    User(String),
    #[security(Api)]
    Token(BearerToken),
    Nobody,
}

/// One credential that two alternatives take.
#[one_of]
#[derive(Debug)]
#[expect(dead_code, reason = "read by `Debug`")]
enum Member {
    #[security(session_user, lenient)]
    User(String),
    #[security(administrator)]
    Administrator(String),
}

#[one_of(strict)]
#[derive(Debug)]
#[expect(dead_code, reason = "read by `Debug`")]
enum Strict {
    #[security(Key)]
    Key(ApiKey),
    #[security(Api)]
    Token(BearerToken),
    Nobody,
}

/// The service's own format, which answers every refusal with a `401`.
struct AlwaysUnauthorized;

impl From<RefusedRequest> for AlwaysUnauthorized {
    fn from(_: RefusedRequest) -> Self {
        Self
    }
}

impl IntoResponse for AlwaysUnauthorized {
    fn into_response(self) -> Response {
        StatusCode::UNAUTHORIZED.into_response()
    }
}

#[api_key(cookie = "session", error = AlwaysUnauthorized)]
struct FormattedSession;

#[one_of]
#[derive(Debug)]
#[expect(dead_code, reason = "read by `Debug`")]
enum FormattedVisitor {
    #[security(FormattedSession, lenient)]
    User(ApiKey),
    Nobody,
}

macro_rules! handler {
    ($name:ident, $caller:ty) => {
        #[secured]
        async fn $name(#[security($caller)] caller: $caller) -> String {
            format!("{caller:?}")
        }
    };
}

handler!(visitor, Visitor);
handler!(member, Member);
handler!(strict, Strict);
handler!(formatted, FormattedVisitor);

async fn ask(target: &str, headers: &[(&str, &str)]) -> (u16, String) {
    let app = Router::new()
        .route("/visitor", get(visitor))
        .route("/member", get(member))
        .route("/strict", get(strict))
        .route("/formatted", get(formatted).post(formatted));
    asking::seen(asking::ask(app, target, headers).await)
}

#[tokio::test]
async fn a_wrong_credential_counts_as_none() {
    let bearer = ("authorization", "Bearer t");
    for (headers, status, body) in [
        (&[][..], 200, "Nobody"),
        (&[("cookie", "session=john")], 200, r#"User("john")"#),
        (&[("cookie", "session=401")], 200, "Nobody"),
        // A redirect sends a visitor to the login.
        (&[("cookie", "session=303")], 200, "Nobody"),
        (&[("cookie", "session=a; session=b")], 200, "Nobody"),
        (&[("cookie", "session=401"), bearer], 200, "Token(BearerToken(<redacted>))"),
        // The alternatives that are not lenient refuse as ever.
        (
            &[("cookie", "session=401"), ("authorization", "Bearer")],
            401,
            r#"{"detail":"Not authenticated"}"#,
        ),
        // These say something else of the request.
        (&[("cookie", "session=403")], 403, ""),
        (&[("cookie", "session=500")], 500, ""),
        (&[("cookie", "session=503")], 503, ""),
    ] {
        let found = ask("/visitor", headers).await;
        assert_eq!(found, (status, body.to_owned()), "{headers:?}");
    }
}

/// Its cookie may be right, so the request is not nobody's, whatever status refuses it.
#[tokio::test]
async fn a_cross_site_request_is_refused() {
    let twice = ("cookie", "session=a; session=b");
    for (site, cookie, status) in [
        ("same-origin", ("cookie", "session=a"), 200),
        ("same-origin", twice, 200),
        ("cross-site", ("cookie", "session=a"), 401),
        ("cross-site", twice, 401),
    ] {
        let headers = [("sec-fetch-site", site), cookie];
        let found = ask("POST /formatted", &headers).await.0;
        assert_eq!(found, status, "{headers:?}");
        assert_eq!(ask("/formatted", &headers).await.0, 200, "{headers:?}");
    }
}

#[tokio::test]
async fn the_next_alternative_may_take_the_same_credential() {
    for (session, status, body) in [
        ("john", 200, r#"User("john")"#),
        ("401", 200, r#"Administrator("the administrator")"#),
        ("303", 401, r#"{"detail":"Not authenticated"}"#),
    ] {
        let cookie = format!("session={session}");
        let found = ask("/member", &[("cookie", &cookie)]).await;
        assert_eq!(found, (status, body.to_owned()), "{session}");
    }
}

#[tokio::test]
async fn any_authorization_header_must_be_right() {
    let key = ("x-key", "k");
    let refused = r#"{"detail":"Not authenticated"}"#;
    for (headers, status, body) in [
        (&[][..], 200, "Nobody"),
        (&[key], 200, "Key(ApiKey(<redacted>))"),
        (&[("authorization", "Bearer t")], 200, "Token(BearerToken(<redacted>))"),
        (&[key, ("authorization", "Bearer t")], 200, "Token(BearerToken(<redacted>))"),
        (&[("authorization", "Basic YTpi")], 401, refused),
        (&[key, ("authorization", "Basic YTpi")], 401, refused),
        (&[key, ("authorization", "")], 401, refused),
        (&[key, ("authorization", "Bearer")], 401, refused),
    ] {
        let found = ask("/strict", headers).await;
        assert_eq!(found, (status, body.to_owned()), "{headers:?}");
    }
}

#[test]
fn the_description_follows() {
    let statuses = |responses: std::collections::BTreeMap<String, Rejection>| {
        responses.into_keys().collect::<Vec<_>>()
    };
    // The token may be wrong, and the session of another site.
    let visitor = operation!(visitor);
    assert_eq!(statuses(visitor.responses()), ["401", "403"]);
    assert_eq!(json!(visitor)["security"], json!([{ "Session": [] }, { "Api": [] }, {}]));
    assert_eq!(statuses(plan!(Strict).operation().responses()), ["401"]);

    #[one_of]
    #[allow(dead_code, reason = "described")]
    enum Cookie {
        #[security(session_user, lenient)]
        User(String),
        Nobody,
    }
    let cookie = plan!(Cookie).operation();
    let responses = |operation: &Operation| statuses(operation.responses_to(&http::Method::GET));
    assert_eq!(responses(&cookie), [""; 0]);

    #[one_of]
    #[allow(dead_code, reason = "described")]
    enum Alone {
        #[security(session_user, lenient)]
        User(String),
    }
    let alone = plan!(Alone).operation();
    let [first, last] = [cookie.clone().and(&alone), alone.clone().and(&cookie)];
    for required in [alone, first, last] {
        assert_eq!(responses(&required), ["401"]);
    }
}
