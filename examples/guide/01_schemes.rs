use doorward::axum08::{Router, routing::get};
use doorward::{BearerToken, http_bearer, secured};

/// Tokens of our users.
#[http_bearer(scopes("items" = "Read items."))]
struct Api;

#[secured]
async fn items(#[security(Api)] token: BearerToken) -> String {
    format!("items for a token of {} bytes\n", token.as_str().len())
}

fn app() -> Router {
    Router::new().route("/items", get(items))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    axum::serve(listener, app()).await?;
    Ok(())
}
