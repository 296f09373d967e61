//! The door: a handler whose secured parameters are resolved before any other extractor can fail.

use core::marker::PhantomData;

use actix_web::dev::Payload;
use actix_web::{Error, FromRequest, Handler, HttpRequest};

use crate::adapters::actix_web4::extraction::{ExtractFuture, Extraction, unread};
use crate::plan::declaration::{Declared, DeclaredAs, Public};
use crate::syntax::debug_text::debug_only;

/// A handler behind the door.
pub struct DeclaredHandler<H, Arguments> {
    handler: H,
    arguments: PhantomData<fn() -> Arguments>,
}

debug_only!([H, Arguments] DeclaredHandler<H, Arguments>, "");

impl<H: Clone, Arguments> Clone for DeclaredHandler<H, Arguments> {
    fn clone(&self) -> Self {
        Self { handler: self.handler.clone(), arguments: PhantomData }
    }
}

/// The arguments of such a handler.
pub struct CheckedFirst<Arguments>(Arguments);

debug_only!([Arguments] CheckedFirst<Arguments>, "");

#[diagnostic::do_not_recommend]
impl<H, Arguments, Position> DeclaredAs<(Arguments, Position)> for H
where
    H: Handler<Arguments> + Declared<Arguments, Position>,
{
    type Handler = DeclaredHandler<H, Arguments>;

    fn into_handler(self) -> Self::Handler {
        DeclaredHandler { handler: self, arguments: PhantomData }
    }
}

/// What `public` alone would need here.
#[diagnostic::on_unimplemented(
    message = "`public(…)` alone is no handler of actix-web",
    label = "the door is missing",
    note = "write `declared(public(\"the reason\", handler))`"
)]
pub trait InsideTheDoor {}

/// For the error alone: nothing implements the bound.
impl<H, Arguments> Handler<Arguments> for Public<H>
where
    H: Handler<Arguments>,
    Self: InsideTheDoor,
{
    type Output = H::Output;
    type Future = H::Future;

    fn call(&self, arguments: Arguments) -> H::Future {
        self.inner.call(arguments)
    }
}

impl<H: Handler<Arguments>, Arguments: 'static> Handler<CheckedFirst<Arguments>>
    for DeclaredHandler<H, Arguments>
{
    type Output = H::Output;
    type Future = H::Future;

    fn call(&self, arguments: CheckedFirst<Arguments>) -> H::Future {
        self.handler.call(arguments.0)
    }
}

impl<Arguments: FromRequest + 'static> FromRequest for CheckedFirst<Arguments> {
    type Error = Error;
    type Future = ExtractFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let extraction = Extraction::begin(request, payload);
        let arguments = Arguments::from_request(request, payload);
        let request = request.clone();
        Box::pin(async move {
            extraction.through().await.map_err(|refusal| refusal.take())?;
            let arguments = arguments.await.map(Self);
            arguments.map_err(|error| unread(&request, extraction.body.clone(), error.into()))
        })
    }
}
