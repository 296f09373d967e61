//! The faults of a form.

use core::fmt;

use http::StatusCode;

#[cfg(any(feature = "http-body", feature = "rocket05"))]
use crate::credential::request_head::RequestHead;
use crate::form::standard::Standard;
#[cfg(any(feature = "http-body", feature = "rocket05"))]
use crate::refusal::unread_body::body_may_be_unread;

/// The kind of fault in a field or in the whole body.
///
/// The last three concern the whole body, and no other fault is reported with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// The parameter was sent more than once ([RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)).
    Duplicate,
    /// The value is not UTF-8 ([RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B)).
    NotUtf8,
    /// The `grant_type` is another grant's.
    GrantType,
    /// The field's type refuses the value.
    Invalid,
    /// The parameter is required, but was not sent or has no value.
    Missing,
    /// The body is not `application/x-www-form-urlencoded`.
    ContentType,
    /// The body is longer than the form's limit.
    TooLarge,
    /// The body ended before it was complete.
    Incomplete,
}

impl FaultKind {
    /// Returns the name of the fault in snake case, such as `"not_utf8"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.texts().0
    }

    const fn sentence(self) -> &'static str {
        self.texts().1
    }

    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Duplicate => ("duplicate", "is sent more than once"),
            Self::NotUtf8 => ("not_utf8", "is not UTF-8"),
            Self::GrantType => ("grant_type", "names a grant that is not served here"),
            Self::Invalid => ("invalid", "is not valid"),
            Self::Missing => ("missing", "is missing"),
            Self::ContentType => {
                ("content_type", "the body must be application/x-www-form-urlencoded")
            }
            Self::TooLarge => ("too_large", "the body is too large"),
            Self::Incomplete => ("incomplete", "the body is incomplete"),
        }
    }
}

/// A fault and the field that it concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The field's name on the wire, or `None` if the fault concerns the whole body.
    pub field: Option<&'static str>,
    /// The grant type of the form, if it has another one.
    pub(crate) grant_type: Option<&'static str>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(field) = self.field {
            write!(f, "`{field}` ")?;
        }
        match self.grant_type {
            Some(grant_type) => write!(f, "must be `{grant_type}`"),
            None => f.write_str(self.kind.sentence()),
        }
    }
}

/// The faults of a body. It never contains a value that was sent.
///
/// It converts into the response of
/// [RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2): `400` (`413` for a body
/// over the limit) and `{"error":"invalid_request","error_description":"…"}`. Use
/// [`faults`](Self::faults) to answer in another shape.
///
/// ```
/// use doorward::form::{FaultKind, RequestForm};
/// use doorward::OAuth2PasswordRequestForm;
///
/// let error = OAuth2PasswordRequestForm::decode(b"username=johndoe&username=alice").unwrap_err();
/// let faults: Vec<_> = error.faults().iter().map(|fault| (fault.kind, fault.field)).collect();
/// assert_eq!(faults, [(FaultKind::Duplicate, Some("username")), (FaultKind::Missing, Some("password"))]);
/// assert_eq!(error.to_string(), "`username` is sent more than once; `password` is missing");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormError {
    faults: Vec<Fault>,
    /// Whether the response says that the server closes the connection.
    closes: bool,
}

impl FormError {
    pub(crate) fn new(faults: Vec<Fault>) -> Self {
        Self { faults, closes: false }
    }

    fn of_body(kind: FaultKind) -> Self {
        Self { faults: vec![Fault { kind, field: None, grant_type: None }], closes: false }
    }

    /// Returns this error for a request whose body was not read to its end. If the request has one,
    /// the response says that the server closes the connection.
    #[cfg(any(feature = "http-body", feature = "rocket05"))]
    pub(crate) fn of_unread<H: RequestHead + ?Sized>(mut self, head: &H) -> Self {
        self.closes = body_may_be_unread(head);
        self
    }

    /// Returns `true` if the response says that the server closes the connection.
    pub(crate) const fn closes(&self) -> bool {
        self.closes
    }

    /// Creates the error for a body whose content type is not `application/x-www-form-urlencoded`.
    #[must_use]
    pub fn unsupported_content_type() -> Self {
        Self::of_body(FaultKind::ContentType)
    }

    /// Creates the error for a body longer than the form's limit, for callers that stop reading it.
    #[must_use]
    pub fn body_too_large() -> Self {
        Self::of_body(FaultKind::TooLarge)
    }

    /// Creates the error for a body that ended early, for callers that could not read all of it.
    #[must_use]
    pub fn incomplete_body() -> Self {
        Self::of_body(FaultKind::Incomplete)
    }

    /// Returns `true` if it is not known which grant the body is for.
    pub(crate) fn has_no_grant(&self) -> bool {
        let grant_type = Some(Standard::GrantType.wire_name());
        self.faults.iter().any(|fault| fault.field == grant_type)
    }

    /// Returns the faults, at most one per field. The standard fields come first, in the order
    /// `grant_type`, `username`, `password`, `scope`, `client_id`, `client_secret`. The custom
    /// fields follow in the order of their declaration.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Returns the status of the default response: `413` for a body over the limit, `400`
    /// otherwise.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self.faults.as_slice() {
            [Fault { kind: FaultKind::TooLarge, .. }] => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// Returns the error code of the default response: `"unsupported_grant_type"` if the only fault
    /// is a wrong `grant_type`, `"invalid_request"` otherwise.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.faults.as_slice() {
            [Fault { kind: FaultKind::GrantType, .. }] => "unsupported_grant_type",
            _ => "invalid_request",
        }
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            fault.fmt(f)?;
        }
        Ok(())
    }
}

impl core::error::Error for FormError {}

#[cfg(test)]
mod tests {
    use http::Response;

    use super::*;

    fn fault(kind: FaultKind, field: &'static str) -> Fault {
        Fault { kind, field: Some(field), grant_type: None }
    }

    #[test]
    fn only_a_lone_wrong_grant_type_is_unsupported() {
        let wrong = fault(FaultKind::GrantType, "grant_type");
        let missing = fault(FaultKind::Missing, "username");
        assert_eq!(FormError::new(vec![wrong]).code(), "unsupported_grant_type");
        assert_eq!(FormError::new(vec![wrong, missing]).code(), "invalid_request");
    }

    #[test]
    fn a_field_name_cannot_break_out_of_the_description() {
        let response =
            Response::<String>::from(FormError::new(vec![fault(FaultKind::Missing, "a\"\\é")]));
        assert_eq!(
            response.body(),
            r#"{"error":"invalid_request","error_description":"`a???` is missing"}"#
        );
    }
}
