//! What a dependency sees of a request: a context that each adapter makes from its framework's request.

use crate::dependency::cache::{Cache, LocalCache};
use crate::scheme::Scheme;
use crate::scheme::rejection::Rejection;

/// A request in the eyes of a dependency. An adapter implements it once for its framework.
pub trait Context {
    /// The framework's response to a request that is refused.
    type Rejection;

    /// Checks the request's `Authorization` lines by a scheme.
    ///
    /// # Errors
    ///
    /// Returns the scheme's own response.
    fn authenticate<S: Scheme>(&self) -> Result<S::Credential, Rejection>;

    /// Makes the framework's response out of a scheme's.
    fn refuse(&self, rejection: Rejection) -> Self::Rejection;

    /// The replacements that a test has put on the app.
    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::Overrides> {
        None
    }
}

/// A context whose futures move between threads.
pub trait SendContext: Context + Send {
    /// What the cached dependencies of this request yielded so far.
    fn cache(&mut self) -> &mut Cache;
}

/// A context that can extract `T`, as its framework's own extractors do.
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
    /// What the cached dependencies of this request yielded so far.
    fn local_cache(&mut self) -> &mut LocalCache;
}

/// As [`Extract`], in a context whose futures stay on their thread.
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

/// A context that can answer with an error `E` of the user's.
#[diagnostic::on_unimplemented(
    message = "`{E}` is no response in this framework",
    label = "cannot be answered by `{Self}`",
    note = "implement the framework's response trait for it, such as axum's `IntoResponse`"
)]
pub trait Reject<E>: Context {
    /// Makes the framework's response out of the error.
    fn reject(&mut self, error: E) -> Self::Rejection;
}
