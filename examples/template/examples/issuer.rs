//! An issuer of this machine, for development: `cargo run --example issuer -- johndoe items` prints a
//! token of a user with these scopes, which is good for an hour, and hands out the key that signed it.
//! The user `admin` has the role of that name.
//!
//! It is an example of this package and no part of the service, so no release can sign a token.

use std::error::Error;
use std::net::Ipv4Addr;

use axum::Json;
use doorward::axum08::{Router, routing::get};
use doorward::public;
use doorward::testing::TestAuthority;
use serde_json::{Value, json};

/// Serves what a verifier asks an issuer for.
pub(crate) fn app(authority: &TestAuthority) -> Result<Router, serde_json::Error> {
    let issuer = authority.issuer();
    let metadata = json!({ "issuer": issuer, "jwks_uri": format!("{issuer}/jwks") });
    let keys: Value = serde_json::from_str(authority.jwks())?;
    let document = |json: Value| get(public("services look for it", Json(json)));
    Ok(Router::new()
        .route("/.well-known/openid-configuration", document(metadata))
        .route("/jwks", document(keys)))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let user = arguments.next().unwrap_or("johndoe".to_owned());
    let roles = json!({ "roles": [user] });
    let authority = TestAuthority::new("items-api")?.with_issuer("http://127.0.0.1:9000");
    let token = authority.token(user).scopes(arguments).claim("realm_access", roles);
    println!("TOKEN={}", token.sign()?.as_str());
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 9000)).await?;
    axum::serve(listener, app(&authority)?).await?;
    Ok(())
}
