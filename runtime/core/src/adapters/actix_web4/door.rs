//! The door: a handler whose secured parameters are resolved before any other extractor can fail.

use actix_web::dev::Payload;
use actix_web::{Error, FromRequest, Handler, HttpRequest};

use crate::adapters::actix_web4::extraction::{ExtractFuture, Extraction, unread};
use crate::plan::declaration::{Declared, DeclaredAs};
use crate::syntax::debug_text::debug_only;

/// A handler behind the door.
#[derive(Clone)]
pub struct DeclaredHandler<H>(H);

debug_only!([H] DeclaredHandler<H>, "");

/// The arguments of such a handler.
pub struct CheckedFirst<Arguments>(Arguments);

debug_only!([Arguments] CheckedFirst<Arguments>, "");

#[diagnostic::do_not_recommend]
impl<H, Arguments, Position> DeclaredAs<(Arguments, Position)> for H
where
    H: Handler<Arguments> + Declared<Arguments, Position>,
{
    type Handler = DeclaredHandler<H>;

    fn into_handler(self) -> Self::Handler {
        DeclaredHandler(self)
    }
}

impl<H: Handler<Arguments>, Arguments> Handler<CheckedFirst<Arguments>> for DeclaredHandler<H> {
    type Output = H::Output;
    type Future = H::Future;

    fn call(&self, arguments: CheckedFirst<Arguments>) -> H::Future {
        self.0.call(arguments.0)
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
