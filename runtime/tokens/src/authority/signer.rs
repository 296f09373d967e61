//! A key that was read and checked, and the signatures that it makes.

use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use doorward_core::BearerToken;
use secrecy::{ExposeSecret, SecretSlice};
use serde_json::{Map, Value, json};

use crate::build_error::BuildError;
use crate::jwt::algorithm::{Algorithm, counted_bytes, too_short};
use crate::jwt::backend::{PrivateKey, sha256};
use crate::jwt::keys::{Key, pem};
use crate::jwt::public_key::PublicKey;

/// A key that signs with one algorithm.
pub(crate) struct Signer {
    algorithm: Algorithm,
    id: Option<String>,
    /// The key that signs. A shared secret has none: it signs as it verifies.
    private: Option<PrivateKey>,
    /// The public key, as a JWK. A shared secret has none.
    public: Option<Value>,
    /// The key that verifies what this one signs.
    verification_key: Key,
}

const NO_PRIVATE_KEY: &str = "the PEM or DER has no private key for signatures: P-256, P-384 or Ed25519 in PKCS #8, or RSA of 2048 to 4096 bits";

impl Signer {
    /// Reads a shared secret.
    pub(crate) fn of_secret(
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
        let key = Key::secret(id.clone(), vec![algorithm], secret);
        let verification_key = key.ok_or_else(|| too_short(bytes, needed))?;
        Ok(Self { algorithm, id, private: None, public: None, verification_key })
    }

    /// Reads a private key in PEM.
    pub(crate) fn of_pem(
        pem: &[u8],
        algorithm: Option<Algorithm>,
        id: Option<String>,
    ) -> Result<Self, String> {
        let der = core::str::from_utf8(pem).ok().and_then(pem::der).ok_or(NO_PRIVATE_KEY)?;
        Self::of_der(SecretSlice::from(der).expose_secret(), algorithm, id)
    }

    /// Reads a private key in DER.
    pub(crate) fn of_der(
        der: &[u8],
        algorithm: Option<Algorithm>,
        id: Option<String>,
    ) -> Result<Self, String> {
        let private = PrivateKey::read(der).ok_or(NO_PRIVATE_KEY)?;
        // An RSA key may be too short or too long.
        let key = private.public().ok_or(NO_PRIVATE_KEY)?;
        let usual = key.algorithms().first().copied().ok_or(NO_PRIVATE_KEY)?;
        let algorithm = algorithm.unwrap_or(usual);
        if !key.algorithms().contains(&algorithm) {
            return Err(is_for_another_key(algorithm, "this private key"));
        }
        let mut public = jwk(&key);
        let id = id.unwrap_or_else(|| thumbprint_of(&public));
        if let Value::Object(members) = &mut public {
            members.insert("kid".to_owned(), (&*id).into());
            members.insert("alg".to_owned(), algorithm.name().into());
        }
        let verification_key = Key::of_json(&public)?;
        let (id, private, public) = (Some(id), Some(private), Some(public));
        Ok(Self { algorithm, id, private, public, verification_key })
    }

    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the public key, as a JWK ([RFC 7517, 4](https://www.rfc-editor.org/rfc/rfc7517#section-4)).
    pub(crate) const fn public(&self) -> Option<&Value> {
        self.public.as_ref()
    }

    pub(crate) const fn verification_key(&self) -> &Key {
        &self.verification_key
    }

    /// Returns the header of a token of this type.
    pub(crate) fn header(&self, token_type: &str) -> Map<String, Value> {
        let id = self.id().map(|id| ("kid", id));
        let parameters = [("alg", self.algorithm.name()), ("typ", token_type)];
        let parameters = parameters.into_iter().chain(id);
        parameters.map(|(name, value)| (name.to_owned(), value.into())).collect()
    }

    /// Signs a token with this header and these claims.
    pub(crate) fn sign(
        &self,
        header: Map<String, Value>,
        claims: Map<String, Value>,
    ) -> Result<BearerToken, BuildError> {
        let [header, claims] =
            [header, claims].map(|part| encoded(Value::Object(part).to_string().as_bytes()));
        let message = format!("{header}.{claims}");
        let signature = match &self.private {
            Some(key) => key.sign(self.algorithm, message.as_bytes()),
            None => self.verification_key.code(self.algorithm, message.as_bytes()),
        };
        let signature = signature.ok_or_else(|| failed("the backend refuses the key"))?;
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

/// Returns a public key as a JWK, whose members are in the order of their names.
fn jwk(key: &PublicKey) -> Value {
    let ec = |curve, point: &[u8]| {
        let (x, y) = point.split_at(point.len().div_ceil(2));
        let x = x.get(1..).unwrap_or_default();
        json!({ "crv": curve, "kty": "EC", "x": encoded(x), "y": encoded(y) })
    };
    match key {
        PublicKey::Rsa { modulus, exponent } => {
            json!({ "e": encoded(exponent), "kty": "RSA", "n": encoded(modulus) })
        }
        PublicKey::P256(point) => ec("P-256", point),
        PublicKey::P384(point) => ec("P-384", point),
        PublicKey::Ed25519(x) => json!({ "crv": "Ed25519", "kty": "OKP", "x": encoded(x) }),
    }
}

/// Returns the thumbprint of a public key, whose members are in the order of their names
/// ([RFC 7638, 3](https://www.rfc-editor.org/rfc/rfc7638#section-3)).
pub(crate) fn thumbprint_of(public: &Value) -> String {
    digest(public.to_string().as_bytes())
}

/// Returns SHA-256 in base64url, which is empty without a backend.
pub(crate) fn digest(bytes: &[u8]) -> String {
    encoded(&sha256(bytes))
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
        assert_eq!(thumbprint_of(&public), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }
}
