//! The keys of an issuer, each with the algorithms that it is for
//! ([RFC 7517](https://www.rfc-editor.org/rfc/rfc7517)).

mod ed25519;
mod rsa;

use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::DecodingKey;
use jsonwebtoken::crypto::CryptoProvider;
use serde::Deserialize;
use serde_json::Value;

use self::rsa::rsa_key;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::backend::backend;
use crate::jwt::jose::Jose;
use crate::jwt::reason::Reason;

/// A set of keys.
pub(super) struct KeySet {
    keys: Vec<Key>,
}

pub(super) struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

/// The number of keys of a set that are looked at. No issuer has as many.
const MAX_KEYS: usize = 100;

/// The number of keys that a token without a key's name is tried with.
const MAX_TRIED: usize = 16;

/// A key as JSON. Private parts are never looked at.
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl KeySet {
    /// Reads a JWK Set. Keys that are not for signatures, of an unknown type or of values that not
    /// every backend can use are left out, as
    /// [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5) has it, so the set may be
    /// empty. Returns `None` if this is not a JWK Set.
    pub(super) fn read(json: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Set {
            keys: Vec<Value>,
        }
        let set: Set = serde_json::from_slice(json).ok()?;
        let keys =
            set.keys.into_iter().filter_map(|key| Key::of_json(&key)).take(MAX_KEYS).collect();
        Some(Self { keys })
    }

    /// Returns the set of a public key in PEM. Its type says what it is for.
    pub(super) fn of_pem(pem: &[u8]) -> Option<Self> {
        let rsa = || {
            let key = DecodingKey::from_rsa_pem(pem).ok()?;
            let components = backend().ok()?.key_utils.rsa_pub_components_from_public_key;
            let (modulus, exponent) = components(key.try_get_as_bytes().ok()?).ok()?;
            Some((Algorithm::RSA.to_vec(), rsa_key(&modulus, &exponent)?))
        };
        let ec = || {
            let key = DecodingKey::from_ec_pem(pem).ok()?;
            // An uncompressed point: a byte, and two coordinates.
            let algorithm = match key.try_get_as_bytes().ok()?.len() {
                65 => Algorithm::Es256,
                97 => Algorithm::Es384,
                _ => return None,
            };
            Some((vec![algorithm], key))
        };
        let ed = || {
            let key = DecodingKey::from_ed_pem(pem).ok()?;
            let x = key.try_get_as_bytes().ok()?.try_into().ok()?;
            ed25519::is_usable(x).then(|| (vec![Algorithm::EdDsa], key))
        };
        let (algorithms, key) = rsa().or_else(ec).or_else(ed)?;
        Some(Self::of(algorithms, key))
    }

    /// Returns the set of a shared secret, for the algorithms for which it is long enough.
    pub(super) fn of_secret(secret: &[u8]) -> Option<Self> {
        let is_enough = |algorithm: &Algorithm| {
            algorithm.secret_bytes().is_some_and(|bytes| secret.len() >= bytes)
        };
        let algorithms = Vec::from_iter(Algorithm::ALL.into_iter().filter(is_enough));
        (!algorithms.is_empty()).then(|| Self::of(algorithms, DecodingKey::from_secret(secret)))
    }

    /// Returns the set of these keys.
    pub(super) const fn of_keys(keys: Vec<Key>) -> Self {
        Self { keys }
    }

    fn of(algorithms: Vec<Algorithm>, key: DecodingKey) -> Self {
        let id = None;
        Self { keys: vec![Key { id, algorithms, key }] }
    }

    /// Returns `true` if no key is for signatures.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the algorithms that the keys are for.
    pub(super) fn algorithms(&self) -> impl Iterator<Item = Algorithm> {
        self.keys.iter().flat_map(|key| &key.algorithms).copied()
    }

    /// Checks the signature of a token.
    pub(super) fn verify(&self, token: &Jose<'_>) -> Result<(), Reason> {
        let id = token.key_id.as_deref();
        let named = |key: &&Key| id.is_some() && key.id.as_deref() == id;
        let is_named = self.keys.iter().any(|key| named(&key));
        // A key without an id may be meant by any token, and a token without one may mean any key.
        let unnamed = |key: &&Key| id.is_none() || key.id.is_none();
        let mut candidates = self
            .keys
            .iter()
            .filter(|key| if is_named { named(key) } else { unnamed(key) })
            .take(MAX_TRIED);
        if candidates.any(|key| key.verifies(token)) {
            Ok(())
        } else if is_named {
            Err(Reason::Signature)
        } else {
            Err(Reason::UnknownKey)
        }
    }
}

impl Key {
    /// Reads a key as JSON. Returns `None` if it is not for signatures that can be checked.
    pub(super) fn of_json(jwk: &Value) -> Option<Self> {
        let jwk = Jwk::deserialize(jwk).ok()?;
        let is_for_signatures = jwk.usage.as_deref().is_none_or(|usage| usage == "sig");
        let may_verify = jwk
            .key_ops
            .as_ref()
            .is_none_or(|operations| operations.iter().any(|operation| operation == "verify"));
        if !is_for_signatures || !may_verify {
            return None;
        }
        let (mut algorithms, key) = match (&*jwk.kty, jwk.crv.as_deref()) {
            ("RSA", _) => {
                let key = rsa_key(&decoded(jwk.n)?, &decoded(jwk.e)?)?;
                (Algorithm::RSA.to_vec(), key)
            }
            ("EC", Some("P-256")) => (vec![Algorithm::Es256], point::<32>(jwk.x, jwk.y)?),
            ("EC", Some("P-384")) => (vec![Algorithm::Es384], point::<48>(jwk.x, jwk.y)?),
            ("OKP", Some("Ed25519")) => {
                // The backends take the length for granted.
                let x: [u8; 32] = decoded(jwk.x)?.try_into().ok()?;
                if !ed25519::is_usable(&x) {
                    return None;
                }
                (vec![Algorithm::EdDsa], DecodingKey::from_ed_der(&x))
            }
            _ => return None,
        };
        if let Some(name) = &jwk.alg {
            let only = Algorithm::named(name)?;
            algorithms.retain(|algorithm| *algorithm == only);
        }
        (!algorithms.is_empty()).then_some(Self { id: jwk.kid, algorithms, key })
    }

    /// Returns the key of a shared secret, for one algorithm.
    pub(super) fn of_secret(id: Option<String>, algorithm: Algorithm, secret: &[u8]) -> Self {
        Self { id, algorithms: vec![algorithm], key: DecodingKey::from_secret(secret) }
    }

    fn verifies(&self, token: &Jose<'_>) -> bool {
        let is_right = |backend: &CryptoProvider| {
            let verifier = (backend.verifier_factory)(&token.algorithm.of_backend(), &self.key);
            verifier.is_ok_and(|verifier| verifier.verify(token.message, &token.signature).is_ok())
        };
        self.algorithms.contains(&token.algorithm)
            && rsa::is_in_range(&token.signature, &self.key)
            && backend().is_ok_and(is_right)
    }
}

/// Decodes a value: base64url without padding, and nothing else
/// ([RFC 7515, 2](https://www.rfc-editor.org/rfc/rfc7515#section-2)).
fn decoded(component: Option<String>) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(component?).ok()
}

/// Returns the key of a point whose coordinates have this many bytes
/// ([RFC 7518, 6.2.1.2](https://www.rfc-editor.org/rfc/rfc7518#section-6.2.1.2)).
fn point<const BYTES: usize>(x: Option<String>, y: Option<String>) -> Option<DecodingKey> {
    let x: [u8; BYTES] = decoded(x)?.try_into().ok()?;
    let y: [u8; BYTES] = decoded(y)?.try_into().ok()?;
    // Not compressed (SEC 1, 2.3.3).
    Some(DecodingKey::from_ec_der(&[&[4], &x[..], &y[..]].concat()))
}

impl fmt::Debug for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeySet({})", self.keys.len())
    }
}

#[cfg(all(test, any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    /// The examples of RFC 7515, 7520 and 8037, and Wycheproof's signatures.
    #[test]
    fn signatures_are_decided_as_the_vectors_say() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/jws.json");
        let cases: Vec<Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        let mut accepted = 0;
        for case in &cases {
            let key = &case["key"];
            let keys = match key["k"].as_str() {
                Some(secret) => KeySet::of_secret(&URL_SAFE_NO_PAD.decode(secret).unwrap()),
                None => KeySet::read(json!({ "keys": [key] }).to_string().as_bytes()),
            };
            let verified = keys.is_some_and(|keys| {
                let token = Jose::read(case["jws"].as_str().unwrap());
                token.is_ok_and(|token| keys.verify(&token).is_ok())
            });
            let is_valid = match case["id"].as_str().unwrap() {
                // The key is for another algorithm; or a character that is not of the alphabet,
                // which is not skipped.
                "wycheproof-346" | "wycheproof-350" | "wycheproof-372" | "wycheproof-373" => false,
                // The token is a good one: what would be wrong with it is not in the file.
                "wycheproof-367" | "wycheproof-370" => true,
                // No backend has P-521.
                _ => case["is_valid"] == true && key["crv"] != "P-521",
            };
            assert_eq!(verified, is_valid, "{}: {}", case["id"], case["why"]);
            accepted += usize::from(verified);
        }
        assert_eq!((cases.len(), accepted), (410, 49));
    }
}
