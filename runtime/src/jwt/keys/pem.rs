//! Public keys in PEM ([RFC 7468, 13](https://www.rfc-editor.org/rfc/rfc7468#section-13)).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
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
        match key(one)? {
            Some(key) => keys.push(key),
            None if begins.len() > 1 => {
                return Err(format!("has no key as its part {number}; {USABLE}"));
            }
            None => return Err(format!("has no public key for signatures; {USABLE}")),
        }
    }
    if keys.is_empty() { Err(format!("is no PEM of a public key; {USABLE}")) } else { Ok(keys) }
}

fn key(pem: &str) -> Result<Option<Key>, String> {
    let Some(der) = der(pem) else {
        return Ok(None);
    };
    // Some tools write a key of any type under the name of an RSA key, which one backend takes.
    let pem = match is_of_any_type(&der) {
        true => pem.replace("RSA PUBLIC KEY", "PUBLIC KEY"),
        false => pem.to_owned(),
    };
    let pem = pem.as_bytes();
    if let Ok(key) = DecodingKey::from_rsa_pem(pem) {
        let components =
            |der: &[u8]| (backend().ok()?.key_utils.rsa_pub_components_from_public_key)(der).ok();
        let Some((modulus, exponent)) = key.try_get_as_bytes().ok().and_then(components) else {
            return Ok(None);
        };
        let key = rsa_key(&modulus, &exponent);
        let key = key.map_err(|why| format!("has a key that cannot be used: {why}"))?;
        return Ok(Some(Key::public(None, Algorithm::RSA.to_vec(), key)));
    }
    let ec = || {
        let key = DecodingKey::from_ec_pem(pem).ok()?;
        let is_of = |curve: &[u8]| der.windows(curve.len()).any(|found| found == curve);
        // An uncompressed point is a byte, and two coordinates. Other curves have points of the same
        // length.
        let algorithm = match key.try_get_as_bytes().ok()?.len() {
            65 if is_of(&P_256) => Algorithm::Es256,
            97 if is_of(&P_384) => Algorithm::Es384,
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

/// How a key names its curve: `id-ecPublicKey`, and the curve
/// ([RFC 5480, 2.1.1](https://www.rfc-editor.org/rfc/rfc5480#section-2.1.1)).
const P_256: [u8; 19] =
    *b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07";
const P_384: [u8; 16] = *b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22";

/// Returns the bytes of a PEM with one key.
fn der(pem: &str) -> Option<Vec<u8>> {
    let (_, rest) = pem.split_once("-----BEGIN")?;
    let (_, rest) = rest.split_once("-----")?;
    let (body, _) = rest.split_once("-----END")?;
    let body: String = body.split_whitespace().collect();
    STANDARD.decode(body).ok()
}

/// Returns `true` if a key says of which type it is
/// ([RFC 5280, 4.1](https://www.rfc-editor.org/rfc/rfc5280#section-4.1)): its first part is a
/// sequence, where that of an RSA key is a number.
fn is_of_any_type(der: &[u8]) -> bool {
    const SEQUENCE: u8 = 0x30;
    let header = match der {
        [SEQUENCE, length @ 0x80..=0xff, ..] => usize::from(length & 0x7f).saturating_add(2),
        [SEQUENCE, ..] => 2,
        _ => return false,
    };
    der.get(header) == Some(&SEQUENCE)
}
