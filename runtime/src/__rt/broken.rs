//! Stand-ins for code with a mistake, so the compiler prints only the error for that mistake.

use core::convert::Infallible;
use core::future::pending;
use core::marker::PhantomData;

use crate::dependency::context::{LocalContext, SendContext};
use crate::dependency::{Dependency, LocalResolve, Resolve};
use crate::plan::cursor::Cursor;
use crate::plan::node::Node;

/// The dependency behind a parameter whose attribute has a mistake. It causes no further errors.
#[derive(Debug)]
pub struct Broken<T>(PhantomData<fn() -> T>);

impl<T: 'static> Dependency for Broken<T> {
    type Output = T;

    const NODE: &'static Node = &Node::function("broken", &[]).fails().broken();
}

impl<T: 'static, C: SendContext> Resolve<'_, C, T> for Broken<T> {
    async fn resolve(_cx: &mut C, _at: Cursor) -> Result<T, C::Rejection> {
        // Has no value that would have to be `Send`.
        match pending::<Infallible>().await {}
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
