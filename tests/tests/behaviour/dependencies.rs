//! The resolution of dependencies and secured handlers for a request.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use doorward::testing::Overrides;
use doorward::{
    BearerToken, Rejection, Scheme, SecurityScopes, dependency, head::FromExtensions, layer,
    oauth2, oauth2_password_bearer, plan, secured,
};
use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{Method, StatusCode};

use super::asking::{self, block_on};

#[oauth2_password_bearer(token_url = "token", scopes("me" as ME = "Me.", "items" as ITEMS = "Items."))]
struct OAuth2;

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

#[oauth2]
struct Any;

/// Returns the line of a request, which has none if it is empty.
fn lines(authorization: &str) -> Vec<(&str, &str)> {
    let line = Some(("authorization", authorization));
    Vec::from_iter(line.filter(|(_, value)| !value.is_empty()))
}

fn head(authorization: &str) -> Parts {
    asking::head(&lines(authorization))
}

/// Sends a request to an app and returns the status, the challenge and the body.
fn call(app: Router, path: &str, authorization: &str) -> (u16, String, String) {
    asking::refused(block_on(asking::ask(app, path, &lines(authorization))))
}

mod users {
    use super::{ApiError, BearerToken, OAuth2, SecurityScopes, State, dependency};

    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct User {
        pub(crate) name: String,
        pub(crate) scopes: SecurityScopes,
    }

    pub(crate) type ApiResult<T> = Result<T, ApiError>;

    #[dependency]
    pub(crate) async fn current_user(
        #[security(OAuth2)] token: BearerToken,
        scopes: SecurityScopes,
        State(banned): State<&'static str>,
    ) -> ApiResult<User> {
        if token.as_str() == banned {
            return Err(ApiError("banned"));
        }
        Ok(User { name: token.as_str().to_owned(), scopes })
    }

    #[dependency]
    pub(crate) fn active_user(#[security(current_user, scopes("me"))] user: User) -> User {
        user
    }
}

use users::{User, active_user, current_user};

pub(crate) struct ApiError(&'static str);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (StatusCode::FORBIDDEN, self.0).into_response()
    }
}

#[secured]
async fn own_items(#[security(active_user, scopes(OAuth2::ITEMS))] user: User) -> String {
    format!("{} {}", user.name, user.scopes.scope_str())
}

#[secured]
async fn two_users(
    #[security(current_user, scopes("items"))] mut first: User,
    Path(id): Path<u32>,
    #[security(active_user)] second: User,
) -> String {
    first.name.push('!');
    format!("{} {:?} {:?} {id}", first.name, first.scopes.scopes(), second.scopes.scopes())
}

#[dependency(unverified)]
fn any_token(#[security(OAuth2)] _token: BearerToken, _scopes: SecurityScopes) {}

#[secured(any_token, scopes("items"))]
#[secured(users::current_user)]
async fn status() -> &'static str {
    "ok"
}

#[secured(any_token)]
#[axum::debug_handler]
async fn with_an_attribute_of_the_framework(
    #[security(Maybe)] token: Option<BearerToken>,
) -> String {
    format!("{}", token.is_some())
}

#[secured]
async fn maybe(#[security(Maybe)] token: Option<BearerToken>) -> String {
    format!("{:?}", token.map(|token| token.as_str().to_owned()))
}

#[secured(any_token)]
async fn generic<T: Default + ToString + Send + 'static>() -> String {
    T::default().to_string()
}

#[secured]
async fn generic_in<T>(#[security(OAuth2)] token: BearerToken, State(state): State<T>) -> String
where
    T: ToString,
{
    format!("{} {}", token.as_str(), state.to_string())
}

fn app() -> Router {
    Router::new()
        .route("/items", get(own_items))
        .route("/two/{id}", get(two_users))
        .route("/status", get(status))
        .route("/maybe", get(maybe))
        .route("/debugged", get(with_an_attribute_of_the_framework))
        .route("/generic", get(generic::<u32>))
        .route("/generic-in", get(generic_in::<&'static str>))
        .with_state("mallory")
}

#[test]
fn a_handler_gets_what_its_chain_yields() {
    assert_eq!(
        call(app(), "/items", "Bearer john"),
        (200, String::new(), "john items me".to_owned())
    );
    assert_eq!(call(app(), "/status", "Bearer john").2, "ok");
    assert_eq!(call(app(), "/generic", "Bearer john").2, "0");
    assert_eq!(call(app(), "/debugged", "Bearer john").2, "true");
    assert_eq!(call(app(), "/debugged", "").0, 401);
    assert_eq!(call(app(), "/generic-in", "Bearer john").2, "john mallory");
}

#[test]
fn siblings_do_not_see_each_other() {
    assert_eq!(call(app(), "/two/7", "Bearer john").2, r#"john! ["items"] ["me"] 7"#);
}

#[test]
fn a_refusal_of_any_link_is_the_answer() {
    for path in ["/items", "/status", "/two/7", "/generic"] {
        let refused = (401, "Bearer".to_owned(), r#"{"detail":"Not authenticated"}"#.to_owned());
        assert_eq!(call(app(), path, "Basic john"), refused);
    }
    for path in ["/items", "/status", "/two/7"] {
        assert_eq!(call(app(), path, "Bearer mallory"), (403, String::new(), "banned".to_owned()));
    }
}

#[test]
fn parameters_are_resolved_as_written_and_guards_first() {
    // `x` is not a number, but the `#[security]` parameter before `Path` refuses first.
    assert_eq!(call(app(), "/two/x", "Basic john").0, 401);
    assert_eq!(call(app(), "/two/x", "Bearer john").0, 400);
}

#[test]
fn an_optional_scheme_lets_through() {
    assert_eq!(call(app(), "/maybe", "Bearer john").2, r#"Some("john")"#);
    assert_eq!(call(app(), "/maybe", "Basic john").2, "None");
}

#[test]
fn a_test_calls_functions_directly() {
    let user = User { name: "john".to_owned(), scopes: doorward::security_scopes!["me"] };
    assert_eq!(active_user(user.clone()), user);
    assert_eq!(block_on(own_items(user.into())), "john me");
    let token = BearerToken::try_from("john").unwrap();
    let user =
        block_on(current_user(token, doorward::security_scopes![], State("mallory"))).ok().unwrap();
    assert_eq!(user.name, "john");
    assert_eq!(block_on(status(().into(), ().into())), "ok");
}

#[test]
fn scopes_are_constants_of_their_scheme() {
    assert_eq!((OAuth2::ME, OAuth2::ITEMS), ("me", "items"));
    assert_eq!(OAuth2::CONFIG.flows().password().unwrap().scopes()[1].name, OAuth2::ITEMS);
}

#[test]
fn a_test_overrides_a_dependency() {
    let john = || User { name: "test".to_owned(), scopes: doorward::security_scopes!["x"] };
    let overridden = app().layer(axum::Extension(Overrides::new().with::<current_user>(john)));
    assert_eq!(call(overridden.clone(), "/items", "").2, "test x");
    assert_eq!(call(overridden, "/generic", "").0, 401);
    let token = || BearerToken::try_from("x").unwrap();
    let overridden = app().layer(axum::Extension(Overrides::new().with::<OAuth2>(token)));
    assert_eq!(call(overridden, "/items", "").2, "x items me");
}

#[dependency]
fn plain_user(
    #[security(Any)] value: doorward::AuthorizationValue,
    scopes: SecurityScopes,
    method: Method,
) -> User {
    User { name: format!("{method} {}", value.as_str().unwrap()), scopes }
}

#[dependency]
fn plain_active(#[security(plain_user, scopes("anything"))] user: User) -> Result<User, Rejection> {
    if user.name.ends_with("mallory") {
        Err(Rejection::new(StatusCode::FORBIDDEN))
    } else {
        Ok(user)
    }
}

#[test]
fn one_dependency_serves_plain_http_and_axum() {
    let plan = plan!(plain_active, scopes("items"));
    let user = block_on(plan.resolve(&mut head("Basic john"))).unwrap();
    assert_eq!((&*user.name, user.scopes.scope_str()), ("GET Basic john", "items anything"));
    assert_eq!(block_on(plan.resolve(&mut head(""))).unwrap_err().status(), 401);
    assert_eq!(block_on(plan.resolve(&mut head("mallory"))).unwrap_err().status(), 403);

    #[secured]
    async fn in_axum(#[security(plain_active, scopes("items"))] user: User) -> String {
        format!("{} {}", user.name, user.scopes.scope_str())
    }
    let app = Router::new().route("/", get(in_axum));
    assert_eq!(call(app, "/", "Basic john").2, "GET Basic john items anything");
}

#[test]
fn a_layer_secures_every_route_below_it() {
    async fn who(axum::Extension(user): axum::Extension<User>) -> String {
        format!("{} {}", user.name, user.scopes.scope_str())
    }
    let layer = layer!(plain_active, scopes("items"));
    let app = Router::new().route("/who", get(who)).route("/any", get(async || "any")).layer(layer);
    assert_eq!(call(app.clone(), "/who", "Basic john").2, "GET Basic john items anything");
    assert_eq!(call(app.clone(), "/any", "Basic john").2, "any");
    for path in ["/who", "/any", "/missing"] {
        assert_eq!(call(app.clone(), path, "").0, 401);
        assert_eq!(call(app.clone(), path, "mallory").0, 403);
    }
    assert!(block_on(layer.plan().resolve(&mut head("Basic john"))).is_ok());
}

/// A test of a handler alone need not put the layer around it.
#[test]
fn a_replaced_dependency_counts_as_the_layer_around_a_handler() {
    #[secured(layer = plain_active, scopes("items"))]
    async fn below() -> &'static str {
        "below"
    }
    let app = || Router::new().route("/", get(below));
    assert_eq!(call(app(), "/", "Basic john").0, 500);
    let other = Overrides::new().with::<OAuth2>(|| BearerToken::try_from("t").unwrap());
    assert_eq!(call(app().layer(axum::Extension(other)), "/", "Basic john").0, 500);
    let replaced = Overrides::new().with::<plain_active>(|| unreachable!("the layer has run it"));
    assert_eq!(call(app().layer(axum::Extension(replaced)), "/", "").2, "below");
}

/// Records the functions that run in a request, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, entry: impl Into<String>) {
        self.0.lock().unwrap().push(entry.into());
    }

    fn entries(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// FastAPI's test of sub-dependencies: branches with different scopes share `get_db`.
mod once {
    use super::{Any, FromExtensions, Log, SecurityScopes, dependency};
    use doorward::AuthorizationValue;

    #[dependency(cached)]
    pub(super) fn get_db(FromExtensions(log): FromExtensions<Log>) -> u8 {
        log.note("get_db");
        1
    }

    #[dependency(cached)]
    pub(super) fn current_user(
        #[security(get_db)] _db: u8,
        scopes: SecurityScopes,
        FromExtensions(log): FromExtensions<Log>,
    ) -> &'static str {
        log.note(format!("current_user {:?}", scopes.scopes()));
        scopes.scope_str()
    }

    #[dependency]
    pub(super) fn user_me(
        #[security(current_user, scopes("me"))] user: &'static str,
    ) -> &'static str {
        user
    }

    #[dependency]
    pub(super) fn user_items(
        #[security(current_user, scopes("items"))] user: &'static str,
        #[security(user_me, scopes("items"))] _again: &'static str,
        #[security(user_me)] _me: &'static str,
        #[security(get_db)] _db: u8,
    ) -> &'static str {
        user
    }

    #[dependency]
    pub(super) fn reordered(
        #[security(current_user, scopes("a", "b"))] _first: &'static str,
        #[security(current_user, scopes("b", "a"))] second: &'static str,
    ) -> &'static str {
        second
    }

    #[dependency(local, cached)]
    pub(super) fn on_this_thread(
        scopes: SecurityScopes,
        FromExtensions(log): FromExtensions<Log>,
    ) -> std::rc::Rc<str> {
        log.note("on_this_thread");
        scopes.scope_str().into()
    }

    #[dependency(local)]
    pub(super) async fn twice(
        #[security(on_this_thread)] first: std::rc::Rc<str>,
        #[security(on_this_thread)] second: std::rc::Rc<str>,
        #[security(on_this_thread, scopes("x"))] _other: std::rc::Rc<str>,
    ) -> bool {
        std::rc::Rc::ptr_eq(&first, &second)
    }

    #[dependency(local)]
    pub(super) async fn over_one_that_is_not_local(
        #[security(reordered, scopes("x"))] user: &'static str,
        #[security(Any)] value: AuthorizationValue,
    ) -> std::rc::Rc<String> {
        format!("{user} {}", value.as_str().unwrap()).into()
    }

    #[dependency(cached)]
    pub(super) fn who(#[security(Any)] value: AuthorizationValue) -> String {
        value.as_str().unwrap().to_owned()
    }
}

fn head_with(log: &Log) -> Parts {
    let mut head = head("");
    head.extensions.insert(log.clone());
    head
}

#[test]
fn a_cached_dependency_runs_once_for_its_scopes() {
    let log = Log::default();
    block_on(plan!(once::user_items).resolve(&mut head_with(&log))).unwrap();
    assert_eq!(
        log.entries(),
        [
            "get_db",
            r#"current_user ["items"]"#,
            r#"current_user ["items", "me"]"#,
            r#"current_user ["me"]"#
        ]
    );

    let log = Log::default();
    let second = block_on(plan!(once::reordered).resolve(&mut head_with(&log))).unwrap();
    assert_eq!((log.entries().len(), second), (2, "a b"));

    // `get_db` has an extractor, so each plan gets its own value.
    let log = Log::default();
    let mut head = head_with(&log);
    block_on(plan!(once::get_db).resolve(&mut head)).unwrap();
    block_on(plan!(once::get_db).resolve(&mut head)).unwrap();
    assert_eq!(log.entries(), ["get_db", "get_db"]);
}

/// The value of a dependency on credentials alone lasts for the whole request.
#[test]
fn a_cached_dependency_without_extractors_runs_once_a_request() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);

    #[dependency(cached)]
    fn who(#[security(Any)] value: doorward::AuthorizationValue) -> String {
        RUNS.fetch_add(1, Ordering::Relaxed);
        value.as_str().unwrap().to_owned()
    }

    #[dependency]
    fn checked(#[security(who)] who: String) -> Result<String, Rejection> {
        Ok(who)
    }

    #[secured(checked)]
    async fn handler(
        #[security(who)] first: String,
        #[security(checked)] second: String,
    ) -> String {
        first + &second
    }

    let app = Router::new().route("/", get(handler)).layer(layer!(checked));
    assert_eq!(call(app, "/", "Basic john").2, "Basic johnBasic john");
    assert_eq!(RUNS.load(Ordering::Relaxed), 1);
}

/// Dependencies used by both a layer and a handler, whose extractors find different values there.
mod stale {
    use super::*;

    #[dependency(cached)]
    pub(super) fn tenant(State(tenant): State<&'static str>) -> Result<&'static str, Rejection> {
        Ok(tenant)
    }

    /// Has no extractor itself, but depends on a function that has one.
    #[dependency(cached)]
    pub(super) fn user(#[security(tenant)] tenant: &'static str) -> String {
        format!("user of {tenant}")
    }

    #[dependency(cached)]
    pub(super) fn path(uri: http::Uri) -> Result<String, Rejection> {
        Ok(uri.path().to_owned())
    }

    #[dependency(cached)]
    pub(super) fn actor(method: Method) -> Result<String, Rejection> {
        Ok(format!("may {method}"))
    }
}

#[test]
fn what_an_extractor_found_is_not_taken_where_it_would_find_something_else() {
    use axum::middleware::{Next, from_fn, from_fn_with_state};

    #[secured(stale::tenant)]
    async fn guard(request: axum::extract::Request, next: Next) -> Response {
        next.run(request).await
    }
    #[secured]
    async fn user(#[security(stale::user)] user: String) -> String {
        user
    }
    let app =
        Router::new().route("/", get(user)).layer(from_fn_with_state("a", guard)).with_state("b");
    assert_eq!(call(app, "/", "").2, "user of b");

    #[secured]
    async fn path(#[security(stale::path)] path: String) -> String {
        path
    }
    let app = Router::new()
        .nest("/nested", Router::new().route("/inner", get(path)))
        .layer(layer!(stale::path));
    assert_eq!(call(app, "/nested/inner", "").2, "/inner");

    async fn as_delete(mut request: axum::extract::Request, next: Next) -> Response {
        *request.method_mut() = Method::DELETE;
        next.run(request).await
    }
    #[secured]
    async fn act(#[security(stale::actor)] actor: String) -> String {
        actor
    }
    let app = Router::new()
        .route("/", get(act).delete(act))
        .route_layer(from_fn(as_delete))
        .route_layer(layer!(stale::actor));
    assert_eq!(call(app, "/", "").2, "may DELETE");
}

#[test]
fn a_local_dependency_need_not_be_send() {
    let log = Log::default();
    assert!(block_on(plan!(once::twice).resolve_local(&mut head_with(&log))).unwrap());
    assert_eq!(log.entries(), ["on_this_thread", "on_this_thread"]);

    let mut head = head("Basic john");
    head.extensions.insert(log.clone());
    let found = block_on(plan!(once::over_one_that_is_not_local).resolve_local(&mut head));
    assert_eq!(*found.unwrap(), "x a b Basic john");
}

#[test]
fn a_cache_ends_with_the_credentials_that_it_was_made_for() {
    let mut head = head("Basic john");
    assert_eq!(block_on(plan!(once::who).resolve(&mut head)).unwrap(), "Basic john");
    head.headers.insert(AUTHORIZATION, http::HeaderValue::from_static("Basic alice"));
    assert_eq!(block_on(plan!(once::who).resolve(&mut head)).unwrap(), "Basic alice");
    head.headers.remove(AUTHORIZATION);
    assert_eq!(block_on(plan!(once::who).resolve(&mut head)).unwrap_err().status(), 401);
}

#[test]
fn an_uncached_dependency_runs_for_each_use() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);

    #[dependency]
    fn counted() -> usize {
        RUNS.fetch_add(1, Ordering::Relaxed)
    }
    #[dependency(name = Pair)]
    fn pair(
        #[security(counted)] first: usize,
        #[security(counted)] second: usize,
    ) -> (usize, usize) {
        (first, second)
    }

    assert_eq!(block_on(plan!(Pair).resolve(&mut head(""))).unwrap(), (0, 1));
    assert_eq!(pair(3, 4), (3, 4));
}

#[test]
fn a_missing_extension_is_the_services_mistake() {
    assert_eq!(block_on(plan!(once::get_db).resolve(&mut head(""))).unwrap_err().status(), 500);
}
