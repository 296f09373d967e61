//! What `#[secured]` puts in the place of a handler's parameter.

use core::fmt;
use core::marker::PhantomData;

use crate::dependency::context::{LocalContext, SendContext};

/// The parameter of a handler that `#[secured]` fills: what a dependency yielded, as an extractor of the framework.
///
/// A test that calls the handler itself makes one from the value: `own_items(user.into())`.
pub struct Secured<T, P> {
    pub(crate) value: T,
    pub(crate) parameter: PhantomData<fn() -> P>,
}

impl<T, P> Secured<T, P> {
    /// The value.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T, P> From<T> for Secured<T, P> {
    fn from(value: T) -> Self {
        Self {
            value,
            parameter: PhantomData,
        }
    }
}

impl<T, P> fmt::Debug for Secured<T, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secured(<redacted>)")
    }
}

/// A parameter of a secured handler, which a request of context `C` fills with a `T`.
pub trait SecuredParameter<'r, C: SendContext, T> {
    /// Its place among those of the handler. The first one begins the handler.
    const NUMBER: usize;

    /// Resolves what the parameter depends on, at its place in the handler's plan.
    fn resolve(cx: &mut C) -> impl Future<Output = Result<T, C::Rejection>> + Send;
}

/// As [`SecuredParameter`], in a context whose futures stay on their thread.
pub trait LocalSecuredParameter<'r, C: LocalContext, T> {
    /// The type that stands for the handler's first parameter.
    type First: 'static;

    /// Its place among those of the handler.
    const NUMBER: usize;

    /// Resolves what the parameter depends on, at its place in the handler's plan.
    fn resolve_local(cx: &mut C) -> impl Future<Output = Result<T, C::Rejection>>;
}
