//! Routes that are secured or public: the router of axum, and its table.

use std::convert::Infallible;
use std::net::SocketAddr;

use axum::Extension;
use axum::body::Body;
use axum::error_handling::HandleErrorLayer;
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::{Method, StatusCode};
use axum::response::Response;
use doorward::axum08::routing::{
    MethodFilter, any, any_service, delete, get, get_service, on, post,
};
use doorward::axum08::{Router, routing};
use doorward::openapi::{Document, audit, secure};
use doorward::routes::{Requirement, Routes};
use doorward::{
    ApiKey, BearerError, BearerToken, SecurityScopes, api_key, declared, dependency, http_bearer,
    layer, one_of, operation, public, secured,
};
use doorward_tests::client::ask;
use proptest::prelude::*;
use serde_json::{Value, json};
use tower::{Layer, service_fn};
use utoipa::OpenApi;

use super::asking::{answer, ask_with, block_on, request, seen, whole};

#[http_bearer(scopes("notes:read" = "Read notes.", "notes:write" = "Write notes."))]
struct Notes;

#[api_key(header = "x-key")]
struct Key;

#[http_bearer(auto_error = false)]
struct Maybe;

#[derive(Clone)]
struct User(String);

#[dependency]
fn user(
    #[security(Notes)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<User, BearerError> {
    scopes.check("notes:read notes:write")?;
    Ok(User(token.as_str().to_owned()))
}

#[dependency]
fn service(#[security(Key)] key: ApiKey) -> Result<String, BearerError> {
    match key.as_str() {
        "secret" => Ok("service".to_owned()),
        _ => Err(BearerError::invalid_token()),
    }
}

#[one_of]
enum Caller {
    #[security(user, scopes("notes:write"))]
    User(User),
    #[security(service)]
    Service(String),
}

struct Current(String);

#[dependency(extract)]
fn current(#[security(user, scopes("notes:read"))] user: User) -> Current {
    Current(user.0)
}

#[dependency]
fn throttled() -> Result<(), BearerError> {
    Ok(())
}

#[secured]
async fn read(#[security(user, scopes("notes:read"))] user: User) -> String {
    user.0
}

#[secured]
async fn write(Path(id): Path<u32>, #[security(Caller)] caller: Caller) -> String {
    match caller {
        Caller::User(User(name)) | Caller::Service(name) => format!("{id} {name}"),
    }
}

#[secured(service)]
#[secured(user, scopes("notes:read", "notes:write"))]
#[axum::debug_handler(state = u8)]
async fn both(State(state): State<u8>, body: String) -> String {
    format!("{state} {body}")
}

#[secured(throttled)]
async fn limited() {}

#[secured]
async fn optional(#[security(Maybe)] token: Option<BearerToken>) -> String {
    token.is_some().to_string()
}

async fn extracted(current: Current) -> String {
    current.0
}

#[public(reason = "load balancers ask it")]
async fn health() -> &'static str {
    "ok"
}

#[public(reason = "it is the way in")]
#[axum::debug_handler(state = u8)]
async fn login(State(state): State<u8>, body: String) -> String {
    format!("{state} {body}")
}

async fn foreign(method: Method) -> String {
    method.to_string()
}

/// The routes, in one of the two routers.
macro_rules! app {
    ($router:ty, $routing:path, $public:expr) => {{
        use $routing as door;
        let notes = <$router>::new()
            .route("/", door::get(read).post(both))
            .route("/{id}", door::put(write).delete(write))
            .fallback(limited);
        <$router>::new()
            .nest("/notes", notes)
            .merge(<$router>::new().route("/health", door::get(health)))
            .route("/login", door::post(login))
            .route("/me", door::get(extracted))
            .route("/optional", door::any(optional))
            .route("/foreign", door::on(MethodFilter::GET.or(MethodFilter::PATCH), $public))
            .method_not_allowed_fallback(limited)
            .with_state(7)
    }};
}

fn ours() -> Router {
    app!(Router<u8>, doorward::axum08::routing, public("it says nothing", foreign))
}

fn plain() -> axum::Router {
    app!(axum::Router<u8>, axum::routing, foreign)
}

#[test]
fn a_route_answers_as_in_a_plain_router() {
    let paths = [
        "/notes",
        "/notes/",
        "/notes/1",
        "/notes/x/y",
        "/health",
        "/login",
        "/me",
        "/optional",
        "/foreign",
        "/nowhere",
    ];
    let credentials: [&[(&str, &str)]; 5] = [
        &[],
        &[("authorization", "Bearer jo")],
        &[("x-key", "secret")],
        &[("authorization", "Bearer jo"), ("x-key", "secret")],
        &[("x-key", "wrong")],
    ];
    let mut statuses = std::collections::BTreeSet::new();
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        for path in paths {
            for headers in credentials {
                let request = || request(&format!("{method} {path}"), headers, "body");
                let ours = whole(block_on(answer(ours(), request())));
                let plain = whole(block_on(answer(plain(), request())));
                assert_eq!(ours, plain, "{method} {path} {headers:?}");
                statuses.insert(ours.0.as_u16());
            }
        }
    }
    assert_eq!(Vec::from_iter(statuses), [200, 401, 404]);
}

#[test]
fn the_table_has_a_line_for_each_route() {
    assert_eq!(
        ours().routes().to_string(),
        "\
ANY     /*           throttled
GET     /foreign     public: it says nothing
PATCH   /foreign     public: it says nothing
GET     /health      public: load balancers ask it
POST    /login       public: it is the way in
GET     /me          Notes(notes:read)
GET     /notes       Notes(notes:read)
POST    /notes       Key + Notes(notes:read, notes:write)
ANY     /notes/*     throttled
DELETE  /notes/{id}  Notes(notes:write) | Key
PUT     /notes/{id}  Notes(notes:write) | Key
ANY     /optional    Maybe | anyone
"
    );
}

#[test]
fn a_service_is_behind_a_layer_or_public() {
    let echo = service_fn(async |request: Request| {
        Ok::<_, Infallible>(Response::new(Body::from(request.uri().path().to_owned())))
    });
    let failing = service_fn(async |_: Request| Err::<Response, _>(std::fmt::Error));
    let reads = layer!(user, scopes("notes:read"));
    let plain = |path| axum::Router::new().route(path, axum::routing::get(foreign));
    let below = |reason| public(reason, plain("/b"));
    let app: Router = Router::new()
        .nest_service("/files", public("they are the site", echo))
        .nest_service("/own/", layer!(user, scopes("notes:read")).layer(echo))
        .route_service("/one", public("one file", echo))
        .route(
            "/get",
            get_service(public("a file", echo)).post_service(layer!(service).layer(echo)),
        )
        .route("/any", any_service(public("any", echo)))
        .route(
            "/failing",
            routing::delete_service(public("an error", failing))
                .handle_error(async |_: std::fmt::Error| StatusCode::IM_A_TEAPOT),
        )
        .merge(public("documents", plain("/api")))
        .merge(reads.layer(plain("/{note}/all")))
        .nest("/stated", reads.with_state(()).layer(plain("/b")))
        .nest("/below", below("below"))
        .nest("/twice", Router::new().nest("/below/", below("below twice")))
        .fallback_service(public("the page of the site", echo));
    assert_eq!(
        app.routes().to_string(),
        "\
ANY     *               Notes(notes:read)
ANY     *               public: documents
ANY     /*              public: the page of the site
ANY     /any            public: any
ANY     /below/*        public: below
DELETE  /failing        public: an error
ANY     /files/*        public: they are the site
GET     /get            public: a file
POST    /get            Key
ANY     /one            public: one file
ANY     /own/*          Notes(notes:read)
ANY     /stated/*       Notes(notes:read)
ANY     /twice/below/*  public: below twice
"
    );
    let status = |target, token| block_on(ask_with(app.clone(), target, token)).status();
    assert_eq!(status("/files/x", None), 200);
    assert_eq!(status("/own/x", None), 401);
    assert_eq!(status("/own/x", Some("jo")), 200);
    assert_eq!(status("DELETE /failing", None), 418);
    assert_eq!(status("/api", None), 200);
    assert_eq!(status("/below/b", None), 200);
    // A router behind a layer is checked, and its neighbours are not.
    for path in ["/1/all", "/stated/b"] {
        assert_eq!(status(path, None), 401);
        assert_eq!(status(path, Some("jo")), 200);
    }
    assert_eq!(status("/no/such/path", None), 200);
}

/// What is required stands at the list of routes: the handlers say nothing.
#[test]
fn a_handler_is_behind_a_layer_of_its_own() {
    async fn one(State(state): State<u8>, Path(id): Path<u32>, user: Extension<User>) -> String {
        format!("{state} {id} {}", user.0.0)
    }
    async fn add(body: String) -> String {
        body
    }
    let reads = layer!(user, scopes("notes:read"));
    let app: Router = Router::new()
        .route("/{id}", get(reads.layer(one)).post(layer!(service).layer(add)))
        .route("/stated/{id}", get(reads.with_state(7_u8).layer(one)))
        .fallback(reads.layer(async || "nothing"))
        .with_state(7);
    assert_eq!(
        app.routes().to_string(),
        "\
ANY   /*            Notes(notes:read)
GET   /stated/{id}  Notes(notes:read)
GET   /{id}         Notes(notes:read)
POST  /{id}         Key
"
    );
    let answer = |target, token| seen(block_on(ask_with(app.clone(), target, token)));
    for path in ["/1", "/stated/1"] {
        assert_eq!(answer(path, None).0, 401);
        assert_eq!(answer(path, Some("jo")), (200, "7 1 jo".to_owned()));
    }
    assert_eq!(answer("POST /1", Some("jo")).0, 401);
    assert_eq!(answer("/no/such/path", None).0, 401);
    assert_eq!(answer("/no/such/path", Some("jo")).0, 200);
}

#[test]
fn a_layer_around_a_router_changes_nothing_in_the_table() {
    let routes = || Router::<()>::new().route("/health", get(health));
    let layered = routes()
        .layer(layer!(user))
        .route_layer(HandleErrorLayer::new(async |_: Infallible| StatusCode::OK));
    assert_eq!(layered.routes(), routes().routes());
    assert_eq!(block_on(ask_with(layered, "/health", None)).status(), 401);
}

#[test]
fn a_fallback_is_in_the_table_until_it_is_reset() {
    let app = Router::<()>::new().fallback(limited);
    assert_eq!(app.routes().to_string(), "ANY  /*  throttled\n");
    assert!(!app.has_routes());
    let app = app.reset_fallback().fallback(health).merge(Router::new());
    let only = app.routes();
    let only = Vec::from_iter(&only);
    let [fallback] = only.as_slice() else { panic!("{only:?}") };
    assert_eq!((fallback.method(), fallback.path()), ("ANY", "/*"));
    assert_eq!(fallback.handler(), "behaviour::declared_routes::health");
    assert_eq!(fallback.requirement(), &Requirement::Public("load balancers ask it".to_owned()));
    let of_a_route: Router =
        Router::new().route("/", get(read).fallback(health).merge(post(limited)));
    assert_eq!(
        of_a_route.routes().to_string(),
        "ANY   /  public: load balancers ask it\nGET   /  Notes(notes:read)\nPOST  /  throttled\n"
    );
}

#[test]
fn what_is_taken_off_or_converted_leaves_the_routes() {
    let fallback = public("it says nothing", get(health).into_inner());
    let layered = get(health).route_layer(layer!(user)).fallback_service(fallback);
    let plain: axum::Router = Router::new()
        .without_v07_checks()
        .route("/:a", layered)
        .fallback(limited)
        .reset_fallback()
        .into_inner();
    assert!(plain.has_routes());
    for (target, status) in [("/:a", 401), ("POST /:a", 405), ("/b", 404)] {
        assert_eq!(block_on(ask_with(plain.clone(), target, None)).status(), status, "{target}");
    }
}

#[test]
fn the_table_is_data() {
    let app: Router = Router::new()
        .route("/a|b", get(public("one\n  \"line\"", foreign)))
        .route("/b", any(write).delete(limited))
        .route("/c", get(public("a closure", async || {})));
    let handler = "behaviour::declared_routes";
    let json: Value = serde_json::from_str(&app.routes().to_json()).unwrap();
    assert_eq!(
        json,
        json!([
            { "method": "GET", "path": "/a|b", "handler": format!("{handler}::foreign"), "public": "one \"line\"" },
            { "method": "ANY", "path": "/b", "handler": format!("{handler}::write"), "security": [{ "Notes": ["notes:write"] }, { "Key": [] }] },
            { "method": "DELETE", "path": "/b", "handler": format!("{handler}::limited"), "dependencies": ["throttled"] },
            { "method": "GET", "path": "/c", "handler": format!("{handler}::the_table_is_data::{{{{closure}}}}"), "public": "a closure" },
        ])
    );
    assert_eq!(
        app.routes().to_markdown(),
        format!(
            "| method | path | requirement | handler |\n|---|---|---|---|\n\
             | GET | /a\\|b | public: one \"line\" | {handler}::foreign |\n\
             | ANY | /b | Notes(notes:write) \\| Key | {handler}::write |\n\
             | DELETE | /b | throttled | {handler}::limited |\n\
             | GET | /c | public: a closure | {handler}::the_table_is_data::{{{{closure}}}} |\n"
        )
    );
    assert_eq!(Router::<()>::new().routes().to_string(), "");
}

#[test]
#[should_panic = "`public` needs a reason; write why anyone may call this"]
fn a_reason_that_is_missing_panics_where_it_is_written() {
    let _app: Router = Router::new().route("/", get(public(" ", foreign)));
}

#[test]
fn a_router_is_served() {
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    #[public(reason = "it says who asks")]
    async fn peer(ConnectInfo(peer): ConnectInfo<SocketAddr>) -> String {
        peer.ip().to_string()
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listen = || {
        let listener = runtime.block_on(tokio::net::TcpListener::bind(address));
        let listener = listener.unwrap();
        (listener.local_addr().unwrap(), listener)
    };
    let (address, listener) = listen();
    runtime.spawn(async { axum::serve(listener, ours()).await });
    let response = ask(address, "GET", "/health", &[]);
    assert_eq!((response.status, &*response.body), (200, "ok"));
    let (address, listener) = listen();
    let app: Router = Router::new().route("/", get(peer));
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    runtime.spawn(async { axum::serve(listener, app).await });
    assert_eq!(ask(address, "GET", "/", &[]).body, "127.0.0.1");
    let (address, listener) = listen();
    let nested = axum::Router::new().nest_service("/nested", ours()).merge(ours().into_inner());
    runtime.spawn(async { axum::serve(listener, nested).await });
    for path in ["/health", "/nested/health"] {
        assert_eq!(ask(address, "GET", path, &[]).body, "ok");
    }
}

/// A route of the property: a method, a path, and how it is declared.
#[derive(Clone, Debug)]
struct Sample {
    method: MethodFilter,
    name: &'static str,
    is_public: bool,
}

fn samples() -> impl Strategy<Value = Vec<(u8, Sample)>> {
    let methods = [
        (MethodFilter::GET, "GET"),
        (MethodFilter::POST, "POST"),
        (MethodFilter::DELETE, "DELETE"),
    ];
    let sample = (proptest::sample::select(methods.to_vec()), proptest::bool::ANY);
    let sample = sample.prop_map(|((method, name), is_public)| Sample { method, name, is_public });
    proptest::collection::vec((0..3_u8, sample), 0..20)
}

proptest! {
    /// However routers are nested and merged, each route has one line, at the path where it
    /// answers.
    #[test]
    fn each_route_has_its_line(samples in samples()) {
        let mut app = Router::<()>::new();
        let mut expected = Vec::new();
        for (number, (place, sample)) in samples.into_iter().enumerate() {
            let (handler, requirement) = match sample.is_public {
                true => (on(sample.method, health), "public: load balancers ask it"),
                false => (on(sample.method, read), "Notes(notes:read)"),
            };
            let router = Router::new().route(&format!("/{number}"), handler);
            let (nested, path) = match place {
                0 => (app.merge(router), format!("/{number}")),
                1 => (app.nest(&format!("/a/{number}"), router), format!("/a/{number}/{number}")),
                _ => {
                    let router = Router::new().nest("/b", router);
                    (app.nest(&format!("/a/{number}"), router), format!("/a/{number}/b/{number}"))
                }
            };
            app = nested;
            expected.push((path, sample.name, requirement));
        }
        expected.sort();
        let routes: Routes = app.routes();
        prop_assert_eq!(routes.to_string().lines().count(), expected.len());
        for (route, (path, method, requirement)) in routes.iter().zip(&expected) {
            prop_assert_eq!((route.path(), route.method()), (&**path, *method));
            prop_assert_eq!(&route.requirement().to_string(), requirement);
            let target = format!("{method} {path}");
            prop_assert_eq!(block_on(ask_with(app.clone(), &target, Some("jo"))).status(), 200);
        }
    }
}

#[public(reason = "it is the way in")]
#[utoipa::path(get, path = "/documented", description = "Says hello.", responses((status = 200)))]
async fn documented() -> &'static str {
    "hello"
}

#[public(reason = "it is short")]
#[utoipa::path(get, path = "/short", responses((status = 200)))]
async fn short() {}

#[derive(OpenApi)]
#[openapi(paths(documented, short), security(("Notes" = [])))]
struct ApiDoc;

#[test]
fn a_public_operation_is_described_with_its_reason() {
    let mut document = ApiDoc::openapi();
    secure(&mut document).unwrap();
    let moved = Document::new(ApiDoc::openapi()).unwrap().into_json();
    for document in [json!(document), Value::from(moved)] {
        let operation = &document["paths"]["/documented"]["get"];
        assert_eq!(operation["security"], json!([]));
        assert_eq!(operation["description"], "Says hello.\n\nPublic: it is the way in");
        assert!(operation.get("x-doorward").is_none());
        let operation = &document["paths"]["/short"]["get"];
        assert_eq!(operation["description"], "Public: it is short");
    }
    let operation = operation!(health);
    assert!(operation.security().is_empty());
    assert_eq!(
        json!(operation),
        json!({ "security": [], "description": "Public: load balancers ask it", "responses": {} })
    );
    // What is behind a plan is not public any more.
    let behind = operation!(health).and(&operation!(read));
    assert_eq!(json!(behind)["security"], json!([{ "Notes": ["notes:read"] }]));
    assert!(json!(behind).get("description").is_none());
}

#[test]
fn a_test_calls_a_public_handler() {
    assert_eq!(block_on(health(().into())), "ok");
    assert_eq!(block_on(documented(().into())), "hello");
    block_on(short(().into()));
    let router = delete(public("it does nothing", foreign));
    assert_eq!(block_on(ask_with(router, "DELETE /", None)).status(), 200);
}

/// The handlers of actix-web, poem, rocket and salvo, which `declared` and `routes!` yield as they
/// are.
mod elsewhere {
    use super::*;

    mod handlers {
        use doorward::{public, secured};
        use salvo::Writer as _;

        use super::*;

        #[public(reason = "load balancers ask it")]
        #[poem::handler]
        pub(super) fn poem_health() -> &'static str {
            "ok"
        }

        #[secured(service)]
        #[poem::handler]
        pub(super) async fn poem_own() -> &'static str {
            "own"
        }

        #[public(reason = "load balancers ask it")]
        #[salvo::handler]
        pub(super) async fn salvo_health() -> &'static str {
            "ok"
        }

        #[secured(service)]
        #[salvo::handler]
        pub(super) async fn salvo_own() -> &'static str {
            "own"
        }

        #[public(reason = "load balancers ask it")]
        #[rocket::get("/health")]
        pub(super) fn rocket_health() -> &'static str {
            "ok"
        }

        #[secured(service)]
        #[rocket::get("/own")]
        pub(super) async fn rocket_own() -> &'static str {
            "own"
        }

        #[public(reason = "load balancers ask it")]
        #[actix_web::get("/named")]
        pub(super) async fn actix_named() -> &'static str {
            "named"
        }
    }
    use handlers::*;

    #[public(reason = "load balancers ask it")]
    async fn actix_health(id: actix_web::web::Path<u32>) -> String {
        format!("ok {id}")
    }

    #[secured]
    async fn actix_own(#[security(service)] service: String) -> String {
        service
    }

    #[test]
    fn a_declared_handler_is_registered_as_it_is() {
        use actix_web::{App, test, web};
        let statuses = actix_web::rt::System::new().block_on(async {
            let app = App::new()
                .route("/health/{id}", web::get().to(declared(actix_health)))
                .route("/own", web::get().to(declared(actix_own)))
                .route("/me", web::get().to(declared(extracted)))
                .route("/closure", web::get().to(declared(public("it says ok", async || "ok"))))
                .service(declared(actix_named));
            let app = test::init_service(app).await;
            let mut statuses = Vec::new();
            for path in ["/health/1", "/own", "/me", "/closure", "/named"] {
                let request = test::TestRequest::with_uri(path).to_request();
                let answer = test::try_call_service(&app, request).await;
                statuses.push(match answer {
                    Ok(answer) => answer.status().as_u16(),
                    Err(refusal) => refusal.error_response().status().as_u16(),
                });
            }
            statuses
        });
        assert_eq!(statuses, [200, 401, 401, 200, 200]);

        let app = poem::Route::new()
            .at("/health", poem::get(declared(poem_health)))
            .at("/own", poem::get(declared(handlers::poem_own)))
            .at(
                "/public",
                poem::get(declared(public("it says ok", poem::endpoint::make_sync(|_| "ok")))),
            );
        let client = poem::test::TestClient::new(app);
        for (path, status) in [("/health", 200), ("/own", 401), ("/public", 200)] {
            let answer = block_on(client.get(path).send());
            assert_eq!(answer.0.status().as_u16(), status, "{path}");
        }

        let _salvo = salvo::Router::new()
            .push(salvo::Router::with_path("health").get(declared(salvo_health)))
            .push(salvo::Router::with_path("own").get(declared(handlers::salvo_own)))
            .push(salvo::Router::with_path("p").get(declared(public("it says ok", salvo_health))));

        let routes = doorward::rocket05::routes![rocket_health, handlers::rocket_own];
        let paths = routes.iter().map(|route| route.uri.to_string());
        assert_eq!(Vec::from_iter(paths), ["/health", "/own"]);
    }
}

/// A session that no scheme describes.
mod a_session_of_another_crate {
    use axum::extract::FromRequestParts;
    use axum::http::request::Parts;
    use doorward::Rejection;

    use super::*;

    #[derive(Clone)]
    struct Session(Option<String>);

    impl<S: Sync> FromRequestParts<S> for Session {
        type Rejection = Infallible;

        async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
            let name = parts.headers.get("x-session").and_then(|name| name.to_str().ok());
            Ok(Self(name.map(str::to_owned)))
        }
    }

    struct Account(String);

    #[dependency(extract)]
    fn account(session: Session) -> Result<Account, Rejection> {
        session.0.map(Account).ok_or(Rejection::NOT_AUTHENTICATED)
    }

    #[secured(account)]
    async fn by_guard(account: Account) -> String {
        account.0
    }

    #[api_key(cookie = "id")]
    struct SessionCookie;

    struct Member(String);

    #[dependency(extract)]
    fn member(
        #[security(SessionCookie)] _id: ApiKey,
        session: Session,
    ) -> Result<Member, Rejection> {
        session.0.map(Member).ok_or(Rejection::NOT_AUTHENTICATED)
    }

    async fn by_cookie(member: Member) -> String {
        member.0
    }

    #[tokio::test]
    async fn is_declared_by_its_guard_or_by_its_cookie() {
        let app: Router =
            Router::new().route("/guard", get(by_guard)).route("/cookie", get(by_cookie));
        assert_eq!(
            app.routes().to_string(),
            "GET  /cookie  SessionCookie\nGET  /guard   account\n"
        );
        let ask = async |path: &str, lines: &[(&str, &str)]| {
            let answer = answer(app.clone(), request(path, lines, "")).await;
            (answer.status().as_u16(), answer.into_body())
        };
        let alice = (200, "alice".to_owned());
        assert_eq!(ask("/guard", &[("x-session", "alice")]).await, alice);
        assert_eq!(ask("/guard", &[]).await.0, 401);
        let cookie = ("cookie", "id=1");
        assert_eq!(ask("/cookie", &[("x-session", "alice"), cookie]).await, alice);
        assert_eq!(ask("/cookie", &[("x-session", "alice")]).await.0, 401);
        assert_eq!(ask("/cookie", &[cookie]).await.0, 401);
    }
}

/// What `via` names: what may refuse a credential that is already checked, and what has no scheme.
mod named_after_via {
    use doorward::Rejection;

    use super::*;

    #[dependency]
    fn incomplete(#[security(user)] user: User) -> Result<User, Rejection> {
        Ok(user)
    }

    /// Refuses nothing itself.
    #[dependency]
    fn renamed(#[security(incomplete)] user: User) -> String {
        user.0
    }

    #[dependency]
    fn above_all(#[security(Caller)] _caller: Caller) -> Result<(), Rejection> {
        Ok(())
    }

    struct Page;

    #[dependency(extract)]
    fn page() -> Result<Page, Rejection> {
        Ok(Page)
    }

    #[secured]
    #[utoipa::path(get, path = "/above-user", responses((status = 200)))]
    async fn above_user(#[security(renamed)] _name: String, #[security(page)] _page: Page) {}

    #[secured(throttled)]
    #[secured(above_all)]
    #[utoipa::path(get, path = "/guards", responses((status = 200)))]
    async fn guards(#[security(page)] _page: Page) {}

    #[secured(throttled)]
    #[utoipa::path(get, path = "/no-scheme", responses((status = 200)))]
    async fn no_scheme(#[security(page)] _page: Page) {}

    #[secured]
    #[utoipa::path(get, path = "/optional", responses((status = 200)))]
    async fn optional(#[security(Maybe)] _token: Option<BearerToken>) {}

    #[secured]
    #[utoipa::path(get, path = "/user", responses((status = 200)))]
    async fn plain_user(#[security(user)] _user: User, _page: Page) {}

    #[public(reason = "it says nothing")]
    #[utoipa::path(get, path = "/public", responses((status = 200)))]
    async fn open(_page: Page) {}

    const TABLE: &str = "\
GET  /above-user  Notes via incomplete
GET  /guards      Notes(notes:write) | Key via throttled, above_all
GET  /no-scheme   throttled, page
GET  /optional    Maybe | anyone
GET  /public      public: it says nothing
GET  /user        Notes
";

    #[derive(OpenApi)]
    #[openapi(paths(above_user, guards, no_scheme, optional, plain_user, open))]
    struct ApiDoc;

    #[test]
    fn are_those_that_decide_more_than_the_schemes() {
        let app: Router = Router::new()
            .route("/above-user", get(above_user))
            .route("/guards", get(guards))
            .route("/no-scheme", get(no_scheme))
            .route("/optional", get(optional))
            .route("/user", get(plain_user))
            .route("/public", get(open));
        assert_eq!(app.routes().to_string(), TABLE);
    }

    #[test]
    fn are_in_the_description() {
        // As types of utoipa, and as JSON of any tool.
        let mut typed = ApiDoc::openapi();
        secure(&mut typed).expect("a description");
        let document = Document::try_from(ApiDoc::openapi()).expect("a description");
        for described in [Document::new(&typed).expect("a description"), document] {
            assert_eq!(audit(&described).expect("a table").to_string(), TABLE);
        }
    }
}
