//! What stands in for code with a mistake, so that the compiler prints the one error of that mistake alone.

use core::future::pending;
use core::marker::PhantomData;

use crate::dependency::context::{LocalContext, SendContext};
use crate::dependency::{Dependency, LocalResolve, Resolve};
use crate::plan::cursor::Cursor;
use crate::plan::node::Node;

/// The dependency behind a parameter whose attribute has a mistake, so that the one error is all that is shown.
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

/// A value for such a parameter; code with it does not compile, so it is never called.
#[must_use]
pub fn broken<T>() -> T {
    loop {
        core::hint::spin_loop();
    }
}
