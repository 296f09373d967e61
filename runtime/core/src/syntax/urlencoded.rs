//! Decodes the escapes of `application/x-www-form-urlencoded`
//! ([WHATWG URL, 5.1](https://url.spec.whatwg.org/#urlencoded-parsing)). `+` is a space and `%XX`
//! is a byte. A malformed escape is kept as it is.

pub(crate) mod word;

use secrecy::zeroize::Zeroize;

use crate::syntax::urlencoded::word::Word;

/// The error for bytes that are not UTF-8.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotUtf8;

/// Decodes a value. Refuses bytes that are not UTF-8, because replacing them could make two
/// different passwords equal.
///
/// The text has no spare capacity, so it becomes a secret without another copy.
pub(crate) fn decode(raw: &[u8]) -> Result<String, NotUtf8> {
    // Too short if an escape is malformed, which is rare.
    let length = raw.len().saturating_sub(Word::count_percents(raw).saturating_mul(2));
    let bytes = fill(raw, length).or_else(|| fill(raw, Unescaped { rest: raw }.count()));
    String::from_utf8(bytes.ok_or(NotUtf8)?).map_err(|error| {
        error.into_bytes().zeroize();
        NotUtf8
    })
}

/// Decodes a value. Returns `None` if an escape is malformed or the bytes are not UTF-8.
pub(crate) fn decode_strictly(raw: &[u8]) -> Option<String> {
    let mut after_percents = raw.split(|byte| *byte == b'%').skip(1);
    let is_well_formed = after_percents
        .all(|after| matches!(after, [high, low, ..] if digit(*high) | digit(*low) < 16));
    is_well_formed.then(|| decode(raw).ok()).flatten()
}

/// Decodes a value into a buffer of exactly `length` bytes. Returns `None` if the value is longer.
fn fill(raw: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length);
    let mut rest = raw;
    while let Some((byte, after)) = unescaped(rest) {
        if bytes.len() == bytes.capacity() {
            // The bytes may be part of a secret.
            bytes.zeroize();
            return None;
        }
        bytes.push(byte);
        rest = after;
    }
    Some(bytes)
}

/// Checks that the decoded value is UTF-8, without a copy.
pub(crate) fn check_utf8(raw: &[u8]) -> Result<(), NotUtf8> {
    let mut bytes = Unescaped { rest: raw };
    while let Some(first) = bytes.next() {
        let length = match first {
            0x00..=0x7f => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return Err(NotUtf8),
        };
        let mut character = [first, 0, 0, 0];
        let character = character.get_mut(..length).unwrap_or_default();
        for place in character.iter_mut().skip(1) {
            *place = bytes.next().ok_or(NotUtf8)?;
        }
        core::str::from_utf8(character).map_err(|_| NotUtf8)?;
    }
    Ok(())
}

/// Returns `true` if `raw`, which may be escaped, decodes to `name`.
pub(crate) fn is_name(raw: &[u8], name: &str) -> bool {
    raw.len() >= name.len() && Unescaped { rest: raw }.eq(name.bytes())
}

/// An iterator over the decoded bytes of a name or value.
struct Unescaped<'a> {
    rest: &'a [u8],
}

impl Iterator for Unescaped<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (byte, rest) = unescaped(self.rest)?;
        self.rest = rest;
        Some(byte)
    }
}

/// Decodes the first byte. Returns it with the bytes that follow.
#[inline]
fn unescaped(raw: &[u8]) -> Option<(u8, &[u8])> {
    let (byte, rest) = raw.split_first()?;
    match byte {
        // One comparison is enough for nearly every byte.
        b'%'..=b'+' => match (byte, rest) {
            (b'%', [high, low, after @ ..]) if digit(*high) | digit(*low) < 16 => {
                Some((digit(*high) << 4 | digit(*low), after))
            }
            (b'+', _) => Some((b' ', rest)),
            _ => Some((*byte, rest)),
        },
        _ => Some((*byte, rest)),
    }
}

#[inline]
fn digit(byte: u8) -> u8 {
    DIGITS.get(usize::from(byte)).copied().unwrap_or(NO_DIGIT)
}

const NO_DIGIT: u8 = 0xff;

/// The value of each byte as a hexadecimal digit.
const DIGITS: [u8; 256] = {
    let mut digits = [NO_DIGIT; 256];
    let mut byte = 0;
    while byte < u8::MAX {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => NO_DIGIT,
        };
        #[expect(clippy::indexing_slicing, reason = "there are as many places as bytes")]
        {
            digits[byte as usize] = digit;
        }
        byte += 1;
    }
    digits
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_and_malformed_ones_kept() {
        for (raw, text) in [
            ("a+b", "a b"),
            ("a%20b", "a b"),
            ("%2B", "+"),
            ("%c3%A9", "é"),
            ("%zz", "%zz"),
            ("%2", "%2"),
            ("%", "%"),
            ("%%41", "%A"),
            ("%4%41", "%4A"),
            ("%u0041", "%u0041"),
        ] {
            let decoded = decode(raw.as_bytes()).unwrap();
            assert_eq!((decoded.as_str(), decoded.capacity()), (text, text.len()), "{raw}");
        }
    }

    #[test]
    fn invalid_utf8_is_refused() {
        for raw in [&b"%ff"[..], b"\xff", b"%c0%80", b"%ed%a0%80", b"a\xc3+"] {
            assert_eq!(decode(raw), Err(NotUtf8));
        }
    }

    #[test]
    fn a_check_agrees_with_decoding() {
        for first in 0..=0xff {
            for second in [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff] {
                for rest in [&b""[..], b"\x80", b"%80", b"\x80\x80", b"%80\xbfa", b"a"] {
                    let raw = [&[first, second], rest].concat();
                    assert_eq!(check_utf8(&raw), decode(&raw).map(|_| ()), "{raw:x?}");
                }
            }
        }
    }

    #[test]
    fn a_name_may_be_escaped() {
        assert!(is_name(b"username", "username"));
        assert!(is_name(b"user%6eame", "username"));
        assert!(is_name(b"a+b", "a b"));
        assert!(is_name(b"a%20b", "a b"));
        assert!(is_name(b"a%2Bb", "a+b") && !is_name(b"a+b", "a+b"));
        for other in [&b""[..], b"usernam", b"username+", b"+username", b"USERNAME", b"user%6eam"] {
            assert!(!is_name(other, "username"));
        }
    }
}
