//! The challenges of a refused request
//! ([RFC 9110, 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)).

use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::borrow::Cow;

use http::HeaderValue;

/// The challenges of a rejection, as const data. They become text when a response is built.
#[derive(Clone, Copy)]
pub(crate) enum Challenge {
    /// No challenge.
    None,
    /// One challenge, as it is sent.
    Text(&'static str),
    /// HTTP Basic with a realm.
    Basic { realm: &'static str },
    /// The challenges of all alternatives, each in a line of its own.
    Each(&'static dyn Challenges),
}

/// Something that has several challenges. The compiler does not look through a trait object when it
/// proves that a rejection is `Send`.
pub(crate) trait Challenges: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Calls `add` with each challenge.
    fn each(&self, add: &mut dyn FnMut(Challenge));
}

impl Challenge {
    /// Returns the lines, without duplicates.
    pub(super) fn lines(self) -> Vec<Cow<'static, str>> {
        let mut lines = Vec::new();
        self.add_to(&mut lines);
        lines
    }

    fn add_to(self, lines: &mut Vec<Cow<'static, str>>) {
        let line = match self {
            Self::None => return,
            Self::Each(alternatives) => {
                return alternatives.each(&mut |challenge| challenge.add_to(lines));
            }
            Self::Text(text) => text.into(),
            Self::Basic { realm } => format!("Basic realm=\"{realm}\"").into(),
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }

    /// Calls `add` with each line, as a header value.
    pub(super) fn values(self, mut add: impl FnMut(HeaderValue)) {
        // The usual challenge takes no allocation.
        if let Self::Text(text) = self {
            return add(HeaderValue::from_static(text));
        }
        for line in self.lines() {
            // Its parts were checked to be visible ASCII, so no line is left out.
            if let Ok(value) = HeaderValue::try_from(line.into_owned()) {
                add(value);
            }
        }
    }

    #[cfg(feature = "openapi")]
    pub(super) const fn is_none(self) -> bool {
        matches!(self, Self::None)
    }
}

impl PartialEq for Challenge {
    fn eq(&self, other: &Self) -> bool {
        self.lines() == other.lines()
    }
}

impl Eq for Challenge {}

impl fmt::Debug for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().fmt(f)
    }
}

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
