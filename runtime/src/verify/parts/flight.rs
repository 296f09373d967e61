//! A question to an issuer that all requests share.

use core::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};

/// A question to an issuer. Its output is `None` if it has panicked.
pub(crate) type Flight<T> = Shared<BoxFuture<'static, Option<T>>>;

/// Begins a question, which is polled only while a request waits for it.
pub(crate) fn begin<T: Clone + Send + Sync + 'static>(
    question: impl Future<Output = T> + Send + 'static,
) -> Flight<T> {
    // A panic in the middle of a shared future would wake no request that waits for it.
    AssertUnwindSafe(question).catch_unwind().map(Result::ok).boxed().shared()
}

/// Lets a question go on for which no request waits any longer, in the runtime of tokio that comes
/// with a client of reqwest. Returns `false` if there is none.
#[cfg_attr(
    not(any(feature = "reqwest012", feature = "reqwest013")),
    expect(unused_variables, reason = "there is no runtime")
)]
pub(crate) fn go_on<T: Clone + Send + Sync + 'static>(question: &Flight<T>) -> bool {
    #[cfg(any(feature = "reqwest012", feature = "reqwest013"))]
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(question.clone());
        return true;
    }
    false
}
