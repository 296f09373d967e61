//! Access tokens: signed here, and verified like those of any other issuer.
//!
//! The keys are in the database, so tokens stay valid across restarts, and on all nodes. Other
//! services can verify them with the public keys at `/.well-known/jwks.json`. Each node publishes a
//! new key within half a minute, and signs with it when everybody has had the time to fetch it. The
//! old one is published until its tokens have expired.

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use base64::{Engine, engine::general_purpose::STANDARD};
use tokio::time::{sleep, timeout};
use tollgate::jwt::{Algorithm, BuildError, SigningKey, TokenAuthority};
use tollgate::jwt::{TokenAuthorityBuilder, TokenVerifier};
use tollgate::token_endpoint::{AuthorizationServerMetadata, TokenError, TokenResponse};
use tollgate::verify::{FetchError, Fetched};
use tollgate::{Shared, public, secrecy::ExposeSecret};

use crate::scopes::{Login, Tokens};
use crate::{database::Database, error::Internal, error::Result};

const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// How often a node looks for new keys.
const RELOAD: Duration = Duration::from_secs(30);
/// How long a new key is published before it signs, and an old one after it has signed, in seconds.
/// Others have copies of the keys for five minutes, and a token lives as long, with its leeway.
pub(crate) const OVERLAP: i64 = 10 * 60;

pub(crate) struct Signer {
    /// The issuer and the audience of the tokens.
    url: String,
    db: Shared<Database>,
    authority: RwLock<TokenAuthority>,
}

/// Creates a private key: PKCS #8 in base64.
pub(crate) fn new_key() -> Result<String> {
    let key = SigningKey::random(Algorithm::Es256)?;
    Ok(STANDARD.encode(key.expose_secret()))
}

/// Builds the authority of the keys in the database: the one that has signed for longer than
/// tokens live, and all newer ones. The newest whose time has come signs.
async fn authority(db: &Database, url: &str) -> Result<TokenAuthority> {
    let sql = "SELECT pkcs8 FROM signing_keys
        WHERE id >= (SELECT max(id) FROM signing_keys WHERE signs_from <= unixepoch() - $1)
        ORDER BY signs_from <= unixepoch() DESC, id DESC";
    let found: Vec<String> = sqlx::query_scalar(sql).bind(OVERLAP).fetch_all(&db.read).await?;
    let mut keys = Vec::new();
    for pkcs8 in found {
        keys.push(SigningKey::der(STANDARD.decode(pkcs8)?));
    }
    let mut keys = keys.into_iter();
    let first = keys.next().ok_or("the database has no signing key")?;
    let builder = TokenAuthority::new(url, url, first).lifetime(LIFETIME);
    Ok(keys.fold(builder, TokenAuthorityBuilder::accept_key).build()?)
}

/// Forgets the keys whose tokens have expired.
pub(crate) async fn purge(db: &Database) -> Result<()> {
    let sql = "UPDATE signing_keys SET pkcs8 = ''
        WHERE id < (SELECT max(id) FROM signing_keys WHERE signs_from <= unixepoch() - $1)";
    sqlx::query(sql).bind(OVERLAP).execute(&db.write).await?;
    Ok(())
}

impl Signer {
    pub(crate) async fn load(db: Shared<Database>, url: String) -> Result<Self> {
        let authority = RwLock::new(authority(&db, &url).await?);
        Ok(Self { url, db, authority })
    }

    async fn reload(&self) -> Result<()> {
        let new = authority(&self.db, &self.url).await?;
        *self.authority.write().unwrap_or_else(PoisonError::into_inner) = new;
        Ok(())
    }

    /// Follows the keys in the database, forever. While it is unreachable, the known ones sign.
    pub(crate) async fn follow(&self) {
        loop {
            sleep(RELOAD).await;
            match timeout(RELOAD, self.reload()).await {
                Ok(Ok(())) => (),
                Ok(Err(Internal(error))) => tracing::warn!(%error, "no signing keys were read"),
                Err(_) => tracing::warn!("the database does not answer"),
            }
        }
    }

    fn authority(&self) -> TokenAuthority {
        self.authority.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks the resources that a token is requested for (RFC 8707): only this service is allowed.
    pub(crate) fn check_resources(&self, resources: &[String]) -> Result<(), TokenError> {
        let is_this = |url: &String| url.strip_suffix('/').unwrap_or(url) == self.url;
        match resources.iter().all(is_this) {
            true => Ok(()),
            false => Err(TokenError::invalid_target("tokens are for this service")),
        }
    }

    /// Answers with a token that has the claims of RFC 9068, 2.2, and the login of a person.
    pub(crate) fn response(
        &self,
        subject: &str,
        client: &str,
        scopes: &[String],
        login: Option<&str>,
    ) -> Result<TokenResponse, TokenError> {
        let authority = self.authority();
        let token = authority.token(subject).claim("client_id", client).claim("sid", login);
        token.scopes(scopes).response()
    }
}

/// Builds the verifier of these tokens. A token of a key that it does not know makes it read the
/// database, as another service fetches the keys.
pub(crate) async fn verifier(signer: Shared<Signer>) -> Result<Tokens, BuildError> {
    let url = signer.url.clone();
    let fetch = move |url: String| {
        let signer = signer.clone();
        async move {
            let reloaded = signer.reload().await;
            reloaded.map_err(|Internal(error)| FetchError::new(error.to_string()))?;
            Ok(Fetched::new(url, signer.authority().jwks()).cache_control("max-age=60"))
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
        .with_jwks_uri(keys_url(url)))
}

/// The public keys, for services that verify tokens.
#[public(reason = "other services verify tokens with the keys")]
#[utoipa::path(get, path = "/.well-known/jwks.json",
    responses((status = 200, description = "A JWK Set", body = serde_json::Value)))]
pub(crate) async fn jwks(signer: Shared<Signer>) -> impl IntoResponse {
    let media_type = (CONTENT_TYPE, "application/json");
    let caching = (CACHE_CONTROL, "public, max-age=300");
    ([media_type, caching], signer.authority().jwks().to_owned())
}
