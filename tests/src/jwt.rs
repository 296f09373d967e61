//! Tokens of a real issuer, verified on every framework: by a scheme, and by a dependency.

use std::time::Duration;

use doorward::jwt::{BuildError, TokenVerifier};
use doorward::verify::{Verified, VerifyError};
use doorward::{BearerToken, SecurityScopes, Shared, dependency, http_bearer, oauth2_bearer};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::live;
use crate::shown::Shown;

/// Takes tokens that clients get for themselves.
#[oauth2_bearer(
    flows(client_credentials(token_url = "https://id.example.com/token")),
    scopes(
        "me" = "Read information about the current user.",
        "items" = "Read items."
    ),
    realm = "doorward"
)]
pub struct Issued;

/// Verifies the same tokens itself.
#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
pub struct One;

/// The claims that are needed.
#[derive(Debug, Deserialize)]
pub struct Claims {
    sub: String,
    #[serde(flatten)]
    others: Map<String, Value>,
}

/// The verifier of the tokens.
pub type Tokens = TokenVerifier<Claims>;

/// A token whose signature and claims are right.
pub type Caller = Verified<Claims>;

/// Takes a token that the issuer has signed.
///
/// # Errors
///
/// Returns an error if the token is invalid, does not grant the required scopes, or cannot be
/// verified now.
#[dependency]
pub async fn caller(
    #[security(Issued)] token: BearerToken,
    scopes: SecurityScopes,
    tokens: Shared<Tokens>,
) -> Result<Caller, VerifyError> {
    tokens.verify(&token, scopes).await
}

/// Requires `me`.
#[dependency]
#[must_use]
pub const fn user(#[security(caller, scopes("me"))] caller: Caller) -> Caller {
    caller
}

impl Shown for Caller {
    fn shown(&self) -> Value {
        json!({ "sub": self.sub, "scopes": self.scopes() })
    }
}

/// How a verifier is set up. What is not set stays at its default.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The issuer, whose metadata says where its keys are.
    pub issuer: String,
    /// Whom the tokens are for.
    pub audience: String,
    /// The `typ` of the tokens, or `any`.
    pub token_type: Option<String>,
    /// The bytes of tokens that are remembered.
    pub remember: Option<usize>,
    /// The time between two fetches of the keys at least.
    pub cool_down: Option<Duration>,
    /// How long old keys are used while none can be fetched.
    pub stale_if_error: Option<Duration>,
    /// How far clocks may differ.
    pub leeway: Option<Duration>,
    /// A claim without which a token is refused.
    pub requires: Option<String>,
}

impl Settings {
    /// Creates the verifier, as a shared value.
    ///
    /// # Errors
    ///
    /// Same as [`build`](Self::build).
    pub async fn verifier(self) -> Result<Shared<Tokens>, BuildError> {
        self.build().await.map(Shared::new)
    }

    /// Creates the verifier.
    ///
    /// # Errors
    ///
    /// Returns an error if the metadata of the issuer cannot be fetched or is another issuer's.
    pub async fn build(self) -> Result<Tokens, BuildError> {
        let mut tokens = Tokens::discover(self.issuer, reqwest::Client::new());
        tokens = tokens.audience(self.audience);
        if let Some(token_type) = self.token_type {
            tokens = match &*token_type {
                "any" => tokens.any_token_type(),
                _ => tokens.token_type(token_type),
            };
        }
        if let Some(remember) = self.remember {
            tokens = tokens.remember(remember);
        }
        if let Some(cool_down) = self.cool_down {
            tokens = tokens.cool_down(cool_down);
        }
        if let Some(stale_if_error) = self.stale_if_error {
            tokens = tokens.stale_if_error(stale_if_error);
        }
        if let Some(leeway) = self.leeway {
            tokens = tokens.leeway(leeway);
        }
        if let Some(claim) = self.requires {
            tokens = tokens.refuse_if(move |claims| !claims.others.contains_key(&claim));
        }
        let tokens = tokens.refuse_if(|claims| live::is_refused(&claims.sub));
        tokens.build().await
    }
}
