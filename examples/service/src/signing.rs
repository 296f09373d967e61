//! Access tokens: signed here, and verified like those of any other issuer.
//!
//! The first start creates the key and stores it in the database, so tokens stay valid across
//! restarts. Other services verify them with the public key at `/.well-known/jwks.json`.

use std::time::Duration;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use jsonwebtoken::jwk::{Jwk, JwkSet, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use p256::{SecretKey, elliptic_curve::rand_core::OsRng, pkcs8::EncodePrivateKey};
use tollgate::token_endpoint::{AuthorizationServerMetadata, TokenError};
use tollgate::{Shared, jwt::BuildError};

use crate::scopes::{Login, Tokens};
use crate::{database::Database, error::Result, secrets};

/// Access tokens cannot be revoked, so they expire soon.
pub(crate) const LIFETIME: Duration = Duration::from_secs(5 * 60);

pub(crate) struct Signer {
    /// The issuer and the audience of the tokens.
    url: String,
    key: EncodingKey,
    header: Header,
    jwks: String,
}

/// Creates a private key, as PKCS #8 in DER.
pub(crate) fn new_key() -> Result<Vec<u8>> {
    let key = SecretKey::random(&mut OsRng);
    Ok(key.to_pkcs8_der()?.as_bytes().to_vec())
}

impl Signer {
    pub(crate) async fn load(db: &Database, url: String) -> Result<Self> {
        let sql = "SELECT pkcs8 FROM signing_key";
        let pkcs8: Vec<u8> = sqlx::query_scalar(sql).fetch_one(&db.read).await?;
        let key = EncodingKey::from_ec_der(&pkcs8);
        let mut public = Jwk::from_encoding_key(&key, Algorithm::ES256)?;
        let mut header = Header::new(Algorithm::ES256);
        header.typ = Some("at+jwt".to_owned());
        header.kid = Some(public.thumbprint(ThumbprintHash::SHA256)?);
        public.common.key_id.clone_from(&header.kid);
        let jwks = serde_json::to_string(&JwkSet { keys: vec![public] })?;
        Ok(Self {
            url,
            key,
            header,
            jwks,
        })
    }

    /// Builds the verifier of these tokens, from public information alone.
    pub(crate) async fn verifier(&self) -> Result<Tokens, BuildError> {
        Tokens::jwks(&*self.url, &*self.jwks)
            .audience(&*self.url)
            .algorithms([tollgate::jwt::Algorithm::Es256])
            .build()
            .await
    }

    /// Checks the resources that a token is requested for (RFC 8707): only this service is allowed.
    pub(crate) fn check_resources(&self, resources: &[String]) -> Result<(), TokenError> {
        let is_this = |url: &String| url.strip_suffix('/').unwrap_or(url) == self.url;
        match resources.iter().all(is_this) {
            true => Ok(()),
            false => Err(TokenError::invalid_target("tokens are for this service")),
        }
    }

    /// Signs a token with the claims of RFC 9068, 2.2.
    pub(crate) fn sign(&self, subject: &str, client: &str, scopes: &[String]) -> Result<String> {
        let now = now();
        let claims = serde_json::json!({
            "iss": self.url,
            "aud": self.url,
            "sub": subject,
            "client_id": client,
            "scope": scopes.join(" "),
            "iat": now,
            "exp": now + LIFETIME.as_secs().cast_signed(),
            "jti": secrets::random_id()?,
        });
        Ok(jsonwebtoken::encode(&self.header, &claims, &self.key)?)
    }
}

/// The document that tells other services where the endpoints and the keys are.
pub(crate) fn metadata(url: &str) -> Result<AuthorizationServerMetadata> {
    Ok(AuthorizationServerMetadata::of::<Login>(url)?
        .with_revocation_endpoint(format!("{url}/revoke"))
        .with_jwks_uri(format!("{url}/.well-known/jwks.json")))
}

/// The public key, for services that verify tokens.
#[utoipa::path(get, path = "/.well-known/jwks.json",
    responses((status = 200, description = "A JWK Set", body = serde_json::Value)))]
pub(crate) async fn jwks(signer: Shared<Signer>) -> impl IntoResponse {
    let media_type = (CONTENT_TYPE, "application/json");
    let caching = (CACHE_CONTROL, "public, max-age=300");
    ([media_type, caching], signer.jwks.clone())
}

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    jsonwebtoken::get_current_timestamp().cast_signed()
}
