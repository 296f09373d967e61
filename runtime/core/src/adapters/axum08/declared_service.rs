//! Values that pass a door without an attribute of ours: a service behind a layer, and any value
//! inside `public("…", …)`.

use core::any::type_name;
use core::marker::PhantomData;

use axum::extract::Request;
use axum::handler::Handler;

use crate::adapters::shared::security_service::SecurityService;
use crate::dependency::Dependency;
use crate::plan::declaration::met::met;
use crate::plan::declaration::{ByReason, Declaration, Declared, Public};

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
        Declaration {
            root: D::NODE,
            scopes: self.layer.plan.scopes().scopes(),
            arguments: self.layer.plan.arguments(),
            reason: None,
            handler: type_name::<T>(),
            #[cfg(feature = "testing")]
            door: None,
            #[cfg(feature = "testing")]
            is_asked: false,
        }
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
