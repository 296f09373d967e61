//! The door: a handler that is known by its name, or by a caller that it takes as an extractor. The
//! macro `routes!` is in `__rt/macros.rs`.

use core::marker::PhantomData;

use crate::dependency::handler_parameters::Function;
use crate::plan::declaration::{Declared, NamedHandler};

/// A route: the type that Rocket's attribute declares, and the function below it.
#[derive(Debug)]
pub struct RocketDoor<Name, F>(PhantomData<(Name, F)>);

impl<Name, F> RocketDoor<Name, F> {
    /// Creates the door of a function.
    #[must_use]
    pub const fn of(_: &F) -> Self {
        Self(PhantomData)
    }
}

impl<Name: NamedHandler, F> RocketDoor<Name, F> {
    /// Takes a handler that is known by its name. For any other, [`ByCaller`] is found.
    pub const fn declared(&self) {}
}

/// A handler that takes its caller as an extractor.
pub trait ByCaller<Name, F> {
    /// Takes the handler.
    fn declared<Arguments, Position>(&self)
    where
        F: Function<Arguments> + TakesCaller<Name, Arguments, Position>,
    {
    }
}

impl<Name, F> ByCaller<Name, F> for &RocketDoor<Name, F> {}

/// A function with a parameter that declares it.
#[diagnostic::on_unimplemented(
    message = "`{Name}` is neither secured nor public",
    label = "any caller could call it, and nothing says that they may",
    note = "write `#[secured(…)]` with a scheme or a dependency above the framework's attribute, or `#[public(reason = \"…\")]` if anyone may call it"
)]
pub trait TakesCaller<Name, Arguments, Position> {}

#[diagnostic::do_not_recommend]
impl<F: Declared<Arguments, Position>, Name, Arguments, Position>
    TakesCaller<Name, Arguments, Position> for F
{
}
