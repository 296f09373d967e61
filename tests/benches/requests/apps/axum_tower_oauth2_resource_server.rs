//! tower-oauth2-resource-server on axum. It checks no scopes, so the handler does.

use axum::http::StatusCode;
use axum::{Extension, Router, routing::get};
use tower_oauth2_resource_server::server::OAuth2ResourceServer;
use tower_oauth2_resource_server::tenant::TenantConfiguration;

/// The claims that this service reads.
#[derive(Clone, serde::Deserialize)]
struct Claims {
    sub: String,
    scope: String,
}

async fn items(Extension(caller): Extension<Claims>) -> Result<String, StatusCode> {
    if !caller.scope.split(' ').any(|scope| scope == "items") {
        return Err(StatusCode::FORBIDDEN);
    }
    Ok(format!("the items of {}", caller.sub))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tenant = TenantConfiguration::builder(std::env::var("ISSUER")?)
        .audiences(&["https://api.example.com"])
        .build()
        .await?;
    let server = OAuth2ResourceServer::<Claims>::builder().add_tenant(tenant).build().await?;
    let app = Router::new().route("/items", get(items)).layer(server.into_layer());
    let port = std::env::var("PORT")?.parse()?;
    axum::serve(tokio::net::TcpListener::bind(("127.0.0.1", port)).await?, app).await?;
    Ok(())
}
