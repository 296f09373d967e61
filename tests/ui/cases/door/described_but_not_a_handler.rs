use tollgate::public;
use tollgate::utoipa_axum03::{OpenApiRouter, routes};

struct Missing;

#[public(reason = "load balancers ask it")]
#[utoipa::path(get, path = "/health", responses((status = 200)))]
async fn health(_: Missing) {}

fn main() {
    let _app = OpenApiRouter::<()>::new().routes(routes!(health));
}
