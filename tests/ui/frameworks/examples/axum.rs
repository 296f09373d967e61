use std::future::ready;
use std::rc::Rc;

use axum::Router;
use axum::routing::get;
use doorward::http::Response;
use doorward::{
    BearerToken, OAuth2PasswordRequestForm, PasswordForm, Rejection, Security, dependency,
    http_bearer, oauth2_password_bearer, secured,
};
use doorward::verify::Verified;

struct Claims;

#[http_bearer(verified = Claims)]
struct ClaimsThatNobodyReads;

#[secured]
async fn handler(#[security(ClaimsThatNobodyReads)] _caller: Verified<Claims>) {}

fn claims_that_nobody_reads() {
    let _: Router = Router::new().route("/", get(handler));
}

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct AuthError;

#[dependency]
async fn error_is_no_response(#[security(OAuth2)] token: BearerToken) -> Result<String, AuthError> {
    drop(token);
    Err(AuthError)
}

#[secured]
#[axum::debug_handler]
async fn of_an_error(#[security(error_is_no_response)] user: String) -> String {
    user
}

#[secured]
async fn on_a_route(#[security(error_is_no_response)] user: String) -> String {
    user
}

fn route_of_an_error() {
    let _: Router = Router::new().route("/", get(on_a_route));
}

/// A response of warp alone.
struct WarpError;

impl From<WarpError> for Response<String> {
    fn from(_: WarpError) -> Self {
        Self::new(String::new())
    }
}

#[dependency]
async fn error_of_another_framework(#[security(OAuth2)] token: BearerToken) -> Result<String, WarpError> {
    drop(token);
    Err(WarpError)
}

#[secured]
#[axum::debug_handler]
async fn of_another_framework(#[security(error_of_another_framework)] user: String) -> String {
    user
}

struct User;

#[dependency(local, extract)]
fn user() -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[axum::debug_handler]
async fn extract_local(_user: User) {}

#[axum::debug_handler]
async fn form_before_the_token(form: PasswordForm<OAuth2PasswordRequestForm>, token: Security<OAuth2>) {
    let _ = (form, token);
}

#[secured]
#[axum::debug_handler]
async fn handler_not_send(#[security(OAuth2)] token: BearerToken) {
    let kept = Rc::new(token);
    ready(()).await;
    drop(kept);
}

struct Database;

#[dependency]
fn user_not_an_extractor(#[security(OAuth2)] token: BearerToken, _database: Database) -> String {
    token.as_str().to_owned()
}

#[secured]
#[axum::debug_handler]
async fn not_an_extractor(#[security(user_not_an_extractor)] user: String) -> String {
    user
}

#[axum::debug_handler]
async fn scheme_as_a_type(token: OAuth2) {
    let _ = token;
}

fn main() {}
