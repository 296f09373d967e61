//! The service that a server asks a router for: it puts the values of the router into each
//! request.

use core::convert::Infallible;
use core::future::{Ready, ready};
use core::task::{Context, Poll};
use std::sync::Arc;

use axum::Router as Inner;
use axum::response::Response;
use axum::routing::future::RouteFuture;
use http::{Extensions, Request};
use tower_service::Service;

/// A service, and the values that it puts into the extensions of each request.
#[derive(Clone, Debug)]
pub struct Extended<S> {
    pub(super) inner: S,
    pub(super) values: Values,
}

/// The values of a router, if it has any.
pub(super) type Values = Option<Arc<Extensions>>;

/// Puts the values into a request.
fn extend<B>(request: &mut Request<B>, values: &Values) {
    if let Some(values) = values {
        request.extensions_mut().extend(Extensions::clone(values));
    }
}

impl<S: Service<Request<B>>, B> Service<Request<B>> for Extended<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> S::Future {
        extend(&mut request, &self.values);
        self.inner.call(request)
    }
}

/// The answers of axum's router and of ours to an `R`. `axum::serve` asks for a service of
/// requests, by a type that axum has only with a server, so the answer tells what `R` is.
pub trait Answer<R> {
    /// The answer of our router.
    type Ours;
    /// Resolves to it.
    type Future: Future<Output = Result<Self::Ours, Infallible>>;

    /// Answers.
    #[doc(hidden)]
    fn answer(router: &mut Inner, values: &Values, request: R) -> Self::Future;
}

impl<B> Answer<Request<B>> for Response
where
    Inner:
        Service<Request<B>, Response = Self, Error = Infallible, Future = RouteFuture<Infallible>>,
{
    type Ours = Self;
    type Future = RouteFuture<Infallible>;

    fn answer(router: &mut Inner, values: &Values, mut request: Request<B>) -> Self::Future {
        extend(&mut request, values);
        router.call(request)
    }
}

impl<R> Answer<R> for Inner {
    type Ours = Extended<Self>;
    type Future = Ready<Result<Extended<Self>, Infallible>>;

    fn answer(router: &mut Self, values: &Values, _: R) -> Self::Future {
        ready(Ok(Extended { inner: router.clone(), values: values.clone() }))
    }
}
