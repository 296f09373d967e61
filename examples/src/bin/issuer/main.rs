//! An issuer for development, so that a service can be tried without an account anywhere.
//!
//! It has metadata, keys and a token endpoint. A machine gets a token with any identifier and any
//! secret, and a user with any name, on a page of one button. It forgets everything when it stops,
//! and its next start has another key.
//!
//! Whoever reaches it gets a token. So it listens on loopback only, answers only requests for a
//! loopback host, and redirects to loopback only: a page of another site in the developer's browser
//! must not get one.

mod authorization;
mod loopback;

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::middleware;
use axum::response::IntoResponse;
use doorward::axum08::Router;
use doorward::axum08::routing::{get, post};
use doorward::form::RequestForm;
use doorward::jwt::{Algorithm, SigningKey, TokenAuthority};
use doorward::metadata::AuthorizationServerMetadata;
use doorward::token_endpoint::{
    AuthorizationCodeGrant, Client, TokenError, TokenRequest, TokenResponse,
};
use doorward::{Grant, oauth2_bearer, public};
use tokio::net::TcpListener;

use self::authorization::Codes;

/// The audience of the tokens, unless `--audience` names another.
const AUDIENCE: &str = "https://api.example.com";

/// What the metadata says.
#[oauth2_bearer(flows(
    client_credentials(token_url = "/token"),
    authorization_code(authorization_url = "/authorize", token_url = "/token"),
))]
struct Login;

struct Issuer {
    authority: TokenAuthority,
    audience: String,
    codes: Codes,
}

#[derive(Grant)]
enum Grant {
    Machine(Machine),
    Code(AuthorizationCodeGrant),
}

/// A machine may name the service in `resource` (RFC 8707) or in `audience`, as Auth0 has it.
#[derive(RequestForm)]
#[request_form(grant_type = "client_credentials")]
struct Machine {
    scopes: Vec<String>,
    resource: Vec<String>,
    audience: Vec<String>,
}

#[public(reason = "any client gets a token here")]
async fn token(
    State(issuer): State<Arc<Issuer>>,
    TokenRequest { client, grant }: TokenRequest<Grant>,
) -> Result<TokenResponse, TokenError> {
    let client = Client::require(client)?;
    match grant {
        Grant::Machine(form) => {
            if client.client_secret().is_none() {
                return Err(TokenError::unauthorized_client("only with a secret, of any text"));
            }
            issuer.check(form.resource.iter().chain(&form.audience))?;
            issuer.issue(client.client_id(), client.client_id(), &form.scopes)
        }
        Grant::Code(form) => {
            issuer.check(&form.resource)?;
            let login = issuer.codes.redeem(client.client_id(), &form)?;
            issuer.issue(&login.user, client.client_id(), &login.scopes)
        }
    }
}

impl Issuer {
    fn check<'r>(&self, named: impl IntoIterator<Item = &'r String>) -> Result<(), TokenError> {
        match named.into_iter().all(|resource| *resource == self.audience) {
            true => Ok(()),
            false => Err(TokenError::invalid_target("start this issuer with `--audience`")),
        }
    }

    fn issue(
        &self,
        subject: &str,
        client: &str,
        scopes: &[String],
    ) -> Result<TokenResponse, TokenError> {
        let token = self.authority.token(subject).claim("client_id", client);
        token.granted(scopes, scopes)?.response()
    }
}

#[public(reason = "services verify tokens with the keys")]
async fn keys(State(issuer): State<Arc<Issuer>>) -> impl IntoResponse {
    let headers = [("content-type", "application/json"), (CACHE_CONTROL.as_str(), "no-cache")];
    (headers, issuer.authority.jwks().to_owned())
}

/// The address and the audience.
fn arguments() -> Result<(SocketAddr, String), String> {
    let mut address = SocketAddr::from((Ipv4Addr::LOCALHOST, 9000));
    let mut audience = AUDIENCE.to_owned();
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        match (&*name, arguments.next()) {
            ("--audience", Some(value)) => audience = value,
            ("--listen", Some(value)) => {
                address = value.parse().map_err(|error| format!("--listen {value}: {error}"))?;
            }
            _ => return Err(format!("usage: [--audience {AUDIENCE}] [--listen {address}]")),
        }
    }
    match address.ip().is_loopback() {
        true => Ok((address, audience)),
        false => Err(format!("{address} is not a loopback address: this is for development")),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (address, audience) = arguments()?;
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| format!("--listen {address}: {error}"))?;
    let url = format!("http://{}", listener.local_addr()?);
    let authority = TokenAuthority::builder(&*url, SigningKey::random(Algorithm::Es256)?)
        .audience(&*audience)
        .lifetime(Duration::from_secs(60 * 60))
        .build()?;
    let metadata = AuthorizationServerMetadata::of::<Login>(&*url)?
        .with_jwks_uri(format!("{url}/jwks.json"))
        .with_code_challenge_methods_supported(["S256"]);
    println!("For development only, because anyone gets a token here: {url}");
    println!("Audience: {audience}");
    println!(
        "Token of a machine: curl -u me:any -d grant_type=client_credentials -d scope=items {url}/token"
    );
    println!("Login of a user, with PKCE: {url}/authorize");
    let app = Router::new()
        .route("/token", post(token).layer(loopback::cors()))
        .route("/jwks.json", get(keys))
        .route("/authorize", get(authorization::page).post(authorization::approve))
        .route_service(metadata.path(), public("clients look for it", metadata.clone()))
        .layer(middleware::from_fn(loopback::require_host))
        .with_state(Arc::new(Issuer { authority, audience, codes: Codes::default() }));
    axum::serve(listener, app).await?;
    Ok(())
}
