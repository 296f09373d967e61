use axum::routing::get;
use tollgate::axum08::Router;
use tollgate::public;

#[public(reason = "load balancers ask it")]
async fn health() {}

fn main() {
    let _app: Router = Router::new().route("/health", get(health));
}
