//! The value of a dependency as an extractor: `#[dependency(extract)]`.
//!
//! A framework extracts the value as if it were the only secured parameter of a handler. So it
//! takes the same way as a [`Secured`](crate::Secured) one.

use core::marker::PhantomData;

use crate::__both_families;
use crate::dependency::Dependency;
#[cfg(feature = "axum08")]
use crate::dependency::context::Context;
use crate::plan::node::Edge;
use crate::plan::table::{CursorOf, HasPlan};

/// A parameter that a dependency fills without `#[secured]`. No scope is required of it.
#[derive(Debug)]
pub struct Extracted<D>(PhantomData<fn() -> D>);

impl<D: Dependency> HasPlan for Extracted<D> {
    const EDGES: &'static [Edge] = &[Edge::new(D::NODE, &[])];

    const NAME: &'static str = D::NODE.name();
}

__both_families! {
    impl<'r, C, D> __family::SecuredParameter<'r, C, D::Output> for Extracted<D>
    where
        C: __family::Context,
        D: Dependency + __family::Resolve<'r, C, D::Output>,
    {
        type Position = CursorOf<Self, 0>;
        type Dependency = D;

        const DECLARES: bool = D::NODE.needs_credential();

        // Only axum extracts a value that declares the handler of a listed route.
        #[cfg(feature = "testing")]
        const IS_PROBED: bool = false;
    }
}

/// A value that can move between threads.
///
/// Generated impls ask for it with a lifetime that the type does not use. rustc reports a bound
/// without one where the impl is, even if the user's framework needs neither.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be extracted, because it cannot be sent between threads",
    label = "not `Send`"
)]
pub trait Movable<'a>: Send {}

#[diagnostic::do_not_recommend]
impl<T: Send> Movable<'_> for T {}

/// A fact about a dependency that generated impls ask for: whether a handler that takes its value
/// needs a credential.
#[derive(Debug)]
pub enum Needed<const IS_NEEDED: bool> {}

/// The fact is true. The lifetime defers the bound, as that of [`Movable`] does.
pub trait IsNeeded<'a> {}

#[diagnostic::do_not_recommend]
impl IsNeeded<'_> for Needed<true> {}

/// Returns `true` if a request has the credential of no scheme below a dependency. If there is no
/// scheme below it, or a test replaces it, only the dependency decides who is anonymous.
#[cfg(feature = "axum08")]
pub(crate) fn is_anonymous<D: Dependency, C: Context>(cx: &C) -> bool {
    #[cfg(feature = "testing")]
    if cx.overrides().is_some_and(crate::dependency::overrides::Overrides::has::<D>) {
        return false;
    }
    D::NODE.has_credential(cx.head()) == Some(false)
}
