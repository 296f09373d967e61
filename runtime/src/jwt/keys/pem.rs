//! Public keys in PEM ([RFC 7468, 13](https://www.rfc-editor.org/rfc/rfc7468#section-13)).

use jsonwebtoken::DecodingKey;

use crate::jwt::algorithm::Algorithm;
use crate::jwt::backend::backend;
use crate::jwt::keys::rsa::rsa_key;
use crate::jwt::keys::{Key, USABLE, ed25519};
use crate::jwt::pasted::instead_of_pem;

/// Reads each key of a PEM, of which there may be several, one below the other.
///
/// # Errors
///
/// Returns what is wrong with the PEM, as the end of a sentence. One key that cannot be read is
/// enough.
pub(super) fn keys(pem: &[u8]) -> Result<Vec<Key>, String> {
    if let Some(pasted) = instead_of_pem(pem) {
        return Err(pasted.to_owned());
    }
    let text = String::from_utf8_lossy(pem);
    let begins = text.match_indices("-----BEGIN").map(|(begin, _)| begin);
    let begins = Vec::from_iter(begins);
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    let mut keys = Vec::new();
    for (number, (begin, end)) in (1..).zip(begins.iter().zip(ends)) {
        let one = text.get(*begin..end).unwrap_or_default();
        match key(one.as_bytes())? {
            Some(key) => keys.push(key),
            None if begins.len() > 1 => {
                return Err(format!("has no key as its part {number}; {USABLE}"));
            }
            None => return Err(format!("has no public key for signatures; {USABLE}")),
        }
    }
    if keys.is_empty() { Err(format!("is no PEM of a public key; {USABLE}")) } else { Ok(keys) }
}

fn key(pem: &[u8]) -> Result<Option<Key>, String> {
    if let Ok(key) = DecodingKey::from_rsa_pem(pem) {
        let components =
            |der: &[u8]| (backend().ok()?.key_utils.rsa_pub_components_from_public_key)(der).ok();
        let Some((modulus, exponent)) = key.try_get_as_bytes().ok().and_then(components) else {
            return Ok(None);
        };
        let key = rsa_key(&modulus, &exponent)?;
        return Ok(Some(Key::public(None, Algorithm::RSA.to_vec(), key)));
    }
    let ec = || {
        let key = DecodingKey::from_ec_pem(pem).ok()?;
        // An uncompressed point: a byte, and two coordinates.
        let algorithm = match key.try_get_as_bytes().ok()?.len() {
            65 => Algorithm::Es256,
            97 => Algorithm::Es384,
            _ => return None,
        };
        Some(Key::public(None, vec![algorithm], key))
    };
    let ed = || {
        let key = DecodingKey::from_ed_pem(pem).ok()?;
        let x = key.try_get_as_bytes().ok()?.try_into().ok()?;
        ed25519::is_usable(x).then(|| Key::public(None, vec![Algorithm::EdDsa], key))
    };
    Ok(ec().or_else(ed))
}
