use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use doorward::axum08::{Router, routing::get};
use doorward::verify::Verified;
use doorward::{dependency, http_bearer, secured};
use tracing::{Instrument, Span, field::Empty, info, info_span};

#[http_bearer(verified = Claims)]
struct Api;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[dependency]
fn user(#[security(Api)] caller: Verified<Claims>) -> String {
    Span::current().record("user", &*caller.sub);
    caller.sub.clone()
}

#[secured]
async fn items(#[security(user)] user: String) -> String {
    info!("reads items"); // request{path="/items" user="johndoe"}: reads items
    format!("the items of {user}")
}

/// A middleware around all routes.
async fn traced(request: Request, next: Next) -> Response {
    let span = info_span!("request", path = request.uri().path(), user = Empty);
    next.run(request).instrument(span).await
}

fn app() -> Router {
    Router::new().route("/items", get(items)).layer(from_fn(traced))
}

#[test]
fn it_builds() {
    assert_eq!(app().routes().to_string(), "GET  /items  Api\n");
}
