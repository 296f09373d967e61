//! Tokens of a real issuer that are bound to a key of the client, verified on every framework.

use doorward::jwt::{BuildError, TokenVerifier};
use doorward::verify::KeyBound;
use doorward::{Shared, http_bearer};

use crate::jwt::{Claims, Settings};

/// Takes tokens with a proof, and others without.
#[http_bearer(
    dpop,
    scopes("items" = "Read items."),
    resource = "https://api.example.com",
    verified = Claims,
    by = Tokens
)]
pub struct Dpop;

/// The verifier of the tokens and their proofs.
pub type Tokens = KeyBound<TokenVerifier<Claims>>;

/// Creates the verifier, which may refuse tokens that are not bound.
///
/// # Errors
///
/// Returns an error if the metadata of the issuer cannot be fetched or is another issuer's.
pub async fn verifier(settings: Settings, is_required: bool) -> Result<Shared<Tokens>, BuildError> {
    let tokens = KeyBound::new(settings.build().await?, "https://api.example.com")?;
    Ok(Shared::new(if is_required { tokens.required() } else { tokens }))
}
