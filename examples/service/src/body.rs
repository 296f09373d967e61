//! The body of a request, in one piece.
//!
//! hyper hands out a body in pieces as they arrive. Each is a slice of all that was read with it,
//! and [`Json`](axum::Json) keeps them until the end: sent byte by byte, 60 kB would take 200 MB.
//! Here each piece is copied and dropped.

use axum::BoxError;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use futures_util::stream::once;
use http_body_util::{BodyExt, Limited, StreamBody};
use hyper::body::Frame;

const MAX_BYTES: usize = 64 * 1024;

/// Nothing is read until the handler asks for the body.
pub(crate) async fn in_one_piece(request: Request) -> Request {
    request.map(|body| Body::new(StreamBody::new(once(read(body)))))
}

async fn read(body: Body) -> Result<Frame<Bytes>, BoxError> {
    let mut body = Limited::new(body, MAX_BYTES);
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Some(piece) = frame?.data_ref() {
            whole.extend_from_slice(piece);
        }
    }
    Ok(Frame::data(whole.into()))
}
