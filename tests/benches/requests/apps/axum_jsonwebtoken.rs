//! axum, with an extractor that verifies by hand.

mod by_hand;

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::{StatusCode, request::Parts};
use axum::{Router, routing::get};
use by_hand::{Claims, Keys};

impl FromRequestParts<Arc<Keys>> for Claims {
    type Rejection = StatusCode;

    async fn from_request_parts(head: &mut Parts, keys: &Arc<Keys>) -> Result<Self, StatusCode> {
        let line = head.headers.get(AUTHORIZATION).and_then(|line| line.to_str().ok());
        let token = line.and_then(|line| line.strip_prefix("Bearer "));
        token.and_then(|token| keys.verify(token)).ok_or(StatusCode::UNAUTHORIZED)
    }
}

async fn items(caller: Claims) -> Result<String, StatusCode> {
    if !caller.has_scope("items") {
        return Err(StatusCode::FORBIDDEN);
    }
    Ok(format!("the items of {}", caller.sub))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let keys = Keys::fetch(&std::env::var("ISSUER")?).await?;
    let app = Router::new().route("/items", get(items)).with_state(Arc::new(keys));
    let port = std::env::var("PORT")?.parse()?;
    axum::serve(tokio::net::TcpListener::bind(("127.0.0.1", port)).await?, app).await?;
    Ok(())
}
