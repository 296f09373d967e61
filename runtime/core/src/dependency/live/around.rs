//! A stream that ends when the requirement of its handler would refuse the request.

use core::pin::Pin;
use core::task::{Context, Poll};
use std::sync::{Mutex, PoisonError};

use futures_core::Stream;

use crate::dependency::live::Live;
use crate::dependency::live::asked::Asked;
use crate::refusal::own_error::RefusedRequest;
use crate::syntax::debug_text::debug_only;

/// A stream that ends when the requirement of its handler refuses the request. Created by
/// [`Live::around`].
pub struct Around<S: Stream, A: Asked + ?Sized = dyn Asked + Send> {
    /// Never locked, as in a [`Live`].
    state: Mutex<State<S, A>>,
}

struct State<S: Stream, A: Asked + ?Sized> {
    /// Dropped at the end.
    running: Option<(Live<A>, Pin<Box<S>>)>,
    last: Option<Last<S::Item>>,
}

/// Creates the last item of a stream.
type Last<T> = Box<dyn FnOnce(RefusedRequest) -> T + Send>;

impl<S: Stream, A: Asked + ?Sized> Around<S, A> {
    pub(super) fn new(live: Live<A>, stream: S) -> Self {
        let running = Some((live, Box::pin(stream)));
        Self { state: Mutex::new(State { running, last: None }) }
    }

    /// Yields a last item, if the requirement refuses the request: a status of gRPC, or an event
    /// that tells the client why the stream ends.
    #[must_use]
    pub fn ending_with(
        mut self,
        last: impl FnOnce(RefusedRequest) -> S::Item + Send + 'static,
    ) -> Self {
        self.state().last = Some(Box::new(last));
        self
    }

    fn state(&mut self) -> &mut State<S, A> {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Stream, A: Asked + ?Sized> Stream for Around<S, A> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let state = self.state();
        let Some((live, stream)) = &mut state.running else { return Poll::Ready(None) };
        let live = live.state();
        if let Poll::Ready(refused) = live.poll_refused(cx) {
            state.running = None;
            return Poll::Ready(state.last.take().map(|last| last(refused)));
        }
        if live.is_in_doubt() {
            return Poll::Pending;
        }
        let next = stream.as_mut().poll_next(cx);
        if let Poll::Ready(None) = next {
            state.running = None;
        }
        next
    }
}

impl<S: Stream, A: Asked + ?Sized> Unpin for Around<S, A> {}

debug_only!([S: Stream, A: Asked + ?Sized] Around<S, A> {});
