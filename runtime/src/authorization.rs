//! The decision about the `Authorization` lines of a request, from bytes alone.
//!
//! No type of a framework and none of `http` stands here, so every adapter shares this one decision.

use core::ops::Range;

/// Why a scheme found no credential in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no `Authorization` line, it is empty, or it names another authentication scheme.
    Missing,
    /// There is more than one `Authorization` line, and nothing says which one counts
    /// ([RFC 9110, 5.3](https://www.rfc-editor.org/rfc/rfc9110#section-5.3)).
    Repeated,
    /// The scheme name is `Bearer`, but what follows is no token
    /// ([RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
    Malformed,
}

impl Refusal {
    pub(crate) const ALL: [Self; 3] = [Self::Missing, Self::Repeated, Self::Malformed];
}

/// Which tokens a bearer scheme takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// Visible ASCII, with spaces and tabs inside; what real clients send.
    Lenient,
    /// `b64token` and nothing else.
    Rfc6750,
}

/// Returns the one `Authorization` line that is not empty.
pub(crate) fn single<L: AsRef<[u8]>>(lines: impl IntoIterator<Item = L>) -> Result<L, Refusal> {
    let mut lines = lines.into_iter();
    let line = lines.next().ok_or(Refusal::Missing)?;
    if lines.next().is_some() {
        Err(Refusal::Repeated)
    } else if line.as_ref().is_empty() {
        Err(Refusal::Missing)
    } else {
        Ok(line)
    }
}

/// Returns where the token stands in an `Authorization` line.
pub(crate) fn bearer_token(line: &[u8], grammar: Grammar) -> Result<Range<usize>, Refusal> {
    let credential = after_bearer(line).ok_or(Refusal::Missing)?;
    match grammar {
        Grammar::Lenient => {
            let start = line.len() - trim_start(credential).len();
            let token = trim_end(line.get(start..).unwrap_or_default());
            if is_text(token) {
                Ok(start..start + token.len())
            } else {
                Err(Refusal::Malformed)
            }
        }
        Grammar::Rfc6750 => {
            let spaces = credential.iter().take_while(|byte| **byte == b' ').count();
            let start = line.len() - credential.len() + spaces;
            if line.get(start..).is_some_and(is_b64token) {
                Ok(start..line.len())
            } else {
                Err(Refusal::Malformed)
            }
        }
    }
}

/// Returns what follows the scheme name and its space.
///
/// The scheme name ends at the first space, not at a tab: `Bearer\ttoken` is a scheme name of its own. It is compared without
/// regard to case ([RFC 9110, 11.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.1)).
fn after_bearer(line: &[u8]) -> Option<&[u8]> {
    let (name, rest) = line.split_at_checked(b"bearer".len())?;
    if !name.eq_ignore_ascii_case(b"bearer") {
        return None;
    }
    match rest {
        [] => Some(rest),
        [b' ', credential @ ..] => Some(credential),
        _ => None,
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let blanks = bytes.iter().take_while(|byte| is_blank(**byte)).count();
    bytes.get(blanks..).unwrap_or_default()
}

fn trim_end(bytes: &[u8]) -> &[u8] {
    let blanks = bytes
        .iter()
        .rev()
        .take_while(|byte| is_blank(**byte))
        .count();
    bytes.get(..bytes.len() - blanks).unwrap_or_default()
}

/// Tells whether every byte is visible ASCII, a space or a tab.
///
/// The fold runs over all bytes: without an early exit it is compiled to vector instructions, and a token is nearly always good.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().fold(true, |good, byte| {
        good & (byte.wrapping_sub(b' ') < 0x5f || *byte == b'\t')
    })
}

/// `b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`
/// ([RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
fn is_b64token(bytes: &[u8]) -> bool {
    let padding = bytes.iter().rev().take_while(|byte| **byte == b'=').count();
    let body = bytes.get(..bytes.len() - padding).unwrap_or_default();
    !body.is_empty()
        && body.iter().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(line: &[u8], grammar: Grammar) -> Result<&[u8], Refusal> {
        bearer_token(line, grammar).map(|range| &line[range])
    }

    #[test]
    fn a_single_line_is_needed() {
        assert_eq!(single(Vec::<&[u8]>::new()), Err(Refusal::Missing));
        assert_eq!(single([&b""[..]]), Err(Refusal::Missing));
        assert_eq!(single([&b"x"[..]]), Ok(&b"x"[..]));
        assert_eq!(single([&b""[..], b"x"]), Err(Refusal::Repeated));
    }

    #[test]
    fn the_scheme_name_ends_at_the_first_space() {
        assert_eq!(token(b"Bearer", Grammar::Lenient), Ok(&b""[..]));
        assert_eq!(token(b"Bearer  tok", Grammar::Lenient), Ok(&b"tok"[..]));
        assert_eq!(token(b"Bearer a b", Grammar::Lenient), Ok(&b"a b"[..]));
        assert_eq!(
            token(b"Bearer\ttok", Grammar::Lenient),
            Err(Refusal::Missing)
        );
        assert_eq!(token(b"Beare", Grammar::Lenient), Err(Refusal::Missing));
    }

    #[test]
    fn only_blanks_are_trimmed_and_control_bytes_refused() {
        assert_eq!(
            token(b"Bearer \t tok\t ", Grammar::Lenient),
            Ok(&b"tok"[..])
        );
        for bad in [0x00, 0x0b, 0x1f, 0x7f, 0x80, 0xa0, 0xff] {
            assert_eq!(
                token(&[b"Bearer t", &[bad][..]].concat(), Grammar::Lenient),
                Err(Refusal::Malformed)
            );
        }
        for good in 0x21..=0x7e {
            assert_eq!(
                token(&[b"Bearer ", &[good][..]].concat(), Grammar::Lenient),
                Ok(&[good][..])
            );
        }
    }

    #[test]
    fn strict_takes_b64token_only() {
        assert_eq!(
            token(b"bearer   a-._~+/9==", Grammar::Rfc6750),
            Ok(&b"a-._~+/9=="[..])
        );
        for bad in [
            &b"Bearer"[..],
            b"Bearer ",
            b"Bearer =",
            b"Bearer a=b",
            b"Bearer a b",
            b"Bearer a ",
            b"Bearer \ta",
        ] {
            assert_eq!(token(bad, Grammar::Rfc6750), Err(Refusal::Malformed));
        }
        assert_eq!(token(b"Basic a", Grammar::Rfc6750), Err(Refusal::Missing));
    }
}
