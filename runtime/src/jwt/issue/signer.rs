//! A key that was read and checked, and the signatures that it makes.

use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::EncodingKey;
use jsonwebtoken::jwk::{EllipticCurve, ThumbprintHash};
use serde_json::{Map, Value, json};

use crate::credential::bearer_token::BearerToken;
use crate::jwt::algorithm::{Algorithm, counted_bytes, too_short};
use crate::jwt::backend::backend;
use crate::jwt::keys::Key;
use crate::verify::parts::build_error::BuildError;

/// A key that signs with one algorithm.
pub(super) struct Signer {
    algorithm: Algorithm,
    id: Option<String>,
    key: EncodingKey,
    /// The public key, as a JWK. A shared secret has none.
    public: Option<Value>,
}

const NO_PRIVATE_KEY: &str = "the PEM or DER has no private key for signatures: P-256, P-384 or Ed25519 in PKCS #8, or RSA of 2048 to 4096 bits";

impl Signer {
    /// Reads a shared secret.
    pub(super) fn of_secret(
        secret: &[u8],
        algorithm: Option<Algorithm>,
        id: Option<String>,
    ) -> Result<Self, String> {
        let algorithm = algorithm.unwrap_or(Algorithm::Hs256);
        let needed = algorithm
            .secret_bytes()
            .ok_or_else(|| is_for_another_key(algorithm, "a shared secret"))?;
        let bytes = counted_bytes(secret);
        if bytes < needed {
            return Err(too_short(bytes, needed));
        }
        Ok(Self { algorithm, id, key: EncodingKey::from_secret(secret), public: None })
    }

    /// Reads a private key in PEM.
    pub(super) fn of_pem(
        pem: &[u8],
        algorithm: Option<Algorithm>,
        id: Option<String>,
    ) -> Result<Self, String> {
        let (algorithms, key, mut public) = private_key(pem).ok_or(NO_PRIVATE_KEY)?;
        let usual = algorithms.first().copied().ok_or(NO_PRIVATE_KEY)?;
        let algorithm = algorithm.unwrap_or(usual);
        if !algorithms.contains(&algorithm) {
            return Err(is_for_another_key(algorithm, "this private key"));
        }
        let id = match id {
            Some(id) => id,
            None => thumbprint(&public).ok_or(NO_PRIVATE_KEY)?,
        };
        for (name, value) in [("kid", &*id), ("alg", algorithm.name())] {
            public.insert(name.to_owned(), value.into());
        }
        let signer = Self { algorithm, id: Some(id), key, public: Some(Value::Object(public)) };
        // An RSA key may be too short or too long.
        signer.verification_key().ok_or(NO_PRIVATE_KEY)?;
        Ok(signer)
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the public key, as a JWK ([RFC 7517, 4](https://www.rfc-editor.org/rfc/rfc7517#section-4)).
    pub(super) const fn public(&self) -> Option<&Value> {
        self.public.as_ref()
    }

    /// Returns the key that verifies what this one signs.
    pub(super) fn verification_key(&self) -> Option<Key> {
        match &self.public {
            Some(public) => Key::of_json(public).ok(),
            None => {
                let id = self.id.clone();
                Some(Key::secret(id, vec![self.algorithm], self.key.as_bytes()))
            }
        }
    }

    /// Returns the header of a token of this type.
    pub(super) fn header(&self, token_type: &str) -> Map<String, Value> {
        let id = self.id().map(|id| ("kid", id));
        let parameters = [("alg", self.algorithm.name()), ("typ", token_type)];
        let parameters = parameters.into_iter().chain(id);
        parameters.map(|(name, value)| (name.to_owned(), value.into())).collect()
    }

    /// Signs a token with this header and these claims.
    pub(super) fn sign(
        &self,
        header: Map<String, Value>,
        claims: Map<String, Value>,
    ) -> Result<BearerToken, BuildError> {
        let [header, claims] =
            [header, claims].map(|part| encoded(Value::Object(part).to_string().as_bytes()));
        let message = format!("{header}.{claims}");
        let signer = (backend()?.signer_factory)(&self.algorithm.of_backend(), &self.key);
        let signature = signer.map_err(failed)?.try_sign(message.as_bytes()).map_err(failed)?;
        let token = format!("{message}.{}", encoded(&signature));
        BearerToken::try_from(&*token).map_err(failed)
    }
}

fn is_for_another_key(algorithm: Algorithm, key: &str) -> String {
    format!(
        "{} is not an algorithm for {key}; call `algorithm` with another one, or not at all",
        algorithm.name()
    )
}

/// Reads a private key. Returns its algorithms, the usual one first, and the public key.
fn private_key(pem: &[u8]) -> Option<(Vec<Algorithm>, EncodingKey, Map<String, Value>)> {
    let utils = &backend().ok()?.key_utils;
    let rsa = || {
        let key = EncodingKey::from_rsa_pem(pem).ok()?;
        let (n, e) = (utils.rsa_pub_components_from_private_key)(key.as_bytes()).ok()?;
        let public = json!({ "e": encoded(&e), "kty": "RSA", "n": encoded(&n) });
        Some((Algorithm::RSA.to_vec(), key, public))
    };
    let ec = |algorithm: Algorithm, curve| {
        let key = EncodingKey::from_ec_pem(pem).ok()?;
        let components = utils.ec_pub_components_from_private_key;
        let (_, x, y) = components(key.as_bytes(), algorithm.of_backend()).ok()?;
        let public = json!({ "crv": curve, "kty": "EC", "x": encoded(&x), "y": encoded(&y) });
        Some((vec![algorithm], key, public))
    };
    let ed = || {
        let key = EncodingKey::from_ed_pem(pem).ok()?;
        let components = utils.ed_pub_components_from_private_key;
        let x = components(key.as_bytes(), &EllipticCurve::Ed25519).ok()?;
        let public = json!({ "crv": "Ed25519", "kty": "OKP", "x": encoded(&x) });
        Some((vec![Algorithm::EdDsa], key, public))
    };
    let (algorithms, key, public) = rsa()
        .or_else(|| ec(Algorithm::Es256, "P-256"))
        .or_else(|| ec(Algorithm::Es384, "P-384"))
        .or_else(ed)?;
    let Value::Object(public) = public else {
        return None;
    };
    Some((algorithms, key, public))
}

/// Returns the thumbprint of a public key, whose members are in the order of their names
/// ([RFC 7638, 3](https://www.rfc-editor.org/rfc/rfc7638#section-3)).
fn thumbprint(public: &Map<String, Value>) -> Option<String> {
    let text = Value::Object(public.clone()).to_string();
    let digest =
        (backend().ok()?.key_utils.compute_digest)(text.as_bytes(), ThumbprintHash::SHA256);
    Some(encoded(&digest.ok()?))
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn failed(error: impl fmt::Display) -> BuildError {
    BuildError::new(format!("a token could not be signed: {error}"))
}

#[cfg(all(test, any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
mod tests {
    use super::*;

    #[test]
    fn thumbprints_are_those_of_the_rfc() {
        // RFC 8037, A.3.
        let public = json!({
            "crv": "Ed25519", "kty": "OKP", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        });
        let thumbprint = thumbprint(public.as_object().unwrap());
        assert_eq!(thumbprint.as_deref(), Some("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"));
    }
}
