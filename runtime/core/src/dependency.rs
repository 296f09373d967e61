//! The dependencies of handlers and of other dependencies: schemes, and functions marked
//! `#[dependency]`.

pub(crate) mod below_layer;
pub(crate) mod bounds;
pub(crate) mod cache;
pub(crate) mod context;
pub(crate) mod decision;
pub(crate) mod extracted;
pub(crate) mod fail_closed;
pub(crate) mod handler;
pub(crate) mod handler_parameters;
pub mod head;
pub(crate) mod layer;
#[cfg(feature = "live")]
pub(crate) mod live;
#[cfg(feature = "testing")]
pub(crate) mod overrides;
pub(crate) mod own_error;
pub(crate) mod plan;
#[cfg(feature = "testing")]
#[cfg_attr(
    not(any(feature = "axum08", feature = "openapi")),
    expect(dead_code, reason = "no table lists routes")
)]
pub(crate) mod probe;
pub(crate) mod recall;
pub(crate) mod recognised;
pub(crate) mod shared;
pub(crate) mod verified;

use core::any::Any;

use self::context::{Context, LocalContext, Reject, SendContext};
use self::decision::{Decider, Decision, cause, when_heard};
use self::fail_closed::{checked, refused};
use crate::credential::request_head::RequestHead as _;
use crate::plan::arguments::TakesArguments;
use crate::plan::challenges::require_settings;
use crate::plan::cursor::Cursor;
use crate::plan::node::Node;
use crate::refusal::completion::Completion;
use crate::refusal::rejection::Rejection;
use crate::scheme::{self, Scheme};

/// A scheme or a function marked `#[dependency]`, which a handler or another dependency names in
/// `#[security(…)]`.
///
/// The attributes implement this trait. It cannot be implemented by hand: the type of its constant
/// is hidden, and may change in any version. Mark a function with `#[dependency]` instead.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dependency",
    label = "neither a scheme nor a `#[dependency]`",
    note = "mark the function with `#[dependency]`, or declare a scheme on the struct: `#[oauth2_password_bearer(…)]`"
)]
pub trait Dependency: 'static {
    /// The type of its value.
    type Output: 'static;

    /// The dependency as const data.
    #[doc(hidden)]
    const NODE: &'static Node;
}

/// A dependency that a request of context `C` can resolve to its value, a `T`. Its extractors may
/// borrow for the lifetime `'r`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be resolved from this kind of request",
    label = "not resolved by `{C}`"
)]
pub trait Resolve<'r, C: SendContext, T> {
    /// Resolves the dependency at its position in a plan.
    fn resolve(cx: &mut C, at: Cursor) -> impl Future<Output = Result<T, C::Rejection>> + Send;
}

/// Like [`Resolve`], in a context whose futures stay on their thread.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be resolved from this kind of request, whose futures stay on their thread",
    label = "not resolved by `{C}`"
)]
pub trait LocalResolve<'r, C: LocalContext, T> {
    /// Resolves the dependency at its position in a plan.
    fn resolve(cx: &mut C, at: Cursor) -> impl Future<Output = Result<T, C::Rejection>>;
}

/// Resolves a scheme, or its replacement.
///
/// # Errors
///
/// Returns the response that refuses the request.
pub async fn authenticate<S: Scheme + Dependency, C: Context, T: 'static>(
    cx: &mut C,
    at: Cursor,
) -> Result<T, C::Rejection> {
    #[cfg(feature = "testing")]
    if let Some(value) = replaced_value::<S, _, _>(cx) {
        return Ok(value);
    }
    #[cfg(feature = "testing")]
    if let Some(future) = replaced_future::<S, _, _>(cx, at) {
        return future.await.map_err(|rejection| refused::<S, _>(cx, at, rejection));
    }
    match scheme::authenticate::<S, _>(cx.head()) {
        Ok(credential) => cast(cx, credential),
        Err(rejection) => Err(refused::<S, _>(cx, at, rejection)),
    }
}

/// Returns the arguments with which a dependency is required at its position.
///
/// # Errors
///
/// Returns a 500 if there are none of their types, which no program that compiles has.
#[inline]
pub fn arguments<D: Dependency + TakesArguments, C: Context>(
    cx: &C,
    at: Cursor,
) -> Result<D::Arguments, C::Rejection> {
    at.values().ok_or_else(|| cx.fail())
}

/// Returns a value as the type of the parameter that takes it.
///
/// They are the same. If they were not, the program would not compile, because a check says so. The
/// impls of dependencies are there for every type all the same, so that a framework does not report
/// the mistake once more.
///
/// # Errors
///
/// Returns a 500 for another type.
#[inline]
pub fn cast<A: 'static, B: 'static, C: Context>(cx: &C, value: A) -> Result<B, C::Rejection> {
    let mut value = Some(value);
    let value: &mut dyn Any = &mut value;
    let value = value.downcast_mut::<Option<B>>().and_then(Option::take);
    value.ok_or_else(|| cx.fail())
}

/// Returns `true` if a request has the credential of an alternative, whose node is `node`. An
/// alternative that a test replaces counts as present.
///
/// There is no bound on `D`, so a type that is not a dependency is reported once.
pub fn is_present<D: 'static, C: Context>(cx: &C, node: &'static Node) -> bool {
    is_replaced::<D, C>(cx) || node.is_present(cx.head())
}

/// Returns `true` if a test replaces a dependency.
#[cfg_attr(not(feature = "testing"), expect(unused_variables, reason = "no test can"))]
fn is_replaced<D: 'static, C: Context>(cx: &C) -> bool {
    #[cfg(feature = "testing")]
    return cx.overrides().is_some_and(overrides::Overrides::has::<D>);
    #[cfg(not(feature = "testing"))]
    false
}

/// Like [`is_present`], for a list that is `strict`: a request with an `Authorization` header means
/// an alternative that reads it.
pub fn is_meant<D: 'static, C: Context>(cx: &C, node: &'static Node) -> bool {
    is_present::<D, C>(cx, node) && (node.reads_authorization() || !has_authorization(cx))
}

/// Returns `true` if a request has an `Authorization` header.
pub fn has_authorization<C: Context>(cx: &C) -> bool {
    cx.head().lines("authorization").next().is_some()
}

/// Returns the refusal of an alternative that is lenient, unless it counts as no credential. A
/// cross-site request is refused for any status of the service, because its cookie may be right.
///
/// # Errors
///
/// Returns the response that refuses the request.
pub fn unless_lenient<C: Context>(
    cx: &C,
    node: &'static Node,
    refusal: C::Rejection,
) -> Result<(), C::Rejection> {
    if C::is_of_credential(&refusal) && !node.is_cross_site(cx.head()) {
        return Ok(());
    }
    Err(refusal)
}

/// Refuses a request that has the credential of no alternative, with the challenges of all.
pub fn refuse_absent<D: Dependency, C: Context>(cx: &C, at: Cursor) -> C::Rejection {
    refused::<D, _>(cx, at, absent::<D>())
}

/// Returns the rejection of a request that has the credential of no alternative.
fn absent<D: Dependency>() -> Rejection {
    match require_settings(D::NODE) {
        Ok(()) => Rejection::of_alternatives(D::NODE),
        Err(rejection) => rejection,
    }
}

/// Converts the error of a dependency into the framework's response, and notes the refusal. A 401
/// has the challenges of the schemes below the dependency.
pub fn reject<D: Dependency, E, C: Reject<E>>(cx: &mut C, at: Cursor, error: E) -> C::Rejection {
    cause(D::NODE, at, None, None);
    let refusal = cx.reject(error);
    checked(cx, refusal, completion::<D>(at))
}

/// Returns the response of an extractor that refused a request, and notes the refusal. It has
/// challenges as in [`reject`].
pub fn extractor_refused<D: Dependency, C: Context>(
    cx: &C,
    at: Cursor,
    parameter: &'static str,
    refusal: C::Rejection,
) -> C::Rejection {
    cause(D::NODE, at, None, Some(parameter));
    checked(cx, refusal, completion::<D>(at))
}

/// Returns what the 401 of a dependency lacks without a challenge, if it has schemes.
fn completion<D: Dependency>(at: Cursor) -> Option<Completion> {
    let challenges = at.challenges().unwrap_or(D::NODE);
    D::NODE.has_scheme().then(|| Completion::of_schemes(challenges))
}

/// Records what was decided about a request, unless the value alone decides nothing.
#[inline]
pub(crate) fn decided<C: Context, T>(by: Decider, resolved: &mut Result<T, C::Rejection>) {
    when_heard(|| match resolved {
        Ok(_) if by.lets_in => Decision::by(by).record(None),
        Ok(_) => {}
        Err(refusal) => match C::status(refusal) {
            Some(status) => Decision::by(by).record(Some(status)),
            None => C::decide_later(refusal, Decision::by(by)),
        },
    });
}

/// Converts the rejection with which a test replaces a dependency into the framework's response.
#[cfg(feature = "testing")]
pub fn refuse<D: Dependency, C: Context>(cx: &C, at: Cursor, rejection: Rejection) -> C::Rejection {
    let refusal = refused::<D, _>(cx, at, rejection);
    checked(cx, refusal, completion::<D>(at))
}

/// Returns the value with which a test replaces a dependency, if any.
#[cfg(feature = "testing")]
pub fn replaced_value<D: Dependency, T: 'static, C: Context>(cx: &C) -> Option<T> {
    cx.overrides()?.value_of::<D, T>()
}

/// Starts the function with which a test replaces a dependency, if any. It is apart from the value,
/// so a value that is not `Send` is not kept while a function runs.
#[cfg(feature = "testing")]
pub fn replaced_future<D: Dependency, T: 'static, C: Context>(
    cx: &C,
    at: Cursor,
) -> Option<overrides::ReplacedFuture<T>> {
    cx.overrides()?.future_of::<D, T>(at, &|| cx.copied_head())
}
