//! Access tokens: signed here, and verified like those of any other issuer.
//!
//! The keys are in the database, so tokens stay valid across restarts, and on all nodes. Other
//! services can verify them with the public keys at `/.well-known/jwks.json`. A new key is
//! published at once, and signs when everybody has had the time to fetch it. The old one is
//! published until its tokens have expired.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use base64::{Engine, engine::general_purpose::STANDARD};
use doorward::jwt::{Algorithm, BuildError, SigningKey, TokenAuthority};
use doorward::jwt::{TokenAuthorityBuilder, TokenVerifier};
use doorward::metadata::AuthorizationServerMetadata;
use doorward::token_endpoint::TokenError;
use doorward::verify::{FetchError, Fetched};
use doorward::{Rejection, Shared, public, secrecy::ExposeSecret};

use crate::scopes::{Login, Tokens};
use crate::{database::Database, error::Internal, error::Result};

const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// How long a new key is published before it signs, and an old one after it has signed, in seconds.
/// Others have copies of the keys for five minutes, and a token lives as long, with its leeway.
pub(crate) const OVERLAP: i64 = 10 * 60;

pub(crate) struct Signer {
    /// The issuer and the audience of the tokens.
    pub(crate) url: String,
    pub(crate) db: Shared<Database>,
}

/// Creates a private key: PKCS #8 in base64.
pub(crate) fn new_key() -> Result<String> {
    let key = SigningKey::random(Algorithm::Es256)?;
    Ok(STANDARD.encode(key.expose_secret()))
}

/// Forgets the keys whose tokens have expired.
pub(crate) async fn purge(db: &Database) -> Result<()> {
    let sql = "UPDATE signing_keys SET pkcs8 = ''
        WHERE id < (SELECT max(id) FROM signing_keys WHERE signs_from <= unixepoch() - $1)";
    sqlx::query(sql).bind(OVERLAP).execute(&db.write).await?;
    Ok(())
}

impl Signer {
    /// Returns the authority of the keys in the database: the one that has signed for longer than
    /// tokens live, and all newer ones. The newest whose time has come signs. The time is that of
    /// the database, because a token of a node whose clock is ahead would be one of the future.
    pub(crate) async fn authority(&self) -> Result<(TokenAuthority, SystemTime)> {
        let sql = "SELECT pkcs8, unixepoch() FROM signing_keys
            WHERE id >= (SELECT max(id) FROM signing_keys WHERE signs_from <= unixepoch() - $1)
            ORDER BY signs_from <= unixepoch() DESC, id DESC";
        let query = sqlx::query_as(sql).bind(OVERLAP);
        let found: Vec<(String, i64)> = query.fetch_all(&self.db.read).await?;
        let now = found.first().map_or(0, |(_, now)| now.unsigned_abs());
        let found: Vec<_> =
            found.iter().map(|(key, _)| STANDARD.decode(key)).collect::<Result<_, _>>()?;
        let mut keys = found.into_iter().map(SigningKey::der);
        let first = keys.next().ok_or("the database has no signing key")?;
        let builder = TokenAuthority::builder(&*self.url, first).lifetime(LIFETIME);
        let builder = builder.for_scheme::<Login>();
        let authority = keys.fold(builder, TokenAuthorityBuilder::accept_key).build()?;
        Ok((authority, UNIX_EPOCH + Duration::from_secs(now)))
    }

    /// Checks the resources that a token is requested for (RFC 8707): only this service is allowed.
    pub(crate) fn check_resources(&self, resources: &[String]) -> Result<(), TokenError> {
        let is_this = |url: &String| url.strip_suffix('/').unwrap_or(url) == self.url;
        let only = TokenError::invalid_target("tokens are for this service");
        if resources.iter().all(is_this) { Ok(()) } else { Err(only) }
    }
}

/// Builds the verifier of these tokens. A token of a key that it does not know makes it read the
/// database, as another service fetches the keys.
pub(crate) async fn verifier(signer: Shared<Signer>) -> Result<Tokens, BuildError> {
    let url = signer.url.clone();
    let fetch = move |url: String| {
        let signer = signer.clone();
        async move {
            let failed = |Internal(error)| FetchError::new(error.to_string());
            let (authority, _) = signer.authority().await.map_err(failed)?;
            Ok(Fetched::new(url, authority.jwks()).cache_control("max-age=60"))
        }
    };
    let keys = TokenVerifier::jwks_url(&*url, keys_url(&url), fetch).audience(&*url);
    let keys = keys.token_type("at+jwt").algorithms([Algorithm::Es256]);
    keys.cool_down(Duration::from_secs(1)).build().await
}

fn keys_url(url: &str) -> String {
    format!("{url}/.well-known/jwks.json")
}

/// The document that tells other services where the endpoints and the keys are.
pub(crate) fn metadata(url: &str) -> Result<AuthorizationServerMetadata> {
    Ok(AuthorizationServerMetadata::of::<Login>(url)?
        .with_revocation_endpoint(format!("{url}/revoke"))
        .with_introspection_endpoint(format!("{url}/introspect"))
        .with_jwks_uri(keys_url(url)))
}

/// The public keys, for services that verify tokens.
#[public(reason = "other services verify tokens with the keys")]
#[utoipa::path(get, path = "/.well-known/jwks.json",
    responses((status = 200, description = "A JWK Set", body = serde_json::Value)))]
pub(crate) async fn jwks(signer: Shared<Signer>) -> Result<impl IntoResponse, Rejection> {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=300")];
    Ok((headers, signer.authority().await?.0.jwks().to_owned()))
}
