//! The escapes of `application/x-www-form-urlencoded`
//! ([WHATWG URL, 5.1](https://url.spec.whatwg.org/#urlencoded-parsing)): `+` is a space, `%XX` a byte, and a malformed escape stays
//! as it is.

use std::borrow::Cow;

/// The bytes are not UTF-8.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotUtf8;

/// Decodes a name or a value; it is borrowed when nothing in it is escaped. Bytes that are not UTF-8 are refused, never replaced:
/// two different passwords would become one.
pub(crate) fn decode(raw: &[u8]) -> Result<Cow<'_, str>, NotUtf8> {
    if raw.iter().any(|byte| is_escape(*byte)) {
        let mut bytes = Vec::with_capacity(raw.len());
        bytes.extend(Unescaped { rest: raw });
        String::from_utf8(bytes)
            .map(Cow::Owned)
            .map_err(|_| NotUtf8)
    } else {
        core::str::from_utf8(raw)
            .map(Cow::Borrowed)
            .map_err(|_| NotUtf8)
    }
}

/// Tells whether what a value stands for is UTF-8, without a copy of it.
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

/// Tells whether a name on the wire, which may be escaped, is this one.
pub(crate) fn is_name(raw: &[u8], name: &str) -> bool {
    raw.len() >= name.len() && Unescaped { rest: raw }.eq(name.bytes())
}

fn is_escape(byte: u8) -> bool {
    matches!(byte, b'%' | b'+')
}

/// The bytes that a name or value stands for.
struct Unescaped<'a> {
    rest: &'a [u8],
}

impl Iterator for Unescaped<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (byte, rest) = match self.rest {
            [] => return None,
            [b'%', high, low, rest @ ..] => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => (high << 4 | low, rest),
                _ => (b'%', self.rest.get(1..).unwrap_or_default()),
            },
            [b'+', rest @ ..] => (b' ', rest),
            [byte, rest @ ..] => (*byte, rest),
        };
        self.rest = rest;
        Some(byte)
    }
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

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
            assert_eq!(decode(raw.as_bytes()), Ok(Cow::Borrowed(text)), "{raw}");
        }
    }

    #[test]
    fn text_without_escapes_is_borrowed() {
        assert!(matches!(decode("é b".as_bytes()), Ok(Cow::Borrowed("é b"))));
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
            for second in [
                0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff,
            ] {
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
        for other in [
            &b""[..],
            b"usernam",
            b"username+",
            b"+username",
            b"USERNAME",
            b"user%6eam",
        ] {
            assert!(!is_name(other, "username"));
        }
    }
}
