use axum::extract::{Path, State};
use tollgate::public;
use tollgate::utoipa_axum03::{OpenApiRouter, routes};

#[public(reason = "everyone may read")]
#[utoipa::path(get, path = "/users", responses((status = 200)))]
async fn users() {}

#[utoipa::path(delete, path = "/users", responses((status = 200)))]
async fn remove(Path(id): Path<u32>, State(state): State<u8>) -> String {
    format!("{id} {state}")
}

mod probes {
    #[utoipa::path(get, path = "/health", responses((status = 200)))]
    pub async fn health() {}
}

fn main() {
    let _app = OpenApiRouter::new()
        .routes(routes!(users, remove))
        .routes(routes!(probes::health))
        .with_state::<()>(1);
}
