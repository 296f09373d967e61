//! What a quoted string can contain unescaped
//! ([RFC 9110, 5.6.4](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.4)).

/// Returns `true` if a quoted string can contain a byte unescaped, and it is visible ASCII or a
/// space.
pub(super) const fn is_quotable(byte: u8) -> bool {
    matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~')
}

/// Checks that a realm can be in a quoted string.
#[track_caller]
pub(crate) const fn assert_realm(realm: &str) {
    let mut rest = realm.as_bytes();
    while let [byte, tail @ ..] = rest {
        assert!(
            is_quotable(*byte),
            "a realm must consist of visible ASCII and spaces, without `\"` and `\\`"
        );
        rest = tail;
    }
}
