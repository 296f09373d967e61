//! Values that pass a door without an attribute of ours: a handler or a service behind a layer, and
//! any value inside `public("…", …)`.

use core::any::type_name;
use core::convert::Infallible;
use core::marker::PhantomData;
use core::pin::Pin;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use tower_service::Service;

use super::at_door::{Arguments, BehindLayer, behind_layer};
use crate::adapters::shared::security_service::SecurityService;
use crate::dependency::Dependency;
use crate::plan::declaration::met::met;
use crate::plan::declaration::{ByLayer, ByReason, Declaration, Declared, Public};

/// A service that is public, or behind a layer.
#[diagnostic::on_unimplemented(
    message = "this service is neither behind a layer nor public",
    label = "any caller could call it, and nothing says that they may",
    note = "write `layer!(…).layer(service)` with a scheme or a dependency, `layer!(…).already_around(service)` below such a layer, or `public(\"the reason\", service)` if anyone may call it"
)]
pub trait DeclaredService {
    /// Returns what the service declares.
    #[doc(hidden)]
    fn declaration(&self) -> Declaration;
}

#[diagnostic::do_not_recommend]
impl<T> DeclaredService for Public<T> {
    fn declaration(&self) -> Declaration {
        Declaration::public::<T>(self.reason)
    }
}

#[diagnostic::do_not_recommend]
impl<T, D: Dependency, State, Refusals> DeclaredService for SecurityService<T, D, State, Refusals> {
    fn declaration(&self) -> Declaration {
        of_layer(self)
    }
}

/// Returns what a layer declares for the one handler or service below it.
fn of_layer<T, D: Dependency, State, Refusals>(
    service: &SecurityService<T, D, State, Refusals>,
) -> Declaration {
    Declaration {
        root: D::NODE,
        scopes: service.layer.plan.scopes().scopes(),
        arguments: service.layer.plan.arguments(),
        reason: None,
        handler: type_name::<T>(),
        #[cfg(feature = "testing")]
        door: None,
        #[cfg(feature = "testing")]
        is_asked: false,
    }
}

/// The arguments of a handler behind a layer of its own.
#[derive(Debug)]
pub struct IsBehindLayer<T>(PhantomData<T>);

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

/// The arguments of a handler inside `public("…", handler)`.
#[derive(Debug)]
pub struct IsPublic<T>(PhantomData<T>);

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
