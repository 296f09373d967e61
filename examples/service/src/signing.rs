//! Access tokens: signed here, and verified like those of any other issuer.
//!
//! The first start creates the key and stores it in the database, so tokens stay valid across
//! restarts. Other services verify them with the public key at `/.well-known/jwks.json`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use tollgate::jwt::{Algorithm, BuildError, SigningKey, TokenAuthority};
use tollgate::token_endpoint::{AuthorizationServerMetadata, TokenError, TokenResponse};
use tollgate::{Shared, public, secrecy::ExposeSecret};

use crate::scopes::{Login, Tokens};
use crate::{database::Database, error::Result};

/// Access tokens cannot be revoked, so they expire soon.
const LIFETIME: Duration = Duration::from_secs(5 * 60);

pub(crate) struct Signer {
    /// The issuer and the audience of the tokens.
    url: String,
    authority: TokenAuthority,
}

/// Creates a private key, as PKCS #8 in DER.
pub(crate) fn new_key() -> Result<Vec<u8>> {
    let key = SigningKey::random(Algorithm::Es256)?;
    Ok(key.expose_secret().to_vec())
}

impl Signer {
    pub(crate) async fn load(db: &Database, url: String) -> Result<Self> {
        let sql = "SELECT pkcs8 FROM signing_key";
        let pkcs8: Vec<u8> = sqlx::query_scalar(sql).fetch_one(&db.read).await?;
        let authority = TokenAuthority::new(&*url, &*url, SigningKey::der(pkcs8));
        let authority = authority.lifetime(LIFETIME).build()?;
        Ok(Self { url, authority })
    }

    /// Builds the verifier of these tokens.
    pub(crate) async fn verifier(&self) -> Result<Tokens, BuildError> {
        self.authority.verifier().build().await
    }

    /// Checks the resources that a token is requested for (RFC 8707): only this service is allowed.
    pub(crate) fn check_resources(&self, resources: &[String]) -> Result<(), TokenError> {
        let is_this = |url: &String| url.strip_suffix('/').unwrap_or(url) == self.url;
        match resources.iter().all(is_this) {
            true => Ok(()),
            false => Err(TokenError::invalid_target("tokens are for this service")),
        }
    }

    /// Answers with a token that has the claims of RFC 9068, 2.2.
    pub(crate) fn response(
        &self,
        subject: &str,
        client: &str,
        scopes: &[String],
    ) -> Result<TokenResponse, TokenError> {
        let token = self.authority.token(subject).claim("client_id", client);
        token.scopes(scopes).response()
    }
}

/// The document that tells other services where the endpoints and the keys are.
pub(crate) fn metadata(url: &str) -> Result<AuthorizationServerMetadata> {
    Ok(AuthorizationServerMetadata::of::<Login>(url)?
        .with_revocation_endpoint(format!("{url}/revoke"))
        .with_jwks_uri(format!("{url}/.well-known/jwks.json")))
}

/// The public key, for services that verify tokens.
#[public(reason = "other services verify tokens with the key")]
#[utoipa::path(get, path = "/.well-known/jwks.json",
    responses((status = 200, description = "A JWK Set", body = serde_json::Value)))]
pub(crate) async fn jwks(signer: Shared<Signer>) -> impl IntoResponse {
    let media_type = (CONTENT_TYPE, "application/json");
    let caching = (CACHE_CONTROL, "public, max-age=300");
    ([media_type, caching], signer.authority.jwks().to_owned())
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs().cast_signed())
}
