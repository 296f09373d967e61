//! The challenges of a refused request
//! ([RFC 9110, 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)).

use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::borrow::Cow;

use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, HeaderValue};

use crate::credential::reason::RejectionReason;
use crate::refusal::rejection_fault::RejectionFault;

/// The challenges of a rejection, as const data. They become text when a response is built.
#[derive(Clone, Copy)]
pub(crate) enum Challenge {
    /// No challenge.
    None,
    /// One challenge, as it is sent.
    Text(&'static str),
    /// Those of a scheme that declares a realm or a resource, or of the schemes below a dependency.
    Of {
        challenges: &'static dyn Challenges,
        reason: RejectionReason,
        /// `true` if schemes that a request may do without are among them.
        optional: bool,
    },
}

/// Something whose challenges are more than a constant text. The compiler does not look through a
/// trait object when it proves that a rejection is `Send`.
pub(crate) trait Challenges: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Calls `add` with each line of a refusal for this reason. Those of schemes that a request may
    /// do without are among them only if `optional` is `true`.
    fn each(
        &'static self,
        reason: RejectionReason,
        optional: bool,
        add: &mut dyn FnMut(Cow<'static, str>),
    );
}

impl Challenge {
    /// Calls `add` with each line.
    pub(crate) fn each(self, add: &mut dyn FnMut(Cow<'static, str>)) {
        match self {
            Self::None => {}
            Self::Text(text) => add(text.into()),
            Self::Of { challenges, reason, optional } => challenges.each(reason, optional, add),
        }
    }

    /// Returns the lines, without duplicates.
    pub(crate) fn lines(self) -> Vec<Cow<'static, str>> {
        let mut lines = Vec::new();
        self.each(&mut |line| {
            if !lines.contains(&line) {
                lines.push(line);
            }
        });
        lines
    }

    /// Adds the lines to the headers of a response, without duplicates.
    pub(crate) fn add_to(self, headers: &mut HeaderMap) {
        // The usual challenge takes no allocation and no comparison.
        if let Self::Text(text) = self {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(text));
            return;
        }
        self.each(&mut |line| {
            let value = match line {
                Cow::Borrowed(text) => HeaderValue::from_static(text),
                // Its parts were checked to be visible ASCII, so no line is left out.
                Cow::Owned(text) => match HeaderValue::try_from(text) {
                    Ok(value) => value,
                    Err(_) => return,
                },
            };
            let mut added = headers.get_all(WWW_AUTHENTICATE).iter();
            if added.all(|other| *other != value) {
                headers.append(WWW_AUTHENTICATE, value);
            }
        });
    }

    /// Returns this challenge, or none if no header can contain its text.
    pub(crate) const fn checked(self) -> Self {
        match self {
            Self::Text(text) if RejectionFault::of_value(text).is_some() => Self::None,
            other => other,
        }
    }

    #[cfg(feature = "openapi")]
    pub(crate) const fn is_none(self) -> bool {
        matches!(self, Self::None)
    }
}

impl PartialEq for Challenge {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Text(text), Self::Text(other)) => text == other,
            _ => self.lines() == other.lines(),
        }
    }
}

impl Eq for Challenge {}

impl fmt::Debug for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().fmt(f)
    }
}
