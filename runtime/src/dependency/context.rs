//! The context of a dependency: its view of a request, which each adapter creates from its
//! framework's request.

use crate::dependency::cache::{Cache, LocalCache};
use crate::scheme::rejection::Rejection;
use crate::scheme::request_head::RequestHead;

/// A request as a dependency sees it. Each adapter implements this trait for its framework.
pub trait Context {
    /// The framework's response to a refused request.
    type Rejection;

    /// The head of the framework's request.
    type Head: RequestHead;

    /// Returns the head of the request, which schemes read.
    fn head(&self) -> &Self::Head;

    /// Converts the rejection of a scheme into the framework's response.
    fn refuse(&self, rejection: Rejection) -> Self::Rejection;

    /// Returns the replacements that a test has installed on the app.
    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::Overrides> {
        None
    }
}

/// A context whose futures can move between threads.
pub trait SendContext: Context + Send {
    /// Returns the cache with the values of this request's cached dependencies.
    fn cache(&mut self) -> &mut Cache;
}

/// A context that can extract a `T`, as its framework's own extractors do.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be extracted from this kind of request",
    label = "not extracted by `{Self}`",
    note = "a parameter is an extractor of the framework, `SecurityScopes`, or a dependency: `#[security(path)] name: Type`"
)]
pub trait Extract<T>: Context {
    /// Extracts the value of the parameter `name`.
    fn extract(
        &mut self,
        name: &'static str,
    ) -> impl Future<Output = Result<T, Self::Rejection>> + Send;
}

/// A context whose futures stay on their thread.
pub trait LocalContext: Context {
    /// Returns the cache with the values of this request's cached dependencies.
    fn local_cache(&mut self) -> &mut LocalCache;
}

/// Like [`Extract`], in a context whose futures stay on their thread.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be extracted from this kind of request",
    label = "not extracted by `{Self}`"
)]
pub trait LocalExtract<T>: Context {
    /// Extracts the value of the parameter `name`.
    fn extract_local(
        &mut self,
        name: &'static str,
    ) -> impl Future<Output = Result<T, Self::Rejection>>;
}

/// A context that can answer with a custom error `E`.
#[diagnostic::on_unimplemented(
    message = "`{E}` cannot be turned into a response by this framework",
    label = "not turned into a response by `{Self}`",
    note = "implement the framework's response trait for it, such as axum's `IntoResponse`"
)]
pub trait Reject<E>: Context {
    /// Converts the error into the framework's response.
    fn reject(&mut self, error: E) -> Self::Rejection;
}
