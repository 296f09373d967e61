//! Verified tokens: JSON Web Tokens
//! ([RFC 7519](https://www.rfc-editor.org/rfc/rfc7519)) as access tokens
//! ([RFC 9068](https://www.rfc-editor.org/rfc/rfc9068)).
//!
//! A [`TokenVerifier`] checks a token from an issuer such as Keycloak, Auth0 or Entra ID: its
//! signature, its type, issuer, audience and times, and then the scopes that the chain requires.
//! [The guide](https://docs.rs/doorward/latest/doorward/guide/verified_tokens/index.html) explains it, and [providers](https://docs.rs/doorward/latest/doorward/guide/providers/index.html)
//! has a section for each.
//!
//! ```
//! use serde::Deserialize;
//! use doorward::oauth2_bearer;
//!
//! #[derive(Deserialize)]
//! struct Claims {
//!     sub: String,
//! }
//!
//! #[oauth2_bearer(
//!     flows(client_credentials(token_url = "https://id.example.com/token")),
//!     scopes("items" = "Read items."),
//!     resource = "https://api.example.com",
//!     verified = Claims
//! )]
//! struct Api;
//! ```
//!
//! The verifier is built when the service starts, and installed as a [`Shared`](doorward_core::Shared)
//! value, where the scheme finds it:
//!
//! ```no_run
//! # #[cfg(feature = "reqwest013")]
//! # async fn start() -> Result<(), doorward::jwt::BuildError> {
//! # use doorward::jwt::TokenVerifier;
//! # type Tokens = TokenVerifier<serde_json::Value>;
//! let tokens = Tokens::discover("https://id.example.com/realms/main", reqwest::Client::new())
//!     .audience("https://api.example.com")
//!     .build()
//!     .await?;
//! # Ok(())
//! # }
//! ```
//!
//! A service that signs its tokens itself has a [`TokenAuthority`], which also verifies them.

pub(crate) mod algorithm;
pub(crate) mod asked;
pub(crate) mod backend;
pub(crate) mod builder;
pub(crate) mod claim_names;
pub(crate) mod explanation;
pub(crate) mod finding;
pub(crate) mod issuers;
pub(crate) mod jose;
pub(crate) mod key_findings;
pub(crate) mod key_setup;
pub(crate) mod key_sources;
pub(crate) mod keys;
pub(crate) mod pasted;
pub(crate) mod public_key;
pub(crate) mod remote;
pub(crate) mod rules;
pub(crate) mod said;
pub(crate) mod verifier;
pub(crate) mod verifier_settings;

pub use self::algorithm::Algorithm;
pub use self::builder::TokenVerifierBuilder;
pub use self::issuers::Issuers;
pub use self::verifier::TokenVerifier;
pub use self::verifier_settings::VerifierSettings;
pub use crate::authority::{SigningKey, TokenAuthority, TokenAuthorityBuilder, UnsignedToken};
pub use crate::build_error::BuildError;
pub use crate::memory::Remembered;
pub use crate::refuse_if::IsRefused;
