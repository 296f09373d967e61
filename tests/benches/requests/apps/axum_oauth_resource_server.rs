//! oauth-resource-server on axum: the quickstart of its README, without its metadata document.

use std::sync::Arc;

use axum::{Router, routing::get};
use oauth_resource_server::axum::AuthLayer;
use oauth_resource_server::{
    AuthorizedToken, KeyNaming, OAuthConfig, OAuthValidator, static_token_policy,
};

async fn items(caller: AuthorizedToken) -> String {
    format!("the items of {}", caller.subject.unwrap_or_default())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = OAuthConfig {
        enabled: true,
        issuer: std::env::var("ISSUER")?,
        audience: "https://api.example.com".to_owned(),
        resource: "https://api.example.com".to_owned(),
        required_scope: Some("items".to_owned()),
        ..OAuthConfig::default()
    };
    let config = config.resolve(KeyNaming::Dotted("oauth"))?.ok_or("it is enabled")?;
    let oauth = Arc::new(OAuthValidator::new(&config)?);
    oauth.spawn_background_refresh();
    let decision = static_token_policy(None, Some(&config), false)?;
    let auth = AuthLayer::from_decision(decision, Some(oauth))?;
    let app = Router::new().route("/items", get(items)).route_layer(auth);
    let port = std::env::var("PORT")?.parse()?;
    axum::serve(tokio::net::TcpListener::bind(("127.0.0.1", port)).await?, app).await?;
    Ok(())
}
