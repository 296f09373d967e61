//! axum alone: a route that is open to everyone.

use axum::{Router, routing::get};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let app = Router::new()
        .route("/items", get(async || "the items of 018f3c9e-7b2a-7c40-9d51-000000000000"));
    let port = std::env::var("PORT")?.parse()?;
    axum::serve(tokio::net::TcpListener::bind(("127.0.0.1", port)).await?, app).await?;
    Ok(())
}
