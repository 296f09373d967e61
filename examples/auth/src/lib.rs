//! What the services of one house share: the claims, the scopes, and the scheme.

use doorward::{http_bearer, verify::Verified};

/// The claims that our services read.
#[derive(serde::Deserialize)]
pub struct Claims {
    /// The user.
    pub sub: String,
}

/// Tokens of our users.
#[http_bearer(
    scopes("orders" = "Order.", "stock" = "Read the stock."),
    verified = Claims,
)]
pub struct Api;

/// The caller, for the handlers of each service.
pub type Caller = Verified<Claims>;
