use axum::Json;
use tollgate::{Rejection, dependency, secured};

#[dependency]
async fn signed(Json(body): Json<Vec<u8>>) -> Result<Vec<u8>, Rejection> {
    Ok(body)
}

// It has no error of its own.
#[secured]
async fn handler(#[security(signed)] body: Vec<u8>) {
    drop(body);
}

fn main() {
    let _: axum::Router = axum::Router::new().route("/", axum::routing::post(handler));
}
