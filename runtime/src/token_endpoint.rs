//! The token endpoint: forms with their client, client credentials, responses and errors
//! ([RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)).

mod basic;
pub(crate) mod client;
pub(crate) mod error;
pub(crate) mod form;
#[cfg(feature = "http-body")]
pub(crate) mod read;
pub(crate) mod response;
