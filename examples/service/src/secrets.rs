//! Random secrets, and the hashes that are stored of them.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use doorward::secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::error::Result;

/// Returns 256 random bits, in characters that need no encoding anywhere.
pub(crate) fn random() -> Result<SecretString> {
    Ok(random_id()?.into())
}

/// Returns 256 random bits for an identifier, which is unique but not secret.
pub(crate) fn random_id() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Hashes a random secret. A fast hash is enough, because nobody can guess 256 random bits. A
/// password needs a slow one: `passwords.rs`.
pub(crate) fn hash(secret: &SecretString) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(secret.expose_secret()))
}

/// Compares a secret with a stored hash, in constant time.
pub(crate) fn matches(secret: &SecretString, hash_of_right: &str) -> bool {
    doorward::secret_eq(hash(secret), hash_of_right)
}
