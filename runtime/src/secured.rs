//! What `#[secured]` puts in the place of a handler's parameter.

use core::fmt;
use core::marker::PhantomData;

use crate::dependency::Dependency;
use crate::plan::Cursor;

/// The parameter of a handler that `#[secured]` fills: what a dependency yielded, as an extractor of the framework.
///
/// A test that calls the handler itself makes one from the value: `own_items(user.into())`.
pub struct Secured<T, P> {
    value: T,
    parameter: PhantomData<fn() -> P>,
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

/// A parameter of a secured handler: what it depends on, and its place in the handler's plan.
pub trait Parameter {
    /// What the parameter depends on.
    type Dependency: Dependency;

    /// Its place in the plan.
    const AT: Cursor;
}
