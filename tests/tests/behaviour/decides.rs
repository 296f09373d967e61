//! A dependency that refuses requests itself, although each scheme below it may be absent.

use doorward::axum08::routing::get;
use doorward::axum08::{Router, asked};
use doorward::openapi::{Document, Operation, audit, secure};
use doorward::scheme::RejectionReason;
use doorward::{
    ApiKey, BasicCredentials, BearerToken, Rejection, Scheme, Shared, api_key, dependency,
    http_basic, http_bearer, layer, one_of, operation, secured,
};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tower::ServiceExt;
use utoipa::OpenApi;

use super::asking::{answer, request};

#[api_key(header = "x-key", auto_error = false)]
struct Key;

#[http_bearer(scopes("read" = "Read."), auto_error = false)]
struct Notes;

#[http_bearer]
struct Session;

struct Settings {
    is_open: bool,
}

/// Its challenge is that of the schemes below.
const REFUSED: Rejection = Rejection::new(StatusCode::UNAUTHORIZED);

#[derive(Clone)]
struct Auth;

#[dependency(extract, decides)]
fn auth(
    #[security(Key)] key: Option<ApiKey>,
    settings: Shared<Settings>,
) -> Result<Auth, Rejection> {
    match key {
        _ if settings.is_open => Ok(Auth),
        Some(key) if key.secret_eq("secret") => Ok(Auth),
        _ => Err(REFUSED),
    }
}

/// One of two credentials.
#[dependency(decides)]
fn either(
    #[security(Key)] key: Option<ApiKey>,
    #[security(Notes)] token: Option<BearerToken>,
) -> Result<(), Rejection> {
    key.map(|_| ()).or(token.map(|_| ())).ok_or(REFUSED)
}

#[dependency]
fn session(#[security(Session)] token: BearerToken) -> Result<(), Rejection> {
    if token.as_str() == "secret" { Ok(()) } else { Err(REFUSED) }
}

#[one_of]
enum Caller {
    #[security(session)]
    Session(()),
    Nobody,
}

#[dependency(decides)]
fn caller(#[security(Caller)] caller: Caller) -> Result<(), Rejection> {
    match caller {
        Caller::Session(()) => Ok(()),
        Caller::Nobody => Err(REFUSED),
    }
}

#[dependency]
fn limited(#[argument] _limit: u8, #[security(auth)] _auth: Auth) -> Result<(), Rejection> {
    Ok(())
}

#[utoipa::path(get, path = "/extracted", responses((status = 200)))]
async fn extracted(_: Auth) {}

#[dependency(decides)]
fn sized(#[argument] _most: u8, #[security(Key)] key: Option<ApiKey>) -> Result<(), Rejection> {
    key.map(|_| ()).ok_or(REFUSED)
}

#[secured(sized(2))]
async fn of_a_size() {}

#[secured(auth)]
#[utoipa::path(get, path = "/guard", responses((status = 200)))]
async fn guard() {}

#[secured(limited(3))]
#[utoipa::path(get, path = "/limited", responses((status = 200)))]
async fn with_a_limit() {}

#[secured(either)]
#[utoipa::path(get, path = "/either", responses((status = 200)))]
async fn of_either() {}

#[secured(caller)]
#[utoipa::path(get, path = "/caller", responses((status = 200)))]
async fn of_caller() {}

#[secured(layer = auth)]
#[utoipa::path(get, path = "/layer", responses((status = 200)))]
async fn below_a_layer() {}

/// Besides, it takes the session, which may be absent here.
#[secured(auth)]
#[utoipa::path(get, path = "/visitor", responses((status = 200)))]
async fn visitor(#[security(Caller)] _caller: Caller) {}

#[derive(OpenApi)]
#[openapi(paths(guard, with_a_limit, of_either, of_caller, below_a_layer, visitor))]
struct ApiDoc;

const TABLE: &str = "\
GET  /caller   Session, decided by caller
GET  /either   Key | Notes, decided by either
GET  /guard    Key, decided by auth
GET  /layer    Key, decided by auth
GET  /limited  Key via limited(3), decided by auth
GET  /visitor  Key + Session | Key, decided by auth
";

fn app(is_open: bool) -> Router {
    Router::new()
        .route("/guard", get(guard))
        .route("/limited", get(with_a_limit))
        .route("/either", get(of_either))
        .route("/caller", get(of_caller))
        .route("/visitor", get(visitor))
        .merge(Router::new().route("/layer", get(below_a_layer)).layer(layer!(auth)))
        .extension(Shared::new(Settings { is_open }))
}

#[test]
fn the_table_says_what_is_required_and_who_decides() {
    assert_eq!(app(false).routes().to_string(), TABLE);
    let mut typed = ApiDoc::openapi();
    secure(&mut typed).expect("a description");
    let document = Document::new(&typed).expect("a description");
    assert_eq!(audit(&document).expect("a table").to_string(), TABLE);
    let app: Router = Router::new().route("/extracted", get(extracted));
    assert_eq!(app.routes().to_string(), "GET  /extracted  Key, decided by auth\n");
}

#[test]
fn the_description_says_required_and_documents_the_refusal() {
    let described = |operation: Operation| {
        let described = serde_json::to_value(operation).unwrap();
        let challenge = &described["responses"]["401"]["headers"]["WWW-Authenticate"];
        assert!(challenge.is_object(), "{described}");
        described["security"].clone()
    };
    let requires =
        |names: &[&str]| -> Value { names.iter().map(|name| json!({*name: []})).collect() };
    assert_eq!(described(operation!(guard)), requires(&["Key"]));
    assert_eq!(described(operation!(of_either)), requires(&["Key", "Notes"]));
    assert_eq!(described(operation!(of_caller)), requires(&["Session"]));
    assert_eq!(described(Operation::of::<auth>()), requires(&["Key"]));
    let of_a_size = serde_json::to_value(operation!(of_a_size)).unwrap();
    assert_eq!(of_a_size["responses"]["403"]["description"], "Forbidden: `sized(2)`");
}

#[tokio::test]
async fn a_matrix_asks_it_as_any_other() {
    for (is_open, expected) in [(false, "401     in"), (true, "in      in")] {
        let app = Router::new()
            .route("/guard", get(guard))
            .route("/extracted", get(extracted))
            .extension(Shared::new(Settings { is_open }));
        let routes = app.routes();
        let callers = routes.asked_by("nobody", None).asked_by("key", ("x-key", "secret"));
        let table = callers.table(|ask| app.clone().oneshot(asked(ask))).await.unwrap().to_string();
        assert_eq!(table.matches(expected).count(), 2, "{table}");
    }
}

#[tokio::test]
async fn each_place_asks_it() {
    for path in ["/guard", "/limited", "/layer", "/visitor"] {
        let status = async |is_open, lines: &[(&str, &str)]| {
            answer(app(is_open), request(path, lines, "")).await
        };
        assert_eq!(status(true, &[]).await.status(), 200, "{path}");
        assert_eq!(status(false, &[("x-key", "secret")]).await.status(), 200, "{path}");
        let refused = status(false, &[]).await;
        assert_eq!(
            (refused.status().as_u16(), &refused.headers()["www-authenticate"]),
            (401, &http::HeaderValue::from_static("APIKey"))
        );
    }
}

/// A credential with the reason why it is absent, for each type of one.
mod reason {
    use super::*;

    #[api_key(cookie = "id", auto_error = "reason")]
    struct Cookie;

    #[http_basic(auto_error = "reason")]
    struct Login;

    fn of<S: Scheme<Credential = Result<C, RejectionReason>>, C>(
        lines: &[(&'static str, &str)],
    ) -> Result<(), RejectionReason> {
        let lines = lines.iter().map(|(name, line)| (name.parse().unwrap(), line.parse().unwrap()));
        let mut headers = HeaderMap::new();
        lines.for_each(|(name, line): (http::HeaderName, _)| {
            headers.append(name, line);
        });
        S::authenticate(&headers).expect("never refused").map(|_| ())
    }

    #[test]
    fn absent_is_told_from_malformed() {
        let login = of::<Login, BasicCredentials>;
        assert_eq!(login(&[]), Err(RejectionReason::Missing));
        assert_eq!(login(&[("authorization", "Basic %")]), Err(RejectionReason::Malformed));
        assert_eq!(login(&[("authorization", "Basic YTpi")]), Ok(()));
        let twice = ("authorization", "Basic YTpi");
        assert_eq!(login(&[twice, twice]), Err(RejectionReason::Repeated));
        let cookie = of::<Cookie, ApiKey>;
        let sent = ("cookie", "id=1");
        assert_eq!(cookie(&[sent]), Ok(()));
    }
}
