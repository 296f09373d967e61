//! The decision about the `Authorization` line of a request, made only from its bytes. That there is
//! one line alone is decided in [`request_head`](super::request_head).
//!
//! This module uses no types of `http` or of a framework, so every adapter shares the same
//! decision.

use core::ops::Range;

use crate::credential::reason::RejectionReason;

/// The token grammar of a bearer scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// Visible ASCII, with spaces and tabs inside, as real clients send it.
    Lenient,
    /// `b64token` only.
    Rfc6750,
}

/// A credential and its start in the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located<'h> {
    pub(crate) start: usize,
    pub(crate) credential: &'h [u8],
}

impl<'h> Located<'h> {
    /// Returns the place of a credential that is a part of a line.
    pub(super) fn within(line: &[u8], credential: &'h [u8]) -> Self {
        Self { start: credential.as_ptr().addr().saturating_sub(line.as_ptr().addr()), credential }
    }

    /// Returns the place of the credential in the line.
    #[inline]
    pub(super) const fn range(&self) -> Range<usize> {
        self.start..self.start.saturating_add(self.credential.len())
    }
}

/// Returns the trimmed rest of a line after the name of an authentication scheme, which ends at the
/// first space. Returns `None` for a line of another scheme.
pub(crate) fn after_name<'h>(line: &'h [u8], name: &str) -> Option<&'h [u8]> {
    let (start, rest) = line.split_at_checked(name.len())?;
    let is_named = start.eq_ignore_ascii_case(name.as_bytes()) && matches!(rest, [] | [b' ', ..]);
    is_named.then(|| trimmed(rest))
}

/// Removes spaces and tabs at both ends.
pub(super) fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = text {
        text = rest;
    }
    text
}

/// Finds the token in an `Authorization` line.
#[inline(always)]
pub(crate) fn bearer_token(line: &[u8], grammar: Grammar) -> Result<Located<'_>, RejectionReason> {
    let mut token = after_bearer(line).ok_or(RejectionReason::Missing)?;
    match grammar {
        Grammar::Lenient => {
            while let [b' ' | b'\t', rest @ ..] = token {
                token = rest;
            }
        }
        Grammar::Rfc6750 => {
            while let [b' ', rest @ ..] = token {
                token = rest;
            }
        }
    }
    let start = line.len().saturating_sub(token.len());
    if grammar == Grammar::Lenient {
        while let [rest @ .., b' ' | b'\t'] = token {
            token = rest;
        }
    }
    let is_token = match grammar {
        Grammar::Lenient => is_text(token),
        Grammar::Rfc6750 => is_b64token(token),
    };
    if is_token {
        Ok(Located { start, credential: token })
    } else {
        Err(RejectionReason::Malformed)
    }
}

/// Returns the rest of the line after the scheme name `Bearer` and its space.
///
/// The scheme name ends at the first space, not at a tab: `Bearer\ttoken` is a different scheme
/// name. The comparison ignores ASCII case
/// ([RFC 9110, 11.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.1)).
#[inline(always)]
fn after_bearer(line: &[u8]) -> Option<&[u8]> {
    // A lowercase letter differs from its uppercase letter only in the bit 0x20. The name and the
    // space are compared as one number.
    const LETTERS: u64 = u64::from_le_bytes([0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0, 0]);
    const NAME: u64 = u64::from_le_bytes(*b"bearer \0");
    match line.first_chunk() {
        Some(start) => {
            let start = u64::from_le_bytes(*start) & (u64::MAX >> 8);
            (start | LETTERS == NAME).then(|| line.get(b"bearer ".len()..))?
        }
        None => is_bare_name(line).then_some(&[]),
    }
}

/// Returns `true` if a line that is too short for a token is only the scheme name.
#[cold]
fn is_bare_name(line: &[u8]) -> bool {
    line.strip_suffix(b" ").unwrap_or(line).eq_ignore_ascii_case(b"bearer")
}

/// Returns `true` if no byte is a control character other than a tab
/// ([RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
pub(super) fn is_field_value(bytes: &[u8]) -> bool {
    let is_allowed = |byte: &u8| !byte.is_ascii_control() || *byte == b'\t';
    bytes.iter().all(is_allowed)
}

/// Returns `true` if every byte is visible ASCII, a space or a tab.
#[inline(always)]
pub(super) fn is_text(bytes: &[u8]) -> bool {
    // Finding the minimum and the maximum of a block is faster than matching each byte. Only a tab
    // needs the second check, and a tab inside a token is rare.
    is_visible(bytes) || bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t'))
}

/// Returns `true` if the bytes match
/// `b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`
/// ([RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
#[inline]
#[must_use]
pub fn is_b64token(bytes: &[u8]) -> bool {
    let mut body = bytes;
    while let [rest @ .., b'='] = body {
        body = rest;
    }
    !body.is_empty()
        && match blocks(body) {
            Some((blocks, last)) => blocks
                .iter()
                .chain([last])
                .all(|block| block.iter().fold(true, |good, byte| good & is_b64(*byte))),
            None => body.iter().all(|byte| is_b64(*byte)),
        }
}

#[inline]
fn is_b64(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    // In ASCII, `+`, `,`, `-`, `.`, `/` and the digits are contiguous. Only the comma is not
    // allowed.
    let other = (byte.wrapping_sub(b'+') < 15) & (byte != b',');
    letter | other | (byte == b'_') | (byte == b'~')
}

/// Returns `true` if every byte is visible ASCII or a space.
#[inline(always)]
fn is_visible(bytes: &[u8]) -> bool {
    let Some((blocks, last)) = blocks(bytes) else {
        return bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
    };
    // The minimum and the maximum take two instructions for every 16 bytes.
    let (mut low, mut high) = (*last, *last);
    for block in blocks {
        for ((low, high), byte) in low.iter_mut().zip(&mut high).zip(block) {
            *low = (*low).min(*byte);
            *high = (*high).max(*byte);
        }
    }
    low.iter().zip(&high).fold(true, |good, (low, high)| good & (*low >= b' ') & (*high <= b'~'))
}

/// Splits the bytes into all whole blocks and the last block, which may overlap the one before.
/// Returns `None` if there is no whole block. The compiler vectorizes the operations on a block.
#[inline(always)]
fn blocks(bytes: &[u8]) -> Option<(&[[u8; BLOCK]], &[u8; BLOCK])> {
    Some((bytes.as_chunks().0, bytes.last_chunk()?))
}

const BLOCK: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn token(line: &[u8], grammar: Grammar) -> Result<&[u8], RejectionReason> {
        bearer_token(line, grammar).map(|found| found.credential)
    }

    #[test]
    fn the_scheme_name_ends_at_the_first_space() {
        assert_eq!(token(b"Bearer", Grammar::Lenient), Ok(&b""[..]));
        assert_eq!(token(b"Bearer  tok", Grammar::Lenient), Ok(&b"tok"[..]));
        assert_eq!(token(b"Bearer a b", Grammar::Lenient), Ok(&b"a b"[..]));
        assert_eq!(token(b"Bearer\ttok", Grammar::Lenient), Err(RejectionReason::Missing));
        assert_eq!(token(b"Beare", Grammar::Lenient), Err(RejectionReason::Missing));
    }

    #[test]
    fn only_blanks_are_trimmed_and_control_bytes_refused() {
        assert_eq!(token(b"Bearer \t tok\t ", Grammar::Lenient), Ok(&b"tok"[..]));
        for bad in [0x00, 0x0b, 0x1f, 0x7f, 0x80, 0xa0, 0xff] {
            assert_eq!(
                token(&[b"Bearer t", &[bad][..]].concat(), Grammar::Lenient),
                Err(RejectionReason::Malformed)
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
        assert_eq!(token(b"bearer   a-._~+/9==", Grammar::Rfc6750), Ok(&b"a-._~+/9=="[..]));
        for bad in [
            &b"Bearer"[..],
            b"Bearer ",
            b"Bearer =",
            b"Bearer a=b",
            b"Bearer a b",
            b"Bearer a ",
            b"Bearer \ta",
        ] {
            assert_eq!(token(bad, Grammar::Rfc6750), Err(RejectionReason::Malformed));
        }
        assert_eq!(token(b"Basic a", Grammar::Rfc6750), Err(RejectionReason::Missing));
    }

    #[test]
    fn every_byte_is_looked_at_wherever_it_stands() {
        for length in [1, 2, 31, 32, 33, 63, 64, 65, 97] {
            for place in 0..length {
                for byte in 0..=u8::MAX {
                    let mut token = vec![b'a'; length];
                    token[place] = byte;
                    let is_text = matches!(byte, b'\t' | b' '..=b'~');
                    assert_eq!(super::is_text(&token), is_text, "{byte} at {place} of {length}");
                    let is_b64 = byte.is_ascii_alphanumeric()
                        || b"-._~+/".contains(&byte)
                        || byte == b'=' && place > 0 && place + 1 == length;
                    assert_eq!(is_b64token(&token), is_b64, "{byte} at {place} of {length}");
                }
            }
        }
    }
}
