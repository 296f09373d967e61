//! The head of a request as the `http` crate's types, for frameworks that have others.

use http::request::Parts;
use http::{HeaderName, HeaderValue, Request};

use crate::credential::presented::{MadeUp, Proved};
use crate::credential::request_head::RequestHead;

/// Returns the head of a request, with the certificate of the client and the proofs that were
/// accepted. What `http` cannot represent is left out, and a mark says so of the method and the target.
pub(crate) fn copied_head<'h>(
    head: &(impl RequestHead + ?Sized),
    target: &str,
    headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
    proved: Proved,
) -> Parts {
    let (mut copy, ()) = Request::new(()).into_parts();
    match (head.method().parse(), target.parse()) {
        (Ok(method), Ok(target)) => (copy.method, copy.uri) = (method, target),
        _ => drop(copy.extensions.insert(MadeUp)),
    }
    for (name, value) in headers {
        let name = HeaderName::try_from(name);
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value)) {
            copy.headers.append(name, value);
        }
    }
    if let Some(certificate) = head.certificate() {
        copy.extensions.insert(certificate);
    }
    copy.extensions.insert(proved);
    copy
}
