//! A handler inside `public("…", …)`.

use core::marker::PhantomData;

use axum::extract::Request;
use axum::handler::Handler;

use crate::plan::declaration::met::met;
use crate::plan::declaration::{ByReason, Declaration, Declared, Public};

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
