//! What generated code calls. Not part of the public interface.

pub use crate::form::FormConfig;
pub use crate::form::decode::{Standard, decode};

/// Holds a URL that is given as a constant to what the macros hold a literal to.
#[track_caller]
pub const fn check_url(url: &str) {
    assert!(!url.is_empty(), "a URL must not be empty");
    let mut rest = url.as_bytes();
    while let [byte, tail @ ..] = rest {
        assert!(
            !byte.is_ascii_control(),
            "a URL must not have control characters"
        );
        rest = tail;
    }
}

/// Holds a scheme name that is given as a constant to what the macros hold a literal to.
#[track_caller]
pub const fn check_scheme_name(name: &str) {
    assert!(!name.is_empty(), "a scheme name must not be empty");
    let mut rest = name.as_bytes();
    while let [byte, tail @ ..] = rest {
        assert!(
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'),
            "a scheme name is made of ASCII letters, digits, `.`, `-` and `_`"
        );
        rest = tail;
    }
}

/// Holds a form's limit to what the macros hold a literal to.
#[track_caller]
pub const fn check_max_bytes(max_bytes: usize) {
    assert!(max_bytes > 0, "`max_bytes` must be above 0");
}
