//! A scheme with complete challenges, and a token whose name says what it grants.

use doorward::metadata::ResourceMetadata;
use doorward::scheme::SettingError;
use doorward::{
    BearerError, BearerToken, SecurityScopes, dependency, oauth2_authorization_code_bearer,
};
use serde_json::{Value, json};

use crate::shown::Shown;

/// Takes tokens from an authorization server.
#[oauth2_authorization_code_bearer(
    authorization_url = "https://id.example.com/authorize",
    token_url = "https://id.example.com/token",
    scopes(
        "me" = "Read information about the current user.",
        "items" = "Read items.",
        "offline_access" = "Keep access."
    ),
    realm = "doorward",
    resource = "https://api.example.com/v1",
    authorization_servers("https://id.example.com")
)]
pub struct Api;

/// The scopes that a token grants.
#[derive(Clone, Debug)]
pub struct Granted(pub Vec<String>);

impl Shown for Granted {
    fn shown(&self) -> Value {
        json!({ "scopes": self.0 })
    }
}

/// Takes the token `good:me,items`, which grants these scopes. Any other is invalid.
///
/// # Errors
///
/// Returns an error if the token is invalid, or does not grant the required scopes.
#[dependency]
pub fn granted(
    #[security(Api)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<Granted, BearerError> {
    let Some(granted) = token.as_str().strip_prefix("good:") else {
        return Err(scopes.invalid_token());
    };
    let granted: Vec<_> = granted.split(',').map(str::to_owned).collect();
    scopes.check(&granted)?;
    Ok(Granted(granted))
}

/// Requires `me`.
#[dependency]
#[must_use]
pub const fn user(#[security(granted, scopes("me"))] granted: Granted) -> Granted {
    granted
}

/// Returns the metadata of the resource.
///
/// # Errors
///
/// Never, because the resource is known at compile time.
pub fn metadata() -> Result<ResourceMetadata, SettingError> {
    Ok(ResourceMetadata::of::<Api>()?.with_resource_name("Conformance"))
}
