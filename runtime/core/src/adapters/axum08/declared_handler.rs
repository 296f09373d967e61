//! Handlers that pass a door without an attribute of ours: one behind a layer, and one inside
//! `public("…", …)`.

use core::convert::Infallible;
use core::pin::Pin;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use tower_service::Service;

use super::at_door::{Arguments, BehindLayer, IsBehindLayer, IsPublic, behind_layer};
use crate::adapters::http::declared_service::of_layer;
use crate::adapters::shared::security_service::SecurityService;
use crate::dependency::Dependency;
use crate::plan::declaration::met::met;
use crate::plan::declaration::{ByLayer, ByReason, Declaration, Declared, Public};

impl<H, D, State, Refusals, T, S> Handler<IsBehindLayer<T>, S>
    for SecurityService<H, D, State, Refusals>
where
    H: Handler<T, S>,
    T: Arguments<S>,
    S: Send + Sync + 'static,
    D: 'static,
    State: Clone + Send + Sync + 'static,
    Refusals: 'static,
    SecurityService<BehindLayer<H, T, S>, D, State, Refusals>:
        Service<Request, Response = Response, Error = Infallible, Future: Send + 'static>,
{
    type Future = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn call(self, mut request: Request, state: S) -> Self::Future {
        let inner = behind_layer(self.inner, &mut request, state);
        let mut service = SecurityService::around(inner, &self.layer);
        let answering = service.call(request);
        Box::pin(async move {
            let Ok(response) = answering.await;
            response
        })
    }
}

#[diagnostic::do_not_recommend]
impl<H, D: Dependency, State, Refusals, T> Declared<IsBehindLayer<T>, ByLayer>
    for SecurityService<H, D, State, Refusals>
{
    fn declaration(&self) -> Declaration {
        of_layer(self).asked()
    }
}

impl<H: Handler<T, S>, T, S> Handler<IsPublic<T>, S> for Public<H> {
    type Future = H::Future;

    fn call(self, request: Request, state: S) -> H::Future {
        met();
        self.inner.call(request, state)
    }
}

#[diagnostic::do_not_recommend]
impl<H, T> Declared<IsPublic<T>, ByReason> for Public<H> {
    fn declaration(&self) -> Declaration {
        Declaration::public::<H>(self.reason)
    }
}
