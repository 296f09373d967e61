use tollgate::utoipa_axum03::{OpenApiRouter, routes};

#[utoipa::path(get, path = "/health", responses((status = 200)))]
async fn health() {}

fn main() {
    let reason = "load balancers ask it";
    let _app = OpenApiRouter::<()>::new().routes(routes!(tollgate::public(reason, health)));
}
