//! The probe of a matrix of who may call what: a cell in the extensions of a request. Each
//! requirement writes into it what it decides. Instead of the handler, its door answers, or, where
//! a framework has none, the last requirement.
//!
//! It is a type of this crate in the memory of a test, so no request over a socket has one. A
//! middleware function may pass on a request that it has built itself, so the work for a request
//! finds its probe without the extensions too.

use core::any::TypeId;
use core::cell::RefCell;
use core::future::poll_fn;
use core::mem;
use core::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{Response, StatusCode};

use crate::credential::request_head::RequestHead;
use crate::dependency::context::Context;
use crate::plan::table::PlanPosition;

/// The cell of one request.
#[derive(Clone)]
pub(crate) struct Probe {
    /// The name of the door or the plan of the route that is asked.
    plan: Arc<str>,
    /// Those of all routes in the table. A parameter of any other plan is one of a middleware
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
    /// The handler of the route, for which nothing can answer.
    #[cfg(feature = "axum08")]
    Unknown,
}

thread_local! {
    /// The probe of the request for which this thread works.
    static ASKED: RefCell<Option<Probe>> = const { RefCell::new(None) };
}

/// Puts the probe back that was there before.
struct Restore(Option<Probe>);

impl Drop for Restore {
    fn drop(&mut self) {
        ASKED.replace(self.0.take());
    }
}

impl Probe {
    pub(crate) fn new(plan: &Arc<str>, plans: &Arc<[Arc<str>]>) -> Self {
        Self { plan: plan.clone(), plans: plans.clone(), seen: Arc::default() }
    }

    /// Returns the probe of a request.
    pub(crate) fn of(head: &impl RequestHead) -> Option<Self> {
        head.extension().or_else(|| ASKED.with_borrow(Clone::clone))
    }

    /// Does the work for the request.
    pub(crate) async fn during<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|cx| {
            let _restore = Restore(ASKED.replace(Some(self.clone())));
            work.as_mut().poll(cx)
        })
        .await
    }

    /// Writes what has become of the arguments of a handler: the status with which one refused.
    #[cfg(feature = "axum08")]
    pub(crate) fn extracted(&self, door: &str, refused: Option<u16>) {
        let seen = refused.map_or(Seen::In, |status| Seen::Refused(Some(status)));
        self.write(door, seen);
    }

    /// Writes that nothing can answer instead of a handler.
    #[cfg(feature = "axum08")]
    pub(crate) fn cannot_stand_in(&self, door: &str) {
        self.write(door, Seen::Unknown);
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

    /// Returns `true` if a plan or a door is one of the table's routes.
    pub(crate) fn is_listed(&self, plan: &str) -> bool {
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
    let Some(probe) = Probe::of(cx.head()) else {
        return resolved;
    };
    let plan = plan_name(TypeId::of::<P::Plan>());
    match &resolved {
        Err(refusal) => probe.write(&plan, Seen::Refused(C::status(refusal))),
        Ok(_) if P::IS_LAST && probe.is_listed(&plan) => {
            probe.write(&plan, Seen::In);
            let mut answer = Response::default();
            *answer.status_mut() = StatusCode::NO_CONTENT;
            return Err(cx.respond(answer));
        }
        Ok(_) => {}
    }
    resolved
}

/// Returns the name of a plan. Its type alone has none that is unique: two blocks may have functions
/// of one name.
pub(crate) fn plan_name(plan: TypeId) -> String {
    format!("{plan:?}")
}

/// Writes that a layer, or a value that is no parameter of `#[secured]`, has refused a request.
/// Without a status, it is that of the answer.
#[cfg(any(feature = "actix-web4", feature = "poem3", feature = "salvo1", feature = "tower"))]
pub(crate) fn refused_by_layer(head: &impl RequestHead, status: Option<u16>) {
    if let Some(probe) = Probe::of(head) {
        *probe.seen() = Seen::Refused(status);
    }
}

/// Writes the status of a refusal that was not known before its response was written. Returns `true`
/// if a parameter has let the request in, so the response is no refusal.
#[cfg(feature = "salvo1")]
pub(crate) fn is_let_in(head: &impl RequestHead, status: Option<u16>) -> bool {
    Probe::of(head).is_some_and(|probe| {
        let mut seen = probe.seen();
        if let Seen::Refused(known @ None) = &mut *seen {
            *known = status;
        }
        *seen == Seen::In
    })
}
