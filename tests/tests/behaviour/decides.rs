//! A dependency that refuses requests itself, although each scheme below it may be absent.

use std::fmt::Debug;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use ::http::{Request, StatusCode};
use doorward::axum08::routing::get;
use doorward::axum08::{Router, asked};
use doorward::openapi::{Document, Operation, audit, secure};
use doorward::scheme::RejectionReason;
use doorward::{
    ApiKey, AuthorizationValue, BasicCredentials, BearerToken, HttpCredentials, Rejection, Scheme,
    Shared, api_key, declared, dependency, http, http_basic, http_bearer, layer, oauth2, one_of,
    operation, rocket05, secured,
};
use serde_json::{Value, json};
use tower::{Layer as _, ServiceExt};
use utoipa::OpenApi;

use super::asking::{answer, request, seen};
use super::frameworks::each::{self, Framework, each_framework, each_layer};

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
            (401, &::http::HeaderValue::from_static("APIKey"))
        );
    }
}

/// The setting of the service below, because each framework is given a shared value in its own way.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

#[dependency(decides)]
fn on_each(#[security(Key)] key: Option<ApiKey>) -> Result<String, Rejection> {
    match key {
        _ if IS_OPEN.load(Relaxed) => Ok("let in".to_owned()),
        Some(key) if key.secret_eq("secret") => Ok("let in".to_owned()),
        _ => Err(REFUSED),
    }
}

struct Found(String);

#[dependency(extract, decides)]
fn found(#[security(Key)] key: Option<ApiKey>) -> Result<Found, Rejection> {
    on_each(key).map(Found)
}

async fn takes_it(Found(found): Found) -> String {
    found
}

#[rocket::get("/<_..>")]
async fn takes_it_on_rocket(found: Found) -> String {
    found.0
}

#[test]
fn each_framework_asks_it() {
    let doors: [Framework; 2] = [
        ("actix-web's door", |asked| {
            each::actix_web(actix_web::web::to(declared(takes_it)), asked)
        }),
        ("rocket's door", |asked| each::rocket(rocket05::routes![takes_it_on_rocket], asked)),
    ];
    let frameworks = each_framework!(on_each).into_iter().chain(each_layer!(on_each));
    for (framework, ask) in frameworks.chain(doors) {
        let answer = |key: Option<&str>| {
            let mut request = Request::get("/");
            if let Some(key) = key {
                request = request.header("x-key", key);
            }
            ask(request.body("").unwrap())
        };
        for refused in [answer(None), answer(Some("other"))] {
            assert_eq!(refused.status(), 401, "{framework}");
            assert_eq!(refused.headers()["www-authenticate"], "APIKey", "{framework}");
        }
        let let_in = (200, "let in".to_owned());
        assert_eq!(seen(answer(Some("secret"))), let_in, "{framework}");
        IS_OPEN.store(true, Relaxed);
        for key in [None, Some("other")] {
            assert_eq!(seen(answer(key)), let_in, "{framework}");
        }
        IS_OPEN.store(false, Relaxed);
    }
}

/// A program that embeds the service mounts the same handlers without the layer.
#[tokio::test]
async fn handlers_that_say_nothing_need_no_layer() {
    let plain = || axum::Router::new().route("/plain", axum::routing::get(async || "plain"));
    let app: Router = Router::new().merge(layer!(auth).layer(plain()));
    assert_eq!(app.routes().to_string(), "ANY  *  Key, decided by auth\n");
    let app = app.extension(Shared::new(Settings { is_open: false }));
    assert_eq!(answer(app, request("/plain", &[], "")).await.status(), 401);
    assert_eq!(answer(plain(), request("/plain", &[], "")).await.status(), 200);
}

/// A credential with the reason why it is absent, for each type of one.
mod reason {
    use super::*;

    #[api_key(cookie = "id", auto_error = "reason")]
    struct Cookie;

    #[api_key(query = "key", auto_error = "reason")]
    struct Query;

    #[http_basic(auto_error = "reason")]
    struct Login;

    #[http_bearer(auto_error = "reason")]
    struct Token;

    #[http(scheme = "Digest", auto_error = "reason")]
    struct Digest;

    #[oauth2(flows(password(token_url = "token")), auto_error = "reason")]
    struct Value;

    /// What a scheme finds in no line of `Authorization`, in a wrong one, in a good one and in two.
    #[track_caller]
    fn of_authorization<S, C: Debug>(malformed: &[u8], good: &[u8])
    where
        S: Scheme<Credential = Result<C, RejectionReason>>,
    {
        let found = |lines: &[&[u8]]| {
            let lines = Vec::from_iter(lines.iter().map(|line| ("authorization", *line)));
            S::authenticate(&lines[..]).expect("never refused").map(|_| ())
        };
        assert_eq!(found(&[]), Err(RejectionReason::Missing));
        assert_eq!(found(&[malformed]), Err(RejectionReason::Malformed));
        assert_eq!(found(&[good]), Ok(()));
        assert_eq!(found(&[good, good]), Err(RejectionReason::Repeated));
    }

    #[test]
    fn absent_is_told_from_malformed() {
        of_authorization::<Login, BasicCredentials>(b"Basic %", b"Basic YTpi");
        of_authorization::<Token, BearerToken>(b"Bearer \xff", b"Bearer a");
        of_authorization::<Digest, HttpCredentials>(b"Digest \x01", b"Digest username=a");
        of_authorization::<Value, AuthorizationValue>(b"\x01", b"Bearer a");
    }

    #[test]
    fn of_a_key() {
        let query = |target: &str| {
            let (head, ()) = Request::get(target).body(()).unwrap().into_parts();
            Query::authenticate(&head).expect("never refused").map(|_| ())
        };
        assert_eq!(query("/"), Err(RejectionReason::Missing));
        assert_eq!(query("/?key=%ff"), Err(RejectionReason::Malformed));
        assert_eq!(query("/?key=a"), Ok(()));
        assert_eq!(query("/?key=a&key=a"), Err(RejectionReason::Repeated));
    }

    /// What another site has caused is not refused either.
    #[test]
    fn of_a_cookie() {
        let cookie = |method: &str, site: &str, line: &str| {
            let request = Request::builder().method(method).uri("/");
            let request = request.header("cookie", line).header("sec-fetch-site", site);
            let (head, ()) = request.body(()).unwrap().into_parts();
            Cookie::authenticate(&head).expect("never refused").map(|_| ())
        };
        assert_eq!(cookie("POST", "same-origin", "a=1"), Err(RejectionReason::Missing));
        assert_eq!(cookie("POST", "same-origin", "id=1"), Ok(()));
        assert_eq!(cookie("POST", "same-origin", "id=1; id=2"), Err(RejectionReason::Repeated));
        assert_eq!(cookie("GET", "cross-site", "id=1"), Ok(()));
        assert_eq!(cookie("POST", "cross-site", "id=1"), Err(RejectionReason::CrossSite));
    }
}
