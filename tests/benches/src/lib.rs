//! What tollgate is measured against: the same work as its peers do it, and as a user would write it by hand.
//!
//! [`bearer`] has the contenders that find a token in a request's headers, [`adapters`] those that are extractors of a framework,
//! [`form`] those that read a password-grant body, [`growth`] hostile bodies of that, [`scopes`] chains of dependencies.

pub mod adapters;
pub mod bearer;
pub mod form;
pub mod growth;
pub mod scopes;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A way to do the work of a table. It drops what it makes.
pub struct Contender<Input> {
    /// Its name in the table.
    pub name: &'static str,
    /// Does the work.
    pub run: fn(&Input),
}

/// What the work of a table is done on, one for each column.
pub trait Input {
    /// Its name in the table.
    fn name(&self) -> &'static str;
}

/// Awaits a future that never waits.
///
/// # Panics
///
/// Panics when it does wait.
pub fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}
