//! Public keys in PEM ([RFC 7468, 13](https://www.rfc-editor.org/rfc/rfc7468#section-13)).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::jwt::keys::{Key, USABLE};
use crate::jwt::pasted::instead_of_pem;
use crate::jwt::public_key::PublicKey;

/// Reads each key of a PEM, of which there may be several, one below the other.
///
/// # Errors
///
/// Returns what is wrong with the PEM, as the end of a sentence. One key that cannot be read is
/// enough.
pub(crate) fn keys(pem: &[u8]) -> Result<Vec<Key>, String> {
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
        match der(one).as_deref().and_then(public_key) {
            Some(key) => {
                let key = key.and_then(|key| Key::public(None, key.algorithms().to_vec(), &key));
                keys.push(key.map_err(|why| format!("has a key that cannot be used: {why}"))?);
            }
            None if begins.len() > 1 => {
                return Err(format!("has no key as its part {number}; {USABLE}"));
            }
            None => return Err(format!("has no public key for signatures; {USABLE}")),
        }
    }
    if keys.is_empty() { Err(format!("is no PEM of a public key; {USABLE}")) } else { Ok(keys) }
}

/// Returns the bytes of a PEM with one key.
pub(crate) fn der(pem: &str) -> Option<Vec<u8>> {
    let (_, rest) = pem.split_once("-----BEGIN")?;
    let (_, rest) = rest.split_once("-----")?;
    let (body, _) = rest.split_once("-----END")?;
    let body: String = body.split_whitespace().collect();
    STANDARD.decode(body).ok()
}

const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const SEQUENCE: u8 = 0x30;

/// How a key names its type: `rsaEncryption`
/// ([RFC 3279, 2.3.1](https://www.rfc-editor.org/rfc/rfc3279#section-2.3.1)), `id-ecPublicKey` with
/// the curve ([RFC 5480, 2.1.1](https://www.rfc-editor.org/rfc/rfc5480#section-2.1.1)), and
/// `id-Ed25519` ([RFC 8410, 3](https://www.rfc-editor.org/rfc/rfc8410#section-3)).
const RSA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";
const P_256: &[u8] =
    b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07";
const P_384: &[u8] = b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22";
const ED25519: &[u8] = b"\x06\x03\x2b\x65\x70";

/// Returns the key of a DER, which may also be in a certificate. Only what is in it says what it is,
/// because some tools write a key of any type under the name of an RSA key.
fn public_key(der: &[u8]) -> Option<Result<PublicKey, String>> {
    let [(SEQUENCE, key)] = *elements(der)? else {
        return None;
    };
    match *elements(key)? {
        // `RSAPublicKey` (RFC 8017, A.1.1)
        [(INTEGER, modulus), (INTEGER, exponent)] => Some(PublicKey::rsa(modulus, exponent)),
        // `Certificate` (RFC 5280, 4.1)
        [(SEQUENCE, signed), (SEQUENCE, _), (BIT_STRING, _)] => {
            let parts = elements(signed)?;
            let mut sequences = parts.iter().filter(|(tag, _)| *tag == SEQUENCE);
            sequences.find_map(|(_, part)| key_of_any_type(part))
        }
        _ => key_of_any_type(key),
    }
}

/// Returns the key of a `SubjectPublicKeyInfo`
/// ([RFC 5280, 4.1](https://www.rfc-editor.org/rfc/rfc5280#section-4.1)).
fn key_of_any_type(info: &[u8]) -> Option<Result<PublicKey, String>> {
    let [(SEQUENCE, key_type), (BIT_STRING, [0, key @ ..])] = *elements(info)? else {
        return None;
    };
    match (key_type, key) {
        (P_256, [4, ..]) => Some(Ok(PublicKey::P256(key.try_into().ok()?))),
        (P_384, [4, ..]) => Some(Ok(PublicKey::P384(key.try_into().ok()?))),
        (ED25519, _) => Some(PublicKey::ed25519(key.try_into().ok()?)),
        _ if key_type.starts_with(RSA) => {
            let [(SEQUENCE, numbers)] = *elements(key)? else {
                return None;
            };
            match *elements(numbers)? {
                [(INTEGER, modulus), (INTEGER, exponent)] => {
                    Some(PublicKey::rsa(modulus, exponent))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Splits DER into its elements, each with its tag (X.690, 8.1). None is as long as 64 KiB.
fn elements(mut der: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let mut elements = Vec::new();
    while !der.is_empty() {
        let (tag, length, rest) = match der {
            [tag, 0x82, high, low, rest @ ..] => {
                (*tag, usize::from(u16::from_be_bytes([*high, *low])), rest)
            }
            [tag, 0x81, length, rest @ ..] | [tag, length @ ..=0x7f, rest @ ..] => {
                (*tag, usize::from(*length), rest)
            }
            _ => return None,
        };
        let (contents, rest) = rest.split_at_checked(length)?;
        elements.push((tag, contents));
        der = rest;
    }
    Some(elements)
}
