//! Stand-ins for code with a mistake, so the compiler prints only the error for that mistake.

use core::future::pending;
use core::marker::PhantomData;

use crate::dependency::context::{LocalContext, SendContext};
use crate::dependency::handler::Value;
use crate::dependency::{Dependency, LocalResolve, Resolve};
use crate::plan::cursor::Cursor;
use crate::plan::node::Node;

/// The dependency behind a parameter whose attribute has a mistake. It causes no further errors.
#[derive(Debug)]
pub struct Broken<T>(PhantomData<fn() -> T>);

impl<T: 'static> Dependency for Broken<T> {
    type Output = T;

    const NODE: &'static Node = &Node::function("", &[]).fails();
}

impl<T: Send + 'static, C: SendContext<Rejection: Send>> Resolve<'_, C, T> for Broken<T> {
    fn resolve(_cx: &mut C, _at: Cursor) -> impl Future<Output = Result<T, C::Rejection>> + Send {
        pending()
    }
}

impl<T: 'static, C: LocalContext> LocalResolve<'_, C, T> for Broken<T> {
    fn resolve_local(_cx: &mut C, _at: Cursor) -> impl Future<Output = Result<T, C::Rejection>> {
        pending()
    }
}

/// Returns a value for such a parameter. It is never called, because code that contains it does not
/// compile.
#[must_use]
pub fn broken<T>() -> T {
    loop {
        core::hint::spin_loop();
    }
}

/// A dependency that yields an `O`, for a parameter of the type `T`. If these are the same type, its
/// inherent functions are found, and otherwise those of [`OtherType`]. Then the item's own check
/// reports the mistake, and impls of the item stay complete for the code that uses it.
#[derive(Debug)]
pub struct Yields<O, T>(PhantomData<fn(O) -> T>);

impl<T> Yields<T, T> {
    /// Returns the value as the parameter takes it.
    pub fn value(value: T) -> T {
        value
    }

    /// Names the dependency.
    #[must_use]
    pub const fn dependency<D>() -> Value<D> {
        Value::OF
    }
}

/// The functions of [`Yields`] for a parameter of a wrong type.
pub trait OtherType<O, T> {
    /// Stands in for the value. It is never called.
    fn value(_value: O) -> T {
        broken()
    }

    /// Stands in for the dependency.
    #[must_use]
    fn dependency<D>() -> Value<Broken<T>> {
        Value::OF
    }
}

impl<O, T> OtherType<O, T> for Yields<O, T> {}
