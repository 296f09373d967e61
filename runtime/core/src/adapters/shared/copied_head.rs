//! The head of a request as the `http` crate's types, for frameworks that have others.

use http::request::Parts;
use http::{HeaderName, HeaderValue, Request};

use crate::credential::request_head::RequestHead;

/// Returns the head of a request, with the certificate of the client. What `http` cannot represent
/// is left out.
pub(crate) fn copied_head<'h>(
    head: &(impl RequestHead + ?Sized),
    target: &str,
    headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
) -> Parts {
    let (mut copy, ()) = Request::new(()).into_parts();
    copy.method = head.method().parse().unwrap_or_default();
    copy.uri = target.parse().unwrap_or_default();
    for (name, value) in headers {
        let name = HeaderName::try_from(name);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value)) {
            copy.headers.append(name, value);
        }
    }
    if let Some(certificate) = head.certificate() {
        copy.extensions.insert(certificate);
    }
    copy
}
