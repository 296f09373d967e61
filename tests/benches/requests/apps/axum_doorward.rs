//! doorward on axum: the README's first program, which logs refusals alone. With `REMEMBER=0`, no token is remembered.

use doorward::axum08::{Router, routing::get};
use doorward::{Shared, http_bearer, jwt::TokenVerifier, secured, verify::Verified};

/// The claims that this service reads.
#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
struct Api; // checks signature, issuer, audience, times, scopes

#[secured]
async fn items(#[security(Api, scopes("items"))] caller: Verified<Claims>) -> String {
    format!("the items of {}", caller.sub)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().with_env_filter("info,doorward::trace=debug").init();
    let mut tokens =
        TokenVerifier::<Claims>::discover(std::env::var("ISSUER")?, reqwest::Client::new())
            .audience("https://api.example.com");
    if let Ok(bytes) = std::env::var("REMEMBER") {
        tokens = tokens.remember(bytes.parse()?);
    }
    let tokens = tokens.build().await?;
    let app = Router::new().route("/items", get(items)).extension(Shared::new(tokens));
    let port = std::env::var("PORT")?.parse()?;
    axum::serve(tokio::net::TcpListener::bind(("127.0.0.1", port)).await?, app).await?;
    Ok(())
}
