//! The event of a decision: what became of a request, and why.
//!
//! Where a request is refused, only that place knows why, and where the answer is known, only that
//! place knows for which handler. Nothing is awaited on the way from the one to the other, so the
//! cause goes by the thread.

use core::cell::Cell;
use core::future::poll_fn;
use core::pin::pin;

use crate::credential::reason::RejectionReason;
use crate::plan::arguments::Required;
use crate::plan::cursor::Cursor;
use crate::plan::node::Node;
use crate::plan::table::PlanPosition;
use crate::refusal::rejection::Rejection;
use crate::syntax::debug_text::debug_only;
use crate::trace;

/// Declares an enum whose values are a field of the event.
macro_rules! values {
    ($(#[$docs:meta])* $name:ident { $($value:ident: $text:literal),* }) => {
        $(#[$docs])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum $name { $($value),* }

        #[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "nothing is recorded"))]
        impl $name {
            #[cfg(test)]
            pub(crate) const ALL: &'static [Self] = &[$(Self::$value),*];

            pub(crate) const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text),* }
            }
        }
    };
}

values! {
    /// What became of a request.
    Outcome { LetIn: "let_in", Refused: "refused", Failed: "failed" }
}

values! {
    /// Where it was decided.
    #[allow(dead_code, reason = "each has its feature")]
    Place { Handler: "handler", Layer: "layer", Plan: "plan", Late: "late", Stream: "stream" }
}

/// What decides about a request.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "nothing is recorded"))]
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
        Self { place: Place::Handler, name: P::HANDLER, lets_in: P::LETS_IN && declares }
    }
}

/// Why a request is refused.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "nothing is recorded"))]
pub(crate) struct Cause {
    pub(crate) reason: &'static str,
    pub(crate) scheme: Option<&'static str>,
    /// The function that refused, with its arguments.
    pub(crate) dependency: Option<Required<'static>>,
    /// The parameter whose extractor refused.
    pub(crate) parameter: Option<&'static str>,
    pub(crate) required: Option<&'static str>,
}

thread_local! {
    static CAUSE: Cell<Option<Cause>> = const { Cell::new(None) };
    /// `true` while an extractor of a dependency works, in which nothing is decided alone.
    static IS_BELOW: Cell<bool> = const { Cell::new(false) };
}

struct Restore(bool);

impl Drop for Restore {
    fn drop(&mut self) {
        IS_BELOW.set(self.0);
    }
}

/// Does the work of an extractor of a dependency, which may be one of ours.
#[allow(dead_code, reason = "used by the frameworks with extractors")]
pub(crate) async fn below<T>(extractor: impl Future<Output = T>) -> T {
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
    if trace::is_heard() {
        trace::heard(|| {
            let is_function = node.as_scheme().is_none() && !node.is_one_of();
            let reason = match reason {
                None if is_function => "dependency",
                reason => reason.unwrap_or(RejectionReason::Misconfigured).as_str(),
            };
            CAUSE.set(Some(Cause {
                reason,
                scheme: (!is_function).then(|| node.name()),
                dependency: is_function.then(|| Required(node, at.arguments())),
                parameter,
                required: Some(at.scopes().scope_str()).filter(|scopes| !scopes.is_empty()),
            }));
        });
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
    pub(crate) fn record(self, _status: Option<u16>) {
        #[cfg(feature = "tracing")]
        {
            let Self(Decider { place, name, .. }, cause) = self;
            let outcome = match _status {
                None => Outcome::LetIn,
                Some(500..) => Outcome::Failed,
                Some(_) => Outcome::Refused,
            };
            let cause = cause.filter(|_| _status.is_some());
            let reason = cause.map(|cause| cause.reason);
            tracing::event!(
                name: "decided",
                target: "doorward::decision",
                tracing::Level::DEBUG,
                {
                    outcome = outcome.as_str(),
                    place = place.as_str(),
                    handler = name,
                    reason = reason.or(_status.map(|status| RejectionReason::of_status(status).as_str())),
                    scheme = cause.and_then(|cause| cause.scheme),
                    dependency = cause.and_then(|cause| cause.dependency).map(tracing::field::display),
                    parameter = cause.and_then(|cause| cause.parameter),
                    required = cause.and_then(|cause| cause.required),
                    status = _status,
                }
            );
        }
    }
}

/// Forgets what was noted.
#[cfg(feature = "live")]
pub(crate) fn forget_cause() {
    CAUSE.set(None);
}

/// Records a decision, unless it is part of another one, or nobody listens.
#[inline]
pub(crate) fn when_heard(record: impl FnOnce()) {
    if trace::is_heard() && !IS_BELOW.get() {
        trace::heard(record);
    }
}

/// Records what a scheme has decided alone, about a handler without a plan.
#[inline]
#[allow(dead_code, reason = "used by the frameworks with extractors")]
pub(crate) fn decided_alone(scheme: &'static str, refusal: Option<&Rejection>) {
    when_heard(|| {
        let reason = refusal.map(|refusal| refusal.reason_or_status().as_str());
        let cause = reason.map(|reason| Cause {
            reason,
            scheme: Some(scheme),
            dependency: None,
            parameter: None,
            required: None,
        });
        let by = Decider { place: Place::Handler, name: scheme, lets_in: true };
        Decision(by, cause).record(refusal.map(|refusal| refusal.status().as_u16()));
    });
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
        let is_name = |text: &&str| text.chars().all(|letter| letter.is_lowercase() || letter == '_');
        row.split('`').skip(3).step_by(2).filter(is_name).collect()
    }

    #[test]
    fn the_page_lists_each_value() {
        let places = Place::ALL.iter().map(|place| place.as_str());
        assert_eq!(listed("place"), Vec::from_iter(places));
        let outcomes = Outcome::ALL.iter().map(|outcome| outcome.as_str());
        assert_eq!(listed("outcome"), Vec::from_iter(outcomes));
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
