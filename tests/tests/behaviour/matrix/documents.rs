//! A matrix of the routes of a document.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use doorward::openapi::{Document, SecurityAddon, audit, secure};
use doorward::routes::May;
use doorward::testing::MatrixError;
use doorward::verify::Verified;
use doorward::{layer, operation, public, secured};
use serde_json::json;
use tower::ServiceExt;
use utoipa::OpenApi;

use super::{Notes, asked, callers, note, user};

/// How often a handler ran. None does in any of these tests.
static RAN: AtomicUsize = AtomicUsize::new(0);

fn ran() {
    RAN.fetch_add(1, Ordering::Relaxed);
}

#[secured(user, scopes("read"))]
#[utoipa::path(get, path = "/notes", responses((status = 200)))]
async fn list() {
    ran();
}

#[secured(note, scopes("write"))]
#[utoipa::path(delete, path = "/notes/{id}", responses((status = 204)))]
async fn remove() {
    ran();
}

#[public(reason = "load balancers ask it")]
#[utoipa::path(get, path = "/health", responses((status = 200)))]
async fn health() {
    ran();
}

/// Nothing is declared.
#[utoipa::path(delete, path = "/undecided/{id}", responses((status = 204)))]
async fn undecided(_id: Path<u32>) {
    ran();
}

#[utoipa::path(delete, path = "/by-hand", responses((status = 204)), security(("Notes" = ["write"])))]
async fn by_hand() {
    ran();
}

#[derive(OpenApi)]
#[openapi(paths(list, remove, health))]
struct Good;

#[derive(OpenApi)]
#[openapi(paths(list, undecided, by_hand))]
struct Bad;

fn app() -> Router {
    Router::new()
        .route("/notes", get(list))
        .route("/notes/{id}", axum::routing::delete(remove))
        .route("/health", get(health))
        .route("/undecided/{id}", axum::routing::delete(undecided))
        .route("/by-hand", axum::routing::delete(by_hand))
}

async fn who(document: &Document) -> Result<String, MatrixError> {
    let routes = document.routes().unwrap();
    let callers = callers(&routes).sample("/notes/{id}", "/notes/1");
    let who = callers.table(|ask| app().oneshot(asked(ask))).await?;
    Ok(who.to_string())
}

#[tokio::test]
async fn what_a_plan_has_filled_is_asked() {
    let mut document = Document::try_from(Good::openapi()).unwrap();
    let expected = "                     nobody  wrong  reader  alice  bob  root
GET     /health      public: load balancers ask it
GET     /notes       401     401    in      in     in   in
DELETE  /notes/{id}  401     401    403     in     404  404
";
    assert_eq!(who(&document).await.unwrap(), expected);
    // A table of what no client would read is an error.
    let mut typed = Good::openapi();
    let error = audit(&typed).unwrap_err().to_string();
    let expected_error = "the description does not say what is required, which is still at `/paths/~1health/get/x-doorward`; add `modifiers(&SecurityAddon)` to it, or call `openapi::secure`";
    assert_eq!(error, expected_error);
    secure(&mut typed).unwrap();
    assert_eq!(audit(&typed).unwrap(), document.routes().unwrap());
    // What a layer adds to all routes changes nothing: each is still that of its handler.
    document.secure(&layer!(user).plan().operation()).unwrap();
    let routes = document.routes().unwrap();
    let callers = callers(&routes).sample("/notes/{id}", "/notes/1");
    let layered = app().layer(layer!(user));
    let found = callers.table(|ask| layered.clone().oneshot(asked(ask))).await.unwrap();
    let expected = expected.replace("public: load balancers ask it", "Notes");
    assert_eq!(found.to_string(), expected);
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn an_undecided_route_and_one_by_hand_are_errors_before_anything_is_asked() {
    let document = Document::try_from(Bad::openapi()).unwrap();
    let routes = document.routes().unwrap();
    let nothing_is_asked = callers(&routes)
        .sample("/undecided/{id}", "/undecided/1")
        .table(async |_| -> axum::response::Response { panic!("a route was asked") });
    let expected = "\
DELETE /by-hand is not filled by a plan (Notes(write)), so that its handler would run; secure it with `operation!(handler)`, or leave it out of the document
DELETE /undecided/{id} is not filled by a plan (undecided), so that its handler would run; secure it with `operation!(handler)`, or leave it out of the document";
    assert_eq!(nothing_is_asked.await.unwrap_err().to_string(), expected);
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
}

/// The finished document does not say whose its operations are.
#[tokio::test]
async fn a_finished_document_is_not_asked() {
    let finished = Document::try_from(Good::openapi()).unwrap();
    let read = Document::new(json!(finished)).unwrap();
    assert_eq!(read, finished);
    let error = who(&read).await.unwrap_err().to_string();
    assert!(error.starts_with("GET /notes is not filled by a plan (Notes(read))"), "{error}");
    let mut document = read;
    document.operation("list").unwrap().secure(&operation!(list)).unwrap();
    document.operation("remove").unwrap().secure(&operation!(remove)).unwrap();
    assert!(who(&document).await.is_ok());
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
}

/// What a layer alone requires is printed.
#[tokio::test]
async fn what_a_layer_alone_protects_is_not_asked() {
    let mut document = Document::new(json!({
        "paths": { "/undecided/{id}": { "delete": { "operationId": "undecided" } } }
    }))
    .unwrap();
    document.secure(&layer!(user, scopes("read")).plan().operation()).unwrap();
    let routes = document.routes().unwrap();
    let who = routes.asked_by("nobody", None);
    let who = who.table(|ask| app().oneshot(asked(ask))).await.unwrap();
    let expected = "                         nobody\nDELETE  /undecided/{id}  Notes(read)\n";
    assert_eq!(who.to_string(), expected);
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
}

#[test]
fn what_a_caller_may_do_depends_in_a_document() {
    let routes = Document::try_from(Good::openapi()).unwrap().routes().unwrap();
    let caller = Verified::new((), Vec::new());
    let may = routes.may::<Notes>(&caller).map(|(route, may)| (route.path(), may));
    let all = ["/health", "/notes", "/notes/{id}"].map(|path| (path, May::Depends));
    assert_eq!(Vec::from_iter(may), all);
}

/// A document of OpenAPI 3.0 has no scopes at a scheme of HTTP, and its plan has.
#[tokio::test]
async fn the_scopes_are_those_of_the_plan_in_any_version() {
    for version in ["3.0.3", "3.1.0"] {
        let mut document = Document::new(json!({
            "openapi": version,
            "servers": [{ "url": "https://api.example.com/v1" }],
            "paths": { "/notes": { "get": { "operationId": "list" } } }
        }))
        .unwrap();
        document.operation("list").unwrap().secure(&operation!(list)).unwrap();
        let routes = document.routes().unwrap();
        assert_eq!(routes.to_string(), "GET  /notes  Notes(read)\n", "{version}");
        // The path of the server precedes that of the document.
        let app = Router::new().nest("/v1", app());
        let who = routes.asked_by("nobody", None);
        let who = who.table(|ask| app.clone().oneshot(asked(ask))).await.unwrap();
        assert_eq!(who.to_string(), "             nobody\nGET  /notes  401\n");
    }
}

/// The document is finished in utoipa's own types, as the page on descriptions recommends.
#[tokio::test]
async fn what_a_modifier_has_filled_is_asked() {
    #[derive(OpenApi)]
    #[openapi(paths(list, remove, health), modifiers(&SecurityAddon))]
    struct Modified;

    let found = who(&Document::try_from(Modified::openapi()).unwrap()).await.unwrap();
    let expected = who(&Document::try_from(Good::openapi()).unwrap()).await.unwrap();
    assert_eq!(found, expected);
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
}

/// Two blocks may have functions of one name.
#[tokio::test]
async fn a_plan_is_none_of_another_block() {
    macro_rules! block {
        ($path:literal) => {{
            #[secured(user)]
            async fn here() {
                ran();
            }
            (operation!(here), get(here))
        }};
    }
    let [(first, one), (second, other)] = [block!("/one"), block!("/other")];
    let mut document = Document::new(json!({ "paths": {
        "/{id}": { "get": { "operationId": "one" } },
        "/other/{id}": { "get": { "operationId": "other" } },
    } }))
    .unwrap();
    document.operation("one").unwrap().secure(&first).unwrap();
    document.operation("other").unwrap().secure(&second).unwrap();
    // The service has them the other way round.
    let app = Router::new().route("/{id}", other).route("/other/{id}", one);
    let routes = document.routes().unwrap();
    let callers = callers(&routes).sample("/{id}", "/1").sample("/other/{id}", "/other/1");
    let error = callers.table(|ask| app.clone().oneshot(asked(ask))).await.unwrap_err();
    assert!(error.to_string().contains("is a target of another route"), "{error}");
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
}
