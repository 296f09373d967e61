//! The bodies of frameworks that provide them as streams.

use core::fmt::Display;
use core::pin::Pin;
use core::task::{Context, Poll};
use std::io;

use bytes::{Buf, Bytes};
use futures_core::Stream;
use http_body::{Body, Frame, SizeHint};

/// A stream of chunks as a body of the `http-body` crate.
pub(crate) struct StreamBody<S> {
    chunks: Pin<Box<S>>,
    announced: u64,
}

impl<S> StreamBody<S> {
    /// Creates a body of these chunks. The value of the `Content-Length` header, if any, announces
    /// its length.
    pub(crate) fn new(chunks: S, content_length: Option<&[u8]>) -> Self {
        let announced =
            content_length.and_then(|length| core::str::from_utf8(length).ok()?.parse().ok());
        Self { chunks: Box::pin(chunks), announced: announced.unwrap_or(0) }
    }
}

impl<S: Stream<Item = Result<B, E>>, B: Buf, E: Display> Body for StreamBody<S> {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.chunks.as_mut().poll_next(cx).map(|chunk| {
            let chunk = chunk?;
            Some(match chunk {
                Ok(mut chunk) => Ok(Frame::data(chunk.copy_to_bytes(chunk.remaining()))),
                Err(error) => Err(io::Error::other(error.to_string())),
            })
        })
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = SizeHint::new();
        hint.set_lower(self.announced);
        hint
    }
}
