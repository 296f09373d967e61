//! The requests of a matrix, and their answers.

use bytes::Bytes;
use poem::{Request, Response};

use crate::dependency::probe::Probe;
use crate::testing::Answer;

/// Converts a request of a [matrix](crate::testing::Callers::table) into one of poem:
/// `app.get_response(asked(ask))`, for any endpoint.
#[must_use]
pub fn asked(ask: http::Request<Bytes>) -> Request {
    let (head, body) = ask.into_parts();
    let mut request = Request::builder().method(head.method).uri(head.uri).body(body);
    *request.headers_mut() = head.headers;
    if let Some(probe) = head.extensions.get::<Probe>() {
        request.extensions_mut().insert(probe.clone());
    }
    request
}

impl Answer for Response {
    fn status(&self) -> Option<u16> {
        Some(self.status().as_u16())
    }
}
