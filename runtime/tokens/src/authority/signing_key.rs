//! Keys that sign the tokens of a service.

use doorward_core::__debug_only as debug_only;
use doorward_core::verify::SecretBytes;
use secrecy::{ExposeSecret, ExposeSecretMut, SecretSlice};

use crate::authority::random;
use crate::authority::signer::Signer;
use crate::build_error::BuildError;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::backend;

/// A key that signs the tokens of a [`TokenAuthority`](super::TokenAuthority): a shared secret, or
/// a private key.
///
/// ```
/// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))] {
/// use doorward::jwt::{Algorithm, SigningKey};
/// use doorward::secrecy::ExposeSecret;
///
/// // The first start makes a key and stores it.
/// let new = SigningKey::random(Algorithm::Es256)?;
/// let stored: Vec<u8> = new.expose_secret().to_vec();
/// // Later ones read it.
/// let key = SigningKey::der(stored);
/// # }
/// # Ok::<(), doorward::jwt::BuildError>(())
/// ```
///
/// It is checked when the authority is built. `Debug` does not show it, and
/// [`ExposeSecret`] returns the bytes that it was made from: the secret, the PEM or the DER.
#[derive(Clone)]
pub struct SigningKey {
    form: Form,
    bytes: SecretSlice<u8>,
    algorithm: Option<Algorithm>,
    id: Option<String>,
}

/// The format of the bytes of a key.
#[derive(Clone, Copy)]
enum Form {
    Secret,
    Pem,
    Der,
}

/// The bytes before a private key of Ed25519 in PKCS #8
/// ([RFC 8410, 7](https://www.rfc-editor.org/rfc/rfc8410#section-7)).
const ED25519: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// The bytes before a private key of P-256 in PKCS #8, without the public key
/// ([RFC 5915, 3](https://www.rfc-editor.org/rfc/rfc5915#section-3)).
const P256: [u8; 35] = [
    0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
    0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01,
    0x01, 0x04, 0x20,
];

/// The same for P-384.
const P384: [u8; 32] = [
    0x30, 0x4e, 0x02, 0x01, 0x00, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
    0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x22, 0x04, 0x37, 0x30, 0x35, 0x02, 0x01, 0x01, 0x04, 0x30,
];

impl SigningKey {
    fn new(form: Form, bytes: impl SecretBytes) -> Self {
        let bytes = SecretSlice::from(bytes.secret_bytes().to_vec());
        Self { form, bytes, algorithm: None, id: None }
    }

    /// Creates a key from a shared secret, of text or bytes: at least 32 for HS256, which is the
    /// default, 48 for HS384 and 64 for HS512
    /// ([RFC 7518, 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)). A service that can
    /// verify a token can then also create one.
    #[must_use]
    pub fn secret(secret: impl SecretBytes) -> Self {
        Self::new(Form::Secret, secret)
    }

    /// Creates a key from a private key in PEM: P-256, P-384 or Ed25519 in PKCS #8, or RSA of
    /// 2048 to 4096 bits. Its type sets the algorithm: ES256, ES384, EdDSA, and RS256 for RSA.
    ///
    /// **RSA**: `cargo audit` reports
    /// [RUSTSEC-2023-0071](https://rustsec.org/advisories/RUSTSEC-2023-0071.html) for RustCrypto,
    /// because earlier versions leaked the private key by the time that they took. `rsa` 0.10, which
    /// signs here, computes in constant time, with numbers that are blinded at random.
    #[must_use]
    pub fn pem(pem: impl SecretBytes) -> Self {
        Self::new(Form::Pem, pem)
    }

    /// Creates a key from a private key as PKCS #8 in DER, which is what a [PEM](Self::pem)
    /// contains.
    #[must_use]
    pub fn der(der: impl SecretBytes) -> Self {
        Self::new(Form::Der, der)
    }

    /// Makes a new key for HS256, HS384, HS512, ES256, ES384 or EdDSA, from random numbers of the
    /// operating system. A service that does not store the key logs out all users when it restarts.
    ///
    /// # Errors
    ///
    /// Returns an error if no backend for signatures is enabled, there are no random numbers, or
    /// the algorithm is one of RSA.
    pub fn random(algorithm: Algorithm) -> Result<Self, BuildError> {
        let (prefix, length): (&[u8], _) = match (algorithm, algorithm.secret_bytes()) {
            (_, Some(length)) => (&[], length),
            (Algorithm::EdDsa, _) => (&ED25519, 32),
            (Algorithm::Es256, _) => (&P256, 32),
            (Algorithm::Es384, _) => (&P384, 48),
            _ => {
                let mistake = "no random key is for RSA; write `Algorithm::Es256`, or make one with `openssl genrsa`";
                return Err(BuildError::new(mistake));
            }
        };
        let mut secret = SecretSlice::from(vec![0_u8; length]);
        random::fill(secret.expose_secret_mut())?;
        let bytes = SecretSlice::from([prefix, secret.expose_secret()].concat());
        let form = algorithm.secret_bytes().map_or(Form::Der, |_| Form::Secret);
        let key = Self { form, bytes, algorithm: Some(algorithm), id: None };
        // One number in four billion is not a key of P-256.
        key.signer()?;
        Ok(key)
    }

    /// Sets the algorithm, instead of the one that the type of the key suggests.
    #[must_use]
    pub const fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = Some(algorithm);
        self
    }

    /// Sets the `kid` of the tokens
    /// ([RFC 7515, 4.1.4](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4)). By default, it is
    /// the thumbprint of the public key
    /// ([RFC 7638](https://www.rfc-editor.org/rfc/rfc7638)), and tokens of a shared secret have
    /// none.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Reads the key.
    pub(crate) fn signer(&self) -> Result<Signer, BuildError> {
        backend::check()?;
        let (bytes, algorithm, id) = (self.expose_secret(), self.algorithm, self.id.clone());
        match self.form {
            Form::Secret => Signer::of_secret(bytes, algorithm, id),
            Form::Pem => Signer::of_pem(bytes, algorithm, id),
            Form::Der => Signer::of_der(bytes, algorithm, id),
        }
        .map_err(BuildError::new)
    }
}

impl ExposeSecret<[u8]> for SigningKey {
    fn expose_secret(&self) -> &[u8] {
        self.bytes.expose_secret()
    }
}

debug_only!([] SigningKey { algorithm, id });

#[cfg(all(test, any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
mod tests {
    use super::*;

    const RANDOM: [Algorithm; 6] = [
        Algorithm::Hs256,
        Algorithm::Hs384,
        Algorithm::Hs512,
        Algorithm::Es256,
        Algorithm::Es384,
        Algorithm::EdDsa,
    ];

    #[test]
    fn a_random_key_can_be_stored() {
        for algorithm in RANDOM {
            let key = SigningKey::random(algorithm).unwrap();
            let other = SigningKey::random(algorithm).unwrap();
            assert_ne!(key.expose_secret(), other.expose_secret());
            let stored = key.expose_secret().to_vec();
            let read = match algorithm.secret_bytes() {
                Some(_) => SigningKey::secret(stored).algorithm(algorithm),
                None => SigningKey::der(stored),
            };
            let (new, read) = (key.signer().unwrap(), read.signer().unwrap());
            assert_eq!(new.header("JWT"), read.header("JWT"));
            assert_eq!(new.header("JWT")["alg"], algorithm.name());
        }
        for algorithm in Algorithm::RSA {
            assert!(SigningKey::random(algorithm).is_err());
        }
    }
}
