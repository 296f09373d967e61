//! Comparison of secrets.

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
