//! The stand-in for the handler's body, which a dependency must not read.

use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll};
use std::sync::Arc;

/// A body that fails, and records that it was read. The failure does not suffice, because an
/// extractor may hide the error and put another body back.
#[derive(Clone, Default)]
pub(crate) struct StandIn(Arc<AtomicBool>);

impl StandIn {
    /// Returns `true` if this body or a clone of it was read.
    pub(crate) fn was_read(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl http_body::Body for StandIn {
    type Data = bytes::Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<bytes::Bytes>, std::io::Error>>> {
        self.0.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(std::io::Error::other("the body is for the handler"))))
    }
}
