//! Refusals in the service's own format.

use axum::Router;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use doorward::openapi::{Document, Operation, SecurityAddon};
use doorward::scheme::{FromRefusal, RefusedRequest};
use doorward::testing::Overrides;
use doorward::{
    ApiKey, BearerToken, Rejection, api_key, dependency, http_basic, http_bearer, one_of, plan,
    secured,
};
use doorward_tests::description::assert_valid;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use super::asking;

/// Shows what a refusal says, with the status that the header `x-answer` asks for.
struct Shown(StatusCode, HeaderMap, String);

impl From<RefusedRequest> for Shown {
    fn from(refusal: RefusedRequest) -> Self {
        let asked = refusal.head().headers.get("x-answer");
        let asked = asked.and_then(|status| StatusCode::from_bytes(status.as_bytes()).ok());
        let mut headers = HeaderMap::new();
        if let Some(challenge) = refusal.head().headers.get("x-challenge") {
            headers.insert("www-authenticate", challenge.clone());
        }
        let text = format!("{} {:?}", refusal.reason().as_str(), refusal.challenge());
        Self(asked.unwrap_or_else(|| refusal.status()), headers, text)
    }
}

impl IntoResponse for Shown {
    fn into_response(self) -> Response {
        (self.0, self.1, self.2).into_response()
    }
}

/// An error that has a value of a trait, and so is not `Send`.
struct Boxed(Box<dyn IntoStatus>);

trait IntoStatus {
    fn status(&self) -> StatusCode;
}

impl IntoStatus for StatusCode {
    fn status(&self) -> StatusCode {
        *self
    }
}

impl From<RefusedRequest> for Boxed {
    fn from(_: RefusedRequest) -> Self {
        Self(Box::new(StatusCode::IM_A_TEAPOT))
    }
}

impl IntoResponse for Boxed {
    fn into_response(self) -> Response {
        self.0.status().into_response()
    }
}

#[api_key(header = "x-key", error = Boxed)]
struct BoxedKey;

#[http_bearer(error = Shown)]
struct Api;

#[api_key(cookie = "session", error = Shown)]
struct Session;

/// Sends visitors to the login, and brings them back.
struct Login(String);

impl FromRefusal for Login {
    async fn from_refusal(refusal: RefusedRequest) -> Self {
        tokio::task::yield_now().await;
        Self(format!("/login?next={}", refusal.head().uri.path()))
    }
}

impl IntoResponse for Login {
    fn into_response(self) -> Response {
        Redirect::to(&self.0).into_response()
    }
}

#[api_key(cookie = "session", error = Login)]
struct Page;

#[http_basic(realm = "site", error = Shown, challenge = false)]
struct Quiet;

#[http_bearer(realm = "site", error = Shown, challenge = false)]
struct QuietApi;

/// A bearer token or a session.
#[one_of(error = Shown)]
enum Caller {
    #[security(Api)]
    Token(BearerToken),
    #[security(Session)]
    Session(ApiKey),
}

#[secured]
async fn token(#[security(Api)] _token: BearerToken) {}

#[secured]
async fn caller(#[security(Caller)] caller: Caller) {
    match caller {
        Caller::Token(token) => assert!(!token.is_empty()),
        Caller::Session(key) => assert!(!key.as_str().is_empty()),
    }
}

#[secured]
async fn page(#[security(Page)] _session: ApiKey) {}

#[secured]
async fn quiet(#[security(Quiet)] _login: doorward::BasicCredentials) {}

#[secured]
async fn quiet_api(#[security(QuietApi)] _token: BearerToken) {}

async fn ask(path: &str, headers: &[(&str, &str)]) -> (u16, Vec<String>, String) {
    let app = Router::new()
        .route("/token", get(token).post(token))
        .route("/caller", get(caller).post(post_caller))
        .route("/page", get(page))
        .route("/quiet", get(quiet))
        .route("/quiet-api", get(quiet_api));
    answer(app, path, headers).await
}

#[secured]
async fn post_caller(#[security(Session)] _session: ApiKey) {}

async fn answer(app: Router, path: &str, headers: &[(&str, &str)]) -> (u16, Vec<String>, String) {
    let answer = asking::ask(app, path, headers).await;
    let challenges = answer.headers().get_all("www-authenticate").iter();
    let lines = challenges.chain(answer.headers().get("location"));
    let lines = lines.map(|line| line.to_str().unwrap().to_owned()).collect();
    (answer.status().as_u16(), lines, answer.into_body())
}

fn owned(status: u16, lines: &[&str], body: &str) -> (u16, Vec<String>, String) {
    let lines = lines.iter().map(ToString::to_string).collect();
    (status, lines, body.to_owned())
}

#[tokio::test]
async fn the_challenge_is_added_to_an_error() {
    let missing = r#"missing Some("Bearer")"#;
    assert_eq!(ask("/token", &[]).await, owned(401, &["Bearer"], missing));
    for (status, sent, challenge) in [
        ("403", 403, &["Bearer"][..]),
        ("404", 404, &["Bearer"]),
        ("500", 500, &["Bearer"]),
        // A redirect refuses as well, and a success never does.
        ("303", 303, &[]),
        ("304", 304, &[]),
    ] {
        let found = ask("/token", &[("x-answer", status)]).await;
        assert_eq!(found, owned(sent, challenge, missing), "{status}");
    }
    for status in ["200", "204", "101"] {
        let found = ask("/token", &[("x-answer", status)]).await;
        assert_eq!(found, owned(500, &[], ""), "{status}");
    }
    let own = [("x-challenge", r#"Bearer realm="mine""#)];
    let found = ask("/token", &own).await;
    assert_eq!(found, owned(401, &[r#"Bearer realm="mine""#], missing));
}

#[tokio::test]
async fn each_reason_is_told() {
    let two = [("cookie", "session=a"), ("cookie", "session=b")];
    let repeated = r#"repeated Some("APIKey")"#;
    let found = ask("POST /caller", &two).await;
    assert_eq!(found, owned(401, &["APIKey"], repeated));
    let cross_site = [("cookie", "session=a"), ("sec-fetch-site", "cross-site")];
    let found = ask("POST /caller", &cross_site).await;
    assert_eq!(found, owned(403, &[], "cross_site None"));
}

#[tokio::test]
async fn a_page_may_be_somewhere_else() {
    let found = ask("/page", &[]).await;
    assert_eq!(found, owned(303, &["/login?next=/page"], ""));
}

#[tokio::test]
async fn a_challenge_can_be_left_out() {
    let missing = r#"missing Some("Basic realm=\"site\"")"#;
    assert_eq!(ask("/quiet", &[]).await, owned(401, &[], missing));
    let of_token = r#"missing Some("Bearer realm=\"site\"")"#;
    assert_eq!(ask("/quiet-api", &[]).await, owned(401, &[], of_token));
    let malformed = r#"malformed Some("Basic realm=\"site\"")"#;
    let found = ask("/quiet", &[("authorization", "Basic ?")]).await;
    assert_eq!(found, owned(401, &[], malformed));
}

#[tokio::test]
async fn alternatives_answer_in_the_same_format() {
    let missing = r#"missing Some("Bearer, APIKey")"#;
    let found = ask("/caller", &[]).await;
    assert_eq!(found, owned(401, &["Bearer", "APIKey"], missing));
}

#[tokio::test]
async fn a_replacement_refuses_in_it_too() {
    let overrides = Overrides::new().with_fn::<Api>(|_| async {
        Err::<BearerToken, _>(Rejection::new(StatusCode::UNAUTHORIZED).with_challenge("Bearer"))
    });
    let app = Router::new().route("/token", post(token));
    let app = app.layer(axum::Extension(overrides));
    let found = answer(app, "POST /token", &[]).await;
    assert_eq!(found, owned(401, &["Bearer"], r#"invalid Some("Bearer")"#));
}

/// An error that utoipa describes.
#[derive(utoipa::IntoResponses)]
enum Described {
    /// Log in.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(
        #[to_schema]
        #[allow(dead_code, reason = "described")]
        Problem,
    ),
    /// The login is here.
    #[response(status = 303)]
    Login,
    /// Never of a scheme.
    #[response(status = 418)]
    #[allow(dead_code, reason = "described")]
    Teapot,
}

#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "described")]
struct Problem {
    title: String,
}

impl From<RefusedRequest> for Described {
    fn from(refusal: RefusedRequest) -> Self {
        if refusal.status() == 401 {
            return Self::Unauthorized(Problem { title: String::new() });
        }
        Self::Login
    }
}

impl IntoResponse for Described {
    fn into_response(self) -> Response {
        StatusCode::UNAUTHORIZED.into_response()
    }
}

#[http_bearer(error = Described)]
struct Whole;

/// A scheme that refuses for two reasons with an error that redirects.
#[api_key(cookie = "session", error = Described)]
struct TwoReasons;

/// What is wrong with a request.
#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "described")]
struct Reason {
    why: String,
    since: Option<u32>,
}

/// An error of which only the body is described.
#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "described")]
struct OfBody {
    code: u32,
    reason: Option<Reason>,
}

impl From<RefusedRequest> for OfBody {
    fn from(_: RefusedRequest) -> Self {
        Self { code: 1, reason: None }
    }
}

impl IntoResponse for OfBody {
    fn into_response(self) -> Response {
        StatusCode::UNAUTHORIZED.into_response()
    }
}

#[api_key(header = "x-key", error = OfBody, challenge = false)]
struct Key;

fn described(operation: &Operation) -> Value {
    json!(operation)["responses"].take()
}

#[test]
fn the_description_has_the_schema_of_the_error() {
    let challenge = json!({ "WWW-Authenticate": { "schema": { "type": "string" } } });
    let title = json!({
        "type": "object",
        "required": ["title"],
        "properties": { "title": { "type": "string" } }
    });
    let responses = described(&plan!(Whole).operation());
    let content = &responses["401"]["content"]["application/problem+json"];
    assert_eq!(responses["401"]["description"], "Log in.");
    assert_eq!(responses["401"]["headers"], challenge);
    assert_eq!(content["schema"], title);
    assert_eq!(responses["303"]["description"], "The login is here.");
    assert!(responses.get("418").is_none(), "{responses}");

    let text = serde_json::to_string(&plan!(TwoReasons).operation()).unwrap();
    assert_eq!(text.matches(r#""303":"#).count(), 1, "{text}");

    let responses = described(&plan!(Key).operation());
    let schema = &responses["401"]["content"]["application/json"]["schema"];
    assert_eq!(*schema, json!({ "$ref": "#/components/schemas/OfBody" }));
    assert!(responses["401"].get("headers").is_none(), "{responses}");

    // The schema is in the document once, and so is what it refers to.
    let refers = "#/components/schemas/Reason";
    let json = json!({ "paths": { "/": { "get": {} } } });
    let mut document = Document::new(json).unwrap();
    document.secure(&plan!(Key).operation()).unwrap();
    let document = json!(document.into_json());
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["OfBody"]["properties"]["code"]["type"], "integer");
    assert!(schemas["OfBody"].to_string().contains(refers), "{schemas}");
    assert_eq!(schemas["Reason"]["required"], json!(["why"]));

    #[dependency]
    fn known(#[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
        Ok(())
    }
    #[secured(known)]
    #[utoipa::path(get, path = "/", responses((status = 200, description = "OK")))]
    async fn keyed() {}
    #[derive(utoipa::OpenApi)]
    #[openapi(paths(keyed), modifiers(&SecurityAddon))]
    struct Keyed;
    let document = json!(<Keyed as utoipa::OpenApi>::openapi());
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["OfBody"]["required"], json!(["code"]));
    assert_eq!(schemas["Reason"]["required"], json!(["why"]));
    let response = &document["paths"]["/"]["get"]["responses"]["401"];
    assert_eq!(response["content"]["application/json"]["schema"], *schema);

    // In a document of OpenAPI 3.0, the schemas of utoipa are those of 3.0.
    #[derive(utoipa::OpenApi)]
    #[openapi(paths(keyed))]
    struct Carried;
    let mut document = json!(<Carried as utoipa::OpenApi>::openapi());
    document["openapi"] = json!("3.0.4");
    document["info"]["license"] = json!({ "name": "MIT" });
    let document = json!(Document::new(document).unwrap().into_json());
    assert_valid(&document);
    let reason = &document["components"]["schemas"]["Reason"]["properties"];
    let number = json!({ "type": "integer", "format": "int32", "minimum": 0, "nullable": true });
    assert_eq!(reason["since"], number);
    let reason = &document["components"]["schemas"]["OfBody"]["properties"]["reason"];
    let nothing = json!({ "nullable": true, "enum": [null] });
    assert_eq!(*reason, json!({ "oneOf": [{ "$ref": refers }, nothing] }));

    // Nobody knows this one, and what a scheme says by default is not true of it.
    let responses = described(&plan!(Api).operation());
    let expected = json!({ "401": { "description": "Unauthorized", "headers": challenge } });
    assert_eq!(responses, expected);
}

#[tokio::test]
async fn an_error_that_is_not_send_answers() {
    #[secured]
    async fn keyed(#[security(BoxedKey)] _key: ApiKey) {}

    let app = Router::new().route("/", get(keyed));
    let answer = asking::ask(app, "/", &[]).await;
    assert_eq!(answer.status(), StatusCode::IM_A_TEAPOT);
}
