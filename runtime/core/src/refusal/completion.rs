//! The header lines that a refusal gets unless it sets them itself.

use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, StatusCode};

use crate::credential::reason::RejectionReason;
use crate::refusal::challenge::{Challenge, Challenges};

/// The header lines that a refusal gets unless it sets them itself.
#[derive(Debug)]
pub struct Completion(Lines);

#[derive(Debug)]
enum Lines {
    /// The lines of a refusal that an error type of the service replaces.
    OfRefusal(HeaderMap),
    /// The challenges of the schemes below a dependency, which are text only if they are sent.
    OfSchemes(Challenge),
}

impl Completion {
    /// The lines of a refusal, for the error type of the service that replaces it.
    pub(crate) const fn of_refusal(headers: HeaderMap) -> Self {
        Self(Lines::OfRefusal(headers))
    }

    /// The challenges of all these schemes, without an error code, for a dependency above them.
    pub(crate) const fn of_schemes(challenges: &'static dyn Challenges) -> Self {
        let reason = RejectionReason::Missing;
        Self(Lines::OfSchemes(Challenge::Of { challenges, reason, optional: true }))
    }

    /// Returns `true` if a refusal with this status may get lines. A dependency decides itself what
    /// its refusal means, so only a `401` gets the challenges of the schemes below
    /// ([RFC 9110, 15.5.2](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2)).
    pub(crate) const fn is_for(&self, status: u16) -> bool {
        match self.0 {
            Lines::OfRefusal(_) => status >= 400,
            Lines::OfSchemes(_) => status == 401,
        }
    }

    /// Returns the lines that a refusal with this status lacks.
    pub(crate) fn absent(&self, status: u16, has: impl Fn(&str) -> bool) -> HeaderMap {
        let mut absent = HeaderMap::new();
        match &self.0 {
            _ if !self.is_for(status) => {}
            Lines::OfRefusal(headers) => {
                for (name, value) in headers.iter().filter(|(name, _)| !has(name.as_str())) {
                    absent.append(name, value.clone());
                }
            }
            Lines::OfSchemes(_) if has(WWW_AUTHENTICATE.as_str()) => {}
            Lines::OfSchemes(challenge) => challenge.add_to(&mut absent),
        }
        absent
    }

    /// Adds the lines that a response with this status lacks to its headers.
    pub(crate) fn add_to(&self, status: StatusCode, headers: &mut HeaderMap) {
        let absent = self.absent(status.as_u16(), |name| headers.contains_key(name));
        headers.extend(absent);
    }
}
