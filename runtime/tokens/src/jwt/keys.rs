//! The keys of an issuer, each with the algorithms that it is for
//! ([RFC 7517](https://www.rfc-editor.org/rfc/rfc7517)).

mod jwk;
pub(crate) mod pem;

use core::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use subtle::ConstantTimeEq as _;

use crate::jwt::algorithm::{Algorithm, counted_bytes};
use crate::jwt::backend::{ReadyKey, Secret};
use crate::jwt::jose::Jose;
use crate::jwt::public_key::PublicKey;
use crate::jwt::said::said;
use crate::reason::Reason;

/// A set of keys.
#[derive(Clone, Default)]
pub(crate) struct KeySet {
    keys: Vec<Key>,
    /// The other keys of the set.
    left_out: Vec<LeftOut>,
}

/// A key of a set that is not used.
#[derive(Clone)]
struct LeftOut {
    id: Option<String>,
    why: String,
    /// Issuers publish keys that encrypt next to the keys that sign.
    is_for_encryption: bool,
}

#[derive(Clone)]
pub(crate) struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    ready: Ready,
    /// The length of a shared secret, which decides about its algorithms.
    secret_bytes: Option<usize>,
    /// Until when a shared secret is for algorithms that ask for a longer one, in seconds since
    /// 1970.
    short_until: Option<f64>,
}

/// A key with all that is computed before the first signature.
#[derive(Clone)]
enum Ready {
    Public(Arc<ReadyKey>),
    Secret(Arc<Secret>),
}

/// The public keys that can be used, for a sentence about one that cannot.
const USABLE: &str = "P-256, P-384, Ed25519, and RSA of 2048 to 4096 bits can be used";

/// The number of keys that are named in the log.
pub(crate) const MAX_NAMED: usize = 8;

/// The number of keys of a set that are used, and of others that are known. No issuer has as many.
const MAX_KEYS: usize = 100;

/// The number of keys that a token without a key's name is tried with.
const MAX_TRIED: usize = 16;

impl KeySet {
    /// Reads a JWK Set. Keys that are not for signatures, of an unknown type or of values that not
    /// every backend can use are left out, as
    /// [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5) has it, so the set may be
    /// empty. Returns `None` if this is not a JWK Set.
    pub(crate) fn read(json: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Set {
            keys: Vec<Value>,
        }
        let set: Set = serde_json::from_slice(json).ok()?;
        let mut read = Self::default();
        for json in &set.keys {
            let why = match Key::of_json(json) {
                Ok(key) if read.keys.len() < MAX_KEYS => {
                    read.keys.push(key);
                    continue;
                }
                Ok(_) => format!("it comes after {MAX_KEYS} others; no set has as many"),
                Err(why) => why,
            };
            if read.left_out.len() < MAX_KEYS {
                let text = |name| json.get(name).and_then(Value::as_str);
                let is_for_encryption = text("use") == Some("enc");
                let id = text("kid").map(str::to_owned);
                read.left_out.push(LeftOut { id, why, is_for_encryption });
            }
        }
        Some(read)
    }

    /// Returns why keys of the set that may have signed tokens cannot be used, each as a clause.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let may_sign = self.left_out.iter().filter(|key| !key.is_for_encryption);
        may_sign.take(MAX_NAMED).map(ToString::to_string).collect()
    }

    /// Returns why none of the keys can be used, each as a clause.
    pub(crate) fn all_left_out(&self) -> Vec<String> {
        self.left_out.iter().take(MAX_NAMED).map(ToString::to_string).collect()
    }

    /// Returns why the key with this name cannot be used, if it was left out.
    pub(crate) fn why_left_out(&self, id: &str) -> Option<&str> {
        let key = self.left_out.iter().find(|key| key.id.as_deref() == Some(id))?;
        Some(&key.why)
    }

    /// Adds the keys of another set.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.keys.extend_from_slice(&other.keys);
        self.left_out.extend_from_slice(&other.left_out);
    }

    /// Returns the names of the keys.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().filter_map(|key| key.id.as_deref())
    }

    /// Returns the length of the longest shared secret.
    pub(crate) fn longest_secret(&self) -> Option<usize> {
        self.keys.iter().filter_map(|key| key.secret_bytes).max()
    }

    /// Takes each shared secret for the algorithms that ask for a longer one, until a time in
    /// seconds since 1970. None has fewer bytes than HS256 asks for. Returns `true` if there is one.
    pub(crate) fn take_short_secrets(&mut self, until: f64) -> bool {
        let mut is_one_short = false;
        for key in self.keys.iter_mut().filter(|key| key.secret_bytes.is_some()) {
            let longer = Algorithm::ALL.into_iter();
            let longer = longer.filter(|algorithm| algorithm.secret_bytes() > key.secret_bytes);
            let before = key.algorithms.len();
            key.algorithms.extend(longer);
            key.short_until = Some(until);
            is_one_short |= key.algorithms.len() > before;
        }
        is_one_short
    }

    /// Reads the public keys of a PEM. Their types say what they are for.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the PEM, as the end of a sentence.
    pub(crate) fn of_pem(pem: &[u8]) -> Result<Self, String> {
        Ok(Self::of_keys(pem::keys(pem)?))
    }

    /// Returns the set of a shared secret, for the algorithms for which it is long enough.
    pub(crate) fn of_secret(secret: &[u8]) -> Option<Self> {
        let algorithms = Algorithm::ALL.into_iter().filter(|algorithm| {
            algorithm.secret_bytes().is_some_and(|bytes| secret.len() >= bytes)
        });
        let algorithms = Vec::from_iter(algorithms);
        let key = (!algorithms.is_empty()).then(|| Key::secret(None, algorithms, secret));
        Some(Self::of_keys(vec![key??]))
    }

    /// Returns the set of a shared secret of any length, for every algorithm, or `None` if it is empty.
    pub(crate) fn of_weak_secret(secret: &[u8]) -> Option<Self> {
        if counted_bytes(secret) == 0 {
            return None;
        }
        let algorithms = Algorithm::ALL.into_iter();
        let algorithms = algorithms.filter(|algorithm| !algorithm.is_of_public_key());
        Some(Self::of_keys(vec![Key::secret(None, algorithms.collect(), secret)?]))
    }

    /// Returns the lengths of the shared secrets that are too short for one of their algorithms, if it
    /// is allowed.
    pub(crate) fn weak_secrets(&self, allowed: &[Algorithm]) -> impl Iterator<Item = usize> {
        let is_weak = |key: &&Key| {
            let mut algorithms = allowed.iter().filter(|allowed| key.algorithms.contains(allowed));
            algorithms.any(|algorithm| algorithm.secret_bytes() > key.secret_bytes)
        };
        self.keys.iter().filter(is_weak).filter_map(|key| key.secret_bytes)
    }

    /// Returns `true` if there is one key, which may have signed the token.
    pub(crate) fn is_one_for(&self, token: &Jose<'_>) -> bool {
        let is_for = |key: &Key| {
            key.algorithms.contains(&token.algorithm)
                && (key.id.is_none() || token.key_id.is_none())
        };
        matches!(&*self.keys, [key] if is_for(key))
    }

    /// Returns the set of these keys.
    pub(crate) const fn of_keys(keys: Vec<Key>) -> Self {
        Self { keys, left_out: Vec::new() }
    }

    /// Returns `true` if no key is for signatures.
    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the algorithms that the keys are for.
    pub(crate) fn algorithms(&self) -> impl Iterator<Item = Algorithm> {
        self.keys.iter().flat_map(|key| &key.algorithms).copied()
    }

    /// Returns the algorithms of the key with this name.
    pub(crate) fn algorithms_of(&self, id: &str) -> Option<&[Algorithm]> {
        let key = self.keys.iter().find(|key| key.id.as_deref() == Some(id))?;
        Some(&key.algorithms)
    }

    /// Checks the signature of a token. Returns until when it counts, in seconds since 1970, if a
    /// secret has made it that is too short.
    pub(crate) fn verify(&self, token: &Jose<'_>) -> Result<Option<f64>, Reason> {
        let id = token.key_id.as_deref();
        let named = |key: &&Key| id.is_some() && key.id.as_deref() == id;
        let is_named = self.keys.iter().any(|key| named(&key));
        // A key without an id may be for any token, and a token without one may be of any key.
        let unnamed = |key: &&Key| id.is_none() || key.id.is_none();
        let mut candidates = self
            .keys
            .iter()
            .filter(|key| if is_named { named(key) } else { unnamed(key) })
            .take(MAX_TRIED);
        match candidates.find(|key| key.verifies(token)) {
            Some(key) => Ok(key.counts_until(token.algorithm)),
            None if is_named => Err(Reason::Signature),
            None => Err(Reason::UnknownKey),
        }
    }
}

impl Key {
    /// Reads a key as JSON.
    ///
    /// # Errors
    ///
    /// Returns why it is not one for signatures that can be checked.
    pub(crate) fn of_json(jwk: &Value) -> Result<Self, String> {
        jwk::read(jwk)
    }

    /// Returns the key of a shared secret, for these algorithms.
    pub(crate) fn secret(
        id: Option<String>,
        algorithms: Vec<Algorithm>,
        secret: &[u8],
    ) -> Option<Self> {
        let ready = Ready::Secret(Arc::new(Secret::new(secret)?));
        Some(Self { id, algorithms, ready, secret_bytes: Some(secret.len()), short_until: None })
    }

    /// Returns a public key, for these algorithms.
    ///
    /// # Errors
    ///
    /// Returns that it is no key.
    fn public(
        id: Option<String>,
        algorithms: Vec<Algorithm>,
        key: &PublicKey,
    ) -> Result<Self, String> {
        let ready = ReadyKey::new(key, &algorithms).ok_or("its point is not on the curve")?;
        let ready = Ready::Public(Arc::new(ready));
        Ok(Self { id, algorithms, ready, secret_bytes: None, short_until: None })
    }

    /// Returns the authentication code of a message by a shared secret.
    pub(crate) fn code(&self, algorithm: Algorithm, message: &[u8]) -> Option<Vec<u8>> {
        match &self.ready {
            Ready::Secret(secret) => secret.code(algorithm, message),
            Ready::Public(_) => None,
        }
    }

    /// Returns until when a signature of this algorithm counts, if the secret is too short for it.
    fn counts_until(&self, algorithm: Algorithm) -> Option<f64> {
        self.short_until.filter(|_| algorithm.secret_bytes() > self.secret_bytes)
    }

    fn verifies(&self, token: &Jose<'_>) -> bool {
        let Jose { algorithm, message, signature, .. } = token;
        self.algorithms.contains(algorithm)
            && match &self.ready {
                Ready::Public(key) => key.verifies(*algorithm, message, signature),
                Ready::Secret(secret) => {
                    let code = secret.code(*algorithm, message);
                    code.is_some_and(|code| code.ct_eq(signature).into())
                }
            }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(f, "key `{}`: {}", said(id), self.why),
            None => write!(f, "a key without `kid`: {}", self.why),
        }
    }
}

impl fmt::Debug for KeySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeySet({})", self.keys.len())
    }
}

#[cfg(all(test, any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
mod tests {
    use std::fs;

    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use serde_json::json;

    use super::*;
    use crate::jwt::finding::Findings;
    use crate::jwt::key_sources::KeySources;
    use crate::jwt::rules::Rules;

    /// The examples of RFC 7515, 7520 and 8037, and Wycheproof's signatures.
    #[test]
    fn signatures_are_decided_as_the_vectors_say() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/jws.json");
        let cases: Vec<Value> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        let mut accepted = 0;
        for case in &cases {
            let key = &case["key"];
            let keys = match key["k"].as_str() {
                Some(secret) => KeySet::of_secret(&URL_SAFE_NO_PAD.decode(secret).unwrap()),
                None => KeySet::read(json!({ "keys": [key] }).to_string().as_bytes()),
            };
            let verified = keys.is_some_and(|keys| {
                let rules = Rules {
                    algorithms: Algorithm::ALL.to_vec(),
                    token_types: None,
                    ..Rules::new(String::new())
                };
                let sources = KeySources { given: Arc::default(), remote: None };
                let token =
                    rules.read(case["jws"].as_str().unwrap(), &sources, &mut Findings(None));
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
