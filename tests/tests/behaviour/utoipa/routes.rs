//! Routes that are secured or public, and described: the router of utoipa-axum, its table and its
//! document.

use std::convert::Infallible;
use std::panic::catch_unwind;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::Response;
use doorward::axum08::Router;
use doorward::axum08::routing::get;
use doorward::openapi::{Document, DocumentError, secure};
use doorward::{
    ApiKey, BearerError, BearerToken, SecurityScopes, api_key, dependency, layer,
    oauth2_password_bearer, public, secured,
};
use doorward_tests::description::assert_valid;
use http::{HeaderValue, StatusCode};
use serde_json::json;
use tower::util::MapResponseLayer;
use tower::{Layer, service_fn};

use super::doors::{OpenApiRouter, UtoipaMethodRouterExt, routes};
use super::{doors, utoipa, utoipa::OpenApi, utoipa::ToSchema, utoipa_axum};
use crate::asking::{self, block_on, request, whole};

// Their order is not that of the alphabet.
#[oauth2_password_bearer(
    token_url = "token",
    scopes("notes:write" = "Write notes.", "notes:read" = "Read notes.")
)]
struct Notes;

#[api_key(header = "x-key")]
struct Key;

#[dependency]
fn user(
    #[security(Notes)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    scopes.check("notes:read notes:write")?;
    Ok(token.as_str().to_owned())
}

#[dependency]
fn service(#[security(Key)] key: ApiKey) -> Result<(), BearerError> {
    match key.as_str() {
        "secret" => Ok(()),
        _ => Err(BearerError::invalid_token()),
    }
}

#[derive(serde::Serialize, serde::Deserialize, ToSchema)]
struct Note {
    text: String,
}

/// The notes of the caller.
#[secured]
#[utoipa::path(get, path = "", responses((status = 200, description = "The notes", body = [Note])))]
async fn list(#[security(user, scopes("notes:read"))] user: String) -> String {
    format!("notes of {user}")
}

#[secured(service)]
#[utoipa::path(post, path = "", responses((status = 200, description = "The note")))]
async fn create(
    State(state): State<u8>,
    #[security(user, scopes("notes:read", "notes:write"))] user: String,
    axum::Json(note): axum::Json<Note>,
) -> String {
    format!("{state} {user} {}", note.text)
}

#[secured]
#[utoipa::path(delete, path = "/{id}", params(("id" = u32, Path)), responses((status = 200, description = "OK")))]
async fn remove(
    #[security(user, scopes("notes:write"))] user: String,
    Path(id): Path<u32>,
) -> String {
    format!("{id} {user}")
}

mod probes {
    use super::utoipa;

    /// Health.
    #[super::public(reason = "load balancers ask it")]
    #[utoipa::path(method(get, head), path = "/health", responses((status = 200, description = "OK")))]
    pub(super) async fn health() -> &'static str {
        "ok"
    }
}

#[public(reason = "it says nothing")]
async fn nothing() -> StatusCode {
    StatusCode::NOT_FOUND
}

async fn foreign() -> &'static str {
    "foreign"
}

#[derive(OpenApi)]
#[openapi(info(title = "Notes", version = "1"))]
struct Description;

/// The routes, in one of the two routers.
macro_rules! app {
    ($router:ty, $routes:path, $get:path, $foreign:expr) => {{
        use $get as get;
        use $routes as routes;
        let notes = <$router>::new()
            .routes(routes!(list, create))
            .routes(routes!(remove))
            .route_layer(header("x-notes"));
        let probes = <$router>::default().routes(routes!(probes::health));
        <$router>::with_openapi(Description::openapi())
            .nest("/notes", notes)
            .merge(probes)
            .route("/foreign", get($foreign))
            .fallback(nothing)
            .layer(header("x-all"))
            .with_state(7)
    }};
}

/// Returns a layer that sets a header of each answer.
fn header(
    name: &'static str,
) -> MapResponseLayer<impl Fn(Response) -> Response + Clone + Send + Sync + 'static> {
    MapResponseLayer::new(move |mut response: Response| {
        response.headers_mut().insert(name, HeaderValue::from_static("set"));
        response
    })
}

fn ours() -> OpenApiRouter {
    app!(
        OpenApiRouter<u8>,
        doors::routes,
        doorward::axum08::routing::get,
        public("it is of another crate", foreign)
    )
}

fn plain() -> utoipa_axum::router::OpenApiRouter {
    app!(utoipa_axum::router::OpenApiRouter<u8>, utoipa_axum::routes, axum::routing::get, foreign)
}

/// Returns the status, the headers and the body of the answer to a request.
fn answer(
    app: &axum::Router,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> (StatusCode, http::HeaderMap, String) {
    let headers = [headers, &[("content-type", "application/json")]].concat();
    let request = request(&format!("{method} {path}"), &headers, r#"{"text":"Milk"}"#);
    whole(block_on(asking::answer(app.clone(), request)))
}

#[test]
fn a_route_answers_as_in_a_plain_router() {
    let (ours, plain) = (ours().split_for_parts().0.into_inner(), plain().split_for_parts().0);
    let credentials: [&[(&str, &str)]; 4] = [
        &[],
        &[("authorization", "Bearer jo")],
        &[("x-key", "secret")],
        &[("authorization", "Bearer jo"), ("x-key", "secret")],
    ];
    let mut statuses = std::collections::BTreeSet::new();
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"] {
        for path in ["/notes", "/notes/", "/notes/1", "/notes/x", "/health", "/foreign", "/nowhere"]
        {
            for headers in credentials {
                let [ours, plain] = [&ours, &plain].map(|app| answer(app, method, path, headers));
                assert_eq!(ours, plain, "{method} {path} {headers:?}");
                assert_eq!(ours.1["x-all"], "set");
                statuses.insert(ours.0.as_u16());
            }
        }
    }
    assert_eq!(Vec::from_iter(statuses), [200, 400, 401, 404, 405]);
    let both = &[("authorization", "Bearer jo"), ("x-key", "secret")];
    let (status, headers, body) = answer(&ours, "POST", "/notes", both);
    assert_eq!(
        (status, &*body, headers.contains_key("x-notes")),
        (StatusCode::OK, "7 jo Milk", true)
    );
}

#[test]
fn the_table_has_a_line_for_each_route() {
    assert_eq!(
        ours().split_for_parts().0.routes().to_string(),
        "\
ANY     /*           public: it says nothing
GET     /foreign     public: it is of another crate
GET     /health      public: load balancers ask it
HEAD    /health      public: load balancers ask it
GET     /notes       Notes(notes:read)
POST    /notes       Key + Notes(notes:read, notes:write)
DELETE  /notes/{id}  Notes(notes:write)
"
    );
}

#[test]
fn the_document_is_that_of_a_plain_router_when_it_is_secured() {
    let mut expected = plain().into_openapi();
    secure(&mut expected).unwrap();
    let expected = json!(expected);
    let complete = [ours().split_for_parts().1, ours().into_openapi(), ours().to_openapi()];
    for document in complete {
        assert_eq!(json!(document), expected);
    }
    assert_valid(&expected);
    assert!(!expected.to_string().contains("x-doorward"));
    let operations = &expected["paths"];
    assert_eq!(
        operations["/notes"]["post"]["security"],
        json!([{ "Key": [], "Notes": ["notes:read", "notes:write"] }])
    );
    for method in ["get", "head"] {
        let health = &operations["/health"][method];
        assert_eq!(health["security"], json!([]));
        assert_eq!(health["description"], "Public: load balancers ask it");
    }
    assert_eq!(operations.get("/foreign"), None);
    let schemes = expected["components"]["securitySchemes"].as_object();
    assert_eq!(Vec::from_iter(schemes.unwrap().keys()), ["Key", "Notes"]);
    assert!(expected["components"]["schemas"]["Note"].is_object());
}

#[test]
fn the_document_is_there_before_it_is_complete() {
    let mut router = ours();
    assert!(json!(router.get_openapi()).to_string().contains("x-doorward"));
    // JSON keeps the order in which the scheme declares its scopes.
    let document = Document::try_from(router.get_openapi().clone()).unwrap();
    let json = document.into_json().to_string();
    let places = ["Write notes.", "Read notes."].map(|text| json.find(text));
    assert!(places[0].is_some() && places[0] < places[1], "{json}");

    router.get_openapi_mut().info.description = Some("Changed.".to_owned());
    secure(router.get_openapi_mut()).unwrap();
    let secured = json!(router.get_openapi());
    assert_eq!(secured["info"]["description"], "Changed.");
    assert_eq!(json!(router.to_openapi()), secured);
    let empty = json!(OpenApiRouter::<()>::default().into_openapi());
    assert_eq!(json!(router.into_openapi()), empty);
    let plain = utoipa_axum::router::OpenApiRouter::<()>::default();
    assert_eq!(empty, json!(plain.into_openapi()));
    let [ours, plain] = [
        json!(OpenApiRouter::<()>::new().get_openapi()),
        json!(utoipa_axum::router::OpenApiRouter::<()>::new().get_openapi()),
    ];
    assert_eq!(ours, plain);
}

mod clash {
    use super::utoipa;

    #[super::api_key(header = "x-other")]
    pub(super) struct Key;

    #[super::dependency]
    fn other(#[security(Key)] _key: doorward::ApiKey) -> Result<(), doorward::BearerError> {
        Ok(())
    }

    #[super::secured(other)]
    #[utoipa::path(get, path = "/clash", responses((status = 200, description = "OK")))]
    pub(super) async fn clash() {}
}

#[test]
fn a_clash_of_schemes_is_found_in_the_outermost_document() {
    fn nested() -> OpenApiRouter<u8> {
        OpenApiRouter::new().routes(routes!(clash::clash))
    }
    fn router() -> OpenApiRouter {
        let router = OpenApiRouter::new().routes(routes!(create));
        router.nest("/nested", nested()).with_state(7)
    }
    assert!(json!(nested().into_openapi())["components"]["securitySchemes"].is_object());
    assert_eq!(
        secure(router().get_openapi_mut()),
        Err(DocumentError::SchemeClash("Key".to_owned(), "name".to_owned()))
    );
    for complete in [
        || drop(router().split_for_parts()),
        || drop(router().into_openapi()),
        || drop(router().to_openapi()),
    ] as [fn(); 3]
    {
        let panic = catch_unwind(complete).unwrap_err();
        let message = panic.downcast_ref::<String>().unwrap();
        assert!(message.contains("`Key`"), "{message}");
    }
}

#[test]
fn handlers_of_two_paths_answer_at_both() {
    let (app, document) =
        OpenApiRouter::new().routes(routes!(create, remove)).with_state::<()>(7).split_for_parts();
    let table = app.routes().to_string();
    assert_eq!(
        table,
        "\
DELETE  /      Notes(notes:write)
POST    /      Key + Notes(notes:read, notes:write)
DELETE  /{id}  Notes(notes:write)
POST    /{id}  Key + Notes(notes:read, notes:write)
"
    );
    let app = app.into_inner();
    for method in ["DELETE", "POST"] {
        for path in ["/", "/1"] {
            assert_eq!(answer(&app, method, path, &[]).0, StatusCode::UNAUTHORIZED);
        }
    }
    let operations = json!(document.paths);
    assert_eq!(Vec::from_iter(operations.as_object().unwrap().keys()), ["", "/{id}"]);
}

#[test]
#[should_panic(expected = "Overlapping method route")]
fn a_method_has_one_handler() {
    #[public(reason = "everyone reads it")]
    #[utoipa::path(get, path = "", responses((status = 200, description = "OK")))]
    async fn again() {}
    drop(OpenApiRouter::<()>::new().routes(routes!(list, again)));
}

#[test]
fn a_handler_has_layers_and_a_state_of_its_own() {
    let create = routes!(create).with_state(3).layer(header("x-own"));
    let list = routes!(list).map(|handlers| handlers.fallback(nothing));
    let (app, _) = OpenApiRouter::<()>::new()
        .routes(create)
        .nest("/list", OpenApiRouter::new().routes(list))
        .split_for_parts();
    assert_eq!(
        app.routes().to_string(),
        "\
POST  /      Key + Notes(notes:read, notes:write)
ANY   /list  public: it says nothing
GET   /list  Notes(notes:read)
"
    );
    let app = app.into_inner();
    let both = &[("authorization", "Bearer jo"), ("x-key", "secret")];
    let (_, headers, body) = answer(&app, "POST", "/", both);
    assert_eq!((&*body, &headers["x-own"]), ("3 jo Milk", &HeaderValue::from_static("set")));
    assert_eq!(answer(&app, "PUT", "/list", &[]).0, StatusCode::NOT_FOUND);
}

#[test]
fn a_service_is_behind_a_layer_or_public() {
    let echo = service_fn(async |request: Request| {
        Ok::<_, Infallible>(Response::new(Body::from(request.uri().path().to_owned())))
    });
    let (app, document) = OpenApiRouter::<()>::new()
        .route_service("/one", public("one file", echo))
        .nest_service("/own", layer!(user, scopes("notes:read")).layer(echo))
        .fallback_service(public("the page of the site", echo))
        .split_for_parts();
    assert_eq!(
        app.routes().to_string(),
        "\
ANY  /*      public: the page of the site
ANY  /one    public: one file
ANY  /own/*  Notes(notes:read)
"
    );
    let app = app.into_inner();
    for (path, status) in [("/one", 200), ("/own/x", 401), ("/x", 200)] {
        assert_eq!(answer(&app, "GET", path, &[]).0, status, "{path}");
    }
    assert_eq!(json!(document.paths), json!({}));
}

#[test]
fn a_router_becomes_the_other_one() {
    let described = || OpenApiRouter::new().routes(routes!(probes::health));
    let below: Router =
        Router::new().route("/", get(nothing)).nest("/nested", described()).merge(described());
    let table = "\
GET   /               public: it says nothing
GET   /health         public: load balancers ask it
HEAD  /health         public: load balancers ask it
GET   /nested/health  public: load balancers ask it
HEAD  /nested/health  public: load balancers ask it
";
    assert_eq!(below.routes().to_string(), table);
    let router = OpenApiRouter::from(below);
    assert_eq!(json!(router.get_openapi())["paths"], json!({}));
    assert_eq!(Router::from(router).routes().to_string(), table);

    let mut router = described();
    let response = asking::ask(router.as_service::<Body>(), "/health", &[]);
    assert_eq!(block_on(response).status(), StatusCode::OK);
}

#[test]
fn the_macro_takes_what_that_of_utoipa_axum_takes() {
    macro_rules! hand_on {
        ($handler:path, $other:ident) => {
            routes![$handler, self::$other,]
        };
    }
    let router = OpenApiRouter::<u8>::new().routes(hand_on!(self::create, list));
    let document = json!(router.into_openapi());
    let item = document["paths"][""].as_object().unwrap();
    assert_eq!(Vec::from_iter(item.keys()), ["get", "post"]);
}
