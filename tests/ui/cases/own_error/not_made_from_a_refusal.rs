use axum::http::StatusCode;
use tollgate::{BearerToken, http_bearer, secured};

#[http_bearer(error = StatusCode)]
struct Api;

#[secured]
async fn me(#[security(Api)] _token: BearerToken) {}

fn main() {
    let _ = axum::routing::get::<_, _, ()>(me);
}
