//! The token endpoint ([RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)): a
//! request of a client, and its responses and errors.
//!
//! [`TokenRequest`] is an extractor for the forms of `#[derive(Grant)]`, together with the client
//! that sends them. [`TokenResponse`] and [`TokenError`] are the answers.

mod basic;
pub(crate) mod client;
pub(crate) mod error;
pub(crate) mod form;
#[cfg(feature = "http-body")]
pub(crate) mod read;
pub(crate) mod response;

pub use self::client::{Client, ClientAuthentication};
pub use self::error::TokenError;
pub use self::form::{ClientForm, TokenRequest};
#[cfg(feature = "http-body")]
pub use self::read::read_client;
pub use self::response::{ExtraMember, TokenResponse};
#[cfg(feature = "pkce")]
pub use crate::form::code_verifier::CodeVerifier;
#[cfg(feature = "pkce")]
pub use crate::form::ready_made::AuthorizationCodeGrant;
pub use crate::form::ready_made::{ClientCredentialsGrant, RefreshTokenGrant, RevocationForm};
