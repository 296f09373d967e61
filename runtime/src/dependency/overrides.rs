//! Replacements of dependencies, for tests.

use core::any::{Any, TypeId};
use core::fmt;
use core::pin::Pin;
use std::collections::HashMap;
use std::sync::Arc;

use crate::dependency::Dependency;
use crate::plan::security_scopes::SecurityScopes;
use crate::scheme::rejection::Rejection;

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
///
/// A replacement may also see the scopes that the dependency would see, wait, and refuse:
///
/// ```
/// # use tollgate::{Overrides, dependency};
/// # #[dependency]
/// # fn current_user() -> Result<String, tollgate::Rejection> {
/// #     Err(tollgate::Rejection::NOT_AUTHENTICATED)
/// # }
/// use tollgate::{Rejection, SecurityScopes};
///
/// let overrides = Overrides::new().with_fn::<current_user>(|scopes: SecurityScopes| async move {
///     match scopes.check("me items") {
///         Ok(()) => Ok("johndoe".to_owned()),
///         Err(_) => Err(Rejection::detail(401, "Not enough permissions")),
///     }
/// });
/// ```
#[derive(Clone, Default)]
pub struct Overrides {
    replacements: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

/// The replacement of a dependency that yields a `T`.
enum Replacement<T> {
    Value(Box<dyn Fn() -> T + Send + Sync>),
    Function(Box<dyn Replace<T>>),
}

pub(crate) type ReplacedFuture<T> = Pin<Box<dyn Future<Output = Result<T, Rejection>> + Send>>;

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
        self,
        output: impl Fn() -> D::Output + Send + Sync + 'static,
    ) -> Self {
        self.insert::<D>(Replacement::Value(Box::new(output)))
    }

    /// Replaces the dependency `D` with a function of the scopes that it would see, which returns a
    /// future of its value, or of the response that refuses the request.
    #[must_use]
    pub fn with_fn<D: Dependency>(self, replacement: impl Replace<D::Output>) -> Self {
        self.insert::<D>(Replacement::Function(Box::new(replacement)))
    }

    fn insert<D: Dependency>(mut self, replacement: Replacement<D::Output>) -> Self {
        let replacement = Arc::new(replacement);
        self.replacements.insert(TypeId::of::<D>(), replacement);
        self
    }

    /// Returns the value of a dependency that is replaced by a value.
    pub(crate) fn value_of<D: Dependency, T: 'static>(&self) -> Option<T> {
        match self.replacement_of::<D, T>()? {
            Replacement::Value(value) => Some(value()),
            Replacement::Function(_) => None,
        }
    }

    /// Starts the replacement of a dependency that is replaced by a function.
    pub(crate) fn future_of<D: Dependency, T: 'static>(
        &self,
        scopes: SecurityScopes,
    ) -> Option<ReplacedFuture<T>> {
        match self.replacement_of::<D, T>()? {
            Replacement::Value(_) => None,
            Replacement::Function(function) => Some(function.replace(scopes)),
        }
    }

    /// Returns `true` if the dependency is replaced.
    pub(crate) fn has<D: 'static>(&self) -> bool {
        self.replacements.contains_key(&TypeId::of::<D>())
    }

    fn replacement_of<D: Dependency, T: 'static>(&self) -> Option<&Replacement<T>> {
        self.replacements.get(&TypeId::of::<D>())?.downcast_ref()
    }
}

/// A function for [`Overrides::with_fn`]: `|scopes: SecurityScopes| async move { Ok(value) }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not replace a dependency that yields `{T}`",
    note = "write `|scopes: SecurityScopes| async move {{ … }}`, with a `Result<{T}, Rejection>` inside"
)]
pub trait Replace<T>: Send + Sync + 'static {
    #[doc(hidden)]
    fn replace(&self, scopes: SecurityScopes) -> ReplacedFuture<T>;
}

impl<T, F, R> Replace<T> for F
where
    F: Fn(SecurityScopes) -> R + Send + Sync + 'static,
    R: Future<Output = Result<T, Rejection>> + Send + 'static,
{
    fn replace(&self, scopes: SecurityScopes) -> ReplacedFuture<T> {
        Box::pin(self(scopes))
    }
}

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Overrides({} dependencies)", self.replacements.len())
    }
}
