use std::io;
use std::future::ready;
use std::rc::Rc;

use axum::{Json, Router};
use axum::routing::get;
use http::Method;
use doorward::{
    BearerError, BearerToken, Dependency, Rejection, SecurityScopes, api_key, dependency, layer,
    oauth2_password_bearer, secured,
};
use doorward::verify::Presented;

type Text = String;

#[dependency]
async fn body(body: Option<Text>) -> Result<bool, Rejection> {
    Ok(body.is_some())
}

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency]
fn borrowed_output(#[security(OAuth2)] _token: BearerToken) -> Option<&str> {
    None
}

struct ByHand;

impl Dependency for ByHand {
    type Output = String;
}

struct User;

#[dependency(cached)]
fn cached_output_not_clone() -> User {
    User
}

struct Account;

#[dependency(cached)]
fn cached_output_not_clone_on_a_route(#[security(OAuth2)] _token: BearerToken) -> Result<Account, Rejection> {
    Ok(Account)
}

#[secured]
async fn handler(#[security(cached_output_not_clone_on_a_route)] user: Account) {
    drop(user);
}

fn route() {
    let _: Router = Router::new().route("/", get(handler));
}

#[dependency]
fn user() -> Result<u32, doorward::Rejection> {
    Ok(1)
}

#[secured]
async fn called(#[security(user())] user: u32) {
    let _ = user;
}

#[dependency]
fn cfg_on_an_extractor(#[cfg(unix)] method: http::Method) -> http::Method {
    method
}

#[dependency]
fn first(#[security(cycle)] value: u32) -> u32 {
    value
}

#[dependency]
fn cycle(#[security(first)] value: u32) -> u32 {
    value
}

struct AuthError;

type AuthResult<T> = Result<T, AuthError>;

#[dependency]
fn error_is_no_response() -> Result<String, AuthError> {
    Err(AuthError)
}

#[dependency]
fn by_an_alias() -> AuthResult<String> {
    Err(AuthError)
}

#[dependency]
fn of_the_system() -> Result<String, io::Error> {
    Err(io::ErrorKind::NotFound.into())
}

#[dependency]
fn boxed() -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    Err("nobody".into())
}

type Sentence = &'static str;

#[dependency]
fn error_without_a_status() -> Result<(), Sentence> {
    Err("no")
}

#[dependency]
fn unit_error() -> Result<u32, ()> {
    Err(())
}

#[dependency]
fn third() -> Result<u32, Json<String>> {
    Ok(3)
}

mod alias {
    pub type Result<T> = std::result::Result<T, String>;
}

#[dependency]
fn fourth() -> alias::Result<u32> {
    Err("no".to_owned())
}

struct ExtractBehindAnAlias;

type UserResult = Result<ExtractBehindAnAlias, Rejection>;

#[dependency(extract)]
fn extract_behind_an_alias() -> UserResult {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency(extract)]
fn extract_foreign_type() -> Result<String, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

struct ExtractLocal;

#[dependency(local, extract)]
fn extract_local() -> Result<ExtractLocal, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

struct Extracted;
struct Database;

#[dependency(extract)]
fn of_a_database(_database: Database) -> Result<Extracted, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[axum::debug_handler]
async fn extract_not_an_extractor(_user: Extracted) {}

struct ExtractOneTypeTwice;

#[dependency(extract)]
fn extract_one_type_twice() -> Result<ExtractOneTypeTwice, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency(extract)]
fn same_type() -> Result<ExtractOneTypeTwice, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

struct ExtractRejectedButUsed;

#[dependency(extract, insufficient_scope = 404)]
fn extract_rejected_but_used() -> Result<ExtractRejectedButUsed, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

async fn own_user(_user: ExtractRejectedButUsed) {}

async fn anybody(_user: Option<ExtractRejectedButUsed>) {}

fn extracting_routes() {
    let _: Router = Router::new().route("/own", get(own_user)).route("/anybody", get(anybody));
}

#[dependency(extract)]
fn extract_type_of_another_crate() -> Result<Method, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency]
async fn future_not_send(#[security(OAuth2)] token: BearerToken) -> Result<u32, BearerError> {
    let kept = Rc::new(token);
    ready(()).await;
    Ok(kept.as_str().len() as u32)
}

#[dependency]
fn generic<T: Default>() -> T {
    T::default()
}

#[dependency]
fn granted_of_another_type(scopes: SecurityScopes) -> Result<(), BearerError> {
    scopes.check(&7)?;
    Ok(())
}

#[dependency]
fn impl_trait() -> impl Iterator<Item = String> {
    std::iter::empty()
}

#[dependency]
async fn json_body(Json(body): Json<Vec<u8>>) -> Result<Vec<u8>, Rejection> {
    Ok(body)
}

// It has no error of its own.
#[secured]
async fn handler_json_body(#[security(json_body)] body: Vec<u8>) {
    drop(body);
}

fn posted() {
    let _: axum::Router = axum::Router::new().route("/", axum::routing::post(handler_json_body));
}

#[dependency(name = users::Current)]
fn name_not_an_identifier() -> u8 {
    1
}

#[dependency]
fn names_itself(#[security(names_itself)] user: String) -> String {
    user
}

fn not_a_dependency() -> User {
    User
}

#[dependency]
fn of_a_value(#[security(User)] user: User) -> User {
    user
}

struct Users;

impl Users {
    #[dependency]
    fn current(&self) -> u32 {
        1
    }
}

#[dependency]
struct OnAStruct;

// Only a bearer token is presented with its request.
#[api_key(header = "X-API-Key")]
struct Key;

#[dependency]
async fn presented_api_key(#[security(Key)] _presented: Presented) {}

// What is presented comes from a scheme.
#[dependency]
async fn presented_without_a_scheme(_presented: Presented) {}

mod auth {
    #[doorward::dependency]
    fn user() -> Result<u32, doorward::Rejection> {
        Ok(1)
    }
}

#[secured]
async fn private(#[security(auth::user)] user: u32) {
    let _ = user;
}

#[oauth2_password_bearer(token_url = "token", scopes("a" = "A.", "b" "B."))]
struct RejectedButUsed;

#[dependency]
fn rejected_but_used<T: Default>(#[security(RejectedButUsed, scopes("b"))] _token: BearerToken) -> Result<T, Rejection> {
    Ok(T::default())
}

// What uses them has no errors of its own.
#[dependency]
fn admin(#[security(rejected_but_used)] user: String) -> String {
    user
}

#[secured(rejected_but_used)]
async fn of_rejected(#[security(admin)] admin: String, #[security(rejected_but_used)] user: u32) -> String {
    format!("{admin} {user}")
}

fn uses_of_rejected() {
    let _ = layer!(rejected_but_used, scopes("c"));
    let _: axum::Router = axum::Router::new().route("/", axum::routing::get(of_rejected));
}

struct SearchResult;

#[dependency]
fn result_that_is_none() -> SearchResult {
    SearchResult
}

type Auth = Result<u32, Rejection>;

#[dependency]
fn result_under_an_alias() -> Auth {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency]
fn scopes_by_reference(scopes: &SecurityScopes) -> String {
    scopes.scope_str().to_owned()
}

#[axum::debug_handler]
async fn scopes_in_a_plain_function(scopes: SecurityScopes) -> &'static str {
    scopes.scope_str()
}

type Required = SecurityScopes;

#[dependency]
fn scopes_under_an_alias(scopes: Required) -> usize {
    scopes.scopes().len()
}

#[dependency(cache)]
fn unknown_parameter() -> u32 {
    1
}

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct Scoped;

#[dependency]
fn scoped_token(#[security(Scoped)] token: BearerToken) -> BearerToken {
    token
}

#[dependency]
fn unknown_scope_with_a_near_name(#[security(scoped_token, scopes("itmes"))] token: BearerToken) -> BearerToken {
    token
}

// A guard above a scheme can refuse the credential, or says that it does not.
mod api {
    use doorward::{BearerToken, Rejection, dependency, http_bearer, one_of};

    #[http_bearer]
    pub struct Api;

    /// What a beginner writes first.
    #[dependency]
    pub fn token(#[security(Api)] token: BearerToken) -> BearerToken {
        token
    }

    #[dependency(unverified)]
    pub fn of_gateway(#[security(Api)] token: BearerToken) -> BearerToken {
        token
    }

    #[dependency]
    pub fn verified(#[security(Api)] _token: BearerToken) -> Result<(), Rejection> {
        Err(Rejection::NOT_AUTHENTICATED)
    }

    #[dependency]
    pub fn above(#[security(token)] _token: BearerToken) {}

    #[dependency]
    pub fn above_gateway(#[security(of_gateway)] _token: BearerToken) {}

    #[derive(Clone)]
    #[one_of]
    pub enum Caller {
        #[security(token)]
        One(BearerToken),
    }
}

mod guards {
    use super::api::*;
    use doorward::secured;

    #[secured(of_gateway)]
    async fn passed_on() {}

    #[secured(above_gateway)]
    async fn above_what_is_passed_on() {}

    #[secured(token)]
    async fn direct() {}

    #[secured(above)]
    async fn indirect() {}

    #[secured(Caller)]
    async fn listed() {}
}

mod layers {
    use super::api::*;
    use doorward::layer;

    fn layers() {
        let _ = layer!(of_gateway);
        let _ = layer!(token);
    }
}

mod parameters {
    use super::api::*;
    use doorward::{BearerToken, secured};

    // The handler has the value.
    #[secured]
    async fn handler(#[security(token)] _token: BearerToken) {}
}

mod misplaced {
    use super::api::*;
    use doorward::{BearerToken, Rejection, dependency};

    #[dependency(unverified)]
    fn checks(#[security(Api)] _token: BearerToken) -> Result<(), Rejection> {
        Err(Rejection::NOT_AUTHENTICATED)
    }

    #[dependency(unverified)]
    fn above(#[security(verified)] _checked: ()) {}

    #[dependency(unverified)]
    fn without_a_scheme() {}

    struct Anybody;

    #[dependency(extract)]
    fn anybody(#[security(Api)] _token: BearerToken) -> Anybody {
        Anybody
    }

    #[dependency(unverified = "gateway")]
    fn with_a_value(#[security(Api)] _token: BearerToken) {}
}

mod decides {
    use super::api::Api;
    use doorward::{ApiKey, BearerToken, Rejection, api_key, dependency};

    #[api_key(header = "x-key", auto_error = false)]
    struct Key;

    #[dependency(decides)]
    fn auth(
        #[security(Api)] _token: BearerToken,
        #[security(Key)] _key: Option<ApiKey>,
    ) -> Result<(), Rejection> {
        Ok(())
    }

    #[dependency(decides)]
    fn without_a_scheme() -> Result<(), Rejection> {
        Ok(())
    }

    #[dependency(decides)]
    fn without_a_result(#[security(Key)] _key: Option<ApiKey>) {}

    #[dependency(decides)]
    fn that_cannot_fail(#[security(Key)] _key: Option<ApiKey>) -> Result<(), std::convert::Infallible> {
        Ok(())
    }
}

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct OAuth2WrongType;

#[dependency]
fn wrong_type(#[security(OAuth2WrongType)] token: BearerToken) -> BearerToken {
    token
}

mod other_type_of_that_name {
    use doorward::dependency;

    struct SecurityScopes;

    #[dependency]
    fn current_user(scopes: SecurityScopes) -> usize {
        let SecurityScopes = scopes;
        1
    }
}

fn main() {}
