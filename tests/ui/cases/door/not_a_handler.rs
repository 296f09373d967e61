use tollgate::axum08::Router;
use tollgate::axum08::routing::get;
use tollgate::public;

struct Missing;

#[public(reason = "load balancers ask it")]
async fn health(_: Missing) {}

fn main() {
    let _app: Router = Router::new().route("/health", get(health));
}
