//! Mistakes in a rejection. A `const fn` does not know whether it runs at compile time, so a
//! builder does not panic: it notes the mistake, and makes the response harmless.

use http::{HeaderName, HeaderValue, StatusCode};

use crate::notice;
use crate::syntax::grammar::is_token;
use crate::trace;

/// The first mistake in what a rejection was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RejectionFault {
    /// A status that does not refuse the request, or that has no body.
    Status,
    /// A header name that is not a token.
    HeaderName,
    /// A header that the response has anyway.
    HeaderOfTheBody,
    /// A value that a header cannot have.
    HeaderValue,
}

impl RejectionFault {
    /// Finds the mistake in a status.
    pub(crate) const fn of_status(status: StatusCode) -> Option<Self> {
        match status.as_u16() {
            ..300 | 304 => Some(Self::Status),
            _ => None,
        }
    }

    /// Finds the mistake in a header.
    pub(crate) const fn of_header(name: &str, value: &str) -> Option<Self> {
        if !is_token(name) {
            return Some(Self::HeaderName);
        }
        let mut of_the_body: &[&str] =
            &["content-type", "content-length", "transfer-encoding", "connection"];
        while let [other, rest @ ..] = of_the_body {
            if name.eq_ignore_ascii_case(other) {
                return Some(Self::HeaderOfTheBody);
            }
            of_the_body = rest;
        }
        Self::of_value(value)
    }

    /// Finds the mistake in the value of a header.
    pub(crate) const fn of_value(value: &str) -> Option<Self> {
        let mut rest = value.as_bytes();
        while let [byte, tail @ ..] = rest {
            if !matches!(byte, b' '..=b'~') {
                return Some(Self::HeaderValue);
            }
            rest = tail;
        }
        None
    }

    /// Returns the rule that the rejection breaks.
    pub(crate) const fn rule(self) -> &'static str {
        match self {
            Self::Status => "a rejection must have a status of 300 or above, other than 304",
            Self::HeaderName => {
                "a header name must consist of letters, digits and `-`, and not be empty"
            }
            Self::HeaderOfTheBody => {
                "the body and the connection have their own headers; write `.with_body(content_type, body)`"
            }
            Self::HeaderValue => "a header value must consist of visible ASCII and spaces",
        }
    }

    /// Reports that a response is not as the service has written it.
    #[cold]
    pub(crate) fn report(self, status: StatusCode) {
        let what = match self {
            Self::Status => "the answer is a 500",
            _ => "the header is left out",
        };
        trace::faulty_rejection(status.as_u16(), self.rule(), what);
        notice::once(format_args!(
            "in a `Rejection` with status {}: {}; {what}",
            status.as_u16(),
            self.rule(),
        ));
    }
}

/// Returns a header, unless it has a mistake. Spaces around the value do not belong to it
/// ([RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)).
pub(crate) fn header(name: &str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    match RejectionFault::of_header(name, value) {
        None => Some((
            HeaderName::try_from(name).ok()?,
            HeaderValue::try_from(value.trim_ascii()).ok()?,
        )),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_of_a_name_is_one_that_the_http_crate_takes() {
        for byte in 0..=u8::MAX {
            let name = char::from(byte).to_string();
            let is_name = HeaderName::try_from(&*name).is_ok();
            assert_eq!(RejectionFault::of_header(&name, "").is_none(), is_name);
            assert_eq!(header(&name, "").is_some(), is_name, "{name:?}");
        }
    }

    #[test]
    fn the_headers_of_the_body_are_known_in_any_case() {
        for name in ["content-type", "Content-Type", "CONNECTION"] {
            let fault = RejectionFault::of_header(name, "x");
            assert_eq!(fault, Some(RejectionFault::HeaderOfTheBody), "{name}");
        }
    }

    #[test]
    fn spaces_around_a_value_are_taken_off() {
        let (name, value) = header("X-Reason", "  inactive user ").unwrap();
        assert_eq!((name.as_str(), value.as_bytes()), ("x-reason", &b"inactive user"[..]));
    }
}
