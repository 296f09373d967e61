//! The signature algorithms of tokens.

use jsonwebtoken as jwt;

/// A signature algorithm ([RFC 7518, 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1),
/// [RFC 8037, 3.1](https://www.rfc-editor.org/rfc/rfc8037#section-3.1)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// HMAC with SHA-256, for a shared secret.
    Hs256,
    /// HMAC with SHA-384, for a shared secret.
    Hs384,
    /// HMAC with SHA-512, for a shared secret.
    Hs512,
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    Rs384,
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    Rs512,
    /// RSASSA-PSS with SHA-256.
    Ps256,
    /// RSASSA-PSS with SHA-384.
    Ps384,
    /// RSASSA-PSS with SHA-512.
    Ps512,
    /// ECDSA with P-256 and SHA-256.
    Es256,
    /// ECDSA with P-384 and SHA-384.
    Es384,
    /// EdDSA with Ed25519.
    EdDsa,
}

impl Algorithm {
    pub(super) const RSA: [Self; 6] =
        [Self::Rs256, Self::Rs384, Self::Rs512, Self::Ps256, Self::Ps384, Self::Ps512];

    /// Returns the algorithm with this name. `none` and those that are not known have none.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "HS256" => Self::Hs256,
            "HS384" => Self::Hs384,
            "HS512" => Self::Hs512,
            "RS256" => Self::Rs256,
            "RS384" => Self::Rs384,
            "RS512" => Self::Rs512,
            "PS256" => Self::Ps256,
            "PS384" => Self::Ps384,
            "PS512" => Self::Ps512,
            "ES256" => Self::Es256,
            "ES384" => Self::Es384,
            // RFC 9864 names the curve as well.
            "EdDSA" | "Ed25519" => Self::EdDsa,
            _ => return None,
        })
    }

    /// Returns the name in the header of a token.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Hs256 => "HS256",
            Self::Hs384 => "HS384",
            Self::Hs512 => "HS512",
            Self::Rs256 => "RS256",
            Self::Rs384 => "RS384",
            Self::Rs512 => "RS512",
            Self::Ps256 => "PS256",
            Self::Ps384 => "PS384",
            Self::Ps512 => "PS512",
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
            // What verifiers know that are older than RFC 9864.
            Self::EdDsa => "EdDSA",
        }
    }

    pub(super) const fn of_backend(self) -> jwt::Algorithm {
        match self {
            Self::Hs256 => jwt::Algorithm::HS256,
            Self::Hs384 => jwt::Algorithm::HS384,
            Self::Hs512 => jwt::Algorithm::HS512,
            Self::Rs256 => jwt::Algorithm::RS256,
            Self::Rs384 => jwt::Algorithm::RS384,
            Self::Rs512 => jwt::Algorithm::RS512,
            Self::Ps256 => jwt::Algorithm::PS256,
            Self::Ps384 => jwt::Algorithm::PS384,
            Self::Ps512 => jwt::Algorithm::PS512,
            Self::Es256 => jwt::Algorithm::ES256,
            Self::Es384 => jwt::Algorithm::ES384,
            Self::EdDsa => jwt::Algorithm::EdDSA,
        }
    }

    /// Returns the number of bytes that a shared secret has at least
    /// ([RFC 7518, 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)), or `None` for keys of
    /// another type.
    pub(super) const fn secret_bytes(self) -> Option<usize> {
        match self {
            Self::Hs256 => Some(32),
            Self::Hs384 => Some(48),
            Self::Hs512 => Some(64),
            _ => None,
        }
    }
}

/// Says that a shared secret is too short, and how to get a longer one.
pub(super) fn too_short(bytes: usize) -> String {
    format!(
        "a shared secret has at least {bytes} bytes (RFC 7518, 3.2); make a new one with `openssl rand -hex {bytes}`, and let people log in again: \
         whoever has a token can guess a short secret and sign others, so its tokens prove nothing"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_name() {
        use Algorithm::{EdDsa, Es256, Es384, Hs256, Hs384, Hs512};
        let others = [Hs256, Hs384, Hs512, Es256, Es384, EdDsa];
        for algorithm in Algorithm::RSA.into_iter().chain(others) {
            assert_eq!(Algorithm::named(algorithm.name()), Some(algorithm));
        }
    }
}
