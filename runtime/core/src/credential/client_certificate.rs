//! The certificate of a client.

use bytes::Bytes;

use crate::syntax::debug_text::debug_only;

/// The certificate that a client has shown in the TLS handshake.
///
/// The program that accepts connections attaches it to each request: to the extensions of the
/// `http` crate's requests and of actix-web's, or to its connection there, and in Rocket to the
/// local cache, in an `Option`.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientCertificate(Bytes);

impl ClientCertificate {
    /// Creates it from the DER encoding of the client's own certificate, without the certificates
    /// that signed it ([RFC 5280, 4.1](https://www.rfc-editor.org/rfc/rfc5280#section-4.1)).
    #[must_use]
    pub fn from_der(der: impl Into<Bytes>) -> Self {
        Self(der.into())
    }

    /// Returns the DER encoding.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.0
    }
}

debug_only!([] ClientCertificate {});
