use axum::Router;
use axum::routing::get;
use tollgate::verify::Verified;
use tollgate::{http_bearer, secured};

struct Claims;

#[http_bearer(verified = Claims)]
struct Api;

#[secured]
async fn handler(#[security(Api)] _caller: Verified<Claims>) {}

fn main() {
    let _: Router = Router::new().route("/", get(handler));
}
