//! The request guards for a value in Rocket's managed state, and for one that a fairing has put into a
//! request.

use core::any::type_name;

use rocket::outcome::Outcome;
use rocket::request::{self, FromRequest};
use rocket::{Ignite, Request, Rocket, Sentinel, async_trait};

use crate::adapters::rocket05::kept::{Answer, keep};
#[cfg(feature = "live")]
use crate::adapters::rocket05::kept::{Kept, locked};
use crate::dependency::head::FromExtensions;
use crate::dependency::shared::Shared;
use crate::refusal::rejection::Rejection;

const HOW: &str = "call `.manage(shared)` on the `Rocket`";

#[async_trait]
impl<'r, T: ?Sized + Send + Sync + 'static> FromRequest<'r> for Shared<T> {
    type Error = Rejection;

    async fn from_request(request: &'r Request<'_>) -> request::Outcome<Self, Rejection> {
        match Self::found(request.rocket().state(), HOW) {
            Ok(shared) => Outcome::Success(taken(request, shared)),
            Err(rejection) => Outcome::Error((keep(request, Answer::Scheme(rejection)), rejection)),
        }
    }
}

#[async_trait]
impl<'r, T: Clone + Send + Sync + 'static> FromRequest<'r> for FromExtensions<T> {
    type Error = Rejection;

    async fn from_request(request: &'r Request<'_>) -> request::Outcome<Self, Rejection> {
        match Self::of(request) {
            Ok(found) => Outcome::Success(Self(taken(request, found.0))),
            Err(rejection) => Outcome::Error((keep(request, Answer::Scheme(rejection)), rejection)),
        }
    }
}

/// Notes what a dependency takes, if the request is copied.
#[cfg_attr(not(feature = "live"), expect(unused_variables, reason = "no request is copied"))]
fn taken<T: Clone + Send + Sync + 'static>(request: &Request<'_>, value: T) -> T {
    #[cfg(feature = "live")]
    if let Some(taken) = &mut *locked(&Kept::of(request).taken) {
        taken.insert(value.clone());
    }
    value
}

/// Prevents a launch of Rocket if a handler takes the value, and it is not managed. Rocket does not
/// see the parameters of dependencies.
impl<T: ?Sized + Send + Sync + 'static> Sentinel for Shared<T> {
    fn abort(rocket: &Rocket<Ignite>) -> bool {
        let is_managed = rocket.state::<Self>().is_some();
        if !is_managed {
            rocket::error!("`Shared<{}>` is not installed; {HOW}", type_name::<T>());
        }
        !is_managed
    }
}
