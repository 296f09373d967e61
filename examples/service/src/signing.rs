//! Access tokens: signed here, and verified like those of any other issuer.
//!
//! The key is made at the first start and stays in the database, so that tokens outlive a restart.
//! Other services verify tokens with the public key, which `/.well-known/jwks.json` has.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use jsonwebtoken::jwk::{Jwk, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use p256::SecretKey;
use p256::pkcs8::EncodePrivateKey;
use rusqlite::Transaction;
use serde_json::json;
use tollgate::jwt::BuildError;
use tollgate::secrecy::SecretString;
use tollgate::token_endpoint::TokenError;

use crate::App;
use crate::error::Internal;
use crate::scopes::Tokens;
use crate::secrets;

/// Nobody can take an access token back, so it is short.
pub(crate) const LIFETIME: Duration = Duration::from_secs(5 * 60);

pub(crate) struct Signer {
    /// The issuer of the tokens, and the API that they are for.
    url: String,
    key: EncodingKey,
    header: Header,
    jwks: String,
}

/// Makes the key, in the form in which the database has it.
pub(crate) fn new_key() -> Result<Vec<u8>, Internal> {
    loop {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        // One of 2^32 numbers of this length is not a key.
        if let Ok(key) = SecretKey::from_slice(&bytes) {
            return Ok(key.to_pkcs8_der()?.as_bytes().to_vec());
        }
    }
}

impl Signer {
    pub(crate) fn load(database: &Transaction<'_>, url: String) -> Result<Self, Internal> {
        let row = database.query_row("SELECT pkcs8 FROM signing_key", (), |row| row.get(0));
        let pkcs8: Vec<u8> = row?;
        let key = EncodingKey::from_ec_der(&pkcs8);
        let mut public = Jwk::from_encoding_key(&key, Algorithm::ES256)?;
        let key_id = Some(public.thumbprint(ThumbprintHash::SHA256)?);
        public.common.key_id.clone_from(&key_id);
        let typ = Some("at+jwt".to_owned());
        let header = Header {
            typ,
            kid: key_id,
            ..Header::new(Algorithm::ES256)
        };
        let jwks = json!({ "keys": [public] }).to_string();
        Ok(Self {
            url,
            key,
            header,
            jwks,
        })
    }

    /// Sets up the verifier, with what anybody knows.
    pub(crate) async fn verifier(&self) -> Result<Tokens, BuildError> {
        let tokens = Tokens::jwks(&*self.url, &*self.jwks).audience(&*self.url);
        let tokens = tokens.algorithms([tollgate::jwt::Algorithm::Es256]);
        tokens.remember(1024).build().await
    }

    /// Checks what a token is wanted for (RFC 8707): it can be for this service alone.
    pub(crate) fn check(&self, resources: &[String]) -> Result<(), TokenError> {
        let is_other =
            |resource: &String| resource.strip_suffix('/').unwrap_or(resource) != self.url;
        if resources.iter().any(is_other) {
            return Err(TokenError::invalid_target("tokens are for this service"));
        }
        Ok(())
    }

    /// Signs a token with the claims of RFC 9068, 2.2.
    pub(crate) fn sign(
        &self,
        subject: &str,
        client: &str,
        scopes: &[String],
    ) -> Result<SecretString, Internal> {
        let now = now();
        let claims = json!({
            "iss": self.url,
            "aud": self.url,
            "sub": subject,
            "client_id": client,
            "scope": scopes.join(" "),
            "iat": now,
            "exp": now + LIFETIME.as_secs(),
            "jti": secrets::random_id()?,
        });
        Ok(jsonwebtoken::encode(&self.header, &claims, &self.key)?.into())
    }
}

/// The public key, for services that verify tokens.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    responses((status = 200, description = "A JWK Set", body = serde_json::Value))
)]
pub(crate) async fn jwks(State(app): State<App>) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "public, max-age=300"),
    ];
    (headers, app.signer.jwks.clone())
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
}
