//! The fairing that sends the responses of request guards.
//!
//! A request guard can fail with a status only. The full response is stored with the request, the
//! request guard fails with 498, and the fairing replaces the catcher's response with the stored
//! one.

use core::sync::atomic::Ordering::Relaxed;

use rocket::fairing::{self, Fairing, Info, Kind};
use rocket::{Build, Ignite, Request, Response, Rocket, Sentinel, async_trait};

use crate::adapters::rocket05::kept::{Attached, KEPT, Kept, complete, locked};
use crate::adapters::shared::extractors::Security;
use crate::dependency::handler::Secured;
use crate::refusal::unread_body::body_may_be_unread;
use crate::scheme::Scheme;

/// The fairing that sends the responses to refused requests: `rocket::build().attach(Doorward)`.
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
pub struct Doorward;

#[async_trait]
impl Fairing for Doorward {
    fn info(&self) -> Info {
        Info { name: "doorward", kind: Kind::Ignite | Kind::Response }
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
        if let Some((status, completion)) = locked(&Kept::of(request).completion).take()
            && response.status() == status
        {
            complete(response, &completion);
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

macro_rules! sentinels {
    ($([$($generics:tt)*] $request_guard:ty, $error:ty;)*) => {$(
        /// Prevents a launch of Rocket without [`Doorward`].
        impl<$($generics)*> Sentinel for $request_guard {
            fn abort(rocket: &Rocket<Ignite>) -> bool {
                let is_attached = rocket.state::<Attached>().is_some();
                if !is_attached {
                    rocket::error!("doorward needs its fairing: `.attach(doorward::rocket05::Doorward)`");
                }
                !is_attached
            }
        }
    )*};
}

sentinels! {
    [T, P] Secured<T, P>, Refused;
    [S: Scheme] Security<S>, Rejection;
}
each_form!(sentinels);
