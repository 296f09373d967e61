use actix_web::{App, get, get as read, web};
use doorward::http::Response;
use doorward::{
    BearerToken, Rejection, declared, dependency, oauth2_password_bearer, public, secured,
};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct AuthError;

#[dependency]
async fn error_is_no_response(#[security(OAuth2)] token: BearerToken) -> Result<String, AuthError> {
    drop(token);
    Err(AuthError)
}

#[secured]
#[actix_web::get("/")]
async fn handler(#[security(error_is_no_response)] user: String) -> String {
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
#[actix_web::get("/other")]
async fn of_another_framework(#[security(error_of_another_framework)] user: String) -> String {
    user
}

async fn vouch(session: web::Path<u32>, steward: String) -> String {
    format!("{steward} vouched for {session}")
}

fn scope_without_a_layer() {
    let enrollment = web::scope("/enrollment").route("/{id}/vouch", web::post().to(declared(vouch)));
    let _app = App::new().service(enrollment);
}

async fn items(id: web::Path<u32>) -> String {
    id.to_string()
}

#[get("/named")]
async fn named() -> &'static str {
    "ok"
}

fn undecided() {
    let _app = App::new().route("/items/{id}", web::get().to(declared(items))).service(declared(named));
}

fn public_without_the_door() {
    let _app = App::new().route("/", web::get().to(public("load balancers ask it", async || "ok")));
}

#[public(reason = "load balancers ask it")]
#[read("/health")]
async fn health() -> &'static str {
    "ok"
}

fn under_another_name() {
    let _app = App::new().service(declared(health));
}

#[dependency]
async fn body_of_actix_web(body: web::Bytes) -> Result<bool, Rejection> {
    Ok(body.is_empty())
}

#[dependency]
async fn form_of_actix_web(form: Option<web::Form<String>>) -> Result<bool, Rejection> {
    Ok(form.is_some())
}

fn main() {}
