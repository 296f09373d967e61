//! The client's credentials in an `Authorization: Basic` header, read only from bytes
//! ([RFC 6749, 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)).

use secrecy::SecretString;

use crate::credential::authorization_line::after_name;
use crate::syntax::secret::decode_base64;
use crate::syntax::urlencoded;

/// The scheme name is `Basic`, but the rest of the line is not a client's credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Reads the identifier and the secret from an `Authorization` line. An empty secret counts as no
/// secret: the client is public.
///
/// Returns `None` for a line of another scheme. Also returns `None` if both are empty, as Swagger
/// UI sends them without a client.
pub(crate) fn credentials(
    line: &[u8],
) -> Result<Option<(String, Option<SecretString>)>, Malformed> {
    let Some(encoded) = after_name(line, "basic") else {
        return Ok(None);
    };
    let decoded = decode_base64(encoded).ok_or(Malformed)?;
    let colon = decoded.iter().position(|byte| *byte == b':');
    let (id, secret) = decoded.split_at_checked(colon.ok_or(Malformed)?).ok_or(Malformed)?;
    match (id, secret) {
        ([], [b':']) => Ok(None),
        ([_, ..], [_]) => Ok(Some((text(id)?, None))),
        ([_, ..], [_, secret @ ..]) => Ok(Some((text(id)?, Some(text(secret)?.into())))),
        _ => Err(Malformed),
    }
}

/// Decodes the identifier or the secret, which are form-encoded.
fn text(half: &[u8]) -> Result<String, Malformed> {
    let text = urlencoded::decode_strictly(half).ok_or(Malformed)?;
    is_vschar(&text).then_some(text).ok_or(Malformed)
}

/// Returns `true` if the text is visible ASCII and spaces
/// ([`*VSCHAR`](https://www.rfc-editor.org/rfc/rfc6749#appendix-A)).
pub(crate) fn is_vschar(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use secrecy::ExposeSecret;

    type Read = Result<Option<(String, Option<String>)>, Malformed>;

    fn read(line: &str) -> Read {
        let found = credentials(line.as_bytes())?;
        let exposed = |secret: SecretString| secret.expose_secret().to_owned();
        Ok(found.map(|(id, secret)| (id, secret.map(exposed))))
    }

    fn encoded(halves: &str) -> Read {
        read(&format!("Basic {}", STANDARD.encode(halves)))
    }

    #[test]
    fn the_halves_are_split_at_the_first_colon_and_decoded() {
        let found = |id: &str, secret: &str| Ok(Some((id.to_owned(), Some(secret.to_owned()))));
        assert_eq!(encoded("a:b"), found("a", "b"));
        assert_eq!(encoded("a:b:c"), found("a", "b:c"));
        assert_eq!(encoded("a:"), Ok(Some(("a".to_owned(), None))));
        assert_eq!(encoded("a%3Ab:c+d%25"), found("a:b", "c d%"));
    }

    #[test]
    fn only_a_header_of_the_scheme_has_credentials() {
        for line in ["", "Bearer YTpi", "BasicYTpi", "Basic\tYTpi", "Basi", "Basic Og=="] {
            assert_eq!(read(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn what_is_not_canonical_is_malformed() {
        for line in ["Basic", "Basic ", "Basic YTpi=", "Basic YTpj YTpi", "Basic YTo", "Basic YTp_"]
        {
            assert_eq!(read(line), Err(Malformed), "{line}");
        }
        // The last character has unused bits that are not zero.
        assert_eq!(read("Basic YTr="), Err(Malformed));
        for halves in
            ["a", ":b", "a%:b", "a:%4", "a:%zz", "\u{e9}:b", "a:%C3%A9", "a:%00", "a:\u{7f}"]
        {
            assert_eq!(encoded(halves), Err(Malformed), "{halves}");
        }
    }
}
