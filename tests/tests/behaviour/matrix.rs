//! Who may call what: each route, asked by each caller.

mod documents;
mod frameworks;
mod may;
mod services;
mod trees;

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, Request};
use axum::middleware::{Next, from_fn, map_response};
use axum::response::Response;
use doorward::axum08::routing::{any, get, post};
use doorward::axum08::{Router, asked};
use doorward::routes::Routes;
use doorward::testing::{AccessMatrix, Callers, MatrixError};
use doorward::{
    ApiKey, BearerError, BearerToken, Rejection, SecurityScopes, api_key, dependency, http_bearer,
    layer, public, secured,
};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tower::{Layer, ServiceExt, service_fn};

#[http_bearer(scopes("read" = "Read.", "write" implies("read") = "Change."))]
struct Notes;

#[derive(Clone, Debug)]
struct User {
    name: String,
    is_admin: bool,
}

/// The user that the token names, with the scopes that it lists: `alice:write`.
#[dependency]
fn user(
    #[security(Notes)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<User, BearerError> {
    let (name, granted) = token.as_str().split_once(':').ok_or_else(|| scopes.invalid_token())?;
    scopes.check(granted)?;
    Ok(User { name: name.to_owned(), is_admin: name == "root" })
}

#[derive(Debug, PartialEq)]
enum Role {
    User,
    Admin,
}

#[dependency]
fn role(#[argument] least: Role, #[security(user)] user: User) -> Result<(), Rejection> {
    match user.is_admin || least == Role::User {
        true => Ok(()),
        false => Err(Rejection::new(StatusCode::FORBIDDEN)),
    }
}

/// The note 1 is alice's.
#[dependency]
fn note(#[security(user)] user: User, Path(id): Path<u32>) -> Result<u32, Rejection> {
    match id == 1 && user.name == "alice" {
        true => Ok(id),
        false => Err(Rejection::new(StatusCode::NOT_FOUND)),
    }
}

/// How often a handler ran. None does in any of these tests.
static RAN: AtomicUsize = AtomicUsize::new(0);

fn ran() {
    RAN.fetch_add(1, Ordering::Relaxed);
}

#[secured]
async fn read(#[security(note, scopes("read"))] _note: u32) {
    ran();
}

#[secured]
async fn remove(#[security(note, scopes("write"))] _note: u32) {
    ran();
}

#[secured(user, scopes("write"))]
async fn add(Json(_): Json<Value>) {
    ran();
}

#[secured(user)]
async fn list() {
    ran();
}

#[secured(role(Role::Admin))]
async fn purge(#[security(user, scopes("write"))] _user: User) {
    ran();
}

#[public(reason = "load balancers ask it")]
async fn health() {
    ran();
}

fn token(text: &str) -> BearerToken {
    BearerToken::try_from(text).unwrap()
}

fn callers(routes: &Routes) -> Callers<'_> {
    routes
        .asked_by("nobody", None)
        .asked_by("wrong", token("wrong"))
        .asked_by("reader", token("carol:read"))
        .asked_by("alice", token("alice:write"))
        .asked_by("bob", token("bob:write"))
        .asked_by("root", token("root:write"))
}

async fn table(app: Router, callers: Callers<'_>) -> Result<AccessMatrix, MatrixError> {
    callers.table(|ask| app.clone().oneshot(asked(ask))).await
}

fn service() -> Router {
    Router::new()
        .route("/notes", get(list).post(add))
        .route("/notes/{id}", get(read).delete(remove))
        .route("/purge", post(purge))
        .route("/health", get(health))
        .route("/metrics", get(public("prometheus", async || ran())))
        .route_service(
            "/files",
            layer!(user).layer(service_fn(async |_: Request| {
                ran();
                Ok(Response::new(Body::empty()))
            })),
        )
}

const WHO: &str = "                     nobody  wrong  reader  alice  bob  root
ANY     /files       Notes
GET     /health      in      in     in      in     in   in
GET     /metrics     public: prometheus
GET     /notes       401     401    in      in     in   in
POST    /notes       401     401    403     in     in   in
DELETE  /notes/{id}  401     401    403     in     404  404
GET     /notes/{id}  401     401    404     in     404  404
POST    /purge       401     401    403     403    403  in
";

#[tokio::test]
async fn each_route_is_asked_by_each_caller_and_no_handler_runs() {
    let before = RAN.load(Ordering::Relaxed);
    let app = service();
    let routes = app.routes();
    let callers = callers(&routes).sample("/notes/{id}", "/notes/1");
    let who = table(app.clone(), callers.body("POST /notes", json!({}))).await;
    let who = who.unwrap();
    assert_eq!(who.to_string(), WHO);
    assert_eq!(RAN.load(Ordering::Relaxed), before);
    let objects = "                     alice  bob
DELETE  /notes/{id}  in     404
GET     /notes/{id}  in     404
";
    assert_eq!(who.diff("alice", "bob").unwrap().to_string(), objects);
    assert_eq!(who.diff("alice", "eve").unwrap_err().to_string(), "there is no caller `eve`");
}

/// The layer answers, and below it the handler's arguments.
#[tokio::test]
async fn a_handler_behind_a_layer_of_its_own_is_asked() {
    async fn undecided(Path(_): Path<u32>) {
        ran();
    }
    let before = RAN.load(Ordering::Relaxed);
    let write = layer!(user, scopes("write"));
    let app: Router = Router::new()
        .route("/alone/{id}", get(write.layer(undecided)))
        .route("/below/{id}", get(write.already_around(undecided)).layer(write));
    let routes = app.routes();
    let callers = callers(&routes)
        .sample("/alone/{id}", "/alone/x")
        .sample("/alone/{id}", "/alone/1")
        .sample("/below/{id}", "/below/1");
    let who = table(app.clone(), callers).await.unwrap().to_string();
    let expected = "                  nobody  wrong  reader  alice  bob  root
GET  /alone/x     401     401    403     400    400  400
GET  /alone/1     401     401    403     in     in   in
GET  /below/{id}  401     401    403     in     in   in
";
    assert_eq!(who, expected);
    assert_eq!(RAN.load(Ordering::Relaxed), before);
}

/// Layers that take every answer apart, and write another one.
#[tokio::test]
async fn a_layer_that_rewrites_responses_changes_no_cell() {
    let rewritten = map_response(async |response: Response| {
        let body = Json(json!({ "status": response.status().as_u16() }));
        (StatusCode::OK, body)
    });
    let app = service().layer(rewritten);
    let routes = app.routes();
    let callers = callers(&routes).sample("/notes/{id}", "/notes/1");
    let who = table(app.clone(), callers.body("POST /notes", json!({}))).await;
    assert_eq!(who.unwrap().to_string(), WHO);
}

mod what_is_asked {
    use super::*;

    async fn who(app: Router) -> String {
        let routes = app.routes();
        let callers = routes.asked_by("nobody", None).asked_by("alice", token("alice:read"));
        table(app.clone(), callers)
            .await
            .map_or_else(|error| error.to_string(), |who| who.to_string())
    }

    #[secured(user, scopes("write"))]
    async fn guard(request: Request, next: Next) -> Response {
        next.run(request).await
    }

    #[secured(user)]
    async fn admit(request: Request, next: Next) -> Response {
        next.run(request).await
    }

    /// A secured middleware function does not answer instead of the handler.
    #[tokio::test]
    async fn layers_refuse_and_let_in_nobody() {
        let app = || Router::new().route("/purge", post(purge)).route("/health", get(health));
        let admitted = "               nobody  alice
GET   /health  401     in
POST  /purge   401     403
";
        assert_eq!(who(app().layer(layer!(user))).await, admitted);
        assert_eq!(who(app().layer(layer!(user).with_state(()))).await, admitted);
        assert_eq!(who(app().layer(from_fn(admit))).await, admitted);
        let refused = admitted.replace("in", "403");
        assert_eq!(who(app().layer(layer!(user, scopes("write")))).await, refused);
        assert_eq!(who(app().layer(from_fn(guard))).await, refused);
    }

    #[secured(layer = user)]
    async fn below(_body: String) {
        ran();
    }

    #[tokio::test]
    async fn a_handler_below_a_layer_answers_when_it_has_passed() {
        let app = Router::new().route("/", post(below));
        let expected = "         nobody  alice\nPOST  /  500     500\n";
        assert_eq!(who(app.clone()).await, expected);
        let expected = "         nobody  alice\nPOST  /  401     in\n";
        assert_eq!(who(app.layer(layer!(user))).await, expected);
    }

    #[derive(Debug)]
    struct Caller;

    #[dependency(extract)]
    fn caller(#[security(user)] _user: User) -> Result<Caller, Rejection> {
        Ok(Caller)
    }

    #[tokio::test]
    async fn an_extracted_value_answers_if_it_declares_the_handler() {
        async fn extracted(_caller: Caller, _body: Json<Value>) {
            ran();
        }
        #[secured(role(Role::Admin))]
        async fn beside(_caller: Option<String>, #[security(user)] _user: User) {
            ran();
        }
        let app = Router::new().route("/", post(extracted));
        assert_eq!(who(app.clone()).await, "         nobody  alice\nPOST  /  401     415\n");
        let routes = app.routes();
        let callers = routes.asked_by("nobody", None).asked_by("alice", token("alice:read"));
        let who = table(app, callers.body("POST /", json!({}))).await.unwrap();
        assert_eq!(who.to_string(), "         nobody  alice\nPOST  /  401     in\n");
    }

    #[tokio::test]
    async fn any_method_is_two_lines_and_a_fallback_needs_a_sample() {
        let before = RAN.load(Ordering::Relaxed);
        let app: Router = Router::new()
            .route("/any", any(list))
            .route("/rest", get(health).fallback(list))
            .route("/most", get(health).post(health).fallback(list))
            .nest("/below", Router::new().route("/{id}", get(list)).fallback(health));
        let missing = "\
ANY /below/* has no sample; write `.sample(\"/below/*\", \"/…\")`
GET /below/{id} has no sample; write `.sample(\"/below/{id}\", \"/…\")`";
        assert_eq!(who(app.clone()).await, missing);
        let routes = app.routes();
        let callers = routes.asked_by("nobody", None).asked_by("alice", token("alice:read"));
        let callers = callers.sample("/below/*", "/below/1/2").sample("/below/{id}", "/below/1");
        let who = table(app, callers).await.unwrap();
        let expected = "                    nobody  alice
GET    /any         401     in
POST   /any         401     in
GET    /below/*     in      in
POST   /below/*     in      in
GET    /below/{id}  401     in
PUT    /most        401     in
PATCH  /most        401     in
GET    /most        in      in
POST   /most        in      in
POST   /rest        401     in
PUT    /rest        401     in
GET    /rest        in      in
";
        assert_eq!(who.to_string(), expected);
        assert_eq!(RAN.load(Ordering::Relaxed), before);
    }

    /// With all methods declared, there is one that no route declares.
    #[tokio::test]
    async fn a_fallback_beside_all_methods_has_its_line() {
        let all = get(health).post(health).put(health).patch(health).delete(health);
        let app = Router::new().route("/", all.options(health).fallback(list));
        let last = who(app).await;
        assert!(last.contains("\nPROPFIND  /  401     in\n"), "{last}");
    }

    #[dependency]
    fn only_head(#[security(user)] _user: User, method: Method) -> Result<(), Rejection> {
        match method == Method::HEAD {
            true => Err(Rejection::new(StatusCode::CONFLICT)),
            false => Ok(()),
        }
    }

    #[secured(only_head)]
    async fn methodical() {
        ran();
    }

    /// `GET`'s handler answers `HEAD`.
    #[tokio::test]
    async fn head_has_a_line_if_it_differs() {
        let app = Router::new().route("/", get(methodical)).route("/list", get(list));
        let expected = "             nobody  alice
GET   /      401     in
HEAD  /      401     409
GET   /list  401     in
";
        assert_eq!(who(app).await, expected);
    }

    #[tokio::test]
    async fn each_sample_has_a_line() {
        let app: Router = Router::new().route("/notes/{id}", get(read));
        let routes = app.routes();
        let callers = routes.asked_by("alice", token("alice:read"));
        let callers = callers.sample("/notes/{id}", "/notes/1").sample("/notes/{id}", "/notes/2");
        let who = table(app, callers).await.unwrap().to_string();
        assert_eq!(who, "               alice\nGET  /notes/1  in\nGET  /notes/2  404\n");
    }

    /// Nothing below the layer of a handler itself can answer instead of the handler.
    #[tokio::test]
    async fn a_handler_with_a_layer_of_its_own_is_an_error() {
        use axum::handler::Handler as _;
        let app = Router::new().route("/", get(list.layer(layer!(user, scopes("write")))));
        let found = who(app).await;
        assert!(
            found.starts_with("GET /, as `nobody`: the handler has a layer of its own"),
            "{found}"
        );
    }

    #[secured]
    async fn after(
        Query(_): Query<Vec<(String, u32)>>,
        #[security(user)] _user: User,
        _: Json<Value>,
    ) {
        ran();
    }

    /// On axum, only the last parameter of a handler reads the body, so no secured one is after it.
    #[tokio::test]
    async fn an_extractor_before_the_last_parameter_gets_what_it_reads() {
        let app = Router::new().route("/after", post(after));
        let ask = async |target| {
            let routes = app.routes();
            let callers = routes.asked_by("nobody", None).asked_by("alice", token("alice:"));
            let callers = callers.sample("/after", target).body("POST /after", json!({}));
            table(app.clone(), callers).await
        };
        let who = ask("/after?page=x").await.unwrap();
        assert_eq!(who.to_string(), "              nobody  alice\nPOST  /after  400     400\n");
        let who = ask("/after?page=1").await.unwrap();
        assert_eq!(who.to_string(), "              nobody  alice\nPOST  /after  401     in\n");
    }
}

mod errors {
    use super::*;

    async fn error(app: Router, callers: Callers<'_>) -> String {
        table(app, callers).await.unwrap_err().to_string()
    }

    #[tokio::test]
    async fn what_is_written_is_checked_before_anything_is_asked() {
        let app = service();
        let routes = app.routes();
        let callers = routes
            .asked_by("alice", token("alice:read"))
            .asked_by("alice", None)
            .sample("/note", "/note")
            .sample("/notes", "notes")
            .body("POST /metrics", json!({}));
        let expected = "\
two callers are named `alice`; give each a name of its own
DELETE /notes/{id} has no sample; write `.sample(\"/notes/{id}\", \"/…\")`
GET /notes/{id} has no sample; write `.sample(\"/notes/{id}\", \"/…\")`
there is a sample for `/note`, and no route with this path
the sample `notes` for `/notes` is not a path
there is a body for `POST /metrics`, and no such route is asked";
        let nothing_is_asked = callers.table(async |_| -> Response { panic!("a route was asked") });
        assert_eq!(nothing_is_asked.await.unwrap_err().to_string(), expected);
    }

    #[tokio::test]
    async fn an_answer_of_another_layer_is_reported() {
        let app = service().layer(from_fn(async |request: Request, next: Next| {
            match request.method().as_str() {
                "POST" => Err(StatusCode::PAYMENT_REQUIRED),
                _ => Ok(next.run(request).await),
            }
        }));
        let routes = app.routes();
        let callers =
            routes.asked_by("alice", token("alice:read")).sample("/notes/{id}", "/notes/1");
        let error = error(app.clone(), callers).await;
        assert!(error.starts_with("POST /notes, as `alice`: the answer 402 is of no"), "{error}");
    }

    #[tokio::test]
    async fn a_sample_that_leads_elsewhere_is_reported_and_runs_nothing() {
        let before = RAN.load(Ordering::Relaxed);
        let app = Router::new()
            .route("/{id}", get(read))
            .route("/all", get(list).delete(list))
            .route("/only/post", post(add))
            .method_not_allowed_fallback(list);
        for (target, found) in [
            ("/all", "GET /{id}: `/all` is no target of this route; write another sample"),
            ("/only/post", "GET /{id}: `/only/post` is no target of this route"),
            ("/1/2", "GET /{id}: `/1/2` is no target of this route"),
        ] {
            let routes = app.routes();
            let callers = routes.asked_by("alice", token("alice:write")).sample("/{id}", target);
            let error = error(app.clone(), callers).await;
            assert!(error.starts_with(found), "{error}");
        }
        assert_eq!(RAN.load(Ordering::Relaxed), before);
    }

    #[tokio::test]
    async fn a_request_that_is_not_answered_is_reported() {
        let app: Router = Router::new().route("/", get(health));
        let routes = app.routes();
        let callers = || routes.asked_by("alice", token("alice:"));
        let error = callers().table(async |_| Err::<Response, _>("gone")).await.unwrap_err();
        assert_eq!(error.to_string(), "GET /, as `alice`: the request was not answered");
        let callers = routes.asked_by("alice", ("x-key", "\n"));
        let error = table(app.clone(), callers).await.unwrap_err();
        assert_eq!(error.to_string(), "GET /, as `alice`: no header line can have the credential");
    }
}

#[api_key(query = "key")]
struct InQuery;

#[api_key(header = "x-api-key")]
struct InHeader;

#[dependency]
fn right(
    #[security(InQuery)] first: ApiKey,
    #[security(InHeader)] second: ApiKey,
) -> Result<(), Rejection> {
    match (first.as_str(), second.as_str()) {
        ("1", "2") => Ok(()),
        _ => Err(Rejection::new(StatusCode::FORBIDDEN)),
    }
}

#[secured(right)]
async fn keyed() {
    ran();
}

#[tokio::test]
async fn a_caller_has_any_credential() {
    let app: Router = Router::new().route("/", get(keyed));
    let routes = app.routes();
    let with = |first: &'static str, second: &'static str| {
        move |request: &mut http::Request<_>| {
            *request.uri_mut() = format!("/?key={first}").parse().unwrap();
            request.headers_mut().insert("x-api-key", second.parse().unwrap());
        }
    };
    let callers = routes
        .asked_by("header", ("x-api-key", "2".to_owned()))
        .asked_by("both", with("1", "2"))
        .asked_by("wrong", with("1", "1"));
    assert_eq!(format!("{callers:?}"), r#"["header", "both", "wrong"]"#);
    let who = table(app, callers).await.unwrap();
    assert_eq!(who.to_string(), "        header  both  wrong\nGET  /  401     in    403\n");
}
