//! Replacements of dependencies, for tests.

use core::any::{Any, TypeId};
use core::fmt;
use std::collections::HashMap;
use std::sync::Arc;

use crate::dependency::Dependency;

/// Values that replace those of dependencies in a test. The handlers do not change.
///
/// A test installs it on the app, outside the layers that it should affect. A request cannot create
/// one.
///
/// See [`guide::testing`](crate::guide::testing) for where to install it in each framework.
///
/// ```
/// use tollgate::{Overrides, dependency};
///
/// #[dependency]
/// fn current_user() -> Result<String, tollgate::Rejection> {
///     Err(tollgate::Rejection::NOT_AUTHENTICATED)
/// }
///
/// let overrides = Overrides::new().with::<current_user>(|| "johndoe".to_owned());
/// ```
#[derive(Clone, Default)]
pub struct Overrides {
    outputs: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

/// A function that creates the value of a dependency.
type MakeOutput<T> = Box<dyn Fn() -> T + Send + Sync>;

impl Overrides {
    /// Creates an empty set of replacements.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the dependency `D` with a function that returns its value. `output` is called anew
    /// for each use.
    #[must_use]
    pub fn with<D: Dependency>(
        mut self,
        output: impl Fn() -> D::Output + Send + Sync + 'static,
    ) -> Self {
        let output: MakeOutput<D::Output> = Box::new(output);
        self.outputs.insert(TypeId::of::<D>(), Arc::new(output));
        self
    }

    pub(crate) fn output_of<D: Dependency, T: 'static>(&self) -> Option<T> {
        let output = self.outputs.get(&TypeId::of::<D>())?;
        let output: &MakeOutput<T> = output.downcast_ref()?;
        Some(output())
    }
}

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Overrides({} dependencies)", self.outputs.len())
    }
}
