//! A question to an issuer that all requests share.

use core::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
#[cfg(any(feature = "reqwest012", feature = "reqwest013"))]
use futures_util::future::lazy;
use futures_util::future::{BoxFuture, Shared};

/// A question to an issuer. Its output is `None` if it has panicked, or its runtime has ended.
pub(crate) type Flight<T> = Shared<BoxFuture<'static, Option<T>>>;

/// Begins a question, which is polled only while a request waits for it.
pub(crate) fn begin<T: Clone + Send + Sync + 'static>(
    question: impl Future<Output = T> + Send + 'static,
) -> Flight<T> {
    caught(question).boxed().shared()
}

/// Begins a question that goes on if the requests that wait for it go away, because the features of
/// reqwest bring a runtime of tokio. Returns whether it does.
pub(crate) fn begin_on_its_own<T: Clone + Send + Sync + 'static>(
    question: impl Future<Output = T> + Send + 'static,
) -> (Flight<T>, bool) {
    #[cfg(any(feature = "reqwest012", feature = "reqwest013"))]
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        // A runtime that ends drops it at once, so it begins when it is polled, and not here.
        let task = lazy(move |_| runtime.spawn(caught(question))).flatten();
        return (task.map(|ended| ended.ok().flatten()).boxed().shared(), true);
    }
    (begin(question), false)
}

/// A panic in the middle of a shared future would wake no request that waits for it.
fn caught<T>(question: impl Future<Output = T>) -> impl Future<Output = Option<T>> {
    AssertUnwindSafe(question).catch_unwind().map(Result::ok)
}
