//! actix-web 4.
//!
//! Its extractors run at once, so the first parameter of a handler resolves what all of them depend on, in order; the others take
//! theirs from the request when it has.

use core::cell::RefCell;
use core::fmt;
use core::future::{poll_fn, ready};
use core::marker::PhantomData;
use core::pin::Pin;
use core::task::Poll;
use std::rc::Rc;

use actix_web::body::BoxBody;
use actix_web::dev::Payload;
use actix_web::error::ErrorInternalServerError;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue,
};
use actix_web::{
    Error, FromRequest, HttpMessage, HttpRequest, HttpResponse, Responder, ResponseError,
};
use http::Response;

use super::stream_body::StreamBody;
use crate::cache::LocalCache;
use crate::context::{Context, LocalContext, LocalExtract, Reject};
use crate::form::FormConfig;
use crate::form::read::{read, read_typed};
use crate::local::{LocalHandler, LocalParameter, Outputs};
use crate::secured::Secured;
use crate::{
    BearerError, Client, ClientCredentials, FormBody, FormError, OwnedForm, PasswordForm,
    Rejection, Scheme, Security, TokenError, TokenResponse,
};

/// A request of actix-web, in the eyes of a dependency.
pub struct ActixWeb {
    request: HttpRequest,
    cache: LocalCache,
}

impl fmt::Debug for ActixWeb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActixWeb").finish_non_exhaustive()
    }
}

fn authenticate<S: Scheme>(request: &HttpRequest) -> Result<S::Yield, Rejection> {
    let lines = request.headers().get_all(AUTHORIZATION);
    S::authenticate_copied(lines.map(HeaderValue::as_bytes))
}

impl Context for ActixWeb {
    type Rejection = Error;

    fn authenticate<S: Scheme>(&self) -> Result<S::Yield, Rejection> {
        authenticate::<S>(&self.request)
    }

    fn refuse(&self, rejection: Rejection) -> Error {
        rejection.into()
    }

    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::Overrides> {
        self.request.app_data()
    }
}

impl LocalContext for ActixWeb {
    fn local_cache(&mut self) -> &mut LocalCache {
        &mut self.cache
    }
}

impl<T: FromRequest> LocalExtract<T> for ActixWeb {
    async fn extract_local(&mut self, _name: &'static str) -> Result<T, Error> {
        // The body is for the handler.
        T::from_request(&self.request, &mut Payload::None)
            .await
            .map_err(Into::into)
    }
}

impl<E: Into<Error>> Reject<E> for ActixWeb {
    fn reject(&mut self, error: E) -> Error {
        error.into()
    }
}

/// Where the first parameter of a handler leaves what the others take; nothing until it is resolved.
type Left = Rc<RefCell<Option<Outputs>>>;

/// That place in the request's extensions. It is looked up once: while parameters are resolved, an extractor beside them may hold
/// the extensions.
struct Place<First> {
    left: Left,
    first: PhantomData<First>,
}

type ExtractFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

impl<T, P> FromRequest for Secured<T, P>
where
    T: 'static,
    P: LocalParameter<First: for<'r> LocalHandler<'r, ActixWeb>> + 'static,
{
    type Error = Error;
    type Future = ExtractFuture<Self>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        if P::NUMBER == 0 {
            let left = Left::default();
            request.extensions_mut().insert(Place::<P::First> {
                left: left.clone(),
                first: PhantomData,
            });
            let mut cx = ActixWeb {
                request: request.clone(),
                cache: LocalCache::default(),
            };
            return Box::pin(async move {
                let mut outputs = P::First::resolve_all(&mut cx).await?;
                let value = outputs.take(P::NUMBER);
                left.replace(Some(outputs));
                secured(value)
            });
        }
        let extensions = request.extensions();
        let left = extensions
            .get::<Place<P::First>>()
            .map(|place| place.left.clone());
        // Both are polled as parts of one extraction, so this one is polled again when the first is resolved. If the first fails,
        // so does the whole.
        Box::pin(poll_fn(move |_| match &left {
            Some(left) => match &mut *left.borrow_mut() {
                Some(outputs) => Poll::Ready(secured(outputs.take(P::NUMBER))),
                None => Poll::Pending,
            },
            None => Poll::Ready(secured(None)),
        }))
    }
}

/// The parameter; one that is extracted by itself, without the handler's first, cannot be filled.
fn secured<T, P>(value: Option<T>) -> Result<Secured<T, P>, Error> {
    value.map(Secured::from).ok_or_else(|| {
        ErrorInternalServerError("a parameter of a secured handler was extracted outside of it")
    })
}

impl<S: Scheme> FromRequest for Security<S> {
    type Error = Rejection;
    type Future = core::future::Ready<Result<Self, Rejection>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(authenticate::<S>(request).map(Self))
    }
}

impl<T: OwnedForm + 'static> FromRequest for PasswordForm<T> {
    type Error = FormError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, FormError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (content_type, body) = form(request, payload);
        Box::pin(async move { read_typed(content_type.as_deref(), body).await.map(Self) })
    }
}

impl<const MAX_BYTES: usize> FromRequest for FormBody<MAX_BYTES> {
    type Error = FormError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, FormError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (content_type, body) = form(request, payload);
        Box::pin(async move { Self::read_typed(content_type.as_deref(), body).await })
    }
}

impl FromRequest for Client {
    type Error = TokenError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, TokenError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let lines = request.headers().get_all(AUTHORIZATION);
        let lines: Vec<_> = lines.map(|line| line.as_bytes().to_vec()).collect();
        let (content_type, body) = form(request, payload);
        Box::pin(async move {
            let body = read(body, FormConfig::DEFAULT_MAX_BYTES).await?;
            let lines = lines.iter().map(Vec::as_slice);
            ClientCredentials::decode_lines(lines, content_type.as_deref(), &body).map(Self)
        })
    }
}

fn form(request: &HttpRequest, payload: &mut Payload) -> (Option<Vec<u8>>, StreamBody<Payload>) {
    let header = |name: HeaderName| request.headers().get(name).map(HeaderValue::as_bytes);
    (
        header(CONTENT_TYPE).map(<[u8]>::to_vec),
        StreamBody::new(payload.take(), header(CONTENT_LENGTH)),
    )
}

macro_rules! responses {
    ($($error:ty),*) => {$(
        impl ResponseError for $error {
            fn status_code(&self) -> StatusCode {
                response(self.clone().into_http_response()).status()
            }

            fn error_response(&self) -> HttpResponse<BoxBody> {
                response(self.clone().into_http_response())
            }
        }
    )*};
}

responses!(Rejection, FormError, BearerError, TokenError);

impl Responder for TokenResponse {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        response(self.into_http_response())
    }
}

/// The same response in the types of http 0.2, which take whatever those of http 1 do.
fn response(response: Response<String>) -> HttpResponse {
    let (head, body) = response.into_parts();
    let status = StatusCode::from_u16(head.status.as_u16());
    let mut response = HttpResponse::build(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
    for (name, value) in &head.headers {
        response.append_header((name.as_str(), value.as_bytes()));
    }
    response.body(body)
}
