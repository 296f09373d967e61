//! The challenges of a refused request
//! ([RFC 9110, 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)).

use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::borrow::Cow;

use http::HeaderValue;

use super::bearer_challenge::{BearerChallenge, BearerCode};
use super::config::SchemeConfig;
use super::resource::Resource;
use crate::opaque::Opaque;

/// The challenges of a rejection, as const data. They become text when a response is built.
#[derive(Clone, Copy)]
pub(crate) enum Challenge {
    /// No challenge.
    None,
    /// One challenge, as it is sent.
    Text(&'static str),
    /// HTTP Basic with a realm.
    Basic { realm: &'static str },
    /// The complete challenge of a scheme that declares a realm or a resource, with the scopes that
    /// a plan requires of it.
    Bearer {
        scheme: Opaque<SchemeConfig>,
        root: Option<&'static dyn Tree>,
        code: Option<BearerCode>,
    },
    /// The challenges of all alternatives, each in a line of its own.
    Each {
        alternatives: &'static dyn Tree,
        root: Option<&'static dyn Tree>,
    },
}

/// A tree of dependencies, as challenges see it. The compiler does not look through a trait object
/// when it proves that a rejection is `Send`.
pub(crate) trait Tree: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Calls `add` with the challenge of each scheme that the tree requires. `root` is the tree of
    /// the whole plan.
    fn challenges(&'static self, root: Option<&'static dyn Tree>, add: &mut dyn FnMut(Challenge));

    /// Returns the scopes that the tree requires on all ways to a scheme.
    fn required_of(&'static self, scheme: &SchemeConfig) -> Vec<&'static str>;
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
            Self::Each { alternatives, root } => {
                return alternatives.challenges(root, &mut |challenge| challenge.add_to(lines));
            }
            Self::Text(text) => text.into(),
            Self::Basic { realm } => format!("Basic realm=\"{realm}\"").into(),
            Self::Bearer { scheme, root, code } => bearer(scheme.get(), root, code).into(),
        };
        if !lines.contains(&line) {
            lines.push(line);
        }
    }

    /// Calls `add` with each line, as a header value.
    pub(super) fn values(self, mut add: impl FnMut(HeaderValue)) {
        // Its parts were checked to be visible ASCII, so no line is left out.
        let mut add_line = |line| _ = HeaderValue::try_from(line).map(&mut add);
        match self {
            Self::None => {}
            // The usual challenge takes no allocation.
            Self::Text(text) => add(HeaderValue::from_static(text)),
            Self::Bearer { scheme, root, code } => add_line(bearer(scheme.get(), root, code)),
            _ => self
                .lines()
                .into_iter()
                .map(Cow::into_owned)
                .for_each(add_line),
        }
    }

    /// Returns this challenge with the scopes that a plan requires.
    pub(super) const fn required_in(mut self, plan: Option<&'static dyn Tree>) -> Self {
        if let Self::Bearer { root, .. } = &mut self {
            *root = plan;
        }
        self
    }

    #[cfg(feature = "openapi")]
    pub(super) const fn is_none(self) -> bool {
        matches!(self, Self::None)
    }
}

/// Returns the complete challenge of a scheme.
fn bearer(
    scheme: &SchemeConfig,
    root: Option<&'static dyn Tree>,
    code: Option<BearerCode>,
) -> String {
    let scopes = root.map(|root| root.required_of(scheme));
    let challenge = BearerChallenge {
        realm: scheme.realm,
        code,
        description: code.map(BearerCode::description),
        scopes: scopes.as_deref().unwrap_or_default(),
        resource: scheme.resource.and_then(Resource::url),
        ..BearerChallenge::default()
    };
    challenge.text()
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
