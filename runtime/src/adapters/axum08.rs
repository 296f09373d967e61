//! axum 0.8.

use core::error::Error;

use axum_core::body::Body;
use axum_core::extract::{FromRequest, FromRequestParts, Request};
use axum_core::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::form::body::check_content_type;
use crate::{FormBody, FormError, OwnedForm, PasswordForm, Rejection, Scheme, Security};

impl<S: Scheme, State: Sync> FromRequestParts<State> for Security<S> {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _state: &State) -> Result<Self, Rejection> {
        S::authenticate(&parts.headers).map(Self)
    }
}

impl<T: OwnedForm, State: Sync> FromRequest<State> for PasswordForm<T> {
    type Rejection = FormError;

    async fn from_request(request: Request, _state: &State) -> Result<Self, FormError> {
        check_content_type(request.headers())?;
        let body = read(request.into_body(), T::CONFIG.max_bytes).await?;
        T::decode(&body).map(Self)
    }
}

impl<const MAX_BYTES: usize, State: Sync> FromRequest<State> for FormBody<MAX_BYTES> {
    type Rejection = FormError;

    async fn from_request(request: Request, _state: &State) -> Result<Self, FormError> {
        check_content_type(request.headers())?;
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
        Self::into_response(self)
    }
}

impl IntoResponse for FormError {
    fn into_response(self) -> Response {
        Self::into_response(self)
    }
}
