//! Finds a cookie in the `Cookie` lines of a request
//! ([RFC 6265, 4.2.1](https://www.rfc-editor.org/rfc/rfc6265#section-4.2.1)).

use crate::credential::authorization_line::{Located, trimmed};
use crate::credential::reason::{RejectionReason, only};
use crate::credential::request_head::HeaderLine;

/// Returns the only cookie of this name, or the first one if the scheme takes that, and the line
/// that it is in. HTTP/2 may split the cookies into several lines
/// ([RFC 9113, 8.2.3](https://www.rfc-editor.org/rfc/rfc9113#section-8.2.3)).
pub(super) fn cookie<'h>(
    lines: impl Iterator<Item = HeaderLine<'h>>,
    name: &str,
    takes_first: bool,
) -> Result<(HeaderLine<'h>, Located<'h>), RejectionReason> {
    let mut found = lines.flat_map(|line| {
        let pairs = line.bytes().split(|byte| *byte == b';');
        pairs.filter_map(move |pair| Some((line, value_of(pair, name)?)))
    });
    let (line, value) = match takes_first {
        true => found.next().ok_or(RejectionReason::Missing)?,
        false => only(found)?,
    };
    let value = unquoted(trimmed(value));
    if value.is_empty() {
        Err(RejectionReason::Missing)
    } else if line.is_field_value() && value.iter().copied().all(is_cookie_octet) {
        Ok((line, Located::within(line.bytes(), value)))
    } else {
        Err(RejectionReason::Malformed)
    }
}

/// Returns the value in a pair of this name.
fn value_of<'h>(pair: &'h [u8], name: &str) -> Option<&'h [u8]> {
    let (before, after) = pair.split_at_checked(memchr::memchr(b'=', pair)?)?;
    (trimmed(before) == name.as_bytes()).then(|| after.get(1..)).flatten()
}

fn unquoted(value: &[u8]) -> &[u8] {
    match value {
        [b'"', inside @ .., b'"'] => inside,
        _ => value,
    }
}

const fn is_cookie_octet(byte: u8) -> bool {
    matches!(byte, 0x21 | 0x23..=0x2b | 0x2d..=0x3a | 0x3c..=0x5b | 0x5d..=0x7e)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key<'h>(lines: &[&'h str]) -> Result<&'h [u8], RejectionReason> {
        let found = |takes_first| {
            let lines = lines.iter().map(|line| HeaderLine::from(line.as_bytes()));
            cookie(lines, "key", takes_first).map(|(_, found)| found.credential)
        };
        let only = found(false);
        // Only a second cookie makes a difference.
        assert!(only == Err(RejectionReason::Repeated) || only == found(true), "{lines:?}");
        only
    }

    #[test]
    fn the_only_cookie_of_the_name_is_found() {
        for lines in [
            &["key=v"][..],
            &["a=b; key=v"],
            &["key=\"v\"; a"],
            &["a=b;key = v ;c=d"],
            &["a=b", "key=v"],
            &["xkey=w; Key=w; key=v"],
        ] {
            assert_eq!(key(lines), Ok(&b"v"[..]), "{lines:?}");
        }
        assert_eq!(key(&["key=a=b"]), Ok(&b"a=b"[..]));
    }

    #[test]
    fn nothing_repeated_empty_or_malformed_is_taken() {
        for lines in [&[][..], &["a=key"], &["key"], &["key="], &["key=\"\""], &["key= ;a=b"]] {
            assert_eq!(key(lines), Err(RejectionReason::Missing), "{lines:?}");
        }
        for lines in [&["key=a; key=b"][..], &["key=a", "key=a"], &["key=;key=a"]] {
            assert_eq!(key(lines), Err(RejectionReason::Repeated), "{lines:?}");
        }
        for (lines, first) in [
            (&["key=a; key=b"][..], Ok(&b"a"[..])),
            (&["key=b; key=a"], Ok(b"b")),
            (&["x=y; key=a", "key=b"], Ok(b"a")),
            // The others are not looked at.
            (&["key=a; key=b c"], Ok(b"a")),
            (&["key=; key=a"], Err(RejectionReason::Missing)),
            (&["key=b c; key=a"], Err(RejectionReason::Malformed)),
        ] {
            let lines = lines.iter().map(|line| HeaderLine::from(line.as_bytes()));
            let found = cookie(lines, "key", true).map(|(_, found)| found.credential);
            assert_eq!(found, first);
        }
        for lines in [&["key=a b"][..], &["key=a,b"], &["key=\"a"], &["key=a\\"], &["key=é"]] {
            assert_eq!(key(lines), Err(RejectionReason::Malformed), "{lines:?}");
        }
    }
}
