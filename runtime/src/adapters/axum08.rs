//! axum 0.8.

use core::error::Error;
use core::marker::PhantomData;

use axum_core::body::Body;
use axum_core::extract::{FromRequest, FromRequestParts, Request};
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::cache::Cache;
use crate::context::{Context, Extract, Reject, SendContext};
use crate::form::body::{check_content_type, content_type};
use crate::secured::{Parameter, Secured};
use crate::{
    BearerError, FormBody, FormError, OwnedForm, PasswordForm, Rejection, Scheme, Security,
};

/// A request of axum, in the eyes of a dependency.
pub struct Axum<'a, State> {
    parts: &'a mut Parts,
    state: &'a State,
}

impl<State> Context for Axum<'_, State> {
    type Rejection = Response;

    fn authenticate<S: Scheme>(&self) -> Result<S::Yield, Rejection> {
        S::authenticate(&self.parts.headers)
    }

    fn refuse(&self, rejection: Rejection) -> Response {
        rejection.into_http_response()
    }

    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::Overrides> {
        self.parts.extensions.get()
    }
}

impl<State: Sync> SendContext for Axum<'_, State> {
    fn cache(&mut self) -> &mut Cache {
        Cache::of(self.parts)
    }
}

impl<T: FromRequestParts<State>, State: Sync> Extract<T> for Axum<'_, State> {
    async fn extract(&mut self, _name: &'static str) -> Result<T, Response> {
        T::from_request_parts(self.parts, self.state)
            .await
            .map_err(IntoResponse::into_response)
    }
}

impl<E: IntoResponse, State> Reject<E> for Axum<'_, State> {
    fn reject(&mut self, error: E) -> Response {
        error.into_response()
    }
}

impl<T, P, State> FromRequestParts<State> for Secured<T, P>
where
    P: for<'a, 'r> Parameter<'r, Axum<'a, State>, T>,
    State: Sync,
{
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Response> {
        // Written out, since each call here is a function more for each handler to compile.
        match P::resolve(&mut Axum { parts, state }).await {
            Ok(value) => Ok(Self {
                value,
                parameter: PhantomData,
            }),
            Err(response) => Err(response),
        }
    }
}

impl<S: Scheme, State: Sync> FromRequestParts<State> for Security<S> {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _state: &State) -> Result<Self, Rejection> {
        S::authenticate(&parts.headers).map(Self)
    }
}

impl<T: OwnedForm, State: Sync> FromRequest<State> for PasswordForm<T> {
    type Rejection = FormError;

    async fn from_request(request: Request, _state: &State) -> Result<Self, FormError> {
        check_content_type(content_type(request.headers()))?;
        let body = read(request.into_body(), T::CONFIG.max_bytes).await?;
        T::decode(&body).map(Self)
    }
}

impl<const MAX_BYTES: usize, State: Sync> FromRequest<State> for FormBody<MAX_BYTES> {
    type Rejection = FormError;

    async fn from_request(request: Request, _state: &State) -> Result<Self, FormError> {
        check_content_type(content_type(request.headers()))?;
        let bytes = read(request.into_body(), MAX_BYTES).await?;
        Ok(Self { bytes })
    }
}

/// Reads a body up to a limit; one that announces more is not read at all.
async fn read(body: Body, max_bytes: usize) -> Result<Bytes, FormError> {
    if body.size_hint().lower() > max_bytes as u64 {
        return Err(FormError::too_large());
    }
    match Limited::new(body, max_bytes).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if is_over_a_limit(&*error) => Err(FormError::too_large()),
        Err(_) => Err(FormError::incomplete()),
    }
}

/// Looks through the error's sources too, since a limit may also be set by a layer around the route.
fn is_over_a_limit(error: &(dyn Error + 'static)) -> bool {
    error.is::<LengthLimitError>() || error.source().is_some_and(is_over_a_limit)
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        self.into_http_response()
    }
}

impl IntoResponse for FormError {
    fn into_response(self) -> Response {
        self.into_http_response()
    }
}

impl IntoResponse for BearerError {
    fn into_response(self) -> Response {
        self.into_http_response()
    }
}
