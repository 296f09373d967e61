use tollgate::axum08::Router;
use tollgate::axum08::routing::any;

fn main() {
    let _app: Router = Router::new().route("/", any(async || "ok"));
}
