//! The fairing that sends the responses of guards.
//!
//! A Rocket guard can fail with a status only. The full response is stored with the request, the guard fails with 498, and the fairing
//! puts the stored response in place of the catcher's.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rocket::fairing::{self, Fairing, Info, Kind};
use rocket::http::Status;
use rocket::{Build, Ignite, Request, Response, Rocket, Sentinel, async_trait};

use super::context::Answer;
use crate::dependency::cache::Cache;
use crate::dependency::handler::Secured;
use crate::{ClientAuth, FormBody, OwnedForm, PasswordForm, Scheme, Security};

/// The fairing that puts responses to refused requests in place: `rocket::build().attach(Tollgate)`. A rocket with a secured route
/// does not launch without it. Where rocket does not see that, as behind a guard of your own, a refused request gets the catcher's
/// response of the refusal's status.
///
/// With it, a refused guard fails with the status 498, and the fairing replaces a response of that status: its status, its body and
/// the headers that the refusal has itself. A handler or a guard that looks at the refusal answers as it likes; one that hands the status
/// on hands the refusal on. A `#[catch(default)]` gets the 498, so it has to keep its status.
///
/// Fairings attached before it see the 498, those behind it see the response that is sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tollgate;

/// The status with which a guard fails whose response is kept. Nothing else in rocket answers with it, so a response that bears it comes
/// from a catcher of that failure.
const KEPT: Status = Status::new(498);

/// A sign that the fairing is attached.
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
        // It may be attached twice: by an app and by a fairing of it.
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
    }
}

/// Replaces a catcher's response, but for the headers that other fairings have set.
fn replace<'r>(response: &mut Response<'r>, refusal: Response<'r>) {
    response.set_status(refusal.status());
    response.body_mut().take();
    response.remove_header("content-type");
    for header in refusal.headers().iter() {
        // A response sets many cookies, each in a line.
        if header.name() != "set-cookie" {
            response.remove_header(header.name().as_str());
        }
    }
    response.join(refusal);
}

/// What is kept with a request.
#[derive(Default)]
pub(super) struct Kept {
    refusal: Mutex<Option<Answer>>,
    pub(super) cache: Mutex<Cache>,
}

impl Kept {
    pub(super) fn of<'r>(request: &'r Request<'_>) -> &'r Self {
        request.local_cache(Self::default)
    }
}

/// What a panic in between has left is still whole: it is only ever replaced.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the status with which a guard refuses, and keeps the answer with the request when there is a fairing to send it.
pub(super) fn keep(request: &Request<'_>, answer: Answer) -> Status {
    if request.rocket().state::<Attached>().is_none() {
        return answer.status();
    }
    *locked(&Kept::of(request).refusal) = Some(answer);
    KEPT
}

macro_rules! sentinels {
    ($([$($generics:tt)*] $guard:ty),*) => {$(
        /// A rocket with it does not launch without [`Tollgate`].
        impl<$($generics)*> Sentinel for $guard {
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
    [] ClientAuth
);
