//! doorward on actix-web: the README's first program, which logs refusals alone. With `REMEMBER=0`, no token is remembered.

use actix_web::{App, HttpServer, get};
use doorward::{Shared, http_bearer, jwt::TokenVerifier, secured, verify::Verified};

/// The claims that this service reads.
#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
struct Api; // checks signature, issuer, audience, times, scopes

#[secured]
#[get("/items")]
async fn items(#[security(Api, scopes("items"))] caller: Verified<Claims>) -> String {
    format!("the items of {}", caller.sub)
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().with_env_filter("info,doorward::trace=debug").init();
    let mut tokens =
        TokenVerifier::<Claims>::discover(std::env::var("ISSUER")?, reqwest::Client::new())
            .audience("https://api.example.com");
    if let Ok(bytes) = std::env::var("REMEMBER") {
        tokens = tokens.remember(bytes.parse()?);
    }
    let tokens = Shared::new(tokens.build().await?);
    let port = std::env::var("PORT")?.parse()?;
    let server = HttpServer::new(move || App::new().app_data(tokens.clone()).service(items));
    server.workers(1).bind(("127.0.0.1", port))?.run().await?;
    Ok(())
}
