//! AWS-LC.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED,
    ECDSA_P384_SHA384_FIXED_SIGNING, ED25519, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _,
    ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384,
    RSA_PKCS1_2048_8192_SHA512, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512,
    RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RSA_PSS_SHA256,
    RSA_PSS_SHA384, RSA_PSS_SHA512, RsaEncoding, RsaKeyPair, RsaParameters, RsaPublicKeyComponents,
};
use aws_lc_rs::{digest, hmac};

use crate::jwt::algorithm::Algorithm;
use crate::jwt::public_key::PublicKey;

/// A public key that is ready to verify signatures, for each algorithm that it is for.
pub(crate) struct ReadyKey(Vec<(Algorithm, ParsedPublicKey)>);

impl ReadyKey {
    /// Returns `None` if the numbers are no key.
    pub(crate) fn new(key: &PublicKey, algorithms: &[Algorithm]) -> Option<Self> {
        let ready = algorithms.iter().map(|algorithm| {
            let parsed = match key {
                PublicKey::Rsa { modulus, exponent } => {
                    let components = RsaPublicKeyComponents { n: modulus, e: exponent };
                    components.to_parsed_public_key(rsa(*algorithm)?.0)
                }
                PublicKey::P256(point) => ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point),
                PublicKey::P384(point) => ParsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, point),
                PublicKey::Ed25519(x) => ParsedPublicKey::new(&ED25519, x),
            };
            Some((*algorithm, parsed.ok()?))
        });
        ready.collect::<Option<_>>().map(Self)
    }

    pub(crate) fn verifies(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        let mut ready = self.0.iter();
        let key = ready.find(|(own, _)| *own == algorithm);
        key.is_some_and(|(_, key)| key.verify_sig(message, signature).is_ok())
    }
}

/// A shared secret that is ready, for each algorithm.
pub(crate) struct Secret([hmac::Key; 3]);

impl Secret {
    pub(crate) fn new(secret: &[u8]) -> Option<Self> {
        let algorithms = [hmac::HMAC_SHA256, hmac::HMAC_SHA384, hmac::HMAC_SHA512];
        Some(Self(algorithms.map(|algorithm| hmac::Key::new(algorithm, secret))))
    }

    /// Returns the authentication code of a message, or `None` for another algorithm.
    pub(crate) fn code(&self, algorithm: Algorithm, message: &[u8]) -> Option<Vec<u8>> {
        let [sha256, sha384, sha512] = &self.0;
        let key = match algorithm {
            Algorithm::Hs256 => sha256,
            Algorithm::Hs384 => sha384,
            Algorithm::Hs512 => sha512,
            _ => return None,
        };
        Some(hmac::sign(key, message).as_ref().to_vec())
    }
}

/// A private key.
pub(crate) enum PrivateKey {
    Rsa(RsaKeyPair),
    P256(EcdsaKeyPair),
    P384(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl PrivateKey {
    /// Reads PKCS #8, or PKCS #1 for RSA.
    pub(crate) fn read(der: &[u8]) -> Option<Self> {
        let rsa = || RsaKeyPair::from_pkcs8(der).or_else(|_| RsaKeyPair::from_der(der));
        let ec = |algorithm| EcdsaKeyPair::from_pkcs8(algorithm, der);
        let p256 = || ec(&ECDSA_P256_SHA256_FIXED_SIGNING).map(Self::P256);
        let p384 = || ec(&ECDSA_P384_SHA384_FIXED_SIGNING).map(Self::P384);
        let ed25519 = || Ed25519KeyPair::from_pkcs8(der).map(Self::Ed25519);
        let key = rsa().map(Self::Rsa).or_else(|_| p256()).or_else(|_| p384());
        key.or_else(|_| ed25519()).ok()
    }

    pub(crate) fn public(&self) -> Option<PublicKey> {
        match self {
            Self::Rsa(key) => {
                let numbers = RsaPublicKeyComponents::<Vec<u8>>::from(key.public_key());
                PublicKey::rsa(&numbers.n, &numbers.e).ok()
            }
            Self::P256(key) => key.public_key().as_ref().try_into().ok().map(PublicKey::P256),
            Self::P384(key) => key.public_key().as_ref().try_into().ok().map(PublicKey::P384),
            Self::Ed25519(key) => key.public_key().as_ref().try_into().ok().map(PublicKey::Ed25519),
        }
    }

    pub(crate) fn sign(&self, algorithm: Algorithm, message: &[u8]) -> Option<Vec<u8>> {
        let random = SystemRandom::new();
        match self {
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public_modulus_len()];
                key.sign(rsa(algorithm)?.1, &random, message, &mut signature).ok()?;
                Some(signature)
            }
            Self::P256(key) | Self::P384(key) => {
                key.sign(&random, message).ok().map(|signature| signature.as_ref().to_vec())
            }
            Self::Ed25519(key) => Some(key.sign(message).as_ref().to_vec()),
        }
    }
}

/// Returns how an algorithm of RSA verifies and signs.
fn rsa(algorithm: Algorithm) -> Option<(&'static RsaParameters, &'static dyn RsaEncoding)> {
    Some(match algorithm {
        Algorithm::Rs256 => (&RSA_PKCS1_2048_8192_SHA256, &RSA_PKCS1_SHA256),
        Algorithm::Rs384 => (&RSA_PKCS1_2048_8192_SHA384, &RSA_PKCS1_SHA384),
        Algorithm::Rs512 => (&RSA_PKCS1_2048_8192_SHA512, &RSA_PKCS1_SHA512),
        Algorithm::Ps256 => (&RSA_PSS_2048_8192_SHA256, &RSA_PSS_SHA256),
        Algorithm::Ps384 => (&RSA_PSS_2048_8192_SHA384, &RSA_PSS_SHA384),
        Algorithm::Ps512 => (&RSA_PSS_2048_8192_SHA512, &RSA_PSS_SHA512),
        _ => return None,
    })
}

pub(crate) fn sha256(bytes: &[u8]) -> Vec<u8> {
    digest::digest(&digest::SHA256, bytes).as_ref().to_vec()
}
