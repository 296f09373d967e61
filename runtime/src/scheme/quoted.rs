//! What a quoted string can contain unescaped
//! ([RFC 9110, 5.6.4](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.4)).

/// Returns `true` if a quoted string can contain a byte unescaped, and it is visible ASCII or a
/// space.
pub(super) const fn is_quotable(byte: u8) -> bool {
    matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')
}

/// Returns `true` if a realm can be in a quoted string.
pub(super) const fn is_realm(realm: &str) -> bool {
    let mut rest = realm.as_bytes();
    while let [byte, tail @ ..] = rest {
        if !is_quotable(*byte) {
            return false;
        }
        rest = tail;
    }
    true
}
