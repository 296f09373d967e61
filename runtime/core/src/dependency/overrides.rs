//! Replacements of dependencies, for tests.

use core::any::{Any, TypeId};
use core::fmt;
use core::pin::Pin;
use std::collections::HashMap;
use std::sync::Arc;

use http::request::Parts;

use crate::dependency::Dependency;
use crate::plan::arguments::TakesArguments;
use crate::plan::cursor::Cursor;
use crate::plan::security_scopes::SecurityScopes;
use crate::refusal::rejection::Rejection;

/// Values that replace those of dependencies in a test. The handlers do not change.
///
/// A test installs it on the app, outside the layers that it should affect. A request cannot create
/// one.
///
/// See [`guide::testing`](https://docs.rs/doorward/latest/doorward/guide/testing/index.html) for where to install it in each framework.
///
/// ```
/// use doorward::dependency;
/// use doorward::testing::Overrides;
///
/// #[dependency]
/// fn current_user() -> Result<String, doorward::Rejection> {
///     Err(doorward::Rejection::NOT_AUTHENTICATED)
/// }
///
/// let overrides = Overrides::new().with::<current_user>(|| "johndoe".to_owned());
/// ```
///
/// A replacement may also see the scopes that the dependency would see, wait, and refuse:
///
/// ```
/// # use doorward::dependency;
/// # use doorward::testing::Overrides;
/// # #[dependency]
/// # fn current_user() -> Result<String, doorward::Rejection> {
/// #     Err(doorward::Rejection::NOT_AUTHENTICATED)
/// # }
/// use doorward::http::StatusCode;
/// use doorward::{Rejection, SecurityScopes};
///
/// let overrides = Overrides::new().with_fn::<current_user>(|scopes: SecurityScopes| async move {
///     match scopes.check("me items") {
///         Ok(()) => Ok("johndoe".to_owned()),
///         Err(_) => Err(Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Not enough permissions")),
///     }
/// });
/// ```
///
/// With [`with_request_fn`](Self::with_request_fn), it sees the request as well:
///
/// ```
/// # use doorward::dependency;
/// # use doorward::testing::Overrides;
/// # #[dependency]
/// # fn current_user() -> Result<String, doorward::Rejection> {
/// #     Err(doorward::Rejection::NOT_AUTHENTICATED)
/// # }
/// use http::request::Parts;
/// use doorward::SecurityScopes;
///
/// let overrides = Overrides::new().with_request_fn::<current_user>(|head: Parts, _: SecurityScopes| async move {
///     Ok(head.uri.query().unwrap_or("nobody").to_owned())
/// });
/// ```
///
/// With [`with_arguments_fn`](Self::with_arguments_fn), the replacement of a dependency with
/// arguments sees these too:
///
/// ```
/// # use doorward::dependency;
/// # use doorward::testing::Overrides;
/// use http::request::Parts;
/// use doorward::http::StatusCode;
/// use doorward::{Rejection, SecurityScopes};
///
/// #[derive(PartialEq)]
/// enum Role {
///     Editor,
///     Admin,
/// }
///
/// #[dependency]
/// fn role(#[argument] least: Role) -> Result<(), Rejection> {
///     Err(Rejection::new(StatusCode::FORBIDDEN))
/// }
///
/// let overrides = Overrides::new().with_arguments_fn::<role>(
///     |(least,): (Role,), _: Parts, _: SecurityScopes| async move {
///         if least == Role::Editor { Ok(()) } else { Err(Rejection::new(StatusCode::FORBIDDEN)) }
///     },
/// );
/// ```
#[derive(Clone, Default)]
pub struct Overrides {
    replacements: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

/// The replacement of a dependency that yields a `T`.
enum Replacement<T> {
    Value(Box<dyn Fn() -> T + Send + Sync>),
    Function(Box<AtPosition<T>>),
}

/// A replacement at a position in a plan, which copies the head if it takes it. `None` if the
/// position has no arguments of the types.
type AtPosition<T> = dyn Fn(Cursor, &dyn Fn() -> Parts) -> Option<ReplacedFuture<T>> + Send + Sync;

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
        self.insert::<D>(Replacement::Function(Box::new(move |at, _| {
            Some(replacement.replace(at.scopes()))
        })))
    }

    /// Replaces the dependency `D` with a function of the request's head and of the scopes that the
    /// dependency would see, which returns a future as for [`with_fn`](Self::with_fn).
    ///
    /// The head is a copy. It has the method, the URI and the headers of the request on every
    /// framework, and its extensions where they are those of `http` 1: not on actix-web and Rocket.
    #[must_use]
    pub fn with_request_fn<D: Dependency>(
        self,
        replacement: impl ReplaceForRequest<D::Output>,
    ) -> Self {
        self.insert::<D>(Replacement::Function(Box::new(move |at, head| {
            Some(replacement.replace(head(), at.scopes()))
        })))
    }

    /// Replaces the dependency `D` with a function of its arguments, as a tuple, of the request's
    /// head and of the scopes, which returns a future as for [`with_fn`](Self::with_fn). The head
    /// is that of [`with_request_fn`](Self::with_request_fn).
    #[must_use]
    pub fn with_arguments_fn<D: Dependency + TakesArguments>(
        self,
        replacement: impl ReplaceWithArguments<D::Arguments, D::Output>,
    ) -> Self {
        self.insert::<D>(Replacement::Function(Box::new(move |at, head| {
            Some(replacement.replace(at.values()?, head(), at.scopes()))
        })))
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

    /// Starts the replacement of a dependency that is replaced by a function. `head` copies the
    /// head of the request.
    pub(crate) fn future_of<D: Dependency, T: 'static>(
        &self,
        at: Cursor,
        head: &dyn Fn() -> Parts,
    ) -> Option<ReplacedFuture<T>> {
        match self.replacement_of::<D, T>()? {
            Replacement::Value(_) => None,
            Replacement::Function(function) => {
                let replaced = function(at, head);
                let refused = || Box::pin(async { Err(Rejection::INTERNAL_SERVER_ERROR) }) as _;
                Some(replaced.unwrap_or_else(refused))
            }
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

/// A function for [`Overrides::with_request_fn`]:
/// `|head: Parts, scopes: SecurityScopes| async move { Ok(value) }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not replace a dependency that yields `{T}`",
    note = "write `|head: http::request::Parts, scopes: SecurityScopes| async move {{ … }}`, with a `Result<{T}, Rejection>` inside"
)]
pub trait ReplaceForRequest<T>: Send + Sync + 'static {
    #[doc(hidden)]
    fn replace(&self, head: Parts, scopes: SecurityScopes) -> ReplacedFuture<T>;
}

impl<T, F, R> ReplaceForRequest<T> for F
where
    F: Fn(Parts, SecurityScopes) -> R + Send + Sync + 'static,
    R: Future<Output = Result<T, Rejection>> + Send + 'static,
{
    fn replace(&self, head: Parts, scopes: SecurityScopes) -> ReplacedFuture<T> {
        Box::pin(self(head, scopes))
    }
}

/// A function for [`Overrides::with_arguments_fn`]:
/// `|(least,): (Role,), head: Parts, scopes: SecurityScopes| async move { Ok(value) }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not replace a dependency with the arguments `{A}` that yields `{T}`",
    note = "write `|arguments: {A}, head: http::request::Parts, scopes: SecurityScopes| async move {{ … }}`, with a `Result<{T}, Rejection>` inside"
)]
pub trait ReplaceWithArguments<A, T>: Send + Sync + 'static {
    #[doc(hidden)]
    fn replace(&self, arguments: A, head: Parts, scopes: SecurityScopes) -> ReplacedFuture<T>;
}

impl<A, T, F, R> ReplaceWithArguments<A, T> for F
where
    F: Fn(A, Parts, SecurityScopes) -> R + Send + Sync + 'static,
    R: Future<Output = Result<T, Rejection>> + Send + 'static,
{
    fn replace(&self, arguments: A, head: Parts, scopes: SecurityScopes) -> ReplacedFuture<T> {
        Box::pin(self(arguments, head, scopes))
    }
}

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Overrides({} dependencies)", self.replacements.len())
    }
}
