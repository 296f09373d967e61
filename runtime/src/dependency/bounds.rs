//! What generated code asks of the user's types. The compiler names these traits where a type does not have them.
//!
//! `C` stands for a context where a bound is about a request. In an impl for any context such a bound is left to who uses the impl, so
//! that a mistake is reported once, by the item's checks, which ask without a context.

use core::any::Any;
use core::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use crate::dependency::handler::Secured;
pub use crate::form::text::{Directly, FromIntermediate, InOption};
pub use crate::form::value::FromValue;

/// A return type of a dependency that can fail.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is named like a `Result`, but is none",
    label = "not a `Result`",
    note = "a return type whose name ends in `Result` can fail; give a type that cannot another name"
)]
pub trait Fallible {
    /// What it yields when it succeeds.
    type Output: 'static;
    /// What it fails with.
    type Error;

    /// The `Result` that it is.
    ///
    /// # Errors
    ///
    /// Those of the function.
    fn into_result(self) -> Result<Self::Output, Self::Error>;
}

impl<T: 'static, E> Fallible for Result<T, E> {
    type Output = T;
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}

/// The type of a dependency's value is `T`.
///
/// `How` is inferred: [`Same`] for the type itself, [`AnyType`] for the value of a dependency that has a mistake.
#[diagnostic::on_unimplemented(
    message = "the dependency yields another type; write `{Self}`",
    label = "expected `{Self}`"
)]
pub trait IsType<T, C = (), How = Same>: Sized {
    /// The value, as a `T`.
    fn into_type(self) -> T;

    /// The value of a handler's parameter.
    fn value_of<P>(parameter: Secured<T, P>, _: PhantomData<Self>) -> T {
        parameter.value
    }
}

/// Both types are one.
#[derive(Debug)]
pub enum Same {}

/// The type is not known, because of a mistake.
#[derive(Debug)]
pub enum AnyType {}

impl<T, C> IsType<T, C, Same> for T {
    fn into_type(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T, C> IsType<T, C, AnyType> for Unknown {
    fn into_type(self) -> T {
        match self {}
    }
}

/// The value of a dependency that has a mistake, which is of whatever type is asked for.
#[derive(Debug)]
pub enum Unknown {}

/// What a cached dependency yields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept for the rest of a request",
    label = "`cached` needs `Clone`, `Send` and `Sync`"
)]
pub trait Cached<C = ()>: Sized {
    /// The value, to be kept.
    fn kept(&self) -> Arc<dyn Any + Send + Sync>;

    /// The value out of what was kept.
    fn of_kept(kept: &dyn Any) -> Option<Self>;
}

impl<T: Clone + Send + Sync + 'static, C> Cached<C> for T {
    fn kept(&self) -> Arc<dyn Any + Send + Sync> {
        Arc::new(self.clone())
    }

    fn of_kept(kept: &dyn Any) -> Option<Self> {
        kept.downcast_ref().cloned()
    }
}

/// What a cached dependency yields that is `local`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept for the rest of a request",
    label = "`cached` needs `Clone`"
)]
pub trait LocalCached<C = ()>: Sized {
    /// The value, to be kept.
    fn kept(&self) -> Rc<dyn Any>;

    /// The value out of what was kept.
    fn of_kept(kept: &dyn Any) -> Option<Self>;
}

impl<T: Clone + 'static, C> LocalCached<C> for T {
    fn kept(&self) -> Rc<dyn Any> {
        Rc::new(self.clone())
    }

    fn of_kept(kept: &dyn Any) -> Option<Self> {
        kept.downcast_ref().cloned()
    }
}

/// What names a dependency. The impls of a function's marker take their cursor through it, so that where a name is none the compiler
/// says so and no more.
pub trait Named {
    /// [`Cursor`](crate::adapter::Cursor).
    type Cursor;
}

impl<T: ?Sized> Named for T {
    type Cursor = crate::plan::cursor::Cursor;
}

/// Says, in the compiler's words for a type that was expected, in which order the attributes stand: otherwise the description would
/// not tell what the handler requires.
#[derive(Debug)]
pub struct SecuredStandsAboveUtoipaPath;
