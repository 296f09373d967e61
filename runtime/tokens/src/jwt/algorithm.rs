//! The signature algorithms of tokens.

use self::Algorithm::{
    EdDsa, Es256, Es384, Hs256, Hs384, Hs512, Ps256, Ps384, Ps512, Rs256, Rs384, Rs512,
};

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
    pub(crate) const ALL: [Self; 12] =
        [Hs256, Hs384, Hs512, Rs256, Rs384, Rs512, Ps256, Ps384, Ps512, Es256, Es384, EdDsa];

    pub(crate) const RSA: [Self; 6] = [Rs256, Rs384, Rs512, Ps256, Ps384, Ps512];

    /// Returns the algorithm with this name, or `None` for `none` and for unknown names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        // RFC 9864 names the curve as well.
        let name = if name == "Ed25519" { "EdDSA" } else { name };
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// Returns the name in the header of a token.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Hs256 => "HS256",
            Hs384 => "HS384",
            Hs512 => "HS512",
            Rs256 => "RS256",
            Rs384 => "RS384",
            Rs512 => "RS512",
            Ps256 => "PS256",
            Ps384 => "PS384",
            Ps512 => "PS512",
            Es256 => "ES256",
            Es384 => "ES384",
            // What verifiers know that are older than RFC 9864.
            EdDsa => "EdDSA",
        }
    }

    /// Returns `true` if a service that verifies a token cannot create one.
    pub(crate) const fn is_of_public_key(&self) -> bool {
        self.secret_bytes().is_none()
    }

    /// Returns the number of bytes that a shared secret has at least
    /// ([RFC 7518, 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)), or `None` for keys of
    /// another type.
    pub(crate) const fn secret_bytes(self) -> Option<usize> {
        match self {
            Hs256 => Some(32),
            Hs384 => Some(48),
            Hs512 => Some(64),
            _ => None,
        }
    }
}

/// Returns how many bytes of a shared secret count. HMAC fills a key up with zeros
/// ([RFC 2104, 2](https://www.rfc-editor.org/rfc/rfc2104#section-2)), so zeros at its end make it no
/// longer. A random secret ends in a few at most.
pub(crate) fn counted_bytes(secret: &[u8]) -> usize {
    if !secret.ends_with(&[0; 8]) {
        return secret.len();
    }
    let last = secret.iter().rposition(|byte| *byte != 0);
    last.map_or(0, |last| last.saturating_add(1))
}

/// Says that a shared secret of some bytes is too short, and how to get a longer one.
pub(crate) fn too_short(bytes: usize, needed: usize) -> String {
    let until = match Hs256.secret_bytes() {
        Some(least) if bytes >= least => {
            ". A verifier takes what it has signed until a date: `accept_short_secret_until`"
        }
        _ => ". A verifier that has to take them all the same has `weak_secret` instead",
    };
    format!(
        "a shared secret has at least {needed} bytes (RFC 7518, 3.2); make a new one with `openssl rand -hex {needed}`, and let people log in \
         again: anyone who has a token can guess a short secret and sign others, so its tokens prove nothing{until}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_at_the_end_make_no_secret_longer() {
        for (secret, zeros, expected) in [("s3cret", 58, 6), ("", 64, 0), ("s", 7, 8), ("s", 8, 1)]
        {
            let secret = [secret.as_bytes(), &vec![0; zeros]].concat();
            assert_eq!(counted_bytes(&secret), expected);
        }
    }

    #[test]
    fn each_is_found_by_its_name() {
        for algorithm in Algorithm::ALL {
            assert_eq!(Algorithm::named(algorithm.name()), Some(algorithm));
        }
        assert_eq!(Algorithm::named("Ed25519"), Some(Algorithm::EdDsa));
        assert_eq!(Algorithm::named("none"), None);
    }
}
