//! The requests of a matrix.

#[cfg(not(target_family = "wasm"))]
use std::net::{Ipv4Addr, SocketAddr};

use axum::body::Body;
#[cfg(not(target_family = "wasm"))]
use axum::extract::ConnectInfo;
use axum::extract::Request;
use bytes::Bytes;

/// Converts a request of a [matrix](crate::testing::Callers::table) into one of axum:
/// `app.clone().oneshot(asked(ask))`. It comes from `127.0.0.1`, for handlers with `ConnectInfo`.
#[must_use]
pub fn asked(ask: http::Request<Bytes>) -> Request {
    #[cfg_attr(target_family = "wasm", expect(unused_mut, reason = "no address is known there"))]
    let mut request = ask.map(Body::from);
    #[cfg(not(target_family = "wasm"))]
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))));
    request
}
