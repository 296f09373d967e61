//! `POST /token` and `POST /revoke`, and the clients that call them.
//!
//! - `web` is public: it has no secret. It logs people in and refreshes. It is Swagger UI, or your
//!   own page. No other site may use it, because it sees passwords.
//! - `reporter` is a machine. It authenticates with its secret, and acts for itself.

use std::net::SocketAddr;

use axum::{extract::ConnectInfo, http::StatusCode, response::Result};
use doorward::token_endpoint::{
    Client as Sent, ClientForm, TokenError, TokenRequest, TokenResponse,
};
use doorward::token_endpoint::{ClientCredentialsGrant, RefreshTokenGrant, RevocationForm};
use doorward::{BearerToken, Grant, OAuth2PasswordRequestFormStrict};
use doorward::{Scheme, SecurityScopes, Shared, public, secrecy::ExposeSecret};

use crate::accounts::{self, WRONG_LOGIN, is_name};
use crate::passwords::{Passwords, network};
use crate::scopes::{self, Login, Tokens};
use crate::signing::Signer;
use crate::{database::Database, error::Internal, logins, secrets};

#[derive(Grant)]
pub(crate) enum Grant {
    Password(OAuth2PasswordRequestFormStrict),
    RefreshToken(RefreshTokenGrant),
    ClientCredentials(ClientCredentialsGrant),
}

/// Issues tokens.
#[public(reason = "the form is what logs in")]
#[utoipa::path(post, path = "/token",
    request_body(content = Grant, content_type = "application/x-www-form-urlencoded"),
    responses(TokenError,
        (status = 200, description = "A token", body = TokenResponse),
        (status = 429, description = "Too many logins", body = TokenError, headers(("retry-after" = u64))),
        (status = 500, description = "The service has failed", body = TokenError),
        (status = 503, description = "Come again", body = TokenError, headers(("retry-after" = u64)))))]
pub(crate) async fn token(
    db: Shared<Database>,
    signer: Shared<Signer>,
    passwords: Shared<Passwords>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    TokenRequest { client, grant }: TokenRequest<Grant>,
) -> Result<TokenResponse> {
    let client = authenticate(&db, client).await?;
    if !client.may_use(grant.grant_type()) {
        let description = "this client may not use this grant";
        return Err(TokenError::unauthorized_client(description).into());
    }
    // Read first, so no refresh token is spent in vain.
    let (authority, now) = signer.authority().await?;
    let (subject, scopes, issued) = match grant {
        Grant::Password(form) => {
            let network = network(address.ip());
            let checked = accounts::log_in(&db, &passwords, &network, &form).await?;
            // The log has no name: people type their passwords there. The span has the id.
            let account = checked.inspect_err(|error| {
                let (client, error) = (&client.id, error.code());
                tracing::info!(client, error, "a login was refused");
            })?;
            let mut allowed = client.scopes.clone();
            allowed.retain(|scope| accounts::allows(account.is_admin, scope));
            let scopes = scopes::grant(&form.scopes, allowed)?;
            let issued = logins::start(&db, &account, &network[0], &client.id, &scopes).await?;
            (account.id, scopes, Some(issued.ok_or(WRONG_LOGIN)?))
        }
        Grant::RefreshToken(form) => {
            signer.check_resources(&form.resource)?;
            let refreshed = logins::refresh(&db, &form.refresh_token, &client, &form.scopes);
            let (account, scopes, issued) = refreshed.await??;
            (account, scopes, Some(issued))
        }
        // A machine gets no refresh token: it can always log in with its secret.
        Grant::ClientCredentials(form) => {
            signer.check_resources(&form.resource)?;
            let scopes = scopes::grant(&form.scopes, client.scopes.clone())?;
            (format!("client:{}", client.id), scopes, None)
        }
    };
    let login = issued.as_ref().map(|issued| &*issued.id);
    // The claims of RFC 9068, 2.2, and the login of a person.
    let token = authority.token(&subject).issued_at(now);
    let token = token.claim("client_id", &*client.id).claim("sid", login);
    // What the account or the client may have was decided above.
    let response = token.granted(&scopes, &scopes)?.response()?;
    // Its client may not have the grant that the refresh token is for.
    Ok(match issued.filter(|_| client.may_use("refresh_token")) {
        Some(issued) => response.with_refresh_token(issued.refresh_token),
        None => response,
    })
}

/// Logs out: ends the login of a refresh token.
///
/// The response to an unknown token is the same. An access token ends with its login, and cannot be
/// revoked by itself.
#[public(reason = "the form has the token that it ends")]
#[utoipa::path(post, path = "/revoke",
    request_body(content = RevocationForm, content_type = "application/x-www-form-urlencoded"),
    responses(TokenError,
        (status = 200, description = "The token is no longer valid"),
        (status = 500, description = "The service has failed", body = TokenError),
        (status = 503, description = "Come again", body = TokenError, headers(("retry-after" = u64)))))]
pub(crate) async fn revoke(
    db: Shared<Database>,
    tokens: Shared<Tokens>,
    ClientForm { client, form }: ClientForm<RevocationForm>,
) -> Result<StatusCode> {
    let client = authenticate(&db, client).await?;
    if let Ok(token) = BearerToken::try_from(form.token.expose_secret())
        && tokens.verify(&token, SecurityScopes::NONE).await.is_ok()
    {
        let description = "an access token ends with its login";
        return Err(TokenError::unsupported_token_type(description).into());
    }
    logins::end(&db, &form.token, &client.id).await??;
    Ok(StatusCode::OK)
}

pub(crate) struct Client {
    pub(crate) id: String,
    grants: String,
    scopes: Vec<String>,
}

impl Client {
    fn may_use(&self, grant: &str) -> bool {
        self.grants.split(' ').any(|name| name == grant)
    }

    /// Returns `true` if its tokens may have a scope, by itself or by one that implies it.
    pub(crate) fn allows(&self, scope: &str) -> bool {
        Login::CONFIG.grants(&self.scopes, scope)
    }
}

/// Authenticates the client of a request.
pub(crate) async fn authenticate(db: &Database, sent: Option<Sent>) -> Result<Client> {
    let sent = Sent::require(sent)?;
    let sql = "SELECT id, grants, scopes, secret_hash FROM clients WHERE id = $1";
    // No client has any other id, which may have a NUL that PostgreSQL refuses.
    let id = if is_name(sent.client_id()) { sent.client_id() } else { "" };
    let found = sqlx::query_as(sql).bind(id).fetch_optional(&db.read).await;
    let found: Option<(_, String, String, String)> = found.map_err(Internal::from)?;
    let (id, grants, scopes, hash) = found.ok_or(sent.invalid_client())?;
    let is_authentic = match sent.client_secret() {
        Some(secret) => secrets::matches(secret, &hash),
        None => hash.is_empty(),
    };
    if !is_authentic {
        tracing::info!(client = id, "a client failed to authenticate");
        return Err(sent.invalid_client().into());
    }
    Ok(Client { id, grants, scopes: scopes.split(' ').map(str::to_owned).collect() })
}
