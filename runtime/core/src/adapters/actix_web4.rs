//! actix-web 4.
//!
//! `#[secured]` parameters, [`Security`], [`PasswordForm`](crate::PasswordForm),
//! [`TokenRequest`](crate::token_endpoint::TokenRequest) and their kin are
//! extractors, a [`Shared`] is found in the app's data, and each refusal is an error of a handler.
//! [The guide](https://docs.rs/doorward/latest/doorward/guide/frameworks/index.html#actix-web-4) has examples.
//!
//! actix-web starts all extractors of a handler at once, and polls them together. The secured
//! parameters wait for each other, the body waits for them, and at the
//! [door](crate::declared) every other extractor does.

#[cfg(feature = "testing")]
mod asked;
mod door;
pub(crate) mod extracted;
pub(crate) mod extraction;
mod layer;

use core::any::type_name;
use core::convert::Infallible;
use core::future::ready;
use core::pin::Pin;
use std::borrow::Cow;

use actix_web::body::BoxBody;
use actix_web::dev::{AppService, HttpServiceFactory, Payload};
use actix_web::error::{ErrorInternalServerError, InternalError, PayloadError};
use actix_web::guard::fn_guard;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_LENGTH, HeaderName, HeaderValue};
use actix_web::{
    Error, FromRequest, HttpMessage, HttpRequest, HttpResponse, Resource, Responder, ResponseError,
};
use futures_util::TryStreamExt as _;
use http::Response;
use http_body_util::BodyDataStream;

#[cfg(feature = "testing")]
pub use self::asked::asked;
use self::extraction::{ExtractFuture, secured};
use crate::adapters::shared::copied_head::copied_head;
use crate::adapters::shared::extractors::Security;
use crate::adapters::shared::from_body::{FromBody, read_unclosed};
use crate::adapters::shared::stand_in::StandIn;
use crate::adapters::shared::stream_body::StreamBody;
use crate::credential::presented::Proved;
use crate::credential::request_head::{HeaderLine, RequestHead};
use crate::dependency::cache::LocalCache;
use crate::dependency::context::{Context, LocalContext, LocalExtract, Reject};
use crate::dependency::decision::below;
use crate::dependency::handler::{LocalSecuredParameter, Secured};
use crate::dependency::head::FromExtensions;
#[cfg(feature = "live")]
use crate::dependency::live::{
    Noted,
    asked::{LocalAskAll, LocalCopied},
};
use crate::dependency::shared::Shared;
use crate::metadata::Metadata as _;
use crate::plan::declaration::PublicParameter;
use crate::refusal::completion::Completion;
use crate::refusal::rejection::Rejection;
use crate::scheme::Scheme;
use crate::syntax::debug_text::debug_only;
use crate::token_endpoint::TokenResponse;
use crate::trace;

/// A [`Live`](crate::live::Live) of a handler of actix-web, whose requirement stays on its thread.
#[cfg(feature = "live")]
pub type Live = crate::dependency::live::Live<dyn crate::dependency::live::asked::Asked>;

/// An actix-web request as the context of a dependency.
#[cfg_attr(doc, doc(hidden))]
#[derive(Clone)]
pub struct ActixWeb {
    request: HttpRequest,
    cache: LocalCache,
}

debug_only!([] ActixWeb {});

impl RequestHead for HttpRequest {
    fn lines<'h>(&'h self, name: &str) -> impl Iterator<Item = HeaderLine<'h>> {
        let lines = self.headers().get_all(name);
        lines.map(|line| line.as_bytes().into())
    }

    fn path(&self) -> Option<&str> {
        Some(self.uri().path())
    }

    fn query(&self) -> Option<&str> {
        self.uri().query()
    }

    fn method(&self) -> &str {
        self.method().as_str()
    }

    fn authority(&self) -> Option<Cow<'_, str>> {
        Some(self.uri().authority()?.as_str().into())
    }

    /// Finds what a middleware has put into the request, or the server into its connection.
    fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        let of_request = self.extensions().get().cloned();
        of_request.or_else(|| self.conn_data().cloned())
    }
}

impl Context for ActixWeb {
    type Rejection = Error;

    type Head = HttpRequest;

    fn head(&self) -> &HttpRequest {
        &self.request
    }

    fn respond(&self, refusal: Response<String>) -> Error {
        // `status` knows this type, and leaves its response.
        InternalError::from_response(self.fail(), response(refusal)).into()
    }

    fn refuse(&self, rejection: Rejection) -> Error {
        rejection.into()
    }

    fn fail(&self) -> Error {
        ErrorInternalServerError("")
    }

    fn status(refusal: &Error) -> Option<u16> {
        let status = match refusal.as_error::<InternalError<Error>>() {
            Some(whole) => whole.status_code(),
            None => refusal.error_response().status(),
        };
        Some(status.as_u16())
    }

    /// actix-web says by itself that it closes a connection, if something owns the body: see
    /// `extraction::unread`.
    fn closing(&self, refusal: Error) -> Error {
        refusal
    }

    fn completed(&self, refusal: Error, completion: Completion) -> Error {
        let mut response = refusal.error_response();
        let status = response.status().as_u16();
        let absent = completion.absent(status, |name| response.headers().contains_key(name));
        // The response of a whole one is taken.
        if absent.is_empty() && refusal.as_error::<InternalError<Error>>().is_none() {
            return refusal;
        }
        for (name, value) in &absent {
            // http 0.2 takes every line that http 1 takes.
            let name = HeaderName::from_bytes(name.as_str().as_bytes());
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value.as_bytes())) {
                response.headers_mut().append(name, value);
            }
        }
        InternalError::from_response(refusal, response).into()
    }

    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::dependency::overrides::Overrides> {
        self.request.app_data()
    }

    fn copied_head(&self) -> http::request::Parts {
        let headers =
            self.request.headers().iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let proved = self.request.extensions().get::<Proved>().cloned();
        let proved = proved.unwrap_or_else(|| {
            let proved = Proved::default();
            self.request.extensions_mut().insert(proved.clone());
            proved
        });
        copied_head(&self.request, &self.request.uri().to_string(), headers, proved)
    }
}

impl LocalContext for ActixWeb {
    fn cache(&mut self) -> &mut LocalCache {
        &mut self.cache
    }
}

/// The copy is the request itself, because its handler has let go of it.
#[cfg(feature = "live")]
impl LocalCopied for ActixWeb {
    type Copy = Self;

    async fn copied<D: LocalAskAll<Self>>(&mut self, noted: &Noted) -> Result<Self, Error> {
        self.request.extensions_mut().insert(noted.clone());
        Ok(Self { request: self.request.clone(), cache: LocalCache::default() })
    }

    fn answer(refusal: Error) -> Response<String> {
        let refusal = refusal.error_response();
        let mut answer = Response::builder().status(refusal.status().as_u16());
        for (name, value) in refusal.headers() {
            answer = answer.header(name.as_str(), value.as_bytes());
        }
        answer.body(String::new()).unwrap_or_default()
    }
}

impl<T: FromRequest> LocalExtract<T> for ActixWeb {
    async fn extract(&mut self, _name: &'static str) -> Result<T, Error> {
        // The extractor gets a stand-in for the handler's body. If it takes or reads the stand-in,
        // it has tried to read the body.
        let stand_in = StandIn::default();
        let payload = BodyDataStream::new(stand_in.clone()).map_err(PayloadError::from);
        let mut payload: Payload = Payload::Stream { payload: Box::pin(payload) };
        let extracted = below!(T::from_request(&self.request, &mut payload));
        if matches!(payload, Payload::None) || stand_in.was_read() {
            trace::body_in_dependency(type_name::<T>());
            return Err(ErrorInternalServerError(""));
        }
        extracted.map_err(|error| repeatable(error.into()))
    }
}

impl<E: Into<Error>> Reject<E> for ActixWeb {
    fn reject(&mut self, error: E) -> Error {
        repeatable(error.into())
    }
}

/// Returns an error whose status can be read before it is sent. The response that an
/// `InternalError` was made from can be taken only once, and is a 500 then.
fn repeatable(error: Error) -> Error {
    let response = error.error_response();
    match error.as_response_error().status_code() {
        StatusCode::INTERNAL_SERVER_ERROR => InternalError::from_response(error, response).into(),
        _ => error,
    }
}

impl<T, P> FromRequest for Secured<T, P>
where
    T: 'static,
    P: for<'r> LocalSecuredParameter<'r, ActixWeb, T> + 'static,
{
    type Error = Error;
    type Future = ExtractFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let value = secured::<T, P>(request, payload, true);
        Box::pin(async { value.await.map(Self::from) })
    }
}

impl<P> FromRequest for PublicParameter<P> {
    type Error = Infallible;
    type Future = core::future::Ready<Result<Self, Infallible>>;

    fn from_request(_: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of_request()))
    }
}

impl<S: Scheme> FromRequest for Security<S> {
    type Error = Rejection;
    type Future = core::future::Ready<Result<Self, Rejection>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request).map(Self))
    }
}

impl<T: Clone + Send + Sync + 'static> FromRequest for FromExtensions<T> {
    type Error = Rejection;
    type Future = core::future::Ready<Result<Self, Rejection>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}

impl<T: ?Sized + 'static> FromRequest for Shared<T> {
    type Error = Rejection;
    type Future = core::future::Ready<Result<Self, Rejection>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::found(
            request.app_data(),
            "call `.app_data(shared)` on the `App`, without a `web::Data` around it",
        ))
    }
}

macro_rules! extractors {
    ($([$($generics:tt)*] $extractor:ty, $error:ty;)*) => {$(
        impl<$($generics)*> FromRequest for $extractor {
            type Error = $error;
            type Future = Pin<Box<dyn Future<Output = Result<Self, $error>>>>;

            fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
                let length = request.headers().get(CONTENT_LENGTH).map(HeaderValue::as_bytes);
                let body = StreamBody::new(payload.take(), length);
                let request = request.clone();
                Box::pin(async move {
                    let body = read_unclosed::<Self, _>(&request, body).await?;
                    Self::of_body(&request, body)
                })
            }
        }
    )*};
}

each_form!(extractors + 'static);

macro_rules! responses {
    ($($error:ty),*) => {$(
        impl ResponseError for $error {
            fn status_code(&self) -> StatusCode {
                converted(self.status())
            }

            fn error_response(&self) -> HttpResponse<BoxBody> {
                response(self.clone().into_http_response())
            }
        }
    )*};
}

each_refusal!(responses);

impl Responder for TokenResponse {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        response(self.into_http_response())
    }
}

macro_rules! documents {
    ($($document:ty),*) => {$(
        impl HttpServiceFactory for $document {
            fn register(self, config: &mut AppService) {
                // A pattern is held to the decoded path, and the document has the path as it is
                // sent.
                let path = self.path().to_owned();
                let pattern = format!("{}{{_:.*}}", self.members().well_known());
                let is_path = fn_guard(move |cx| cx.head().uri.path() == path);
                let answer = move |request: HttpRequest| {
                    let answer = response(self.members().response(request.method().as_str()));
                    async { answer }
                };
                Resource::new(pattern)
                    .guard(is_path)
                    .to(answer)
                    .register(config);
            }
        }
    )*};
}

each_metadata!(documents);

/// Converts a status into that of http 0.2, which has the same ones.
fn converted(status: http::StatusCode) -> StatusCode {
    StatusCode::from_u16(status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Converts a response into the types of http 0.2, which accept every value that http 1 accepts.
fn response(response: Response<String>) -> HttpResponse {
    let (head, body) = response.into_parts();
    let mut response = HttpResponse::build(converted(head.status));
    for (name, value) in &head.headers {
        response.append_header((name.as_str(), value.as_bytes()));
    }
    response.body(body)
}
