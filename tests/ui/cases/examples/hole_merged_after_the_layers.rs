use axum::body::Bytes;
use doorward::axum08::Router;
use doorward::axum08::routing::{get, post};

include!("../callers.rs");

#[secured(layer = user)]
async fn agents() -> &'static str {
    "agents"
}

async fn upload(file: Bytes) -> String {
    format!("stored {} bytes", file.len())
}

fn main() {
    let uploads = Router::new().route("/agents/{id}/upload", post(upload));
    let agents = Router::new().route("/agents", get(agents));
    let _app: Router = agents.layer(layer!(user)).merge(uploads);
}
