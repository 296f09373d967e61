//! The requests of a matrix, and their answers.

use actix_http::Request;
use actix_web::HttpMessage as _;
use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use actix_web::test::TestRequest;
use bytes::Bytes;

use crate::dependency::probe::Probe;
use crate::testing::Answer;

/// Converts a request of a [matrix](crate::testing::Callers::table) into one of actix-web:
/// `app.call(asked(ask))`, for the service that `actix_web::test::init_service` returns.
#[must_use]
pub fn asked(ask: http::Request<Bytes>) -> Request {
    let (head, body) = ask.into_parts();
    let method = Method::from_bytes(head.method.as_str().as_bytes()).unwrap_or_default();
    let mut request = TestRequest::with_uri(&head.uri.to_string()).method(method).set_payload(body);
    for (name, value) in &head.headers {
        request = request.append_header((name.as_str(), value.as_bytes()));
    }
    let request = request.to_request();
    if let Some(probe) = head.extensions.get::<Probe>() {
        request.extensions_mut().insert(probe.clone());
    }
    request
}

impl<B> Answer for ServiceResponse<B> {
    fn status(&self) -> Option<u16> {
        Some(self.status().as_u16())
    }
}
