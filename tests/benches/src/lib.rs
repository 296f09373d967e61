//! The contenders of the benchmarks: doorward, its peers, and the same work written by hand.
//!
//! [`bearer`] finds a token in the headers of a request, and [`api_key`] a key. [`adapters`] does
//! so in the extractors of frameworks. [`form`] reads a password-grant body, and [`growth`] a
//! hostile one. [`grants`] reads the bodies of other grants. [`scopes`] resolves chains of
//! dependencies, [`verified`] what verifies a token, and [`requests`] whole requests. [`decisions`]
//! are about the event of a decision.

pub mod adapters;
pub mod api_key;
pub mod bearer;
pub mod decisions;
pub mod form;
pub mod grants;
pub mod growth;
pub mod requests;
pub mod scopes;
pub mod verified;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A way to do the work of a table. It drops its results.
pub struct Contender<Input> {
    /// Its name in the table.
    pub name: &'static str,
    /// Does the work.
    pub run: fn(&Input),
}

impl<Input> Contender<Input> {
    /// Creates a contender from its name and what does the work.
    pub const fn new(name: &'static str, run: fn(&Input)) -> Self {
        Self { name, run }
    }
}

/// How often each contender does its work. The first round warms up, because one-time work, such as
/// detecting the processor, is not part of it. Of the others, the cheapest counts, because some work
/// is done once a second, such as the text of a response's date.
pub const ROUNDS: usize = 3;

/// The input of a table's work, one per column, with its name in the table.
pub type Named<Input> = (&'static str, Input);

/// Returns the output of a future that never waits.
///
/// # Panics
///
/// Panics if the future waits.
pub fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}
