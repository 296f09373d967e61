//! Opaque tokens of a real issuer, which is asked about each, on every framework.

use doorward::verify::{BuildError, ClientLogin, Introspection, Verified};
use doorward::{Shared, http_bearer};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::shown::Shown;

/// Takes tokens that only the issuer can read.
#[http_bearer(
    scopes("items" = "Read items."),
    realm = "doorward",
    verified = Claims,
    by = Tokens
)]
pub struct Opaque;

/// The claims that are needed. A client that gets a token for itself has no `sub` at some issuers.
#[derive(Debug, Deserialize)]
pub struct Claims {
    sub: Option<String>,
    client_id: Option<String>,
}

/// The verifier of the tokens.
pub type Tokens = Introspection<Claims>;

/// An active token for this service.
pub type Caller = Verified<Claims>;

impl Shown for Caller {
    fn shown(&self) -> Value {
        let sub = self.sub.as_ref().or(self.client_id.as_ref());
        json!({ "sub": sub, "scopes": self.scopes() })
    }
}

/// How a verifier is set up.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The URL of the introspection endpoint.
    pub url: String,
    /// The identifier of the client that asks, and its secret, with a colon between them.
    pub client: String,
    /// A client whose tokens are taken, instead of those for the audience.
    pub client_id: Option<String>,
}

impl Settings {
    /// Creates the verifier.
    ///
    /// # Errors
    ///
    /// Returns an error if the endpoint is not a URL.
    pub fn verifier(self) -> Result<Shared<Tokens>, BuildError> {
        let (id, secret) = self.client.split_once(':').unwrap_or((&self.client, ""));
        let tokens = Tokens::at(self.url, ClientLogin::basic(id, secret));
        let tokens = match self.client_id {
            Some(client_id) => tokens.client_id(client_id),
            None => tokens.audience("https://api.example.com"),
        };
        Ok(Shared::new(tokens.build()?))
    }
}

/// The verifiers of a server, as far as it has an issuer.
#[derive(Clone, Debug, Default)]
pub struct Verifiers {
    /// That of JSON Web Tokens.
    pub jwt: Option<Shared<crate::jwt::Tokens>>,
    /// That of opaque tokens.
    pub opaque: Option<Shared<Tokens>>,
    /// That of tokens with a proof.
    pub dpop: Option<Shared<crate::bound::Tokens>>,
}
