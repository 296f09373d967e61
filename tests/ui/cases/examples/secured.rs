use std::convert::Infallible;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use axum::Router;
use axum::routing::get;
use doorward::{
    ApiKey, AuthorizationValue, BasicCredentials, BearerError, BearerToken, HttpCredentials, Rejection,
    SecurityScopes, dependency, layer, oauth2, oauth2_password_bearer, one_of, secured,
    secured as guarded,
};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[axum::debug_handler]
#[secured]
async fn below_the_frameworks_attribute(#[security(OAuth2)] token: BearerToken) {
    drop(token);
}

#[dependency]
fn member() -> Result<(), Rejection> {
    Ok(())
}

#[secured(member())]
async fn called() {}

#[secured(scopes("items"))]
async fn scopes_alone() {}

#[secured]
async fn cfg_on_a_secured_parameter(#[cfg(unix)] #[security(OAuth2)] token: BearerToken) {
    drop(token);
}

#[dependency]
fn credential_without_a_scheme(token: BearerToken, value: doorward::AuthorizationValue) -> Result<String, Rejection> {
    drop(value);
    Ok(token.as_str().to_owned())
}

#[secured(credential_without_a_scheme)]
async fn optional_credential(token: Option<BearerToken>) {
    drop(token);
}

type Value = AuthorizationValue;

#[secured(credential_without_a_scheme)]
async fn under_an_alias(value: Value) {
    drop(value);
}

fn route() {
    let _: axum::Router = axum::Router::new().route("/", axum::routing::get(optional_credential));
}

#[secured]
async fn empty_path(#[security()] token: BearerToken) {
    drop(token);
}

#[dependency(cached)]
fn kept(#[security(OAuth2)] _token: BearerToken) -> Result<(), Rejection> {
    Ok(())
}

#[secured(kept, fresh)]
async fn fresh_guard() {}

#[secured]
async fn twice(#[security(kept, fresh, fresh)] _user: ()) {}

fn fresh_layer() {
    let _ = layer!(kept, fresh);
}

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

enum Never {}

type NeverResult<T> = Result<T, Never>;

#[dependency]
async fn infallible(#[security(Maybe)] _token: Option<BearerToken>) -> Result<(), Infallible> {
    Ok(())
}

#[dependency]
fn guard_that_cannot_fail() -> NeverResult<()> {
    Ok(())
}

#[dependency]
fn above(#[security(infallible)] _value: ()) {}

#[secured(infallible)]
#[secured(above)]
async fn of_the_infallible() {}

fn layer_that_cannot_fail() {
    let _ = layer!(guard_that_cannot_fail);
}

#[secured(Maybe)]
async fn guard_that_guards_nothing() {}

#[dependency]
fn maybe_user(#[security(Maybe)] token: Option<BearerToken>) -> String {
    format!("{}", token.is_some())
}

#[secured(maybe_user)]
async fn guard_that_refuses_nothing() {}

#[oauth2]
struct Base;

#[secured(OAuth2)]
async fn guard_that_takes_any_token() {}

#[secured(Base)]
async fn of_any_value() {}

fn layer_that_takes_any_token() {
    let _ = layer!(OAuth2);
}

#[dependency]
fn user() -> Result<Result<u32, BearerError>, BearerError> {
    Ok(Err(BearerError::unauthorized("nobody")))
}

#[secured(user)]
async fn guard_that_yields_a_result() {}

type Verdict = Result<(), Rejection>;

#[dependency]
fn boxed(#[security(OAuth2)] _token: BearerToken) -> Box<Verdict> {
    Box::new(Err(Rejection::NOT_AUTHENTICATED))
}

#[dependency(local)]
fn counted(#[security(OAuth2)] _token: BearerToken) -> Rc<bool> {
    Rc::new(false)
}

#[dependency]
fn shared(#[security(OAuth2)] _token: BearerToken) -> Result<Arc<Option<()>>, Rejection> {
    Ok(Arc::new(None))
}

#[dependency]
fn tuple(#[security(OAuth2)] _token: BearerToken) -> (Verdict,) {
    (Err(Rejection::NOT_AUTHENTICATED),)
}

#[dependency]
fn borrowed(#[security(OAuth2)] _token: BearerToken) -> &'static (Box<bool>,) {
    Box::leak(Box::new((Box::new(false),)))
}

#[dependency]
fn function(#[security(OAuth2)] _token: BearerToken) -> fn() -> Verdict {
    || Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency]
fn closure(#[security(OAuth2)] _token: BearerToken) -> Box<dyn Fn() -> Verdict + Send + Sync> {
    Box::new(|| Err(Rejection::NOT_AUTHENTICATED))
}

#[dependency]
fn later(#[security(OAuth2)] _token: BearerToken) -> Arc<dyn Future<Output = ()> + Send + Sync> {
    Arc::new(async {})
}

#[secured(boxed)]
#[secured(counted)]
#[secured(shared)]
#[secured(tuple)]
#[secured(borrowed)]
#[secured(function)]
#[secured(closure)]
#[secured(later)]
async fn guard_whose_verdict_is_contained() {}

type IsAdmin = bool;
type Later = Pin<Box<dyn Future<Output = Result<(), Rejection>> + Send>>;

#[dependency]
async fn is_admin(#[security(OAuth2)] _token: BearerToken) -> bool {
    false
}

#[dependency]
async fn alias(#[security(OAuth2)] _token: BearerToken) -> IsAdmin {
    false
}

#[dependency]
async fn in_a_result(#[security(OAuth2)] _token: BearerToken) -> Result<bool, Rejection> {
    Ok(false)
}

#[dependency]
async fn found(#[security(OAuth2)] _token: BearerToken) -> Option<()> {
    None
}

#[dependency]
async fn flow(#[security(OAuth2)] _token: BearerToken) -> ControlFlow<Rejection> {
    ControlFlow::Break(Rejection::NOT_AUTHENTICATED)
}

#[dependency]
async fn poll(#[security(OAuth2)] _token: BearerToken) -> Poll<()> {
    Poll::Pending
}

#[dependency]
fn pinned(#[security(OAuth2)] _token: BearerToken) -> Later {
    Box::pin(async { Err(Rejection::NOT_AUTHENTICATED) })
}

#[dependency]
fn boxed_future(#[security(OAuth2)] _token: BearerToken) -> Box<dyn Future<Output = ()> + Send> {
    Box::new(async {})
}

#[secured(is_admin)]
#[secured(alias)]
#[secured(in_a_result)]
#[secured(found)]
#[secured(flow)]
#[secured(poll)]
#[secured(pinned)]
#[secured(boxed_future)]
async fn guard_whose_verdict_nobody_reads() {}

fn layer_whose_verdict_nobody_reads() {
    let _ = layer!(is_admin);
}

#[dependency]
fn key_without_a_scheme(key: ApiKey) -> Result<String, Rejection> {
    Ok(key.as_str().to_owned())
}

#[secured(key_without_a_scheme)]
async fn basic(login: BasicCredentials) {
    drop(login);
}

#[secured(member)]
async fn optional_digest(digest: Option<doorward::HttpCredentials>) {
    drop(digest);
}

#[dependency(unverified)]
fn above_a_key(#[security(OAuth2)] _token: BearerToken, _key: ApiKey) {}

#[secured(above_a_key)]
async fn below_a_key() {}

/// What the mistakes above cause no further errors in.
fn routes_without_a_scheme() {
    let _: Router = Router::new()
        .route("/basic", get(basic))
        .route("/digest", get(optional_digest))
        .route("/key", get(below_a_key));
}

type Key = ApiKey;
type Login = BasicCredentials;
type Digest = HttpCredentials;

#[dependency]
fn key_under_an_alias(key: Key) -> Result<String, Rejection> {
    Ok(key.as_str().to_owned())
}

#[secured(key_under_an_alias)]
async fn credentials_under_an_alias(login: Login, digest: Digest) {
    let _ = (login, digest);
}

// `layer` takes the path of a dependency.
#[secured(layer = "current_user")]
async fn layer_that_is_no_path() {}

#[secured(layer(current_user))]
async fn users() {}

#[secured(role = "admin")]
async fn not_a_requirement() {}

#[secured(member, "items")]
async fn scope_without_a_list() {}

#[secured(member, member)]
async fn two_guards() {}

#[secured]
async fn two_dependencies(#[security(member, member)] _user: ()) {}

#[secured]
async fn nothing_required() {}

struct Api;

impl Api {
    #[secured(OAuth2)]
    async fn handler(&self) {}

    #[secured]
    async fn with_a_secured_parameter(&self, #[security(member)] user: ()) {
        user
    }

    #[secured]
    async fn associated_with_a_secured_parameter(#[security(member)] user: ()) -> Result<Self, ()> {
        Err(user)
    }
}

#[dependency]
fn pair(#[security(OAuth2)] token: BearerToken) -> (BearerToken, u32) {
    (token, 1)
}

#[secured]
async fn on_a_pattern(#[security(pair)] (token, _): (BearerToken, u32)) {
    drop(token);
}

#[secured(OAuth2)]
struct OnAStruct;

struct Claims;

#[dependency]
fn claims(#[security(OAuth2)] _token: BearerToken) -> Result<Claims, Rejection> {
    Ok(Claims)
}

#[secured]
async fn option_of_a_value(#[security(claims)] claims: Option<Claims>) {
    drop(claims);
}

#[secured]
async fn fallible(#[security(claims)] claims: Result<Claims, Rejection>) {
    drop(claims);
}

#[secured]
async fn of_a_scheme(#[security(OAuth2)] token: Option<BearerToken>) {
    drop(token);
}

#[dependency]
fn below(#[security(claims)] claims: Option<Claims>) {
    drop(claims);
}

#[one_of]
enum OptionOfAValue {
    #[security(claims)]
    User(Option<Claims>),
    Guest,
}

#[secured]
async fn optional_scheme_taken_as_required(#[security(Maybe)] token: BearerToken) {
    drop(token);
}

#[secured]
async fn parameter_of_two_dependencies(#[security(OAuth2)] #[security(OAuth2)] token: BearerToken) {
    drop(token);
}

#[secured(Base, scopes("me items"))]
async fn scope_not_a_scope_token() {}

#[secured]
async fn scope_not_a_string(#[security(Base, scopes(1))] _value: AuthorizationValue) {}

#[secured]
async fn scopes_in_a_handler(#[security(OAuth2)] token: BearerToken, scopes: SecurityScopes) {
    let _ = (token, scopes.check("items"));
}

type Scopes = SecurityScopes;

#[secured]
async fn scopes_under_an_alias(#[security(OAuth2)] token: BearerToken, scopes: Scopes) {
    let _ = (token, scopes);
}

#[secured]
async fn scopes_without_a_list(#[security(Base, scopes = "me")] _value: AuthorizationValue) {}

#[secured("OAuth2")]
async fn string_for_a_path() {}

#[dependency]
fn checked(#[security(OAuth2)] _token: BearerToken) -> Result<(), Rejection> {
    Ok(())
}

#[doorward::secured(checked)]
#[secured(checked)]
async fn two_spellings() {}

#[secured]
#[guarded(checked)]
async fn by_another_name(#[security(checked)] user: ()) {
    user
}

#[secured]
async fn unknown_option(#[security(Base, scope("me"))] _value: AuthorizationValue) {}

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct Scoped;

#[oauth2_password_bearer(token_url = "token")]
struct Bare;

#[dependency(unverified)]
fn current_user(#[security(Scoped)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

#[dependency(unverified)]
fn of_bare(#[security(Bare)] _token: BearerToken, _scopes: SecurityScopes) {}

#[secured]
async fn unknown_scopes_show_all_at_once(#[security(current_user, scopes("items", "write"))] token: BearerToken) {
    drop(token);
}

#[secured(current_user, scopes("item"))]
async fn in_a_guard() {}

#[secured(of_bare, scopes("items"))]
async fn without_scopes() {}

const READ: &str = "read";

#[secured(current_user, scopes(READ))]
async fn in_a_constant() {}

#[secured]
async fn without_a_path(#[security] token: BearerToken) {
    drop(token);
}

#[secured]
async fn wrong_type(#[security(OAuth2)] token: String) {
    drop(token);
}

#[derive(Clone)]
struct User;

#[dependency]
fn found_user(#[security(OAuth2)] _token: BearerToken) -> Result<User, Rejection> {
    Ok(User)
}

#[secured]
async fn wrong_type_on_a_route(#[security(found_user)] user: String) {
    drop(user);
}

#[secured]
async fn optional_user(#[security(found_user)] user: Option<User>) {
    drop(user);
}

fn routes() {
    let _: Router = Router::new().route("/", get(wrong_type_on_a_route)).route("/optional", get(optional_user));
}

mod instrument_below {
    use doorward::{Rejection, dependency, secured};

    #[dependency]
    fn user() -> Result<String, Rejection> {
        Ok(String::new())
    }

    #[secured]
    #[tracing::instrument(fields(user = %user.as_str()))]
    async fn handler(#[security(user)] user: String) {
        drop(user);
    }
}

mod without_the_attribute {
    use doorward::{BearerToken, oauth2_password_bearer};

    #[oauth2_password_bearer(token_url = "token")]
    struct OAuth2;

    async fn handler(#[security(OAuth2)] token: BearerToken) {
        drop(token);
    }
}

mod without_rmcp {
    use doorward::{Rejection, dependency, secured};

    #[dependency]
    fn user() -> Result<(), Rejection> {
        Ok(())
    }

    struct Tools;

    #[secured(user)]
    impl Tools {
        #[tool]
        async fn tool(&self) {}
    }
}

mod without_tonic {
    use doorward::{Rejection, dependency, secured};

    #[dependency]
    fn user() -> Result<(), Rejection> {
        Ok(())
    }

    struct Service;

    #[secured(user)]
    #[tonic::async_trait]
    impl Notes for Service {
        async fn get(&self, request: Request<()>) -> Result<Response<()>, Status> {}
    }
}

fn main() {}
