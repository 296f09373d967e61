//! Public keys that each backend can use, as their numbers.

mod ed25519;

use core::ops::RangeInclusive;

use crate::jwt::algorithm::Algorithm;

/// The numbers of a public key.
pub(crate) enum PublicKey {
    /// Big-endian, without leading zeros.
    Rsa {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
    /// The byte 4, and both coordinates
    /// ([RFC 5480, 2.2](https://www.rfc-editor.org/rfc/rfc5480#section-2.2)).
    P256([u8; 65]),
    P384([u8; 97]),
    Ed25519([u8; 32]),
}

/// The sizes of the modulus of an RSA key, in bits. The smallest one is that of
/// [RFC 7518, 3.3](https://www.rfc-editor.org/rfc/rfc7518#section-3.3), and a larger one makes a
/// verification slow.
const MODULUS: RangeInclusive<usize> = 2048..=4096;

/// The sizes of an exponent, in bits. This is the limit of both backends, for the same reason.
const EXPONENT: RangeInclusive<usize> = 2..=33;

impl PublicKey {
    /// Returns the RSA key with this modulus and this exponent, which are big-endian numbers
    /// ([RFC 7518, 6.3.1](https://www.rfc-editor.org/rfc/rfc7518#section-6.3.1)).
    ///
    /// # Errors
    ///
    /// Returns why a backend cannot use it.
    pub(crate) fn rsa(modulus: &[u8], exponent: &[u8]) -> Result<Self, String> {
        let (modulus, exponent) = (without_zeros(modulus), without_zeros(exponent));
        for (name, number, sizes) in
            [("modulus", modulus, MODULUS), ("exponent", exponent, EXPONENT)]
        {
            let bits = bits_of(number);
            if !sizes.contains(&bits) {
                let (least, most) = (sizes.start(), sizes.end());
                return Err(format!("its {name} has {bits} bits; {least} to {most} can be used"));
            }
            // An even one is of no RSA key.
            if number.last().is_some_and(|last| last & 1 == 0) {
                return Err(format!("its {name} is even"));
            }
        }
        Ok(Self::Rsa { modulus: modulus.to_vec(), exponent: exponent.to_vec() })
    }

    /// Returns the Ed25519 key of this number.
    ///
    /// # Errors
    ///
    /// Returns why a backend cannot use it.
    pub(crate) fn ed25519(x: [u8; 32]) -> Result<Self, String> {
        match ed25519::is_usable(&x) {
            true => Ok(Self::Ed25519(x)),
            false => Err("its `x` is of small order, or not canonical".to_owned()),
        }
    }

    /// Returns the algorithms that the key may be for, the usual one first.
    pub(crate) const fn algorithms(&self) -> &'static [Algorithm] {
        match self {
            Self::Rsa { .. } => &Algorithm::RSA,
            Self::P256(_) => &[Algorithm::Es256],
            Self::P384(_) => &[Algorithm::Es384],
            Self::Ed25519(_) => &[Algorithm::EdDsa],
        }
    }
}

/// Returns a number without leading zeros. Some issuers publish them, although the RFC forbids it,
/// and AWS-LC refuses them.
fn without_zeros(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    number.get(zeros..).unwrap_or_default()
}

/// Returns the number of bits of a number without leading zeros.
fn bits_of(number: &[u8]) -> usize {
    let unused = number.first().map_or(0, |first| first.leading_zeros());
    let unused = usize::try_from(unused).unwrap_or_default();
    number.len().saturating_mul(8).saturating_sub(unused)
}
