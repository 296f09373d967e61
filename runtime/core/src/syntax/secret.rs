//! Secrets: their comparison, and base64 that is decoded without traces.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use subtle::ConstantTimeEq;

/// Compares two secrets in constant time: it depends on their lengths, and not on where they
/// differ. Secrets of different lengths are told apart at once, so a caller may learn the length of
/// the expected one. Compare hashes where that must not be known.
///
/// A secret is any text or bytes: `&str`, `String`, `&[u8]`, `[u8; 32]`, a `SecretString`.
///
/// ```
/// use doorward::secrecy::SecretString;
/// use doorward::secret_eq;
///
/// assert!(secret_eq(&SecretString::from("hunter2"), "hunter2"));
/// assert!(secret_eq(b"\x01\x02", vec![1, 2]));
/// assert!(!secret_eq("hunter2", "hunter3"));
/// ```
#[must_use]
pub fn secret_eq(secret: impl SecretBytes, expected: impl SecretBytes) -> bool {
    secret.secret_bytes().ct_eq(expected.secret_bytes()).into()
}

/// Text or bytes that [`secret_eq`] can compare.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be compared as a secret",
    label = "neither text nor bytes",
    note = "pass text or bytes: `&str`, `String`, `&[u8]`, `Vec<u8>`, `[u8; N]`, a `SecretString` or a reference to one of them"
)]
pub trait SecretBytes {
    /// Returns the bytes of the secret.
    fn secret_bytes(&self) -> &[u8];
}

macro_rules! secrets {
    ($([$($generics:tt)*] $ty:ty => |$secret:ident| $bytes:expr;)*) => {$(
        impl<$($generics)*> SecretBytes for $ty {
            fn secret_bytes(&self) -> &[u8] {
                let $secret = self;
                $bytes
            }
        }
    )*};
}

secrets! {
    [T: SecretBytes + ?Sized] &T => |secret| (**secret).secret_bytes();
    [] str => |secret| secret.as_bytes();
    [] String => |secret| secret.as_bytes();
    [] [u8] => |secret| secret;
    [] Vec<u8> => |secret| secret;
    [const N: usize] [u8; N] => |secret| secret;
    [] SecretString => |secret| secret.expose_secret().as_bytes();
    [] SecretSlice<u8> => |secret| secret.expose_secret();
}

/// Decodes canonical, padded base64 ([RFC 4648, 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
/// The decoded bytes are zeroed on drop, even if the rest is malformed.
pub(crate) fn decode_base64(encoded: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let length = base64::decoded_len_estimate(encoded.len());
    let mut decoded = Zeroizing::new(vec![0; length]);
    let length = STANDARD.decode_slice(encoded, &mut decoded).ok()?;
    decoded.truncate(length);
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_on_both_sides_are_compared() {
        let (text, bytes) = (String::from("ab"), vec![b'a', b'b']);
        let secrets: [&dyn SecretBytes; 8] = [
            &"ab",
            &text,
            &&text,
            &&b"ab"[..],
            b"ab",
            &bytes,
            &SecretString::from("ab"),
            &SecretSlice::from(bytes.clone()),
        ];
        for secret in secrets {
            for expected in secrets {
                assert!(secret_eq(secret, expected));
            }
            for other in ["", "a", "ac", "abc"] {
                assert!(!secret_eq(secret, other) && !secret_eq(other, secret), "{other}");
            }
        }
        assert!(secret_eq("", []));
    }
}
