//! A 401 of a dependency, or of an extractor that it takes, has the challenges of the schemes below
//! it. No other refusal has them, and none has them twice.

use std::fmt;

use ::actix_web::error as actix_error;
use ::axum::extract::FromRequestParts;
use ::poem::EndpointExt as _;
use ::poem::error::ResponseError;
use ::rocket::http::Status;
use ::rocket::local::blocking::Client;
use ::rocket::request::Outcome;
use ::rocket::{Responder, catch, catchers};
use ::salvo::http::StatusError;
use doorward::rocket05::Doorward;
use doorward::testing::Overrides;
use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{
    ApiKey, BearerError, BearerToken, Rejection, SecurityScopes, Shared, api_key, dependency,
    http_bearer, layer, one_of, plan, secured,
};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{Request, StatusCode};

use super::each::{self, Answer, Asked, Framework, each_framework, each_layer};
use super::rocket::empty;
use crate::asking::block_on;

#[http_bearer(realm = "api", scopes("items" = "Read items."))]
struct Api;

const CHALLENGE: &str = r#"Bearer realm="api", scope="items""#;

/// Refuses with the status that is the token.
#[dependency]
fn checked(
    #[security(Api)] token: BearerToken,
    _scopes: SecurityScopes,
) -> Result<String, Rejection> {
    let wrong = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Wrong");
    Err(match token.as_str() {
        "own" => wrong.with_challenge("Basic"),
        "among-headers" => wrong.with_headers(&[("Www-Authenticate", "Basic")]),
        token => {
            let status = StatusCode::from_bytes(token.as_bytes()).expect("it is a status");
            Rejection::new(status).with_detail("Wrong")
        }
    })
}

fn asked(token: &str) -> Asked {
    let request = Request::get("/").header(AUTHORIZATION, format!("Bearer {token}"));
    request.body("").unwrap()
}

/// Returns the status and the challenges of an answer.
fn seen(answer: &Answer) -> (u16, Vec<&str>) {
    let lines = answer.headers().get_all(WWW_AUTHENTICATE).iter();
    (answer.status().as_u16(), lines.map(|line| line.to_str().unwrap()).collect())
}

#[test]
fn a_dependency_is_completed_everywhere() {
    #[secured(checked, scopes("items"))]
    async fn guarded() {}

    let guarded: Framework =
        ("a guard", |asked| each::axum(axum::Router::new().fallback(guarded), asked));
    let asks = each_framework!(checked, scopes("items")).into_iter();
    for (name, ask) in asks.chain(each_layer!(checked, scopes("items"))).chain([guarded]) {
        let missing = ask(Request::new(""));
        assert_eq!(seen(&missing), (401, vec![CHALLENGE]), "{name}");
        for (token, status, challenges) in [
            ("401", 401, &[CHALLENGE][..]),
            ("own", 401, &["Basic"]),
            ("among-headers", 401, &["Basic"]),
            ("400", 400, &[]),
            ("403", 403, &[]),
            ("404", 404, &[]),
            ("407", 407, &[]),
            ("503", 503, &[]),
            // Not a refusal.
            ("200", 500, &[]),
        ] {
            let answer = ask(asked(token));
            assert_eq!(seen(&answer), (status, challenges.to_vec()), "{name}: {token}");
        }
    }
}

#[test]
fn the_replacement_of_a_test_is_completed() {
    for (framework, ask) in each_framework!(checked, scopes("items")) {
        for (status, challenges) in
            [(StatusCode::UNAUTHORIZED, &[CHALLENGE][..]), (StatusCode::FORBIDDEN, &[])]
        {
            let overrides = Overrides::new()
                .with_fn::<checked>(move |_| async move { Err(Rejection::new(status)) });
            let mut request = asked("401");
            request.extensions_mut().insert(overrides);
            let expected = (status.as_u16(), challenges.to_vec());
            assert_eq!(seen(&ask(request)), expected, "{framework}");
        }
    }
}

/// An extractor of each framework, which refuses with the status in the header `x-answer`. On
/// rocket, the status is forwarded if it is in the header `x-forward`.
struct Refusing;

fn answer_of(headers: &http::HeaderMap) -> StatusCode {
    StatusCode::from_bytes(headers["x-answer"].as_bytes()).unwrap()
}

impl<S: Sync> FromRequestParts<S> for Refusing {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        Err(answer_of(&parts.headers))
    }
}

impl ::actix_web::FromRequest for Refusing {
    type Error = ::actix_web::Error;
    type Future = std::future::Ready<Result<Self, Self::Error>>;

    fn from_request(
        request: &::actix_web::HttpRequest,
        _: &mut ::actix_web::dev::Payload,
    ) -> Self::Future {
        let answer = request.headers().get("x-answer").unwrap().to_str().unwrap();
        std::future::ready(Err(match answer {
            "401" => actix_error::ErrorUnauthorized("no"),
            _ => actix_error::ErrorForbidden("no"),
        }))
    }
}

impl<'r> ::poem::FromRequest<'r> for Refusing {
    async fn from_request(
        request: &'r ::poem::Request,
        _: &mut ::poem::RequestBody,
    ) -> ::poem::Result<Self> {
        Err(::poem::Error::from_status(answer_of(request.headers())))
    }
}

#[::rocket::async_trait]
impl<'r> ::rocket::request::FromRequest<'r> for Refusing {
    type Error = ();

    async fn from_request(request: &'r ::rocket::Request<'_>) -> Outcome<Self, ()> {
        let status = |name| request.headers().get_one(name).map(|code| code.parse().unwrap());
        match (status("x-answer"), status("x-forward")) {
            (Some(code), _) => Outcome::Error((Status::new(code), ())),
            (None, Some(code)) => Outcome::Forward(Status::new(code)),
            (None, None) => Outcome::Error((Status::InternalServerError, ())),
        }
    }
}

impl<'ex> ::salvo::Extractible<'ex> for Refusing {
    fn metadata() -> &'static ::salvo::extract::Metadata {
        static METADATA: ::salvo::extract::Metadata = ::salvo::extract::Metadata::new("");
        &METADATA
    }

    #[expect(refining_impl_trait, reason = "the error is an own one")]
    async fn extract(
        request: &'ex mut ::salvo::Request,
        _: &'ex mut ::salvo::Depot,
    ) -> Result<Self, Late> {
        Err(Late(answer_of(request.headers())))
    }
}

/// An error whose status salvo knows only when it is written.
#[derive(Debug)]
struct Late(StatusCode);

impl ::salvo::Scribe for Late {
    fn render(self, response: &mut ::salvo::Response) {
        response.render(StatusError::from_code(self.0).unwrap());
    }
}

impl doorward::head::FromHead for Refusing {
    type Rejection = http::Response<String>;

    fn from_head(head: &mut Parts) -> Result<Self, http::Response<String>> {
        let mut response = http::Response::default();
        *response.status_mut() = answer_of(&head.headers);
        Err(response)
    }
}

/// Extracts what no request has.
#[dependency]
fn extracting(
    #[security(checked_ok, scopes("items"))] name: String,
    _refusing: Refusing,
) -> String {
    name
}

#[dependency]
fn checked_ok(#[security(Api)] token: BearerToken, _scopes: SecurityScopes) -> String {
    token.as_str().to_owned()
}

#[test]
fn an_extractor_is_completed_everywhere() {
    for (framework, ask) in each_framework!(extracting) {
        for (answer, challenges) in [(401, &[CHALLENGE][..]), (403, &[])] {
            let mut request = asked("t0k3n");
            request.headers_mut().insert("x-answer", answer.into());
            let found = ask(request);
            assert_eq!(seen(&found), (answer, challenges.to_vec()), "{framework}");
        }
    }
}

#[secured]
#[rocket::get("/<_..>")]
async fn extracting_on_rocket(#[security(extracting)] name: String) -> String {
    name
}

#[secured]
#[rocket::get("/<_..>", rank = 20)]
async fn other_on_rocket(#[security(checked_ok)] name: String) -> String {
    name
}

#[catch(401)]
fn own_page() -> &'static str {
    "log in"
}

#[catch(401)]
fn other_status() -> (Status, &'static str) {
    (Status::Forbidden, "no")
}

/// A catcher of rocket answers, and may change the status.
#[test]
fn a_catcher_of_rocket_decides_late() {
    let ask = |catchers: Vec<::rocket::Catcher>, routes: Vec<::rocket::Route>, name, code| {
        let app = empty().attach(Doorward).mount("/", routes).register("/", catchers);
        let client = Client::untracked(app).unwrap();
        let request = client.get("/").header(::rocket::http::Header::new(name, code));
        let token = ::rocket::http::Header::new("authorization", "Bearer t0k3n");
        let response = request.header(token).dispatch();
        let challenges = response.headers().get("www-authenticate").map(str::to_owned).collect();
        (response.status().code, challenges, response.into_string().unwrap())
    };
    let one = || ::rocket::routes![extracting_on_rocket];
    let completed = (401, vec![CHALLENGE.to_owned()], "log in".to_owned());
    for name in ["x-answer", "x-forward"] {
        assert_eq!(ask(catchers![own_page], one(), name, "401"), completed, "{name}");
        let (status, challenges, _): (_, Vec<String>, _) =
            ask(catchers![other_status], one(), name, "401");
        assert_eq!((status, challenges.len()), (403, 0), "{name}");
        let (status, challenges, _) = ask(catchers![own_page], one(), name, "403");
        assert_eq!((status, challenges.len()), (403, 0), "{name}");
    }
    // Another route takes the request.
    let two = ::rocket::routes![extracting_on_rocket, other_on_rocket];
    let found = ask(catchers![], two, "x-forward", "401");
    assert_eq!(found, (200, vec![], "t0k3n".to_owned()));
}

/// An error that leaves its response to a catcher.
struct ForCatcher;

impl<'r> ::rocket::response::Responder<'r, 'static> for ForCatcher {
    fn respond_to(self, _: &'r ::rocket::Request<'_>) -> ::rocket::response::Result<'static> {
        Err(Status::Unauthorized)
    }
}

#[api_key(header = "x-key")]
struct Key;

#[dependency]
fn of_key(#[security(Key)] _key: ApiKey) -> Result<(), ForCatcher> {
    Err(ForCatcher)
}

#[dependency]
fn of_token(
    #[security(Api)] _token: BearerToken,
    _scopes: SecurityScopes,
) -> Result<(), ForCatcher> {
    Err(ForCatcher)
}

#[one_of]
enum KeyOrToken {
    #[security(of_key, lenient, unscoped)]
    Key(()),
    #[security(of_token)]
    Token(()),
}

#[secured]
#[rocket::get("/")]
async fn of_either(#[security(KeyOrToken, scopes("items"))] either: KeyOrToken) {
    match either {
        KeyOrToken::Key(()) | KeyOrToken::Token(()) => {}
    }
}

/// The challenges are those of the dependency that refuses, not of an alternative that counts as
/// absent.
#[test]
fn the_last_refusal_of_rocket_counts() {
    let app = empty().attach(Doorward).mount("/", ::rocket::routes![of_either]);
    let client = Client::untracked(app).unwrap();
    let key = ::rocket::http::Header::new("x-key", "k");
    let token = ::rocket::http::Header::new("authorization", "Bearer t0k3n");
    let response = client.get("/").header(key).header(token).dispatch();
    let challenges = response.headers().get("www-authenticate");
    assert_eq!(challenges.collect::<Vec<_>>(), [CHALLENGE]);
    assert_eq!(response.status(), Status::Unauthorized);
}

/// An error of the service that poem's endpoints may catch.
#[derive(Clone, Copy, Debug, Responder)]
#[response(status = 401)]
struct Unknown(&'static str);

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unknown {}

impl ResponseError for Unknown {
    fn status(&self) -> StatusCode {
        StatusCode::UNAUTHORIZED
    }
}

/// An error of poem keeps its type where nothing is added.
#[test]
fn what_poem_catches_by_its_type_is_found() {
    #[dependency]
    fn bearer_error(#[security(Api)] _token: BearerToken) -> Result<String, BearerError> {
        Err(BearerError::invalid_token())
    }
    #[dependency]
    fn rejection(#[security(Api)] token: BearerToken) -> Result<String, Rejection> {
        let status = StatusCode::from_bytes(token.as_str().as_bytes());
        Err(Rejection::new(status.unwrap()).with_challenge("Basic"))
    }
    #[dependency]
    fn unknown(#[security(Api)] _token: BearerToken) -> Result<String, Unknown> {
        Err(Unknown("unknown"))
    }
    #[dependency]
    fn without_scheme() -> Result<String, Unknown> {
        Err(Unknown("unknown"))
    }
    macro_rules! caught {
        ($dependency:ident, $error:ty, $token:literal) => {{
            #[secured]
            #[poem::handler]
            async fn taken(#[security($dependency)] found: String) -> String {
                found
            }
            let caught = poem::Route::new()
                .at("/", taken)
                .catch_error(|_: $error| async { poem::http::StatusCode::IM_A_TEAPOT });
            each::poem(caught, asked($token)).status().as_u16()
        }};
    }
    assert_eq!(caught!(bearer_error, BearerError, "t0k3n"), 418);
    assert_eq!(caught!(rejection, Rejection, "401"), 418);
    assert_eq!(caught!(rejection, Rejection, "403"), 418);
    assert_eq!(caught!(without_scheme, Unknown, "t0k3n"), 418);
    assert_eq!(caught!(unknown, Unknown, "t0k3n"), 401);
}

/// A scheme that verifies, whose refusals have no challenge.
#[http_bearer(
    verified = (),
    by = Nobody,
    scopes("items" = "Read items."),
    challenge = false
)]
struct Quiet;

/// Takes the token `weak` alone, which has no scope.
struct Nobody;

impl Verify for Nobody {
    type Claims = ();

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<()>, VerifyError> {
        match token.into().token().as_str() {
            "weak" => Verified::new((), []).require(scopes),
            _ => Err(VerifyError::invalid_token(scopes)),
        }
    }
}

#[test]
fn a_scheme_without_a_challenge_has_none() {
    #[dependency]
    fn above(#[security(Quiet)] _verified: Verified<()>) -> Result<(), Rejection> {
        Err(Rejection::new(StatusCode::UNAUTHORIZED))
    }
    let head = |token: Option<&str>| {
        let request = Request::post("/").header("content-length", "5");
        let request = match token {
            Some(token) => request.header(AUTHORIZATION, format!("Bearer {token}")),
            None => request,
        };
        request.extension(Shared::new(Nobody)).body(()).unwrap().into_parts().0
    };
    for (token, status) in [(None, 401), (Some("wrong"), 401), (Some("weak"), 403)] {
        let plan = plan!(Quiet, scopes("items"));
        let refused = block_on(plan.resolve(&mut head(token))).unwrap_err();
        assert_eq!(seen(&refused), (status, vec![]), "{token:?}");
        assert_eq!(refused.headers()["connection"], "close", "{token:?}");
        let refused = block_on(plan.resolve_local(&mut head(token))).unwrap_err();
        assert_eq!(seen(&refused), (status, vec![]), "{token:?}");
    }
    let refused = block_on(plan!(above).resolve(&mut head(Some("weak")))).unwrap_err();
    assert_eq!(seen(&refused), (401, vec![]));
}

/// actix-web takes the answer out of an error that is asked for its status.
#[test]
fn a_layer_of_actix_web_keeps_a_refusal_without_a_challenge() {
    for (token, status) in [("wrong", 401), ("weak", 403)] {
        let answer = ::actix_web::rt::System::new().block_on(async {
            let route = ::actix_web::web::to(async || "let in");
            let app = ::actix_web::App::new()
                .app_data(Shared::new(Nobody))
                .default_service(route.wrap(layer!(Quiet, scopes("items"))));
            let app = ::actix_web::test::init_service(app).await;
            let bearer = ("authorization", format!("Bearer {token}"));
            let request = ::actix_web::test::TestRequest::get().insert_header(bearer);
            ::actix_web::test::call_service(&app, request.to_request()).await
        });
        assert_eq!(answer.status().as_u16(), status, "{token}");
        assert!(!answer.headers().contains_key("www-authenticate"), "{token}");
    }
}

#[tokio::test]
async fn a_late_refusal_is_completed() {
    let service = tower::service_fn(async |request: http::Request<()>| {
        let mut head = request.into_parts().0;
        let refused = plan!(checked, scopes("items")).resolve_late(&mut head).await;
        Ok::<_, std::convert::Infallible>(http::Response::new(format!("{refused:?}")))
    });
    let layer = layer!(guest).with_late_refusals();
    let service = tower::Layer::layer(&layer, service);
    let request = asked("401").map(|_| ());
    let answer = tower::ServiceExt::oneshot(service, request).await.unwrap();
    assert_eq!(seen(&answer), (401, vec![CHALLENGE]));
}

/// Refuses requests without a token.
#[dependency]
fn guest(#[security(Api)] _token: BearerToken) -> Result<(), Rejection> {
    Ok(())
}
