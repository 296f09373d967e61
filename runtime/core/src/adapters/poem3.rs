//! poem 3.
//!
//! `#[secured]` parameters, [`Security`], [`PasswordForm`](crate::PasswordForm),
//! [`TokenRequest`](crate::token_endpoint::TokenRequest) and their kin are
//! extractors, a [`Shared`] is found in the data of an endpoint, and each refusal is an error of a
//! handler. [The guide](https://docs.rs/doorward/latest/doorward/guide/frameworks/index.html#poem-3) has examples.

#[cfg(feature = "testing")]
mod asked;
pub(crate) mod extracted;
mod layer;

use core::any::type_name;
use core::marker::PhantomData;
use core::pin::Pin;

use http::{HeaderMap, Response as HttpResponse, Uri};
use http_body_util::BodyExt;
use poem::error::ResponseError;
use poem::http::StatusCode;
use poem::{Body, Endpoint, Error, FromRequest, IntoResponse, Request, RequestBody, Response};

#[cfg(feature = "testing")]
pub use self::asked::asked;
use crate::adapters::shared::extractors::Security;
use crate::adapters::shared::from_body::from_body;
use crate::adapters::shared::stand_in::StandIn;
use crate::credential::presented::Proved;
use crate::credential::request_head::request_head;
use crate::dependency::cache::Cache;
use crate::dependency::context::{Context, Extract, Reject, SendContext};
use crate::dependency::decision::below;
use crate::dependency::handler::{Secured, SecuredParameter};
use crate::dependency::head::FromExtensions;
#[cfg(feature = "live")]
use crate::dependency::head::FromHead;
#[cfg(feature = "live")]
use crate::dependency::live::{
    Noted,
    asked::{AskAll, Copied},
};
use crate::dependency::shared::Shared;
use crate::metadata::Metadata as _;
use crate::plan::declaration::PublicParameter;
use crate::refusal::completion::Completion;
use crate::refusal::rejection::Rejection;
use crate::refusal::unread_body::announce_close;
use crate::scheme::Scheme;
use crate::syntax::debug_text::debug_only;
use crate::token_endpoint::TokenResponse;
use crate::trace;

/// A poem request as the context of a dependency.
#[cfg_attr(doc, doc(hidden))]
pub struct Poem<'r> {
    request: &'r Request,
    /// poem passes a request to its extractors by shared reference, so the cache cannot be stored
    /// in the request. It lasts for one parameter of a handler.
    cache: Cache,
    /// Unless a layer has put others into the request.
    proved: Proved,
}

impl<'r> Poem<'r> {
    fn of(request: &'r Request) -> Self {
        Self { request, cache: Cache::default(), proved: Proved::default() }
    }
}

debug_only!([] Poem<'_> {});

/// Implements the context for a request, or for a copy of its head.
macro_rules! context {
    ($context:ty, $head:ty, |$self:ident| $read:expr, $extensions:expr, $copied:expr) => {
        impl Context for $context {
    type Rejection = Error;

    type Head = $head;

    fn head(&$self) -> &$head {
        $read
    }

    fn respond(&self, refusal: HttpResponse<String>) -> Error {
        Error::from_response(response(refusal))
    }

    fn refuse(&self, rejection: Rejection) -> Error {
        rejection.into()
    }

    fn fail(&self) -> Error {
        Error::from_status(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn status(refusal: &Error) -> Option<u16> {
        Some(refusal.status().as_u16())
    }

    fn closing(&self, refusal: Error) -> Error {
        // An error has no headers until it is a response.
        let mut response = refusal.into_response();
        announce_close(response.headers_mut());
        Error::from_response(response)
    }

    fn completed(&self, refusal: Error, completion: Completion) -> Error {
        // An error has no headers until it is a response, and then its type is lost. So it stays
        // what it is, unless something may be added.
        let known = headers_of(&refusal).unwrap_or_default();
        if completion.absent(refusal.status().as_u16(), |name| known.contains_key(name)).is_empty()
        {
            return refusal;
        }
        let mut response = refusal.into_response();
        completion.add_to(response.status(), response.headers_mut());
        Error::from_response(response)
    }

    #[cfg(feature = "testing")]
    fn overrides(&$self) -> Option<&crate::dependency::overrides::Overrides> {
        $extensions.get()
    }

    fn copied_head(&$self) -> http::request::Parts {
        $copied
    }
}

impl<E: Into<Error>> Reject<E> for $context {
    fn reject(&mut self, error: E) -> Error {
        error.into()
    }
}
    };
}

context!(Poem<'_>, Request, |self| self.request, self.request.extensions(), {
    let mut head = copied_head(self.request);
    head.extensions.get_or_insert_with(|| self.proved.clone());
    head
});
#[cfg(feature = "live")]
context!(
    PoemCopy,
    http::request::Parts,
    |self| &self.head,
    &self.head.extensions,
    self.head.clone()
);

/// Copies the head of a request. Its target is the one that the client sent.
fn copied_head(request: &Request) -> http::request::Parts {
    let (mut head, ()) = http::Request::new(()).into_parts();
    head.method = request.method().clone();
    head.uri = sent_target(request).clone();
    head.version = request.version();
    head.headers = request.headers().clone();
    head.extensions = request.extensions().clone();
    head
}

request_head!([] Request);

impl SendContext for Poem<'_> {
    fn cache(&mut self) -> &mut Cache {
        &mut self.cache
    }
}

impl<'r, T: FromRequest<'r> + Send> Extract<T> for Poem<'r> {
    async fn extract(&mut self, _name: &'static str) -> Result<T, Error> {
        // The extractor gets a stand-in for the handler's body. If it takes or reads the stand-in,
        // it has tried to read the body.
        let stand_in = StandIn::default();
        let mut body = RequestBody::new(Body::from(stand_in.clone().boxed()));
        let extracted = below!(T::from_request(self.request, &mut body));
        if body.is_none() || stand_in.was_read() {
            trace::body_in_dependency(type_name::<T>());
            return Err(Error::from_status(StatusCode::INTERNAL_SERVER_ERROR));
        }
        extracted
    }
}

/// A copy of the head of a poem request, whose requirement is asked again. The path parameters of
/// poem cannot be copied, so its own extractors are not for it.
#[cfg(feature = "live")]
#[doc(hidden)]
#[derive(Clone)]
pub struct PoemCopy {
    head: http::request::Parts,
}

#[cfg(feature = "live")]
impl SendContext for PoemCopy {
    fn cache(&mut self) -> &mut Cache {
        Cache::in_extensions(&mut self.head)
    }
}

#[cfg(feature = "live")]
impl<T: FromHead + Send> Extract<T> for PoemCopy {
    async fn extract(&mut self, _name: &'static str) -> Result<T, Error> {
        let extracted = T::from_head(&mut self.head);
        extracted.map_err(|refusal| self.respond(refusal.into()))
    }
}

#[cfg(feature = "live")]
impl Copied for Poem<'_> {
    type Copy = PoemCopy;

    async fn copied<D: AskAll<Self>>(&mut self, noted: &Noted) -> Result<PoemCopy, Error> {
        Ok(PoemCopy { head: noted.copied(copied_head(self.request)) })
    }

    fn answer(refusal: Error) -> HttpResponse<String> {
        let (head, _) = refusal.into_response().into_parts();
        let mut answer = HttpResponse::default();
        *answer.status_mut() = head.status;
        *answer.headers_mut() = head.headers;
        answer
    }
}

impl<'r, T, P> FromRequest<'r> for Secured<T, P>
where
    T: Send,
    P: SecuredParameter<'r, Poem<'r>, T>,
{
    async fn from_request(request: &'r Request, _: &mut RequestBody) -> Result<Self, Error> {
        let mut cx = Poem::of(request);
        // Without the box, rustc cannot prove that a handler's future is `Send`
        // (rust-lang/rust#100013).
        let resolved: Pin<Box<dyn Future<Output = _> + Send + '_>> = Box::pin(P::resolve(&mut cx));
        match resolved.await {
            Ok(value) => Ok(Self { value, parameter: PhantomData }),
            Err(error) => Err(error),
        }
    }
}

/// For a public handler below an attribute of the framework that was imported under another name. A
/// door refuses it, and what it prints is then the only error.
impl<'r, P> FromRequest<'r> for PublicParameter<P> {
    async fn from_request(_: &'r Request, _: &mut RequestBody) -> Result<Self, Error> {
        Ok(Self::of_request())
    }
}

impl<'r, S: Scheme<Credential: Send>> FromRequest<'r> for Security<S> {
    async fn from_request(request: &'r Request, _: &mut RequestBody) -> Result<Self, Error> {
        Ok(Self(Self::of(request)?))
    }
}

impl<'r, T: Clone + Send + Sync + 'static> FromRequest<'r> for FromExtensions<T> {
    async fn from_request(request: &'r Request, _: &mut RequestBody) -> Result<Self, Error> {
        Ok(Self::of(request)?)
    }
}

impl<'r, T: ?Sized + Send + Sync + 'static> FromRequest<'r> for Shared<T> {
    async fn from_request(request: &'r Request, _: &mut RequestBody) -> Result<Self, Error> {
        let found = request.extensions().get();
        Ok(Self::found(found, "call `.data(shared)` on the route or on what is around it")?)
    }
}

macro_rules! extractors {
    ($([$($generics:tt)*] $extractor:ty, $error:ty;)*) => {$(
        impl<'r, $($generics)*> FromRequest<'r> for $extractor {
            async fn from_request(request: &'r Request, body: &mut RequestBody) -> Result<Self, Error> {
                let body: BoxBody = body.take()?.into();
                Ok(from_body::<Self, _, _>(request, body).await?)
            }
        }
    )*};
}

each_form!(extractors + Send);

/// The type inside poem's body.
type BoxBody = http_body_util::combinators::BoxBody<bytes::Bytes, std::io::Error>;

macro_rules! errors {
    ($($error:ty),*) => {$(
        impl ResponseError for $error {
            fn status(&self) -> StatusCode {
                self.status()
            }

            fn as_response(&self) -> Response {
                response(self.clone().into_http_response())
            }
        }
    )*};
}

each_refusal!(errors);

macro_rules! headers_of {
    ($($error:ty),*) => {
        /// Returns the headers of an error's response, if its type is one of this crate.
        fn headers_of(error: &Error) -> Option<HeaderMap> {
            $(if let Some(error) = error.downcast_ref::<$error>() {
                return Some(error.as_response().headers().clone());
            })*
            None
        }
    };
}

each_refusal!(headers_of);

impl IntoResponse for TokenResponse {
    fn into_response(self) -> Response {
        response(self.into_http_response())
    }
}

macro_rules! documents {
    ($($document:ty),*) => {$(
        impl Endpoint for $document {
            type Output = Response;

            async fn call(&self, request: Request) -> Result<Response, Error> {
                Ok(response(self.members().response(request.method().as_str())))
            }
        }
    )*};
}

each_metadata!(documents);

/// Returns the target of a request as the client sent it. `nest` removes its prefix, and a request
/// that was built by hand, as in a test, has no original target but the default one.
fn sent_target(request: &Request) -> &Uri {
    let original = request.original_uri();
    if *original == Uri::default() { request.uri() } else { original }
}

fn response(response: HttpResponse<String>) -> Response {
    let (head, body) = response.into_parts();
    let mut response = Response::from(body);
    response.set_status(head.status);
    *response.headers_mut() = head.headers;
    response
}
