//! The type that `#[secured]` gives to a handler's parameter.

use core::fmt;
use core::marker::PhantomData;

use crate::dependency::context::{LocalContext, SendContext};
use crate::plan::table::PlanPosition;

/// A handler's parameter that `#[secured]` fills: the value of a dependency, as an extractor of the
/// framework.
///
/// A test that calls the handler directly creates one from the value: `own_items(user.into())`.
pub struct Secured<T, P> {
    pub(crate) value: T,
    pub(crate) parameter: PhantomData<fn() -> P>,
}

impl<T, P> Secured<T, P> {
    /// Returns the value.
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

/// A parameter of a secured handler. A request of context `C` fills it with a `T`.
pub trait SecuredParameter<'r, C: SendContext, T> {
    /// The parameter's position in the handler's plan. The parameter with the number 0 begins the
    /// handler.
    type Position: PlanPosition;

    /// Resolves the dependency of the parameter at its position in the handler's plan.
    fn resolve(cx: &mut C) -> impl Future<Output = Result<T, C::Rejection>> + Send;
}

/// Like [`SecuredParameter`], in a context whose futures stay on their thread.
pub trait LocalSecuredParameter<'r, C: LocalContext, T> {
    /// The parameter's position in the handler's plan.
    type Position: PlanPosition;

    /// Resolves the dependency of the parameter at its position in the handler's plan.
    fn resolve_local(cx: &mut C) -> impl Future<Output = Result<T, C::Rejection>>;
}
