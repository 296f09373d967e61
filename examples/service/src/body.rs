//! Copies the body of each request into one piece of memory.
//!
//! hyper yields a body in pieces as they arrive. Each keeps the buffer that it was read into, and
//! [`Json`](axum::Json) keeps all pieces until the end: 60 kB sent byte by byte would take 200 MB.

use axum::BoxError;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use futures_util::StreamExt;
use futures_util::stream::once;
use http_body_util::{BodyExt, Limited};

const MAX_BYTES: usize = 64 * 1024;

/// Nothing is read until the handler asks for the body.
pub(crate) async fn in_one_piece(request: Request) -> Request {
    request.map(|body| Body::from_stream(once(read(body))))
}

async fn read(body: Body) -> Result<Bytes, BoxError> {
    let mut pieces = Limited::new(body, MAX_BYTES).into_data_stream();
    let mut whole = Vec::new();
    while let Some(piece) = pieces.next().await {
        whole.extend_from_slice(&piece?);
    }
    Ok(whole.into())
}
