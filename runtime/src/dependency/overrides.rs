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

/// The replacement of a dependency with the value `T`.
type Replacement<T> = Box<dyn Fn(SecurityScopes) -> Replaced<T> + Send + Sync>;

/// The outcome of a replacement.
pub(crate) enum Replaced<T> {
    Value(T),
    Future(ReplacedFuture<T>),
}

type ReplacedFuture<T> = Pin<Box<dyn Future<Output = Result<T, Rejection>> + Send>>;

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
        self.insert::<D>(Box::new(move |_| Replaced::Value(output())))
    }

    /// Replaces the dependency `D` with a function of the scopes that it would see, which returns a
    /// future of its value, or of the response that refuses the request.
    #[must_use]
    pub fn with_fn<D: Dependency>(self, replacement: impl Replace<D::Output>) -> Self {
        self.insert::<D>(Box::new(move |scopes| {
            Replaced::Future(replacement.replace(scopes))
        }))
    }

    fn insert<D: Dependency>(mut self, replacement: Replacement<D::Output>) -> Self {
        let replacement = Arc::new(replacement);
        self.replacements.insert(TypeId::of::<D>(), replacement);
        self
    }

    pub(crate) fn run<D: Dependency, T: 'static>(
        &self,
        scopes: SecurityScopes,
    ) -> Option<Replaced<T>> {
        let replacement = self.replacements.get(&TypeId::of::<D>())?;
        let replacement: &Replacement<T> = replacement.downcast_ref()?;
        Some(replacement(scopes))
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
