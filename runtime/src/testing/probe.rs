//! The probe of a matrix of who may call what: a cell in the extensions of a request. Each
//! requirement writes into it what it decides, and the last one of a handler answers instead of
//! the handler.
//!
//! It is a type of this crate in the memory of a test, so no request over a socket has one.

use core::any::type_name;
use core::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{Response, StatusCode};

use crate::credential::request_head::RequestHead;
use crate::dependency::context::Context;
use crate::plan::table::PlanPosition;

/// The cell of one request.
#[derive(Clone)]
pub(crate) struct Probe {
    /// The name of the plan of the route that is asked.
    plan: Arc<str>,
    /// The plans of all routes in the table. A parameter of any other plan is one of a middleware
    /// function, after which the request goes on.
    plans: Arc<[Arc<str>]>,
    seen: Arc<Mutex<Seen>>,
}

/// What a request has met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Seen {
    #[default]
    Nothing,
    /// A refusal, with its status where it is known.
    Refused(Option<u16>),
    /// Everything that its route requires has let it in.
    In,
    /// The handler of another route, which would have run.
    OtherRoute,
}

impl Probe {
    pub(crate) fn new(plan: &Arc<str>, plans: &Arc<[Arc<str>]>) -> Self {
        Self { plan: plan.clone(), plans: plans.clone(), seen: Arc::default() }
    }

    /// Takes what the request has met.
    pub(crate) fn take(&self) -> Seen {
        mem::take(&mut *self.seen())
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what a requirement of a plan has decided.
    fn write(&self, plan: &str, seen: Seen) {
        let is_other = self.is_listed(plan) && *self.plan != *plan;
        *self.seen() = if is_other { Seen::OtherRoute } else { seen };
    }

    fn is_listed(&self, plan: &str) -> bool {
        self.plans.iter().any(|listed| **listed == *plan)
    }
}

/// Writes what has become of a secured parameter. If the last one of a listed handler has its value,
/// returns an answer instead of it.
///
/// # Errors
///
/// Returns the refusal of the parameter, or the answer.
pub(crate) fn probed<P: PlanPosition, C: Context, T>(
    cx: &C,
    resolved: Result<T, C::Rejection>,
) -> Result<T, C::Rejection> {
    probed_plan::<P::Plan, C, T>(cx, P::IS_LAST, resolved)
}

/// Like [`probed`], for the plan `P`.
///
/// # Errors
///
/// Same as [`probed`].
pub(crate) fn probed_plan<P, C: Context, T>(
    cx: &C,
    is_last: bool,
    resolved: Result<T, C::Rejection>,
) -> Result<T, C::Rejection> {
    let Some(probe) = cx.head().extension::<Probe>() else {
        return resolved;
    };
    let plan = type_name::<P>();
    match &resolved {
        Err(refusal) => probe.write(plan, Seen::Refused(C::status(refusal))),
        Ok(_) if is_last && probe.is_listed(plan) => {
            probe.write(plan, Seen::In);
            let mut answer = Response::default();
            *answer.status_mut() = StatusCode::NO_CONTENT;
            return Err(cx.respond(answer));
        }
        Ok(_) => {}
    }
    resolved
}

/// Writes that a layer has refused a request.
#[cfg(any(feature = "actix-web4", feature = "poem3", feature = "salvo1", feature = "tower"))]
pub(crate) fn refused_by_layer(head: &impl RequestHead, status: Option<u16>) {
    if let Some(probe) = head.extension::<Probe>() {
        *probe.seen() = Seen::Refused(status);
    }
}

/// Writes the status of a refusal that was not known before its response was written. Returns `true`
/// if a parameter has let the request in, so the response is no refusal.
#[cfg(feature = "salvo1")]
pub(crate) fn is_let_in(head: &impl RequestHead, status: Option<u16>) -> bool {
    head.extension::<Probe>().is_some_and(|probe| {
        let mut seen = probe.seen();
        if let Seen::Refused(known @ None) = &mut *seen {
            *known = status;
        }
        *seen == Seen::In
    })
}
