//! RustCrypto.

use getrandom::SysRng;
use hmac::{Hmac, KeyInit as _, Mac};
use p256::pkcs8::DecodePrivateKey as _;
use rsa::BoxedUint;
use rsa::pkcs1::DecodeRsaPrivateKey as _;
use rsa::signature::{SignatureEncoding, Signer, Verifier};
use rsa::traits::PublicKeyParts as _;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use crate::jwt::algorithm::Algorithm;
use crate::jwt::public_key::PublicKey;

/// A public key that is ready to verify signatures.
pub(crate) enum ReadyKey {
    Rsa(rsa::PublicKey),
    P256(p256::ecdsa::VerifyingKey),
    P384(p384::ecdsa::VerifyingKey),
    /// `None` if the number is not on the curve. Then no signature is right; AWS-LC finds it out at
    /// each one.
    Ed25519(Option<ed25519_dalek::VerifyingKey>),
}

impl ReadyKey {
    /// Returns `None` if the numbers are no key.
    pub(crate) fn new(key: &PublicKey, _: &[Algorithm]) -> Option<Self> {
        Some(match key {
            PublicKey::Rsa { modulus, exponent } => {
                let number = BoxedUint::from_be_slice_vartime;
                Self::Rsa(rsa::PublicKey::new(number(modulus), number(exponent)).ok()?)
            }
            PublicKey::P256(point) => {
                Self::P256(p256::ecdsa::VerifyingKey::from_sec1_bytes(point).ok()?)
            }
            PublicKey::P384(point) => {
                Self::P384(p384::ecdsa::VerifyingKey::from_sec1_bytes(point).ok()?)
            }
            PublicKey::Ed25519(x) => Self::Ed25519(ed25519_dalek::VerifyingKey::from_bytes(x).ok()),
        })
    }

    pub(crate) fn verifies(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        fn verifies<S: for<'s> TryFrom<&'s [u8]>>(
            key: &impl Verifier<S>,
            message: &[u8],
            signature: &[u8],
        ) -> bool {
            S::try_from(signature).is_ok_and(|signature| key.verify(message, &signature).is_ok())
        }
        match self {
            Self::Rsa(key) => match algorithm {
                Algorithm::Rs256 => key.pkcs1v15_verify::<Sha256>(message, signature),
                Algorithm::Rs384 => key.pkcs1v15_verify::<Sha384>(message, signature),
                Algorithm::Rs512 => key.pkcs1v15_verify::<Sha512>(message, signature),
                Algorithm::Ps256 => key.pss_verify::<Sha256>(message, signature),
                Algorithm::Ps384 => key.pss_verify::<Sha384>(message, signature),
                Algorithm::Ps512 => key.pss_verify::<Sha512>(message, signature),
                _ => return false,
            }
            .is_ok(),
            Self::P256(key) => verifies::<p256::ecdsa::Signature>(key, message, signature),
            Self::P384(key) => verifies::<p384::ecdsa::Signature>(key, message, signature),
            Self::Ed25519(key) => key
                .is_some_and(|key| verifies::<ed25519_dalek::Signature>(&key, message, signature)),
        }
    }
}

/// A shared secret that is ready, for each algorithm.
pub(crate) struct Secret(Hmac<Sha256>, Hmac<Sha384>, Hmac<Sha512>);

impl Secret {
    pub(crate) fn new(secret: &[u8]) -> Option<Self> {
        let (sha256, sha384) = (Hmac::new_from_slice(secret), Hmac::new_from_slice(secret));
        Some(Self(sha256.ok()?, sha384.ok()?, Hmac::new_from_slice(secret).ok()?))
    }

    /// Returns the authentication code of a message, or `None` for another algorithm.
    pub(crate) fn code(&self, algorithm: Algorithm, message: &[u8]) -> Option<Vec<u8>> {
        fn code(key: &(impl Mac + Clone), message: &[u8]) -> Vec<u8> {
            key.clone().chain_update(message).finalize().into_bytes().to_vec()
        }
        match algorithm {
            Algorithm::Hs256 => Some(code(&self.0, message)),
            Algorithm::Hs384 => Some(code(&self.1, message)),
            Algorithm::Hs512 => Some(code(&self.2, message)),
            _ => None,
        }
    }
}

/// A private key.
pub(crate) enum PrivateKey {
    Rsa(rsa::PrivateKey),
    P256(p256::ecdsa::SigningKey),
    P384(p384::ecdsa::SigningKey),
    Ed25519(ed25519_dalek::SigningKey),
}

impl PrivateKey {
    /// Reads PKCS #8, or PKCS #1 for RSA.
    pub(crate) fn read(der: &[u8]) -> Option<Self> {
        let rsa = rsa::PrivateKey::from_pkcs8_der(der).ok();
        let rsa = rsa.or_else(|| rsa::PrivateKey::from_pkcs1_der(der).ok());
        let p256 = || p256::ecdsa::SigningKey::from_pkcs8_der(der).ok().map(Self::P256);
        let p384 = || p384::ecdsa::SigningKey::from_pkcs8_der(der).ok().map(Self::P384);
        let ed25519 = || ed25519_dalek::SigningKey::from_pkcs8_der(der).ok().map(Self::Ed25519);
        rsa.map(Self::Rsa).or_else(p256).or_else(p384).or_else(ed25519)
    }

    pub(crate) fn public(&self) -> Option<PublicKey> {
        match self {
            Self::Rsa(key) => {
                PublicKey::rsa(&key.n().to_be_bytes_trimmed_vartime(), &key.e().to_be_bytes()).ok()
            }
            Self::P256(key) => {
                let point = key.verifying_key().to_sec1_point(false);
                point.as_bytes().try_into().ok().map(PublicKey::P256)
            }
            Self::P384(key) => {
                let point = key.verifying_key().to_sec1_point(false);
                point.as_bytes().try_into().ok().map(PublicKey::P384)
            }
            Self::Ed25519(key) => Some(PublicKey::Ed25519(key.verifying_key().to_bytes())),
        }
    }

    /// Signs. Random numbers blind a private key of RSA, so that the time says even less of it.
    pub(crate) fn sign(&self, algorithm: Algorithm, message: &[u8]) -> Option<Vec<u8>> {
        fn sign<S: SignatureEncoding>(key: &impl Signer<S>, message: &[u8]) -> Option<Vec<u8>> {
            key.try_sign(message).ok().map(|signature| signature.to_vec())
        }
        let random = &mut SysRng;
        match self {
            Self::Rsa(key) => match algorithm {
                Algorithm::Rs256 => key.pkcs1v15_sign_with_rng::<Sha256, _>(random, message),
                Algorithm::Rs384 => key.pkcs1v15_sign_with_rng::<Sha384, _>(random, message),
                Algorithm::Rs512 => key.pkcs1v15_sign_with_rng::<Sha512, _>(random, message),
                Algorithm::Ps256 => key.pss_sign_with_rng::<Sha256, _>(random, message),
                Algorithm::Ps384 => key.pss_sign_with_rng::<Sha384, _>(random, message),
                Algorithm::Ps512 => key.pss_sign_with_rng::<Sha512, _>(random, message),
                _ => return None,
            }
            .ok(),
            Self::P256(key) => sign::<p256::ecdsa::Signature>(key, message),
            Self::P384(key) => sign::<p384::ecdsa::Signature>(key, message),
            Self::Ed25519(key) => sign::<ed25519_dalek::Signature>(key, message),
        }
    }
}

pub(crate) fn sha256(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}
