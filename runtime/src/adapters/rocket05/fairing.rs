//! The fairing that sends the responses of request guards.
//!
//! A request guard can fail with a status only. The full response is stored with the request, the
//! request guard fails with 498, and the fairing replaces the catcher's response with the stored
//! one.

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rocket::fairing::{self, Fairing, Info, Kind};
use rocket::http::Status;
use rocket::{Build, Ignite, Request, Response, Rocket, Sentinel, async_trait};

use crate::adapters::extractors::PasswordForm;
use crate::adapters::extractors::Security;
use crate::adapters::rocket05::context::Answer;
use crate::dependency::cache::Cache;
use crate::dependency::handler::Secured;
use crate::form::{FormBody, OwnedForm};
use crate::refusal::unread_body::body_may_be_unread;
use crate::scheme::Scheme;
use crate::token_endpoint::{ClientAuthentication, ClientForm, TokenRequest};

/// The fairing that sends the responses to refused requests: `rocket::build().attach(Tollgate)`.
///
/// Rocket does not launch without it if a route is secured. Rocket does not notice a secured route
/// behind a custom request guard; there, a refused request gets the catcher's response for the
/// refusal's status.
///
/// With the fairing attached, a request guard refuses with the status 498. The fairing then
/// replaces a response of that status: the status, the body, and the headers that the refusal has
/// itself. A handler or a request guard that inspects the refusal can respond in its own way; if it
/// returns the status, it passes the refusal on. A `#[catch(default)]` gets the 498, and must keep
/// that status.
///
/// Fairings attached before it see the 498. Fairings attached after it see the response that is
/// sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tollgate;

/// The status of a request guard whose response is stored. Nothing else in Rocket uses this status,
/// so a response that has it comes from a catcher of that failure.
const KEPT: Status = Status::new(498);

/// Managed state that marks the fairing as attached.
struct Attached;

#[async_trait]
impl Fairing for Tollgate {
    fn info(&self) -> Info {
        Info {
            name: "tollgate",
            kind: Kind::Ignite | Kind::Response,
        }
    }

    async fn on_ignite(&self, rocket: Rocket<Build>) -> fairing::Result {
        // The fairing may be attached twice, by an app and by one of the app's fairings.
        Ok(match rocket.state::<Attached>() {
            Some(_) => rocket,
            None => rocket.manage(Attached),
        })
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        if response.status() == KEPT
            && let Some(refusal) = locked(&Kept::of(request).refusal).take()
        {
            replace(response, refusal.into_response());
        }
        // A catcher may send the response to a refusal.
        if response.status().code >= 300
            && Kept::of(request).has_refused.load(Relaxed)
            && body_may_be_unread(request)
        {
            response.set_raw_header("connection", "close");
        }
    }
}

/// Replaces a catcher's response, but keeps the headers that other fairings have set.
fn replace<'r>(response: &mut Response<'r>, refusal: Response<'r>) {
    response.set_status(refusal.status());
    response.body_mut().take();
    response.remove_header("content-type");
    for header in refusal.headers().iter() {
        // A response can set many cookies, each in its own line.
        if header.name() != "set-cookie" {
            response.remove_header(header.name().as_str());
        }
    }
    response.join(refusal);
}

/// The data stored with a request.
#[derive(Default)]
pub(super) struct Kept {
    refusal: Mutex<Option<Answer>>,
    /// Whether a request guard has refused the request, so that nobody has read its body.
    pub(super) has_refused: AtomicBool,
    pub(super) cache: Mutex<Cache>,
}

impl Kept {
    pub(super) fn of<'r>(request: &'r Request<'_>) -> &'r Self {
        request.local_cache(Self::default)
    }
}

/// Locks a mutex, even after a panic. The value is only ever replaced as a whole, so a panic cannot
/// leave a part of one.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the status of a request guard that refuses. If the fairing is attached to send it, the
/// answer is stored with the request.
pub(super) fn keep(request: &Request<'_>, answer: Answer) -> Status {
    if request.rocket().state::<Attached>().is_none() {
        return answer.status();
    }
    *locked(&Kept::of(request).refusal) = Some(answer);
    KEPT
}

macro_rules! sentinels {
    ($([$($generics:tt)*] $request_guard:ty),*) => {$(
        /// Prevents a launch of Rocket without [`Tollgate`].
        impl<$($generics)*> Sentinel for $request_guard {
            fn abort(rocket: &Rocket<Ignite>) -> bool {
                let is_attached = rocket.state::<Attached>().is_some();
                if !is_attached {
                    rocket::error!("tollgate needs its fairing: `.attach(tollgate::rocket05::Tollgate)`");
                }
                !is_attached
            }
        }
    )*};
}

sentinels!(
    [T, P] Secured<T, P>,
    [S: Scheme] Security<S>,
    [T: OwnedForm] PasswordForm<T>,
    [const MAX_BYTES: usize] FormBody<MAX_BYTES>,
    [] ClientAuthentication,
    [T: OwnedForm] TokenRequest<T>,
    [T: OwnedForm] ClientForm<T>
);
