//! The event of a decision: what became of a request, and why.
//!
//! Where a request is refused, only that place knows why, and where the answer is known, only that
//! place knows for which handler. Nothing is awaited on the way from the one to the other, so the
//! cause goes by the thread.
#![cfg_attr(not(feature = "tracing"), allow(unused, reason = "nothing is recorded"))]

use core::cell::Cell;
use core::future::poll_fn;
use core::pin::pin;

use crate::credential::reason::RejectionReason;
use crate::plan::arguments::Required;
use crate::plan::cursor::Cursor;
use crate::plan::node::Node;
use crate::plan::table::{HasPlan, PlanPosition};
use crate::refusal::rejection::Rejection;
use crate::syntax::debug_text::debug_only;
use crate::trace;

/// Where it is decided.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "each has its feature")]
pub(crate) enum Place {
    Handler,
    Layer,
    Plan,
    Late,
    Stream,
}

impl Place {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Handler => "handler",
            Self::Layer => "layer",
            Self::Plan => "plan",
            Self::Late => "late",
            Self::Stream => "stream",
        }
    }
}

/// Returns what became of a request, given the status of its refusal.
const fn outcome(status: Option<u16>) -> &'static str {
    match status {
        None => "let_in",
        Some(500..) => "failed",
        Some(_) => "refused",
    }
}

/// What decides about a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decider {
    pub(crate) place: Place,
    /// The path of a handler, or the name of a tool, a dependency or a scheme.
    pub(crate) name: &'static str,
    /// `false` if it does not say alone that the request is let in.
    pub(crate) lets_in: bool,
}

impl Decider {
    /// A parameter of a handler, which it may declare.
    pub(crate) const fn of<P: PlanPosition>(declares: bool) -> Self {
        let lets_in = P::IS_LAST && P::Plan::DECIDES && declares;
        Self { place: Place::Handler, name: P::Plan::NAME, lets_in }
    }
}

/// Why a request is refused.
#[derive(Clone, Copy, Default)]
pub(super) struct Cause {
    /// If there is none, it is that of the status.
    reason: Option<&'static str>,
    scheme: Option<&'static str>,
    /// The function that refused, with its arguments.
    dependency: Option<Required<'static>>,
    /// The parameter whose extractor refused.
    parameter: Option<&'static str>,
    required: Option<&'static str>,
}

thread_local! {
    pub(super) static CAUSE: Cell<Option<Cause>> = const { Cell::new(None) };
    /// `true` while an extractor of a dependency works, in which nothing is decided alone.
    static IS_BELOW: Cell<bool> = const { Cell::new(false) };
}

struct Restore(bool);

impl Drop for Restore {
    fn drop(&mut self) {
        IS_BELOW.set(self.0);
    }
}

/// Does the work of an extractor of a dependency, which may be one of ours. If nobody listens, the
/// extractor is awaited as it is, which moves it once less.
#[allow(unused_macros, reason = "used by the frameworks with extractors")]
macro_rules! below {
    ($extractor:expr) => {
        match $crate::trace::is_heard() {
            true => $crate::dependency::decision::marked_below($extractor).await,
            false => $extractor.await,
        }
    };
}

#[allow(unused_imports, reason = "used by the frameworks with extractors")]
pub(crate) use below;

/// Does the work of an extractor, in which nothing is decided alone.
#[allow(dead_code, reason = "used by the frameworks with extractors")]
pub(crate) async fn marked_below<T>(extractor: impl Future<Output = T>) -> T {
    let mut extractor = pin!(extractor);
    poll_fn(|cx| {
        let _restore = Restore(IS_BELOW.replace(true));
        extractor.as_mut().poll(cx)
    })
    .await
}

/// Notes why the node at this position refuses the request. A function has no reason of a scheme.
#[inline]
pub(crate) fn cause(
    node: &'static Node,
    at: Cursor,
    reason: Option<RejectionReason>,
    parameter: Option<&'static str>,
) {
    let note = || {
        let is_function = node.as_scheme().is_none() && !node.is_one_of();
        let of_function = is_function.then_some("dependency");
        CAUSE.set(Some(Cause {
            reason: reason.map(RejectionReason::as_str).or(of_function),
            scheme: (!is_function).then(|| node.name()),
            dependency: is_function.then(|| Required(node, at.arguments())),
            parameter,
            required: Some(at.scopes().scope_str()).filter(|scopes| !scopes.is_empty()),
        }));
    };
    if trace::is_heard() {
        trace::heard(note);
    }
}

/// A decision that is made and not recorded yet.
pub struct Decision(Decider, Option<Cause>);

debug_only!([] Decision, "");

impl Decision {
    /// Takes what was noted about a refusal.
    pub(crate) fn by(decider: Decider) -> Self {
        Self(decider, CAUSE.take())
    }

    /// Records the decision. A refusal has a status.
    pub(crate) fn record(self, status: Option<u16>) {
        let Self(Decider { place, name, .. }, cause) = self;
        let by_status = status.map(|status| RejectionReason::of_status(status).as_str());
        let cause = status.and(cause).unwrap_or_default();
        #[cfg(feature = "tracing")]
        tracing::event!(
            name: "decided", target: "doorward::decision", tracing::Level::DEBUG,
            {
                outcome = outcome(status),
                place = place.as_str(),
                handler = name,
                reason = cause.reason.or(by_status),
                scheme = cause.scheme,
                dependency = cause.dependency.map(tracing::field::display),
                parameter = cause.parameter,
                required = cause.required,
                status,
            }
        );
    }
}

/// Records a decision, unless it is part of another one, or nobody listens.
#[inline]
pub(crate) fn when_heard(record: impl FnOnce()) {
    if trace::is_heard() && !IS_BELOW.get() {
        trace::heard(record);
    }
}

/// Records what a scheme has decided alone, about a handler without a plan, if somebody listens.
#[allow(dead_code, reason = "used by the frameworks with extractors")]
pub(crate) fn decided_alone(scheme: &'static str, refusal: Option<&Rejection>) {
    if !IS_BELOW.get() {
        let by = Decider { place: Place::Handler, name: scheme, lets_in: true };
        let reason = refusal.and_then(Rejection::reason).map(RejectionReason::as_str);
        let cause = Cause { reason, scheme: Some(scheme), ..Cause::default() };
        Decision(by, Some(cause)).record(refusal.map(|refusal| refusal.status().as_u16()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = include_str!("../../../docs/production.md");

    /// Returns the names in the code of a field's row on the page, up to a word that ends them.
    fn listed(field: &str) -> Vec<&'static str> {
        let mut rows = PAGE.lines().filter(|line| line.starts_with(&format!("| `{field}` | ")));
        let (row, others) = (rows.next().unwrap_or_default(), rows.next());
        assert!(others.is_none(), "{field}");
        let is_name =
            |text: &&str| text.chars().all(|letter| letter.is_lowercase() || letter == '_');
        row.split('`').skip(3).step_by(2).filter(is_name).collect()
    }

    #[test]
    fn the_page_lists_each_value() {
        let places = [Place::Handler, Place::Layer, Place::Plan, Place::Late, Place::Stream];
        assert_eq!(listed("place"), places.map(Place::as_str));
        assert_eq!(listed("outcome"), [None, Some(403), Some(503)].map(outcome));
        let reasons = [
            RejectionReason::Missing,
            RejectionReason::Repeated,
            RejectionReason::Malformed,
            RejectionReason::CrossSite,
            RejectionReason::Invalid,
            RejectionReason::Expired,
            RejectionReason::InsufficientScope,
            RejectionReason::Unavailable,
            RejectionReason::Misconfigured,
        ];
        let reasons = reasons.map(RejectionReason::as_str).into_iter().chain(["dependency"]);
        assert_eq!(listed("reason"), Vec::from_iter(reasons));
    }
}
