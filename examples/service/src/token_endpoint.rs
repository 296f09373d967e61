//! `POST /token` and `POST /revoke`: what clients ask of an authorization server.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use tollgate::secrecy::{ExposeSecret, SecretString};
use tollgate::token_endpoint::{
    ClientCredentialsGrant, ClientForm, RefreshTokenGrant, RevocationForm, TokenError,
    TokenRequest, TokenResponse,
};
use tollgate::{BearerToken, Grant, OAuth2PasswordRequestFormStrict, SecurityScopes};

use crate::App;
use crate::clients::{Client, authenticate};
use crate::limits::network;
use crate::logins::{self, Ended, Refreshed};
use crate::scopes::granted;
use crate::{accounts, signing};

/// What a client may ask for.
#[derive(Grant)]
pub(crate) enum Grant {
    Password(OAuth2PasswordRequestFormStrict),
    RefreshToken(RefreshTokenGrant),
    ClientCredentials(ClientCredentialsGrant),
}

/// Gives a client a token.
#[utoipa::path(
    post,
    path = "/token",
    request_body(content = Grant, content_type = "application/x-www-form-urlencoded"),
    responses(
        TokenError,
        (status = 200, description = "A token", body = TokenResponse),
        (status = 429, description = "Too many logins", body = TokenError, headers(("retry-after" = u64))),
        (status = 500, description = "The service has failed", body = TokenError),
    )
)]
pub(crate) async fn token(
    State(app): State<App>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    TokenRequest { client, grant }: TokenRequest<Grant>,
) -> Result<TokenResponse, TokenError> {
    let client = authenticate(&app.store, client).await?;
    client.check_grant(grant.grant_type())?;
    match grant {
        Grant::Password(form) => password(&app, network(address.ip()), client, form).await,
        Grant::RefreshToken(form) => refresh(&app, client, form).await,
        Grant::ClientCredentials(form) => machine(&app, &client, &form),
    }
}

async fn password(
    app: &App,
    network: IpAddr,
    client: Client,
    form: OAuth2PasswordRequestFormStrict,
) -> Result<TokenResponse, TokenError> {
    let account = accounts::log_in(app, network, form.username, form.password).await;
    // The log has the account, but not the name: people type their passwords there.
    let account = account.inspect_err(|error| {
        tracing::info!(
            client = client.id,
            error = error.code(),
            "a login was refused"
        );
    })?;
    let possible = client.scopes().filter(|scope| account.may(scope));
    let scopes = granted(&form.scopes, possible).ok_or_else(too_wide)?;
    let token = answer(app, &account.id, &client.id, &scopes)?;
    let login = app
        .store
        .write(move |database| logins::start(database, &account.id, network, &client.id, &scopes));
    Ok(token.with_refresh_token(login.await?))
}

async fn refresh(
    app: &App,
    client: Client,
    form: RefreshTokenGrant,
) -> Result<TokenResponse, TokenError> {
    app.signer.check(&form.resource)?;
    let id = client.id.clone();
    let refreshed = app.store.write(move |database| {
        logins::refresh(database, &form.refresh_token, &client, &form.scopes)
    });
    match refreshed.await? {
        Refreshed::Done {
            account,
            scopes,
            next,
        } => Ok(answer(app, &account, &id, &scopes)?.with_refresh_token(next)),
        Refreshed::TooWide => Err(too_wide()),
        Refreshed::Unknown => Err(unknown_token()),
        Refreshed::Replayed { account } => {
            tracing::warn!(account, client = id, "a spent refresh token came back");
            Err(unknown_token())
        }
    }
}

/// A machine has no refresh token: its secret gets it the next token.
fn machine(
    app: &App,
    client: &Client,
    form: &ClientCredentialsGrant,
) -> Result<TokenResponse, TokenError> {
    app.signer.check(&form.resource)?;
    let scopes = granted(&form.scopes, client.scopes()).ok_or_else(too_wide)?;
    answer(app, &format!("client:{}", client.id), &client.id, &scopes)
}

fn answer(
    app: &App,
    subject: &str,
    client: &str,
    scopes: &[String],
) -> Result<TokenResponse, TokenError> {
    let token: SecretString = app.signer.sign(subject, client, scopes)?;
    let answer = TokenResponse::bearer(token).with_expires_in(signing::LIFETIME);
    Ok(answer.with_scopes(scopes))
}

fn too_wide() -> TokenError {
    TokenError::invalid_scope("a scope is unknown, or more than is possible here")
}

fn unknown_token() -> TokenError {
    TokenError::invalid_grant("the refresh token is unknown, used, expired or revoked")
}

/// Logs out: ends the login of a refresh token.
///
/// A token that is not known needs no end, so it gets the same answer. An access token ends by
/// itself, after minutes.
#[utoipa::path(
    post,
    path = "/revoke",
    request_body(content = RevocationForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        TokenError,
        (status = 200, description = "The token is worth nothing any more"),
        (status = 500, description = "The service has failed", body = TokenError),
    )
)]
pub(crate) async fn revoke(
    State(app): State<App>,
    ClientForm { client, form }: ClientForm<RevocationForm>,
) -> Result<StatusCode, TokenError> {
    let client = authenticate(&app.store, client).await?;
    if let Ok(token) = BearerToken::try_from(form.token.expose_secret())
        && app
            .tokens
            .verify(&token, SecurityScopes::NONE)
            .await
            .is_ok()
    {
        return Err(TokenError::unsupported_token_type(
            "an access token ends by itself",
        ));
    }
    let ended = app
        .store
        .write(move |database| logins::end(database, &form.token, &client.id));
    match ended.await? {
        Ended::Done | Ended::Unknown => Ok(StatusCode::OK),
        Ended::OfAnotherClient => Err(TokenError::invalid_grant("the token is another client's")),
    }
}
