//! Secrets that this service makes, and what it keeps of them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use tollgate::secrecy::{ExposeSecret, SecretString};

use crate::error::Internal;

/// Makes a secret of 256 random bits, out of characters that need no encoding anywhere.
pub(crate) fn random() -> Result<SecretString, Internal> {
    Ok(random_id()?.into())
}

/// Makes as many random bits for what is no secret: nobody has had the same.
pub(crate) fn random_id() -> Result<String, Internal> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Hashes a secret that a machine has made. A fast hash is enough, because nobody can guess 256
/// random bits. A password needs a slow one: `passwords.rs`.
pub(crate) fn hash(secret: &SecretString) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(secret.expose_secret()))
}

/// Compares a secret with the hash of the right one, in constant time.
pub(crate) fn is_hashed_as(secret: &SecretString, expected: &str) -> bool {
    tollgate::verify::secret_eq(hash(secret), expected)
}
