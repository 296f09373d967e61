//! `POST /introspect`: other services of the same client ask whether its token is still good
//! ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662)).
//!
//! They could verify the signature themselves. However, only this service knows whether the client
//! was revoked in the meantime.

use axum::http::header::{CACHE_CONTROL, PRAGMA};
use axum::response::{IntoResponse, Result};
use axum::{Json, http::HeaderName};
use doorward::token_endpoint::{ClientForm, TokenError};
use doorward::{BearerToken, RequestForm, SecurityScopes, Shared, public};
use doorward::{secrecy::ExposeSecret, secrecy::SecretString};
use serde_json::json;

use crate::scopes::{Tokens, is_live};
use crate::token_endpoint::authenticate;
use crate::{database::Database, signing::Signer};

#[derive(RequestForm)]
pub(crate) struct IntrospectionForm {
    token: SecretString,
}

const NO_STORE: [(HeaderName, &str); 2] = [(CACHE_CONTROL, "no-store"), (PRAGMA, "no-cache")];

/// Says whether a token is active, to the client whose token it is.
///
/// To any other client, and about a refresh token, the answer is that it is not. So no client can try
/// out the tokens of another one.
#[public(reason = "the form has the client and the token")]
#[utoipa::path(post, path = "/introspect",
    request_body(content = IntrospectionForm, content_type = "application/x-www-form-urlencoded"),
    responses(TokenError,
        (status = 200, description = "Whether the token is active", body = serde_json::Value),
        (status = 500, description = "The service has failed", body = TokenError),
        (status = 503, description = "Come again", body = TokenError, headers(("retry-after" = u64)))))]
pub(crate) async fn introspect(
    db: Shared<Database>,
    tokens: Shared<Tokens>,
    signer: Shared<Signer>,
    ClientForm { client: sent, form }: ClientForm<IntrospectionForm>,
) -> Result<impl IntoResponse> {
    let has_secret = sent.as_ref().is_some_and(|sent| sent.client_secret().is_some());
    let client = authenticate(&db, sent).await?;
    if !has_secret {
        // Any caller can name a public client.
        return Err(TokenError::invalid_client_with_challenge().into());
    }
    let inactive = Json(json!({ "active": false }));
    // A refresh token is not signed.
    let Ok(token) = BearerToken::try_from(form.token.expose_secret()) else {
        return Ok((NO_STORE, inactive));
    };
    let verified = match tokens.verify(&token, SecurityScopes::NONE).await {
        Err(error) if error.status().is_server_error() => return Err(error.into()),
        verified => verified.ok().filter(|claims| claims.client_id == client.id),
    };
    let Some(claims) = verified else {
        return Ok((NO_STORE, inactive));
    };
    if !is_live(&db, &claims).await? {
        return Ok((NO_STORE, inactive));
    }
    let answer = json!({
        "active": true,
        "token_type": "Bearer",
        "iss": signer.url,
        "aud": signer.url,
        "sub": claims.sub,
        "client_id": claims.client_id,
        "scope": claims.scopes().join(" "),
        "exp": claims.exp,
    });
    Ok((NO_STORE, Json(answer)))
}
