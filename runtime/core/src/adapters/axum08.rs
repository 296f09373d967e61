//! axum 0.8.
//!
//! `#[secured]` parameters, [`Security`], [`PasswordForm`](crate::PasswordForm),
//! [`TokenRequest`](crate::token_endpoint::TokenRequest) and their kin are
//! extractors, a [`Shared`] is found in the extensions of a request, and each refusal is an
//! `IntoResponse`. `layer!` secures the routes of a router. [The
//! guide](https://docs.rs/doorward/latest/doorward/guide/frameworks/index.html#axum-08) has examples.
//!
//! [`Router`] and [`routing`] are those of axum, for handlers that are secured or public.

#[cfg(feature = "testing")]
mod asked;
pub(crate) mod at_door;
pub(crate) mod bounds;
pub(crate) mod declared_handler;
pub(crate) mod extracted;
mod layer;
pub(crate) mod router;
pub mod routing;
mod served;

use core::marker::PhantomData;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::request::Parts;

#[cfg(feature = "testing")]
pub use self::asked::asked;
pub use self::router::Router;
use crate::adapters::shared::extractors::Security;
use crate::adapters::shared::from_body::from_body;
use crate::dependency::cache::Cache;
use crate::dependency::context::{Extract, Reject, SendContext};
use crate::dependency::decision::{Decider, below};
use crate::dependency::handler::{Secured, SecuredParameter};
use crate::dependency::head::{FromExtensions, http_context};
#[cfg(feature = "live")]
use crate::dependency::live::{
    Noted,
    asked::{AskAll, Copied},
};
#[cfg(feature = "testing")]
use crate::dependency::probe::probed;
use crate::dependency::shared::Shared;
use crate::dependency::{Resolve, decided};
use crate::plan::declaration::PublicParameter;
use crate::plan::declaration::met::met;
use crate::plan::table::PlanPosition;
use crate::refusal::rejection::Rejection;
use crate::scheme::Scheme;
use crate::token_endpoint::TokenResponse;

/// An axum request as the context of a dependency.
#[cfg_attr(doc, doc(hidden))]
pub struct Axum<'a, State> {
    pub(crate) parts: &'a mut Parts,
    pub(crate) state: &'a State,
}

/// Implements the context for a request, or for a copy of its head. `$sent` is the bound with which
/// its state is sent between threads.
macro_rules! context {
    ($context:ty, $($sent:tt)+) => {
        http_context!([State] $context, Body);

        impl<State: $($sent)+> SendContext for $context {
            fn cache(&mut self) -> &mut Cache {
                Cache::in_extensions(&mut self.parts)
            }
        }

        impl<T: FromRequestParts<State>, State: $($sent)+> Extract<T> for $context {
            async fn extract(&mut self, _name: &'static str) -> Result<T, Response> {
                let extracted = below!(T::from_request_parts(&mut self.parts, &self.state));
                extracted.map_err(IntoResponse::into_response)
            }
        }

        impl<E: IntoResponse, State> Reject<E> for $context {
            fn reject(&mut self, error: E) -> Response {
                error.into_response()
            }
        }
    };
}

context!(Axum<'_, State>, Sync);
#[cfg(feature = "live")]
context!(AxumCopy<State>, Send + Sync);

/// A copy of an axum request, whose requirement is asked again.
#[cfg(feature = "live")]
#[doc(hidden)]
#[derive(Clone)]
pub struct AxumCopy<State> {
    parts: Parts,
    state: State,
}

#[cfg(feature = "live")]
impl<State: Clone + Send + Sync + 'static> Copied for Axum<'_, State> {
    type Copy = AxumCopy<State>;

    async fn copied<D: AskAll<Self>>(&mut self, noted: &Noted) -> Result<Self::Copy, Response> {
        self.parts.extensions.insert(noted.clone());
        Ok(AxumCopy { parts: noted.copied(self.parts.clone()), state: self.state.clone() })
    }

    fn answer(refusal: Response) -> http::Response<String> {
        refusal.map(|_| String::new())
    }
}

impl<T, P, State> FromRequestParts<State> for Secured<T, P>
where
    P: for<'a, 'r> SecuredParameter<'r, Axum<'a, State>, T>,
    State: Sync,
{
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Response> {
        if P::Position::NUMBER == 0 {
            Cache::begin_in_extensions(parts);
            met();
        }
        // Written out, because each call here is one more function to compile for each handler.
        let mut cx = Axum { parts, state };
        let mut resolved = P::Dependency::resolve(&mut cx, P::Position::CURSOR).await;
        decided::<Axum<'_, State>, _>(const { Decider::of::<P::Position>(true) }, &mut resolved);
        #[cfg(feature = "testing")]
        let resolved = probed::<P::Position, _, _>(&cx, resolved);
        match resolved {
            Ok(value) => Ok(Self { value, parameter: PhantomData }),
            Err(response) => Err(response),
        }
    }
}

impl<P, State: Sync> FromRequestParts<State> for PublicParameter<P> {
    type Rejection = core::convert::Infallible;

    async fn from_request_parts(_: &mut Parts, _: &State) -> Result<Self, Self::Rejection> {
        Ok(Self::of_request())
    }
}

impl<S: Scheme, State: Sync> FromRequestParts<State> for Security<S> {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _state: &State) -> Result<Self, Rejection> {
        Self::of(parts).map(Self)
    }
}

impl<T, State> FromRequestParts<State> for FromExtensions<T>
where
    T: Clone + Send + Sync + 'static,
    State: Sync,
{
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _state: &State) -> Result<Self, Rejection> {
        Self::of(parts)
    }
}

impl<T, State> FromRequestParts<State> for Shared<T>
where
    T: ?Sized + Send + Sync + 'static,
    State: Sync,
{
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _state: &State) -> Result<Self, Rejection> {
        Self::found(
            parts.extensions.get(),
            "call `.extension(shared)` on the router, or `.layer(axum::Extension(shared))` on one of axum's own, after its routes",
        )
    }
}

macro_rules! extractors {
    ($([$($generics:tt)*] $extractor:ty, $error:ty;)*) => {$(
        impl<State: Sync, $($generics)*> FromRequest<State> for $extractor {
            type Rejection = $error;

            async fn from_request(request: Request, _state: &State) -> Result<Self, $error> {
                let (head, body) = request.into_parts();
                from_body(&head, body).await
            }
        }
    )*};
}

each_form!(extractors);

macro_rules! responses {
    ($($answer:ty),*) => {$(
        impl IntoResponse for $answer {
            fn into_response(self) -> Response {
                self.into_http_response()
            }
        }
    )*};
}

each_refusal!(responses);
responses!(TokenResponse);
