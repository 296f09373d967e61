use rocket::{get, get as read};
use doorward::http::Response;
use doorward::{
    BearerToken, OAuth2PasswordRequestForm, PasswordForm, dependency, oauth2_password_bearer,
    public, secured,
};
use doorward::rocket05::routes;

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[rocket::get("/")]
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
#[rocket::get("/")]
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
#[rocket::get("/other")]
async fn of_another_framework(#[security(error_of_another_framework)] user: String) -> String {
    user
}

#[rocket::post("/token")]
async fn form_without_data(form: PasswordForm<OAuth2PasswordRequestForm>) {
    drop(form);
}

#[get("/items")]
fn items() -> &'static str {
    "ok"
}

fn undecided() {
    let _routes = routes![items];
}

struct Page;

#[dependency(extract)]
fn page() -> Page {
    Page
}

#[get("/page")]
async fn of_a_page(page: Page) {
    drop(page);
}

#[public(reason = "load balancers ask it")]
#[read("/health")]
fn health() -> &'static str {
    "ok"
}

fn value_that_declares_nothing() {
    let _routes = routes![of_a_page, health];
}

fn main() {}
