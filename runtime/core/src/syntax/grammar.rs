//! The alphabets of texts in headers and errors: a token
//! ([RFC 9110, 5.6.2](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2)), what a quoted string can
//! contain unescaped ([RFC 9110, 5.6.4](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.4)), which
//! the members of an error can contain too
//! ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)), and a scope
//! ([RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)).

use std::borrow::Cow;

/// Returns `true` if a quoted string can contain a byte unescaped, and it is visible ASCII or a
/// space.
pub(crate) const fn is_quotable(byte: u8) -> bool {
    matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')
}

/// Returns `true` if a realm can be in a quoted string.
pub(crate) const fn is_realm(realm: &str) -> bool {
    let mut rest = realm.as_bytes();
    while let [byte, tail @ ..] = rest {
        if !is_quotable(*byte) {
            return false;
        }
        rest = tail;
    }
    true
}

/// Returns `true` if the text is a token, as the names of headers and cookies are.
pub(crate) const fn is_token(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        let is_mark = matches!(
            byte,
            b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~'
        );
        if !is_mark && !byte.is_ascii_alphanumeric() {
            return false;
        }
        rest = tail;
    }
    !text.is_empty()
}

/// Returns a text for people, in which each character that is not allowed is a `?`.
pub(crate) fn described(text: impl Into<Cow<'static, str>>) -> Cow<'static, str> {
    let text = text.into();
    if text.bytes().all(is_quotable) {
        return text;
    }
    let is_allowed = |character: &char| u8::try_from(*character).is_ok_and(is_quotable);
    let characters = text.chars();
    characters.map(|character| Some(character).filter(is_allowed).unwrap_or('?')).collect()
}

/// Returns `true` if the text matches `scope-token = 1*( %x21 / %x23-5B / %x5D-7E )`.
#[must_use]
pub const fn is_scope_token(text: &str) -> bool {
    let text = text.as_bytes();
    let mut rest = text;
    while let [byte, tail @ ..] = rest {
        if !matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~') {
            return false;
        }
        rest = tail;
    }
    !matches!(text, [])
}

/// Returns scopes as one text, separated by single spaces.
pub fn joined<S: AsRef<str>>(scopes: impl IntoIterator<Item = S>) -> String {
    let mut joined = String::new();
    for scope in scopes {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(scope.as_ref());
    }
    joined
}
