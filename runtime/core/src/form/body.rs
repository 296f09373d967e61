//! The body of a form, for forms that borrow from it.

use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_TYPE, HeaderValue};

use crate::form::error::FormError;
use crate::form::{FormConfig, RequestForm};
use crate::syntax::debug_text::debug_only;
use crate::trace;

/// The body of a form, for forms that borrow from it. It can be used as an extractor.
///
/// A body longer than `MAX_BYTES` is refused. `MAX_BYTES` must be at least the decoded form's own
/// limit.
///
/// `Debug` does not show the body.
///
/// ```
/// use std::borrow::Cow;
/// use http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};
/// use doorward::form::{FormBody, FormError};
/// use doorward::PasswordRequestForm;
///
/// #[derive(PasswordRequestForm)]
/// struct Login<'a> {
///     username: Cow<'a, str>,
///     password: Cow<'a, str>,
/// }
///
/// async fn token(body: FormBody) -> Result<String, FormError> {
///     let form = body.decode::<Login<'_>>()?;
///     Ok(format!("hello {}", form.username))
/// }
/// ```
#[derive(Clone)]
pub struct FormBody<const MAX_BYTES: usize = { FormConfig::DEFAULT_MAX_BYTES }> {
    pub(crate) bytes: Bytes,
}

impl<const MAX_BYTES: usize> FormBody<MAX_BYTES> {
    /// Creates a `FormBody` from bytes that were already read. Checks the `Content-Type` and the
    /// length.
    ///
    /// # Errors
    ///
    /// Returns a [`FormError`] if the content type is not `application/x-www-form-urlencoded`, or
    /// if the body is longer than `MAX_BYTES`.
    pub fn new(headers: &HeaderMap, bytes: Bytes) -> Result<Self, FormError> {
        let checked = check_content_type(content_type(headers)).and_then(|()| {
            if bytes.len() > MAX_BYTES {
                return Err(FormError::body_too_large());
            }
            Ok(Self { bytes })
        });
        trace::form_faults(&checked);
        checked
    }

    /// Wraps a body that was read up to the limit. It is wiped when the last clone is dropped.
    #[cfg(any(feature = "http-body", feature = "rocket05"))]
    pub(crate) fn from_buffer(bytes: secrecy::zeroize::Zeroizing<Vec<u8>>) -> Self {
        Self { bytes: Bytes::from_owner(bytes) }
    }

    /// Decodes the body into a form, which may borrow from the body.
    ///
    /// A form whose own limit exceeds `MAX_BYTES` does not compile:
    ///
    /// ```compile_fail,E0080
    /// use doorward::form::{FormBody, FormError};
    /// use doorward::PasswordRequestForm;
    ///
    /// #[derive(PasswordRequestForm)]
    /// #[password_form(max_bytes = 1_000_000)]
    /// struct Login {
    ///     username: String,
    ///     password: String,
    /// }
    ///
    /// fn read(body: &FormBody) -> Result<Login, FormError> {
    ///     body.decode() // `FormBody<1_000_000>` would do
    /// }
    /// # let headers = http::HeaderMap::new();
    /// # let _ = FormBody::new(&headers, Default::default()).and_then(|body| read(&body));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns all faults of the body.
    pub fn decode<'a, T: RequestForm<'a>>(&'a self) -> Result<T, FormError> {
        const {
            assert!(
                T::CONFIG.max_bytes() <= MAX_BYTES,
                "the form's `max_bytes` is above what the body is read to; give `FormBody` that limit"
            );
        }
        T::decode(&self.bytes)
    }
}

debug_only!([const MAX_BYTES: usize] FormBody<MAX_BYTES>, "(<redacted>)");

/// Checks that the content type is `application/x-www-form-urlencoded`, ignoring case and
/// parameters. A body without a content type is refused.
pub(crate) fn check_content_type(content_type: Option<&[u8]>) -> Result<(), FormError> {
    let essence =
        content_type.and_then(|value| value.split(|byte| *byte == b';').next()).unwrap_or_default();
    if essence.trim_ascii().eq_ignore_ascii_case(b"application/x-www-form-urlencoded") {
        return Ok(());
    }
    let refused = Err(FormError::unsupported_content_type());
    trace::form_faults(&refused);
    refused
}

/// Returns the content type of a request. If there are several lines, the first one counts.
pub(crate) fn content_type(headers: &HeaderMap) -> Option<&[u8]> {
    headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_not_shown() {
        let bytes = Bytes::from_static(b"password=s3cret");
        let body = FormBody::<64> { bytes };
        assert_eq!(format!("{body:?}"), "FormBody(<redacted>)");
    }

    #[test]
    fn only_a_form_is_read() {
        for (content_type, is_form) in [
            (None, false),
            (Some(""), false),
            (Some("application/json"), false),
            (Some("multipart/form-data; boundary=x"), false),
            (Some("application/x-www-form-urlencoded2"), false),
            (Some("application/x-www-form-urlencoded"), true),
            (Some(" Application/X-WWW-Form-Urlencoded ; charset=utf-8"), true),
        ] {
            let checked = check_content_type(content_type.map(str::as_bytes));
            assert_eq!(checked.is_ok(), is_form, "{content_type:?}");
        }
    }

    #[test]
    fn the_first_content_type_counts() {
        let mut headers = HeaderMap::new();
        assert_eq!(content_type(&headers), None);
        headers.append(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        headers.append(CONTENT_TYPE, HeaderValue::from_static("text/html"));
        assert_eq!(content_type(&headers), Some(&b"text/plain"[..]));
    }
}
