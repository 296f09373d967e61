//! The requests of a matrix.

use axum::body::Body;
use axum::extract::Request;
use bytes::Bytes;

/// Converts a request of a [matrix](crate::testing::Callers::table) into one of axum:
/// `app.clone().oneshot(asked(ask))`.
#[must_use]
pub fn asked(ask: http::Request<Bytes>) -> Request {
    ask.map(Body::from)
}
