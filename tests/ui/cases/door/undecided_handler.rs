use axum::extract::{Path, State};
use tollgate::axum08::Router;
use tollgate::axum08::routing::get;

async fn user(Path(id): Path<u32>, State(state): State<u8>) -> String {
    format!("{id} {state}")
}

fn main() {
    let _app: Router = Router::new().route("/users/{id}", get(user)).with_state(1);
}
