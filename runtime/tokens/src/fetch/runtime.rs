//! The runtime in which a question goes on, and the locks of the table of questions. The model of the
//! table has its own of both.

pub(super) use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::future::BoxFuture;

/// The runtime of tokio that comes with a client of reqwest.
#[cfg(any(feature = "reqwest012", feature = "reqwest013"))]
pub(super) struct Runtime(tokio::runtime::Handle);

/// No runtime.
#[cfg(not(any(feature = "reqwest012", feature = "reqwest013")))]
pub(super) enum Runtime {}

impl Runtime {
    /// Returns the runtime that polls this code, if there is one.
    pub(super) fn current() -> Option<Self> {
        #[cfg(any(feature = "reqwest012", feature = "reqwest013"))]
        return tokio::runtime::Handle::try_current().ok().map(Self);
        #[cfg(not(any(feature = "reqwest012", feature = "reqwest013")))]
        None
    }

    #[cfg_attr(
        not(any(feature = "reqwest012", feature = "reqwest013")),
        expect(unused_variables, reason = "there is no runtime")
    )]
    pub(super) fn spawn(self, task: BoxFuture<'static, ()>) {
        #[cfg(any(feature = "reqwest012", feature = "reqwest013"))]
        self.0.spawn(task);
        #[cfg(not(any(feature = "reqwest012", feature = "reqwest013")))]
        match self {}
    }
}
