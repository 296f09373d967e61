//! Public RSA keys ([RFC 7518, 6.3.1](https://www.rfc-editor.org/rfc/rfc7518#section-6.3.1)) that
//! each backend can use. RustCrypto has the smaller moduli, of at most 4096 bits, and the limit of
//! the exponent is the same for both.

use core::ops::RangeInclusive;

use jsonwebtoken::{DecodingKey, DecodingKeyKind};

/// The sizes of a modulus, in bits. The smallest one is that of
/// [RFC 7518, 3.3](https://www.rfc-editor.org/rfc/rfc7518#section-3.3).
const MODULUS: RangeInclusive<usize> = 2048..=4096;

/// The sizes of an exponent, in bits. A larger one makes a verification slow.
const EXPONENT: RangeInclusive<usize> = 2..=33;

/// Returns the key with this modulus and this exponent, which are big-endian numbers.
///
/// # Errors
///
/// Returns why a backend cannot use it.
pub(super) fn rsa_key(modulus: &[u8], exponent: &[u8]) -> Result<DecodingKey, String> {
    let (modulus, exponent) = (without_zeros(modulus), without_zeros(exponent));
    for (name, number, sizes) in [("modulus", modulus, MODULUS), ("exponent", exponent, EXPONENT)] {
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
    Ok(DecodingKey::from_rsa_raw_components(modulus, exponent))
}

/// Returns `true` unless a signature by an RSA key is a number that is not below the modulus. Of
/// RustCrypto, only PSS does not check it, so one signature would have two forms
/// ([RFC 8017, 5.2.2](https://www.rfc-editor.org/rfc/rfc8017#section-5.2.2)).
pub(super) fn is_in_range(signature: &[u8], key: &DecodingKey) -> bool {
    match key.kind() {
        DecodingKeyKind::RsaModulusExponent { n, .. } => {
            signature.len() == n.len() && signature < n.as_slice()
        }
        DecodingKeyKind::SecretOrDer(_) => true,
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
