use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier; // new
use doorward::verify::Verified; // new
use doorward::{Shared, http_bearer, secured}; // new

/// The claims that this service reads.
#[derive(serde::Deserialize)] // new
struct Claims { // new
    sub: String, // new
}

/// Tokens of our users.
#[http_bearer( // new
    scopes("items" = "Read items."), // new
    verified = Claims, // new
)]
struct Api;

#[secured]
async fn items(#[security(Api, scopes("items"))] caller: Verified<Claims>) -> String { // new
    format!("the items of {}\n", caller.sub) // new
}

fn app(tokens: TokenVerifier<Claims>) -> Router { // new
    Router::new().route("/items", get(items)).extension(Shared::new(tokens)) // new
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The log says why a token is refused. The answer does not.
    tracing_subscriber::fmt().with_env_filter("info,doorward=debug").init(); // new
    let tokens = TokenVerifier::discover("http://127.0.0.1:9000", reqwest::Client::new()) // new
        .audience("https://api.example.com") // new
        .build() // new
        .await?; // new
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, app(tokens)).await?; // new
    Ok(())
}
