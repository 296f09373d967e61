//! Replacements of dependencies, for tests.

use core::any::{Any, TypeId};
use core::fmt;
use std::collections::HashMap;
use std::sync::Arc;

use crate::dependency::Dependency;

/// What a test puts in the place of dependencies, without a change of the handlers.
///
/// A test installs it on the app, outside of the layers that it is for. A request cannot make one.
///
/// Where it is put in each framework stands in [`guide::testing`](crate::guide::testing).
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

/// Makes what a dependency yields.
type MakeOutput<T> = Box<dyn Fn() -> T + Send + Sync>;

impl Overrides {
    /// No replacement.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These replacements, and one of the dependency `D` by what `output` returns, anew for each use.
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
