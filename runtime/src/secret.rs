//! Secrets: their comparison, and their decoding without traces.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

/// Compares two secrets in a time that depends only on their lengths.
///
/// ```
/// use tollgate::{secret_eq, secrecy::SecretString};
///
/// assert!(secret_eq(&SecretString::from("hunter2"), "hunter2"));
/// ```
#[must_use]
pub fn secret_eq(secret: &SecretString, expected: &str) -> bool {
    is_same(secret.expose_secret(), expected)
}

/// Like [`secret_eq`], for a secret that is in a request's own buffer.
pub(crate) fn is_same(secret: &str, expected: &str) -> bool {
    secret.as_bytes().ct_eq(expected.as_bytes()).into()
}

/// Decodes canonical, padded base64 ([RFC 4648, 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
/// What is decoded is wiped when it is dropped, even if the rest is malformed.
pub(crate) fn decode_base64(encoded: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let length = base64::decoded_len_estimate(encoded.len());
    let mut decoded = Zeroizing::new(vec![0; length]);
    let length = STANDARD.decode_slice(encoded, &mut decoded).ok()?;
    decoded.truncate(length);
    Some(decoded)
}
