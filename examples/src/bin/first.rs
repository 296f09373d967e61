//! The README's first program, for the tokens of the example `issuer`.

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

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The log says why a token is refused. The answer does not.
    tracing_subscriber::fmt().with_env_filter("info,doorward=debug").init();
    let tokens = TokenVerifier::<Claims>::discover("http://127.0.0.1:9000", reqwest::Client::new())
        .audience("https://api.example.com")
        .build()
        .await?;
    let app = Router::new().route("/items", get(items)).extension(Shared::new(tokens));
    axum::serve(tokio::net::TcpListener::bind("127.0.0.1:8000").await?, app).await?;
    Ok(())
}
