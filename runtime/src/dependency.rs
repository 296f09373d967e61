//! What handlers and dependencies depend on: a scheme, or a function marked `#[dependency]`.

pub mod bounds;
pub(crate) mod cache;
pub(crate) mod context;
pub(crate) mod handler;
pub mod head;
#[cfg(feature = "testing")]
pub(crate) mod overrides;
pub(crate) mod refusal;

use core::future::{Ready, ready};

use self::context::{Context, LocalContext, Reject, SendContext};
use crate::plan::cursor::Cursor;
use crate::plan::node::Node;
use crate::plan::security_scopes::SecurityScopes;
use crate::scheme::Scheme;
use crate::trace;

/// Something that a handler or another dependency can ask for with `#[security(…)]`: a scheme, or a function marked
/// `#[dependency]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dependency",
    label = "neither a scheme nor a `#[dependency]`",
    note = "mark the function with `#[dependency]`, or declare a scheme on the struct: `#[oauth2_password_bearer(…)]`"
)]
pub trait Dependency: 'static {
    /// What it yields.
    type Output: 'static;

    /// What it is, as const data.
    #[doc(hidden)]
    const NODE: &'static Node;
}

/// A dependency that a request of context `C` can resolve to what it yields, `T`. `'r` is the lifetime that its extractors may borrow.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be resolved from this kind of request",
    label = "not resolved by `{C}`"
)]
pub trait Resolve<'r, C: SendContext, T> {
    /// Resolves it, at its place in a plan.
    fn resolve(cx: &mut C, at: Cursor) -> impl Future<Output = Result<T, C::Rejection>> + Send;
}

/// As [`Resolve`], in a context whose futures stay on their thread.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be resolved from this kind of request, whose futures stay on their thread",
    label = "not resolved by `{C}`"
)]
pub trait LocalResolve<'r, C: LocalContext, T> {
    /// Resolves it, at its place in a plan.
    fn resolve_local(cx: &mut C, at: Cursor) -> impl Future<Output = Result<T, C::Rejection>>;
}

/// Resolves a scheme.
pub fn authenticate<S: Scheme + Dependency, C: Context>(
    cx: &C,
) -> Ready<Result<S::Credential, C::Rejection>> {
    #[cfg(feature = "testing")]
    if let Some(output) = overridden::<S, S::Credential>(cx) {
        return ready(Ok(output));
    }
    let yielded = cx.authenticate::<S>();
    ready(yielded.map_err(|rejection| cx.refuse(rejection)))
}

/// The dependency behind a parameter of type [`SecurityScopes`] in a handler.
#[derive(Debug)]
pub struct OwnScopes;

impl Dependency for OwnScopes {
    type Output = SecurityScopes;

    const NODE: &'static Node = &Node::function("", &[]).asks_scopes();
}

impl<C: SendContext<Rejection: Send>> Resolve<'_, C, SecurityScopes> for OwnScopes {
    fn resolve(
        _cx: &mut C,
        at: Cursor,
    ) -> impl Future<Output = Result<SecurityScopes, C::Rejection>> + Send {
        ready(Ok(at.scopes()))
    }
}

impl<C: LocalContext> LocalResolve<'_, C, SecurityScopes> for OwnScopes {
    fn resolve_local(
        _cx: &mut C,
        at: Cursor,
    ) -> impl Future<Output = Result<SecurityScopes, C::Rejection>> {
        ready(Ok(at.scopes()))
    }
}

/// Makes the framework's response out of the error of a dependency.
pub fn reject<D: Dependency, E, C: Reject<E>>(cx: &mut C, error: E) -> C::Rejection {
    trace::dependency::<D>();
    cx.reject(error)
}

/// Records that an extractor of a dependency refused a request.
pub fn extractor_refused<D: Dependency>(parameter: &'static str) {
    trace::extractor::<D>(parameter);
}

/// What a test has put in the place of a dependency that yields a `T`.
#[cfg(feature = "testing")]
pub fn overridden<D: Dependency, T: 'static>(cx: &impl Context) -> Option<T> {
    cx.overrides()?.output_of::<D, T>()
}
