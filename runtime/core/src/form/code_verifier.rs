//! The code verifier of [RFC 7636](https://www.rfc-editor.org/rfc/rfc7636).

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use crate::form::text::{FromText, InvalidText};
use crate::syntax::debug_text::debug_only;
use crate::syntax::secret::secret_eq;

/// A code verifier: the proof that a client requested the code that it sends
/// ([RFC 7636, 4.1](https://www.rfc-editor.org/rfc/rfc7636#section-4.1)).
///
/// It is 43 to 128 characters long: ASCII letters, digits, `-`, `.`, `_` and `~`. A form with any
/// other text has the fault [`Invalid`](crate::form::FaultKind::Invalid).
///
/// `Debug` does not show it.
///
/// ```
/// use doorward::form::RequestForm;
/// use doorward::token_endpoint::AuthorizationCodeGrant;
///
/// let body = b"grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA\
///     &code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/// let grant = AuthorizationCodeGrant::decode(body)?;
/// let verifier = grant.code_verifier.expect("the client sent it");
/// assert!(verifier.verify("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"));
/// # Ok::<(), doorward::form::FormError>(())
/// ```
#[derive(Clone)]
pub struct CodeVerifier(SecretString);

impl CodeVerifier {
    /// Returns `true` if the challenge was made from this verifier by the method `S256`: the
    /// SHA-256 hash, as base64url without padding. The time that this takes does not reveal where a
    /// wrong challenge differs.
    #[must_use]
    pub fn verify(&self, challenge: &str) -> bool {
        let hash = Sha256::digest(self.0.expose_secret());
        secret_eq(SecretString::from(URL_SAFE_NO_PAD.encode(hash)), challenge)
    }

    /// Returns `true` if the challenge is this verifier, as by the method `plain`.
    ///
    /// Only for clients that cannot hash, because the authorization request reveals the verifier.
    #[must_use]
    pub fn verify_plain(&self, challenge: &str) -> bool {
        secret_eq(&self.0, challenge)
    }
}

impl<'a> FromText<'a> for CodeVerifier {
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
        let is_unreserved =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
        let is_valid = (43..=128).contains(&text.len()) && text.bytes().all(is_unreserved);
        let verifier = SecretString::from_text(text)?;
        is_valid.then_some(Self(verifier)).ok_or(InvalidText)
    }
}

debug_only!([] CodeVerifier, "(<redacted>)");

#[cfg(test)]
mod tests {
    use super::*;

    fn verifier(text: &str) -> Option<CodeVerifier> {
        CodeVerifier::from_text(Cow::Borrowed(text)).ok()
    }

    #[test]
    fn only_the_grammar_is_taken() {
        for length in [43, 44, 127, 128] {
            assert!(verifier(&"a".repeat(length)).is_some(), "{length}");
        }
        for length in [0, 1, 42, 129] {
            assert!(verifier(&"a".repeat(length)).is_none(), "{length}");
        }
        for character in '\0'..='\u{ff}' {
            let text = format!("{character}{}", "a".repeat(42));
            let is_unreserved = character.is_ascii_alphanumeric() || "-._~".contains(character);
            assert_eq!(verifier(&text).is_some(), is_unreserved, "{character:?}");
        }
    }

    #[test]
    fn a_challenge_is_of_its_method() {
        let text = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        let verifier = verifier(text).unwrap();
        assert!(verifier.verify(challenge) && verifier.verify_plain(text));
        assert!(!verifier.verify(text) && !verifier.verify_plain(challenge));
        for wrong in ["", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN", &format!("{challenge}=")] {
            assert!(!verifier.verify(wrong), "{wrong}");
        }
        assert_eq!(format!("{verifier:?}"), "CodeVerifier(<redacted>)");
    }
}
