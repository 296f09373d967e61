//! Alternatives as a dependency like any other: guards, layers, scopes, caching, overrides and the
//! API description.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::routing::get;
use axum::{Extension, Router};
use doorward::scheme::RejectionReason;
use doorward::testing::Overrides;
use doorward::{
    ApiKey, BearerToken, Rejection, Scheme, SecurityScopes, api_key, dependency, layer,
    oauth2_password_bearer, one_of, operation, plan, secured,
};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{Request, StatusCode};
use serde_json::json;

use super::asking;

#[oauth2_password_bearer(
    token_url = "token",
    scopes("items" = "Read items.", "me" = "Read about the user.", "own" = "Read own items.")
)]
struct OAuth2;

#[api_key(header = "x-api-key")]
struct Key;

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[dependency]
fn user(
    #[security(OAuth2)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, Rejection> {
    RUNS.fetch_add(1, Ordering::Relaxed);
    match token.as_str() {
        "mallory" => Err(Rejection::new(StatusCode::FORBIDDEN).with_detail("Not you")),
        name => Ok(format!("{name} {}", scopes.scope_str())),
    }
}

#[dependency]
fn cron(#[security(Key)] key: ApiKey, scopes: SecurityScopes) -> Result<usize, Rejection> {
    if key.secret_eq("k") {
        Ok(scopes.scopes().len())
    } else {
        Err(Rejection::new(StatusCode::FORBIDDEN).with_detail("Unknown key"))
    }
}

/// A user or a machine.
#[one_of]
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "read by `Debug`")]
enum Caller {
    #[security(user, scopes("own"))]
    User(String),
    #[security(cron, unscoped)]
    Cron(usize),
}

#[one_of(cached)]
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "read by `Debug`")]
enum Visitor {
    #[security(Caller, scopes("me"))]
    Known(Caller),
    Nobody,
}

#[secured]
async fn items(#[security(Caller, scopes("items"))] caller: Caller) -> String {
    format!("{caller:?}")
}

#[secured]
async fn visit(
    #[security(Visitor, scopes("items"))] first: Visitor,
    #[security(Visitor, scopes("items"))] _second: Visitor,
) -> String {
    format!("{first:?}")
}

#[secured(Caller, scopes("items"))]
#[secured(Caller)]
async fn twice(#[security(Caller, scopes("me"))] _caller: Caller) {}

#[secured(Caller, scopes("items"))]
async fn guarded() -> &'static str {
    "in"
}

fn app() -> Router {
    Router::new()
        .route("/layered", get(async || "in"))
        .layer(layer!(Caller, scopes("items")))
        .route("/items", get(items))
        .route("/visit", get(visit))
        .route("/guarded", get(guarded))
}

async fn ask(app: Router, path: &str, lines: &[(&str, &str)]) -> (u16, String) {
    asking::seen(asking::ask(app, path, lines).await)
}

const USER: (&str, &str) = ("authorization", "Bearer john");
const MALLORY: (&str, &str) = ("authorization", "Bearer mallory");
const CRON: (&str, &str) = ("x-api-key", "k");
const WRONG: (&str, &str) = ("x-api-key", "w");

#[tokio::test]
async fn the_credential_that_is_present_decides() {
    for (lines, status, body) in [
        (&[USER][..], 200, r#"User("john items own")"#),
        (&[CRON], 200, "Cron(0)"),
        (&[USER, WRONG], 200, r#"User("john items own")"#),
        (&[MALLORY, CRON], 403, r#"{"detail":"Not you"}"#),
        (&[WRONG], 403, r#"{"detail":"Unknown key"}"#),
        (&[], 401, r#"{"detail":"Not authenticated"}"#),
    ] {
        let answer = ask(app(), "/items", lines).await;
        assert_eq!(answer, (status, body.to_owned()), "{lines:?}");
        let is_in = if status == 200 { "in" } else { body };
        for path in ["/guarded", "/layered"] {
            let answer = ask(app(), path, lines).await;
            assert_eq!(answer, (status, is_in.to_owned()), "{path} {lines:?}");
        }
    }
}

#[api_key(header = "Authorization")]
struct WholeLine;

/// A token, or a key that is the whole value of the same line.
#[one_of]
enum TokenOrKey {
    #[security(OAuth2)]
    Token(BearerToken),
    #[security(WholeLine)]
    Key(ApiKey),
}

#[secured]
async fn token_or_key(#[security(TokenOrKey)] found: TokenOrKey) -> String {
    match found {
        TokenOrKey::Token(token) => format!("token {}", token.as_str()),
        TokenOrKey::Key(key) => format!("key {}", key.as_str()),
    }
}

/// A key in `Authorization` is present if that line is there at all.
#[tokio::test]
async fn takes_any_other_authorization_line_as_the_key() {
    const LINE: &str = "authorization";
    let refused = (401, r#"{"detail":"Not authenticated"}"#.to_owned());
    for (lines, answer) in [
        (&[(LINE, "Bearer a")][..], (200, "token a".to_owned())),
        (&[(LINE, "a")], (200, "key a".to_owned())),
        (&[(LINE, "Basic YTpi")], (200, "key Basic YTpi".to_owned())),
        (&[(LINE, "")], refused.clone()),
        (&[(LINE, "a"), (LINE, "b")], refused.clone()),
        (&[CRON], refused),
    ] {
        let app = Router::new().route("/", get(token_or_key));
        assert_eq!(ask(app, "/", lines).await, answer, "{lines:?}");
    }
}

/// An empty key is none, wherever it is: no alternative is present for it, and `auto_error = false`
/// yields nothing.
#[tokio::test]
async fn an_empty_key_is_absent() {
    #[api_key(query = "key")]
    struct InQuery;
    #[api_key(cookie = "key")]
    struct InCookie;
    #[api_key(header = "x-api-key", auto_error = false)]
    struct Maybe;
    #[api_key(query = "key", auto_error = false)]
    struct MaybeInQuery;
    #[api_key(cookie = "key", auto_error = false)]
    struct MaybeInCookie;

    #[one_of]
    enum Key3 {
        #[security(Key)]
        Header(ApiKey),
        #[security(InQuery)]
        Query(ApiKey),
        #[security(InCookie)]
        Cookie(ApiKey),
        Nobody,
    }
    #[secured]
    async fn who(
        #[security(Key3)] key: Key3,
        #[security(Maybe)] header: Option<ApiKey>,
        #[security(MaybeInQuery)] query: Option<ApiKey>,
        #[security(MaybeInCookie)] cookie: Option<ApiKey>,
    ) -> String {
        let key = match &key {
            Key3::Header(key) => format!("header {}", key.as_str()),
            Key3::Query(key) => format!("query {}", key.as_str()),
            Key3::Cookie(key) => format!("cookie {}", key.as_str()),
            Key3::Nobody => "nobody".to_owned(),
        };
        let found = [header, query, cookie].iter().flatten().count();
        format!("{key}, {found} found")
    }

    let app = Router::new().route("/who", get(who)).merge(app());
    for (path, lines, expected) in [
        ("/who", &[("x-api-key", "")][..], "nobody, 0 found"),
        ("/who", &[("x-api-key", " \t ")], "nobody, 0 found"),
        ("/who?key=", &[], "nobody, 0 found"),
        ("/who?key", &[], "nobody, 0 found"),
        ("/who", &[("cookie", "key=")], "nobody, 0 found"),
        ("/who", &[("cookie", "key=\"\"")], "nobody, 0 found"),
        ("/who?key=b", &[("x-api-key", ""), ("cookie", "key=")], "query b, 1 found"),
        ("/who?key=", &[("x-api-key", ""), ("cookie", "key=c")], "cookie c, 1 found"),
        ("/who?key=b", &[("x-api-key", "a"), ("cookie", "key=c")], "header a, 3 found"),
    ] {
        let answer = ask(app.clone(), path, lines).await;
        assert_eq!(answer, (200, expected.to_owned()), "{path} {lines:?}");
    }
    // Where a credential is required, it is missing.
    let answer = ask(app.clone(), "/items", &[("x-api-key", "")]).await;
    let body = r#"{"detail":"Not authenticated"}"#;
    assert_eq!(answer, (401, body.to_owned()));
    let refused = Key::authenticate(&[("x-api-key", &b""[..])]).unwrap_err();
    assert_eq!(refused.reason(), Some(RejectionReason::Missing));
    // An empty key does not hide what a test puts instead of another alternative.
    let overrides = Overrides::new().with::<user>(|| "test".to_owned());
    let replaced = app.layer(Extension(overrides));
    let (_, body) = ask(replaced, "/items", &[("x-api-key", "")]).await;
    assert_eq!(body, r#"User("test")"#);
}

#[tokio::test]
async fn alternatives_are_nested_and_cached() {
    let known = r#"Known(User("john items me own"))"#;
    let before = RUNS.load(Ordering::Relaxed);
    assert_eq!(ask(app(), "/visit", &[USER]).await, (200, known.to_owned()));
    assert!(RUNS.load(Ordering::Relaxed) > before);
    assert_eq!(ask(app(), "/visit", &[CRON]).await, (200, "Known(Cron(0))".to_owned()));
    assert_eq!(ask(app(), "/visit", &[]).await, (200, "Nobody".to_owned()));
    assert_eq!(ask(app(), "/visit", &[MALLORY]).await.0, 403);
}

#[tokio::test]
async fn a_test_replaces_the_whole_or_an_alternative() {
    let whole = Overrides::new().with::<Caller>(|| Caller::Cron(7));
    let one = Overrides::new().with::<cron>(|| 8);
    let refusing = Overrides::new().with_fn::<user>(|scopes: SecurityScopes| async move {
        assert_eq!(scopes.scope_str(), "items own");
        Err(Rejection::new(StatusCode::FORBIDDEN).with_detail("No"))
    });
    for (overrides, lines, expected) in [
        (&whole, &[][..], (200, "Cron(7)")),
        (&whole, &[USER], (200, "Cron(7)")),
        // A replaced alternative counts as present.
        (&one, &[], (200, "Cron(8)")),
        (&one, &[USER], (200, r#"User("john items own")"#)),
        (&refusing, &[CRON], (403, r#"{"detail":"No"}"#)),
    ] {
        let app = app().layer(Extension(overrides.clone()));
        let (status, body) = ask(app, "/items", lines).await;
        assert_eq!((status, &*body), expected, "{lines:?}");
    }
}

#[test]
fn the_description_lists_the_alternatives() {
    assert_eq!(
        json!(operation!(items).security()),
        json!([{ "OAuth2": ["items", "own"] }, { "Key": [] }])
    );
    assert_eq!(
        json!(plan!(Visitor, scopes("items")).operation().security()),
        json!([{ "OAuth2": ["items", "me", "own"] }, { "Key": [] }, {}])
    );
    // A request means the same alternative in both places.
    assert_eq!(
        json!(operation!(twice).security()),
        json!([{ "OAuth2": ["items", "own", "me"] }, { "Key": [] }])
    );
    let responses = operation!(twice).responses();
    assert_eq!(responses.into_keys().collect::<Vec<_>>(), ["401"]);
    let schemes: Vec<_> =
        operation!(visit).schemes().map(doorward::scheme::SchemeConfig::scheme_name).collect();
    assert_eq!(schemes, ["OAuth2", "Key"]);
}

#[tokio::test]
async fn each_challenge_has_a_line_of_its_own() {
    let response = asking::ask(app(), "/items", &[]).await;
    let lines: Vec<_> = response.headers().get_all(WWW_AUTHENTICATE).iter().collect();
    assert_eq!(lines, ["Bearer", "APIKey"]);
    let (mut head, ()) = Request::new(()).into_parts();
    let refused = plan!(Caller).resolve(&mut head).await.unwrap_err();
    assert_eq!(refused.headers().get_all(WWW_AUTHENTICATE).iter().count(), 2);
    head.headers.insert(AUTHORIZATION, "Bearer john".parse().unwrap());
    assert!(plan!(Caller).resolve(&mut head).await.is_ok());
}
