//! What finds a route that no door has seen: the audit of a document, and the layer for tests.

mod random;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use axum::routing::{get, post};
use doorward::openapi::{Document, audit};
use doorward::routes::{Requirement, Route};
use doorward::testing::RefuseUndecided;
use doorward::{
    BearerToken, Rejection, dependency, http_bearer, layer, operation, plan, public, secured,
};
use serde_json::{Value, json};
use tokio::task::yield_now;
use tower::{Layer, service_fn};

use super::asking::ask_with;

#[http_bearer(scopes("notes" = "Notes."))]
struct Notes;

#[dependency]
async fn user(#[security(Notes)] token: BearerToken) -> Result<String, Rejection> {
    yield_now().await;
    match token.as_str() {
        "t0k3n" => Ok("johndoe".to_owned()),
        _ => Err(Rejection::NOT_AUTHENTICATED),
    }
}

#[dependency]
fn extractable(#[security(user)] name: String) -> Extracted {
    Extracted(name)
}

struct Extracted(String);

#[dependency(extract)]
fn extracted(#[security(user)] name: String) -> Extracted {
    Extracted(name)
}

#[secured(user)]
async fn guarded() -> &'static str {
    yield_now().await;
    "ok"
}

#[secured]
async fn parameter(#[security(extractable)] user: Extracted) -> String {
    user.0
}

async fn extractor(user: Extracted) -> String {
    user.0
}

async fn planned(request: Request<Body>) -> Result<String, Response<String>> {
    let (mut head, _body) = request.into_parts();
    plan!(user).resolve(&mut head).await
}

#[public(reason = "load balancers ask it")]
async fn health() -> &'static str {
    "ok"
}

async fn open() -> &'static str {
    yield_now().await;
    "everyone sees this"
}

async fn missing() -> StatusCode {
    StatusCode::NOT_FOUND
}

fn app() -> Router {
    let behind = layer!(user).layer(service_fn(async |_: Request<Body>| {
        Ok::<_, std::convert::Infallible>(Response::new(Body::from("behind")))
    }));
    Router::new()
        .route("/guarded", get(guarded))
        .route("/parameter", get(parameter))
        .route("/extractor", get(extractor))
        .route("/planned", get(planned))
        .route("/health", get(health))
        .route("/wrapped", get(public("everyone may", open)))
        .route_service("/behind", behind)
        .route_service("/service", public("everyone may", axum::routing::get_service(get(open))))
        .route("/open", get(open).post(open))
        .route("/missing", post(missing))
        .layer(RefuseUndecided::new())
}

async fn answer(method: &Method, path: &str, token: Option<&str>) -> (StatusCode, String) {
    let answer = ask_with(app(), &format!("{method} {path}"), token).await;
    (answer.status(), answer.into_body())
}

#[tokio::test]
async fn a_request_that_met_no_declaration_is_refused() {
    for path in ["/guarded", "/parameter", "/extractor", "/planned", "/behind"] {
        let answer = |token| answer(&Method::GET, path, token);
        assert_eq!(answer(Some("t0k3n")).await.0, 200, "{path}");
        assert_eq!(answer(Some("guess")).await.0, 401, "{path}");
        assert_eq!(answer(None).await.0, 401, "{path}");
    }
    for path in ["/health", "/wrapped", "/service"] {
        assert_eq!(answer(&Method::GET, path, None).await.0, 200, "{path}");
    }
    for method in [Method::GET, Method::POST] {
        // A credential that nobody looks at changes nothing.
        for token in [None, Some("t0k3n")] {
            let (status, body) = answer(&method, "/open", token).await;
            assert_eq!(status, 500);
            assert_eq!(
                body,
                format!(
                    "{method} /open is neither secured nor public; write `#[secured(…)]` or `#[public(reason = \"…\")]` above its handler\n"
                )
            );
        }
    }
}

#[tokio::test]
async fn what_the_router_answers_itself_passes() {
    assert_eq!(answer(&Method::GET, "/nowhere", None).await.0, 404);
    assert_eq!(answer(&Method::DELETE, "/open", None).await.0, 405);
    // As is a 404 of a handler, which looks the same.
    assert_eq!(answer(&Method::POST, "/missing", None).await.0, 404);
}

#[tokio::test]
async fn one_request_decides_nothing_for_another() {
    for _ in 0..3 {
        let (secured, open) = tokio::join!(
            answer(&Method::GET, "/guarded", Some("t0k3n")),
            answer(&Method::GET, "/open", None)
        );
        assert_eq!((secured.0.as_u16(), open.0.as_u16()), (200, 500));
    }
    // A layer in a layer sees what the inner one saw.
    let nested = RefuseUndecided::new().layer(app());
    for (path, status) in [("/health", 200), ("/open", 500)] {
        let answer = ask_with(nested.clone(), path, None).await;
        assert_eq!(answer.status(), status, "{path}");
    }
}

fn table(document: &Value) -> String {
    let routes = audit(document).expect("a document");
    routes.to_string()
}

#[test]
fn a_document_says_what_each_route_requires() {
    let document = json!({
        "openapi": "3.1.0",
        "security": [{ "Notes": ["notes"] }, { "Key": [], "Mutual": [] }],
        "paths": {
            "/inherits": { "get": { "operationId": "all", "callbacks": { "later": {
                "{$request.body#/url}": { "post": {} }
            } } } },
            "/states": {
                "parameters": [],
                "put": { "security": [{ "Notes": ["a", "b"] }] },
                "delete": { "security": [], "description": "Deletes.\n\nPublic: nobody\n  minds it " },
                "patch": { "security": [] },
                "post": { "security": [{}] },
                "head": { "security": [{ "Notes": [] }, {}] },
                "additionalOperations": { "COPY": { "security": [] } }
            }
        },
        "webhooks": { "event": { "post": {} } }
    });
    assert_eq!(
        table(&document),
        "\
GET     /inherits  Notes(notes) | Key + Mutual
COPY    /states    undecided
DELETE  /states    public: nobody minds it
HEAD    /states    Notes | anyone
PATCH   /states    undecided
POST    /states    undecided
PUT     /states    Notes(a, b)
"
    );
    let routes = audit(&document).expect("a document");
    assert_eq!(routes.undecided().count(), 3);
    assert_eq!(routes.iter().next().map(Route::handler), Some("all"));
}

#[test]
fn what_states_neither_security_nor_a_reason_is_undecided() {
    let mut document = json!({
        "openapi": "3.1.0",
        "paths": {
            "/open": {
                "get": { "description": "Lists. Public: it is not, in the middle of a text." },
                "put": { "description": "Public: " },
                "post": { "description": "Public: it says so" }
            },
            "/shared": { "$ref": "#/components/pathItems/item" },
            "/also": { "$ref": "#/components/pathItems/item" },
            "/elsewhere": { "$ref": "https://example.com/other.json#/paths/x" }
        },
        "components": { "pathItems": { "item": { "get": {} }, "unused": { "get": {} } } }
    });
    let undecided = "\
GET   /also       undecided
ANY   /elsewhere  undecided
GET   /open       undecided
POST  /open       public: it says so
PUT   /open       undecided
GET   /shared     undecided
";
    assert_eq!(table(&document), undecided);
    // An empty list of the whole document decides nothing for an operation.
    document["security"] = json!([]);
    assert_eq!(table(&document), undecided);
    let routes = audit(&document).expect("a document");
    assert_eq!(routes.undecided().count(), 5);
    let first = routes.iter().next().expect("a route");
    assert_eq!(first.requirement(), &Requirement::Undecided);
    assert!(routes.to_json().starts_with(r#"[{"method":"GET","path":"/also","handler":""}"#));
}

#[test]
fn a_document_that_doorward_completed_has_its_own_table() {
    let mut document = Document::new(json!({
        "openapi": "3.1.0",
        "paths": {
            "/guarded": { "get": { "operationId": "guarded" } },
            "/health": { "get": { "operationId": "health", "description": "Health." } },
            "/open": { "get": { "operationId": "open" } }
        }
    }))
    .expect("a document");
    for (id, operation) in [("guarded", operation!(guarded)), ("health", operation!(health))] {
        let secured =
            document.operation(id).and_then(|mut found| found.secure(&operation).map(drop));
        secured.expect("an operation");
    }
    assert_eq!(
        audit(&document).expect("a document").to_string(),
        "\
GET  /guarded  Notes
GET  /health   public: load balancers ask it
GET  /open     undecided
"
    );
}

#[test]
fn what_cannot_be_read_is_an_error() {
    assert!(audit(json!([])).is_err());
    let document = json!({ "paths": { "/": { "get": { "security": "Notes" } } } });
    let error = audit(document).expect_err("it is no list").to_string();
    assert_eq!(error, "`get /: security` is not what OpenAPI has there");
}

/// A plain router is mounted as one that is public, with all that is in it.
#[tokio::test]
async fn a_router_that_is_public_is_decided() {
    use doorward::axum08::Router as Door;

    let plain = |path: &str| Router::new().route(path, get(open)).fallback(open);
    let app: Door = Door::new()
        .merge(public("the page of the API", Router::new().route("/docs", get(open))))
        .nest("/below", public("the old pages", plain("/page")))
        .layer(RefuseUndecided::new());
    for path in ["/docs", "/below/page", "/below/other"] {
        let answer = ask_with(app.clone().into_inner(), path, None).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
    }
}
