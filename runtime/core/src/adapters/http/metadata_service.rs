//! Metadata documents as tower services, which axum can route to.

use core::convert::Infallible;
use core::future::{Ready, ready};
use core::task::{Context, Poll};

use http::{Request, Response};
use tower_service::Service;

use crate::metadata::Metadata as _;

macro_rules! services {
    ($($document:ty),*) => {$(
        /// Answers every request. The router has matched the path.
        impl<B> Service<Request<B>> for $document {
            type Response = Response<String>;
            type Error = Infallible;
            type Future = Ready<Result<Response<String>, Infallible>>;

            fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
                Poll::Ready(Ok(()))
            }

            fn call(&mut self, request: Request<B>) -> Self::Future {
                ready(Ok(self.members().response(request.method().as_str())))
            }
        }
    )*};
}

each_metadata!(services);
