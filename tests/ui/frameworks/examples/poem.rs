use std::rc::Rc;

use poem::{Route, get, handler, handler as endpoint_of};
use doorward::http::Response;
use doorward::{
    BearerToken, Rejection, declared, dependency, oauth2_password_bearer, public, secured,
};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[poem::handler]
#[secured]
async fn above_secured(#[security(OAuth2)] token: BearerToken) -> &'static str {
    drop(token);
    "ok"
}

struct AuthError;

#[dependency]
async fn error_is_no_response(#[security(OAuth2)] token: BearerToken) -> Result<String, AuthError> {
    drop(token);
    Err(AuthError)
}

#[secured]
#[poem::handler]
async fn of_an_error(#[security(error_is_no_response)] user: String) -> String {
    user
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
#[poem::handler]
async fn of_another_framework(#[security(error_of_another_framework)] user: String) -> String {
    user
}

struct User(Rc<str>);

#[dependency(extract)]
fn user() -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[poem::handler]
fn extract_not_send(user: User) -> String {
    user.0.to_string()
}

#[handler]
async fn items() -> &'static str {
    "ok"
}

fn undecided() {
    let _app = Route::new().at("/items", get(declared(items)));
}

#[public(reason = "load balancers ask it")]
#[endpoint_of]
async fn health() -> &'static str {
    "ok"
}

fn under_another_name() {
    let _app = Route::new().at("/health", get(declared(health)));
}

fn main() {}
