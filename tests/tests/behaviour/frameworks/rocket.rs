//! rocket 0.5.

use ::rocket::fairing::AdHoc;
use ::rocket::http::{ContentType, Cookie, Header, Status};
use ::rocket::local::blocking::{Client, LocalResponse};
use ::rocket::request::{self, FromRequest};
use ::rocket::{Build, Request, Rocket, State, async_trait, get, post, routes};
use doorward::form::FormError;
use doorward::rocket05::Doorward;
use doorward::testing::Overrides;
use doorward::{
    BearerToken, OAuth2PasswordRequestForm, PasswordForm, Rejection, Security, api_key, dependency,
    oauth2_password_bearer, one_of, secured,
};
use http::StatusCode;

use super::{OAuth2, user};

#[dependency]
async fn stated(#[security(user, scopes("me"))] user: String, state: &State<String>) -> String {
    format!("{state} {user}")
}

#[secured]
#[get("/own/<id>")]
async fn own(id: u32, #[security(stated, scopes("items"))] user: String) -> String {
    format!("{id} {user}")
}

fn app() -> Rocket<Build> {
    empty().manage("state".to_owned()).mount("/", routes![own])
}

pub(crate) fn empty() -> Rocket<Build> {
    let config = rocket::Config {
        log_level: rocket::config::LogLevel::Off,
        ..rocket::Config::debug_default()
    };
    rocket::custom(config)
}

#[test]
fn a_guard_lends_from_the_request() {
    let client = Client::untracked(app().attach(Doorward)).unwrap();
    let request = client.get("/own/7").header(Header::new("authorization", "Bearer john"));
    assert_eq!(request.dispatch().into_string().unwrap(), "7 state john items me");
    let refused = client.get("/own/7").dispatch();
    assert_eq!(refused.status(), Status::Unauthorized);
    assert_eq!(refused.headers().get_one("www-authenticate"), Some("Bearer"));

    let overridden = app().manage(Overrides::new().with::<stated>(|| "test".to_owned()));
    let client = Client::untracked(overridden.attach(Doorward)).unwrap();
    assert_eq!(client.get("/own/7").dispatch().into_string().unwrap(), "7 test");
}

#[test]
fn a_forgotten_fairing_stops_the_launch() {
    let error = Client::untracked(app()).unwrap_err();
    assert!(matches!(error.kind(), rocket::error::ErrorKind::SentinelAborts(_)), "{error}");
}

fn client(app: Rocket<Build>) -> Client {
    Client::untracked(app.attach(Doorward)).unwrap()
}

fn assert_is_refusal(response: LocalResponse<'_>) {
    assert_eq!(response.status(), Status::Unauthorized);
    let headers = response.headers();
    assert_eq!(headers.get("www-authenticate").collect::<Vec<_>>(), ["Bearer"]);
    assert_eq!(headers.get("content-type").collect::<Vec<_>>(), ["application/json"]);
    assert_eq!(response.into_string().unwrap(), r#"{"detail":"Not authenticated"}"#);
}

const HIDDEN: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_json(r#"{"detail":"hidden"}"#);

#[oauth2_password_bearer(token_url = "token", rejection = HIDDEN)]
struct Hidden;

#[get("/by-hand")]
fn by_hand(found: Result<Security<OAuth2>, Rejection>) -> (Status, &'static str) {
    match found {
        Ok(_) => (Status::Ok, "found"),
        Err(_) => (Status::Unauthorized, "mine"),
    }
}

#[post("/form", data = "<form>")]
fn form_by_hand(
    form: Result<PasswordForm<OAuth2PasswordRequestForm>, FormError>,
) -> (Status, &'static str) {
    match form {
        Ok(_) => (Status::Ok, "found"),
        Err(_) => (Status::BadRequest, "mine"),
    }
}

#[get("/later")]
fn later(found: Option<Security<Hidden>>) -> Result<&'static str, Status> {
    found.map(|_| "found").ok_or(Status::NotFound)
}

#[secured]
#[get("/both")]
async fn both(found: Option<Security<Hidden>>, #[security(user)] user: String) -> (Status, String) {
    (Status::NotFound, format!("{user}{}", found.is_some()))
}

/// The fairing keeps a handler's own response to a refusal, whatever its status.
#[test]
fn a_handler_answers_a_refusal_itself() {
    let client = client(empty().mount("/", routes![by_hand, form_by_hand, later, both]));
    let found = client.get("/by-hand").dispatch();
    assert_eq!(found.status(), Status::Unauthorized);
    assert_eq!(found.headers().get_one("www-authenticate"), None);
    assert_eq!(found.into_string().unwrap(), "mine");

    let found = client.post("/form").header(ContentType::Form).dispatch();
    assert_eq!(found.status(), Status::BadRequest);
    assert_eq!(found.into_string().unwrap(), "mine");

    let found = client.get("/later").dispatch();
    assert_eq!(found.status(), Status::NotFound);
    assert!(!found.into_string().unwrap().contains("hidden"));

    // After two refusals, the response is that of the one that ended the request.
    assert_is_refusal(client.get("/both").dispatch());
}

/// A custom guard that wraps a guard of this crate.
struct Wrapped;

#[async_trait]
impl<'r> FromRequest<'r> for Wrapped {
    type Error = Rejection;

    async fn from_request(request: &'r Request<'_>) -> request::Outcome<Self, Self::Error> {
        let found: request::Outcome<Security<OAuth2>, _> = request.guard().await;
        found.map(|_| Self)
    }
}

#[get("/wrapped")]
fn wrapped(_guard: Wrapped) -> &'static str {
    "passed"
}

#[test]
fn a_guard_that_hands_the_status_on_hands_the_refusal_on() {
    let app = || empty().mount("/", routes![wrapped]);
    assert_is_refusal(client(app()).get("/wrapped").dispatch());

    let client = Client::untracked(app()).unwrap();
    let bare = client.get("/wrapped").dispatch();
    assert_eq!(bare.status(), Status::Unauthorized);
    assert_eq!(bare.headers().get_one("www-authenticate"), None);
}

#[api_key(header = "x-second")]
struct Second;

/// Takes a guard of this crate as an extractor.
#[dependency]
fn member(
    #[security(OAuth2)] token: BearerToken,
    second: Security<Second>,
) -> Result<String, Rejection> {
    let Security(second) = second;
    Ok(format!("{} {}", token.as_str(), second.as_str()))
}

#[one_of]
enum Visitor {
    #[security(member, lenient)]
    Member(String),
    Nobody,
}

fn greeting(visitor: Visitor) -> String {
    match visitor {
        Visitor::Member(member) => member,
        Visitor::Nobody => "nobody".to_owned(),
    }
}

#[secured]
#[get("/visit")]
async fn visit(#[security(Visitor)] visitor: Visitor) -> String {
    greeting(visitor)
}

#[secured]
async fn visit_on_axum(#[security(Visitor)] visitor: Visitor) -> String {
    greeting(visitor)
}

/// A guard of this crate that refuses below a lenient alternative counts as no credential, as on axum.
#[test]
fn a_refused_guard_below_a_lenient_alternative_is_no_credential() {
    let client = client(empty().mount("/", routes![visit]));
    for (second, expected) in [(None, "nobody"), (Some("key"), "john key")] {
        let headers = [("authorization", Some("Bearer john")), ("x-second", second)];
        let headers = headers.iter().filter_map(|(name, value)| Some((*name, (*value)?)));
        let mut request = client.get("/visit");
        let mut on_axum = http::Request::get("/visit");
        for (name, value) in headers {
            request.add_header(Header::new(name, value));
            on_axum = on_axum.header(name, value);
        }
        let answer = request.dispatch();
        assert_eq!(answer.status(), Status::Ok);
        assert_eq!(answer.into_string().unwrap(), expected);
        let app = axum::Router::new().route("/visit", axum::routing::get(visit_on_axum));
        let on_axum = super::each::axum(app, on_axum.body("").unwrap());
        assert_eq!((on_axum.status().as_u16(), &**on_axum.body()), (200, expected));
    }
}

#[get("/scheme")]
fn scheme(_found: Security<OAuth2>) {}

#[dependency]
fn without_content() -> Result<(), Rejection> {
    Err(Rejection::new(StatusCode::FORBIDDEN))
}

#[secured(without_content)]
#[get("/empty")]
async fn empty_refusal() {}

/// Headers set by other fairings stay, except for those that the refusal sets itself.
#[test]
fn a_refusal_keeps_the_headers_of_fairings() {
    let cors = AdHoc::on_response("cors", |_, response| {
        Box::pin(async move {
            response.set_raw_header("access-control-allow-origin", "*");
            response.set_raw_header("www-authenticate", "Basic");
            response.adjoin_header(Cookie::new("a", "b"));
        })
    });
    let app = empty().attach(cors).mount("/", routes![scheme, empty_refusal]);
    let client = client(app);
    for path in ["/scheme", "/empty"] {
        let refused = client.get(path).dispatch();
        let headers = refused.headers();
        // Set by rocket's `Shield`, which is attached to every app.
        assert!(headers.contains("x-content-type-options"), "{path}");
        assert_eq!(headers.get_one("access-control-allow-origin"), Some("*"));
        assert_eq!(headers.get_one("set-cookie"), Some("a=b"), "{path}");
    }
    assert_is_refusal(client.get("/scheme").dispatch());

    let refused = client.get("/empty").dispatch();
    assert_eq!(refused.status(), Status::Forbidden);
    assert_eq!(refused.content_type(), None);
    assert_eq!(refused.into_string().unwrap_or_default(), "");
}

#[test]
fn the_fairing_may_be_attached_twice() {
    let also = AdHoc::on_ignite("also", |rocket| Box::pin(async { rocket.attach(Doorward) }));
    let app = empty().attach(Doorward).attach(also);
    let client = client(app.mount("/", routes![wrapped]));
    assert_is_refusal(client.get("/wrapped").dispatch());
}

/// An error whose page a catcher writes.
struct Bare(Status);

impl From<doorward::scheme::RefusedRequest> for Bare {
    fn from(refusal: doorward::scheme::RefusedRequest) -> Self {
        Self(Status::new(refusal.status().as_u16()))
    }
}

impl<'r> ::rocket::response::Responder<'r, 'static> for Bare {
    fn respond_to(self, _: &'r Request<'_>) -> ::rocket::response::Result<'static> {
        Err(self.0)
    }
}

#[doorward::http_bearer(error = Bare)]
struct Caught;

#[secured]
#[get("/caught")]
async fn caught(#[security(Caught)] _token: doorward::BearerToken) {}

#[::rocket::catch(401)]
fn write_page() -> &'static str {
    "the catcher's page"
}

#[test]
fn an_empty_body_is_left_to_the_catchers() {
    let app = empty().mount("/", routes![caught]).register("/", ::rocket::catchers![write_page]);
    let client = Client::untracked(app.attach(Doorward)).unwrap();
    let response = client.get("/caught").dispatch();
    assert_eq!(response.status(), Status::Unauthorized);
    let challenges = response.headers().get("www-authenticate");
    assert!(challenges.eq(["Bearer"]));
    let body = response.into_string();
    assert_eq!(body.as_deref(), Some("the catcher's page"));
}
