//! huskarl-resource-server on axum, with its adapter huskarl-axum.

use axum::{Router, routing::get};
use huskarl_axum::extractors::ValidatedToken;
use huskarl_axum::layers::ValidatorLayer;
use huskarl_reqwest::ReqwestClient;
use huskarl_resource_server::core::server_metadata::AuthorizationServerMetadata;
use huskarl_resource_server::validator::rfc9068::{Rfc9068AccessTokenClaims, Rfc9068Validator};

async fn items(caller: ValidatedToken<Rfc9068AccessTokenClaims>) -> String {
    format!("the items of {}", caller.sub.as_deref().unwrap_or_default())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = ReqwestClient::builder().build().await?;
    let metadata = AuthorizationServerMetadata::oidc_fetch()
        .http_client(&client)
        .issuer(std::env::var("ISSUER")?)
        .call()
        .await?;
    let validator = Rfc9068Validator::builder_from_metadata(&metadata)
        .audience("https://api.example.com")
        .jwks_source(client)
        .build()
        .await?;
    let auth = ValidatorLayer::builder().validator(validator).build();
    let app = Router::new().route("/items", get(items).layer(auth.require_scopes(["items"])));
    let port = std::env::var("PORT")?.parse()?;
    axum::serve(tokio::net::TcpListener::bind(("127.0.0.1", port)).await?, app).await?;
    Ok(())
}
