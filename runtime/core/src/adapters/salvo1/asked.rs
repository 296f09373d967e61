//! The requests of a matrix, and their answers.

use bytes::Bytes;
use http::uri::Scheme;
use salvo_core::{Request, Response};

use crate::testing::Answer;

/// Converts a request of a [matrix](crate::testing::Callers::table) into one of salvo:
/// `service.handle(asked(ask))`.
#[must_use]
pub fn asked(ask: http::Request<Bytes>) -> Request {
    Request::from_hyper(ask, Scheme::HTTP)
}

impl Answer for Response {
    fn status(&self) -> Option<u16> {
        self.status_code.map(|status| status.as_u16())
    }
}
