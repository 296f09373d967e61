//! The token endpoint of RFC 6749 on axum, for clients with and without a secret.
//!
//! The users and clients of this example are not secret. A real service stores slow hashes of
//! passwords, as the tutorial does. It also remembers the tokens that it issues.

use std::error::Error;
use std::time::Duration;

use axum::http::StatusCode;
use doorward::axum08::{Router, routing::post};
use doorward::secret_eq;
use doorward::token_endpoint::{Client, TokenError, TokenRequest, TokenResponse};
use doorward::{OAuth2PasswordRequestFormStrict, public};
use tokio::net::TcpListener;

/// The identifier and the secret of each client. A public client, such as an app, has no secret.
const CLIENTS: [(&str, Option<&str>); 2] = [("web", Some("hunter2")), ("app", None)];

const USERS: [(&str, &str); 1] = [("johndoe", "secret")];

const SCOPES: [&str; 2] = ["items", "me"];

/// Exchanges a password for a token, but only for known clients.
#[public(reason = "the form is what logs in")]
async fn token(
    TokenRequest { client, grant: form }: TokenRequest<OAuth2PasswordRequestFormStrict>,
) -> axum::response::Result<TokenResponse> {
    let client = Client::require(client)?;
    if !is_known(&client) {
        return Err(client.invalid_client().into());
    }
    let is_right = USERS
        .iter()
        .any(|(name, password)| *name == form.username && secret_eq(&form.password, password));
    if !is_right {
        return Err(TokenError::invalid_grant("wrong user name or password").into());
    }
    if form.scopes.iter().any(|scope| !SCOPES.contains(&&**scope)) {
        return Err(TokenError::invalid_scope("there is no such scope").into());
    }
    // A system without random bytes is not the client's fault, so this is a server error.
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let access_token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(TokenResponse::bearer(access_token)
        .with_expires_in(Duration::from_secs(30 * 60))
        .with_scopes(&form.scopes))
}

fn is_known(client: &Client) -> bool {
    let known = CLIENTS.iter().find(|(id, _)| *id == client.client_id());
    match known {
        Some((_, Some(secret))) => client.secret_eq(secret),
        Some((_, None)) => client.client_secret().is_none(),
        None => false,
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let app = Router::new().route("/token", post(token));
    let listener = TcpListener::bind(doorward_examples::listen_address()?).await?;
    let url = format!("http://{}", listener.local_addr()?);
    println!("Listening on {url}");
    println!(
        "Try: curl -u web:hunter2 -d 'grant_type=password&username=johndoe&password=secret&scope=me' {url}/token"
    );
    axum::serve(listener, app).await?;
    Ok(())
}
