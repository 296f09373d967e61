//! A layer around an app, a scope or a resource.

use core::future::{Ready, ready};
use core::pin::Pin;
use core::task::{Context, Poll};
use std::rc::Rc;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Extensions, Service, ServiceRequest, ServiceResponse, Transform};
use actix_web::{Error, HttpMessage};

use crate::adapters::actix_web4::ActixWeb;
use crate::adapters::actix_web4::extraction::unread;
use crate::adapters::shared::security_service::SecurityService;
use crate::dependency::cache::LocalCache;
#[cfg(feature = "testing")]
use crate::dependency::context::Context as _;
use crate::dependency::layer::SecurityLayer;
#[cfg(feature = "testing")]
use crate::dependency::probe::refused_by_layer;
use crate::dependency::{Dependency, LocalResolve};

// actix-web panics if other code holds the request while it finds a route. So the output is
// `Send`, because a type that holds a request is not.
impl<S, B, D> Transform<S, ServiceRequest> for SecurityLayer<D>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
    D: Dependency<Output: Send> + for<'r> LocalResolve<'r, ActixWeb, D::Output>,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Transform = SecurityService<Rc<S>, D>;
    type InitError = ();
    type Future = Ready<Result<Self::Transform, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        ready(Ok(SecurityService::around(Rc::new(service), self)))
    }
}

impl<S, B, D> Service<ServiceRequest> for SecurityService<Rc<S>, D>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    B: MessageBody + 'static,
    D: Dependency<Output: Send> + for<'r> LocalResolve<'r, ActixWeb, D::Output>,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>>>>;

    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&self, mut request: ServiceRequest) -> Self::Future {
        let service = self.clone();
        Box::pin(async move {
            let mut cx =
                ActixWeb { request: request.request().clone(), cache: LocalCache::default() };
            let resolved = service.layer.plan.resolve_local_in(&mut cx).await;
            #[cfg(feature = "testing")]
            if let Err(refusal) = &resolved {
                refused_by_layer(&cx.request, ActixWeb::status(refusal));
            }
            drop(cx);
            match resolved {
                Ok(output) => {
                    service.let_in(&mut request.extensions_mut(), output);
                    let response = service.inner.call(request).await?;
                    Ok(response.map_into_left_body())
                }
                Err(refusal) => {
                    let body = request.take_payload();
                    let refusal = unread(request.request(), body, refusal);
                    Ok(request.error_response(refusal).map_into_right_body())
                }
            }
        })
    }
}

impl<S, D: Dependency> SecurityService<S, D> {
    /// Leaves in a request what the dependency has yielded, and that the layer has let it in.
    fn let_in(&self, extensions: &mut Extensions, output: D::Output) {
        let passed = self.layer.passed(extensions.remove());
        extensions.insert(passed);
        extensions.insert(output);
    }
}
