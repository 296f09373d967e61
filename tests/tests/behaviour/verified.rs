//! Schemes that verify their tokens: `#[http_bearer(verified = Claims)]`.

use core::marker::PhantomData;
use core::str::FromStr;

use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use doorward::openapi::Operation;
use doorward::scheme::RefusedRequest;
use doorward::testing::Overrides;
use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{
    Rejection, Scheme, SecurityScopes, Shared, dependency, http_bearer, layer,
    oauth2_password_bearer, one_of, operation, plan, secured,
};
use http::header::AUTHORIZATION;
use http::{Request, StatusCode};
use serde_json::json;

use super::asking;

/// Takes the scopes that a token grants from its text: `NAME:SCOPE,SCOPE`.
struct Named;

struct Name(String);

impl Verify for Named {
    type Claims = Name;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<Name>, VerifyError> {
        let token = token.into();
        let token = token.token().as_str();
        let (name, granted) =
            token.split_once(':').ok_or_else(|| VerifyError::invalid_token(scopes))?;
        let granted = granted.split(',').map(str::to_owned);
        Verified::new(Name(name.to_owned()), granted).require(scopes)
    }
}

/// Tokens with the name of their owner.
#[http_bearer(
    scopes(
        "items" = "Read items.",
        "items:write" implies("items") = "Change items."
    ),
    verified = Name,
    by = Named
)]
struct Api;

#[oauth2_password_bearer(
    token_url = "token",
    realm = "notes",
    auto_error = false,
    verified = Name,
    by = Named
)]
struct Maybe;

/// Sees the request that brought the token.
struct OfRequest;

impl Verify for OfRequest {
    type Claims = String;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<String>, VerifyError> {
        let token = token.into();
        let target = token.target().map(ToString::to_string);
        let target = target.ok_or_else(|| VerifyError::invalid_token(scopes))?;
        Ok(Verified::new(target, []))
    }
}

#[http_bearer(verified = String, by = OfRequest)]
struct Bound;

/// Claims, a verifier and an error with two arguments each, which comes before the comma of the
/// attribute.
struct Pair<A, B>(A, B);

struct Pairs<A, B>(PhantomData<(A, B)>);

impl<A, B> Verify for Pairs<A, B>
where
    A: FromStr + Send + Sync + 'static,
    B: FromStr + Send + Sync + 'static,
{
    type Claims = Pair<A, B>;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<Pair<A, B>>, VerifyError> {
        let token = token.into();
        let pair = token.token().as_str().split_once(':');
        let pair = pair.and_then(|(a, b)| Some(Pair(a.parse().ok()?, b.parse().ok()?)));
        Ok(Verified::new(pair.ok_or_else(|| VerifyError::invalid_token(scopes))?, []))
    }
}

/// A status and a header.
struct Refused<A, B>(A, PhantomData<B>);

impl<B> From<RefusedRequest> for Refused<StatusCode, B> {
    fn from(_: RefusedRequest) -> Self {
        Self(StatusCode::IM_A_TEAPOT, PhantomData)
    }
}

impl<B> IntoResponse for Refused<StatusCode, B> {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

#[http_bearer(
    verified = Pair<String, u8>,
    by = Pairs<String, u8>,
    error = Refused<StatusCode, u8>,
    realm = "pairs"
)]
struct OfPairs;

#[secured]
async fn pair(#[security(OfPairs)] pair: Verified<Pair<String, u8>>) -> String {
    format!("{} {}", pair.0, pair.1)
}

macro_rules! scheme {
    ($scheme:ident, $claims:ty, $by:ty, $error:ty) => {
        #[http_bearer(verified = $claims, by = $by, error = $error, realm = "pairs")]
        struct $scheme;
    };
}

scheme!(OfAMacro, Pair<u8, u8>, Pairs<u8, u8>, Refused<StatusCode, ()>);

#[secured]
async fn pair_of_a_macro(#[security(OfAMacro)] pair: Verified<Pair<u8, u8>>) -> String {
    format!("{} {}", pair.0, pair.1)
}

#[secured]
async fn items(#[security(Api, scopes("items"))] caller: Verified<Name>) -> String {
    caller.0.clone()
}

#[secured(Api, scopes("items"))]
async fn guarded() -> &'static str {
    "in"
}

#[secured]
async fn maybe(#[security(Maybe)] caller: Option<Verified<Name>>) -> String {
    caller.map_or_else(|| "nobody".to_owned(), |caller| caller.0.clone())
}

#[secured]
async fn bound(#[security(Bound)] target: Verified<String>) -> String {
    target.claims().clone()
}

/// The length of the name, once a request.
#[dependency(cached)]
fn length(#[security(Api)] caller: Verified<Name>) -> usize {
    caller.0.len()
}

#[secured]
async fn lengths(#[security(length, scopes("items"))] length: usize) -> String {
    length.to_string()
}

#[one_of]
enum Who {
    #[security(Api)]
    Known(Verified<Name>),
    Nobody,
}

#[secured]
async fn who(#[security(Who, scopes("items"))] who: Who) -> String {
    match who {
        Who::Known(caller) => caller.0.clone(),
        Who::Nobody => "nobody".to_owned(),
    }
}

fn app() -> Router {
    let below = Router::new().route("/below", get(async || "in"));
    Router::new()
        .route("/items", get(items))
        .route("/guarded", get(guarded))
        .route("/maybe", get(maybe))
        .route("/bound", get(bound))
        .route("/pair", get(pair))
        .route("/pair-of-a-macro", get(pair_of_a_macro))
        .route("/lengths", get(lengths))
        .route("/who", get(who))
        .merge(below.layer(layer!(Api, scopes("items"))))
}

fn installed() -> Router {
    app().layer(Extension(Shared::new(Named))).layer(Extension(Shared::new(OfRequest)))
}

async fn ask(app: Router, path: &str, token: Option<&str>) -> (u16, String, String) {
    asking::refused(asking::ask_with(app, path, token).await)
}

const MISSING: &str = r#"Bearer realm="Api", scope="items""#;

#[tokio::test]
async fn it_checks_the_token_and_the_scopes_wherever_it_is_required() {
    for (path, value) in [
        ("/items", "ann"),
        ("/guarded", "in"),
        ("/below", "in"),
        ("/lengths", "3"),
        ("/who", "ann"),
    ] {
        let found = async |token| ask(installed(), path, token).await;
        for token in ["ann:items", "ann:me,items:write"] {
            let (status, _, body) = found(Some(token)).await;
            assert_eq!((status, &*body), (200, value), "{path} {token}");
        }
        let (status, challenge, _) = found(Some("ann")).await;
        assert_eq!(status, 401, "{path}");
        assert!(challenge.contains(r#"realm="Api", error="invalid_token""#), "{challenge}");
        assert!(challenge.ends_with(r#"scope="items""#), "{challenge}");
        let (status, challenge, _) = found(Some("ann:me")).await;
        assert_eq!(status, 403, "{path}");
        assert!(challenge.contains(r#"error="insufficient_scope""#), "{challenge}");
        let (status, challenge, body) = found(None).await;
        match path {
            "/who" => assert_eq!((status, &*body), (200, "nobody")),
            _ => assert_eq!((status, &*challenge), (401, MISSING), "{path}"),
        }
    }
}

#[tokio::test]
async fn without_a_token_an_optional_one_is_nobody_and_a_wrong_one_is_refused() {
    let (status, _, body) = ask(installed(), "/maybe", None).await;
    assert_eq!((status, &*body), (200, "nobody"));
    let (status, _, body) = ask(installed(), "/maybe", Some("ann:")).await;
    assert_eq!((status, &*body), (200, "ann"));
    let (status, challenge, _) = ask(installed(), "/maybe", Some("ann")).await;
    assert_eq!(status, 401);
    assert!(challenge.starts_with(r#"Bearer realm="notes", error="#), "{challenge}");
}

#[tokio::test]
async fn a_verifier_can_read_the_request() {
    let (status, _, body) = ask(installed(), "/bound?a=b", Some("t")).await;
    assert_eq!((status, &*body), (200, "/bound?a=b"));
}

#[tokio::test]
async fn its_types_may_have_two_arguments_and_come_out_of_a_macro() {
    let app = app()
        .layer(Extension(Shared::new(Pairs::<String, u8>(PhantomData))))
        .layer(Extension(Shared::new(Pairs::<u8, u8>(PhantomData))));
    for path in ["/pair", "/pair-of-a-macro"] {
        let (status, _, body) = ask(app.clone(), path, Some("1:2")).await;
        assert_eq!((status, &*body), (200, "1 2"), "{path}");
        assert_eq!(ask(app.clone(), path, Some("1:b")).await.0, 418, "{path}");
    }
    for config in [OfPairs::CONFIG, OfAMacro::CONFIG] {
        assert_eq!(config.realm().unwrap().get(), Some("pairs"));
    }
}

#[tokio::test]
async fn without_a_verifier_the_answer_is_a_500() {
    let (status, challenge, body) = ask(app(), "/items", Some("ann:items")).await;
    assert_eq!((status, &*challenge), (500, ""));
    assert_eq!(body, r#"{"detail":"Internal Server Error"}"#);
    // Nobody needs it for a request without a token.
    let (status, challenge, _) = ask(app(), "/items", None).await;
    assert_eq!((status, &*challenge), (401, MISSING));
}

#[tokio::test]
async fn a_test_replaces_the_whole_scheme() {
    let ann = || Verified::new(Name("ann".to_owned()), []);
    let app = app().layer(Extension(Overrides::new().with::<Api>(ann)));
    for path in ["/items", "/guarded", "/below", "/lengths"] {
        let (status, ..) = ask(app.clone(), path, None).await;
        assert_eq!(status, 200, "{path}");
    }
    let refuse = |_| async { Err(Rejection::new(StatusCode::IM_A_TEAPOT)) };
    let app = self::app().layer(Extension(Overrides::new().with_fn::<Api>(refuse)));
    assert_eq!(ask(app, "/items", Some("ann:items")).await.0, 418);
}

#[tokio::test]
async fn a_plan_resolves_it_without_a_framework() {
    let request = Request::get("/").header(AUTHORIZATION, "Bearer ann:items");
    let request = request.extension(Shared::new(Named)).body(()).unwrap();
    let (mut head, ()) = request.into_parts();
    let caller = plan!(Api, scopes("items")).resolve(&mut head).await;
    assert_eq!(caller.unwrap().0, "ann");
}

#[test]
fn it_is_described_as_its_scheme_with_both_refusals() {
    let operation: Operation = operation!(items);
    let described = serde_json::to_value(&operation).unwrap();
    assert_eq!(described["security"], json!([{ "Api": ["items"] }]));
    let statuses: Vec<_> = described["responses"].as_object().unwrap().keys().collect();
    assert_eq!(statuses, ["401", "403"]);
    let challenge = &described["responses"]["401"]["headers"]["WWW-Authenticate"];
    assert!(challenge.is_object(), "{described}");
    assert_eq!(Api::CONFIG.realm().unwrap().get(), Some("Api"));
}
