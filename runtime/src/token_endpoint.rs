//! The token endpoint: client credentials, responses and errors
//! ([RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)).

mod basic;
pub(crate) mod client;
pub(crate) mod error;
#[cfg(feature = "http-body")]
pub(crate) mod read;
pub(crate) mod response;
