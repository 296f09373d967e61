//! The body of a request as it arrives, read up to a form's limit.

use core::error::Error;

use bytes::Buf;
use http::HeaderMap;
use http_body::Body;
use http_body_util::{BodyExt, LengthLimitError};
use secrecy::zeroize::Zeroizing;

use super::body::{FormBody, check_content_type, content_type};
use super::buffer::Buffer;
use super::error::FormError;
use super::{FormConfig, OwnedForm};
use crate::token_endpoint::client::ClientCredentials;
use crate::token_endpoint::error::TokenError;
use crate::trace;

/// Reads a form from a request that arrives, up to the form's own `max_bytes`: for servers without extractors, such as plain hyper.
///
/// A body that announces more is not read at all.
///
/// # Errors
///
/// Returns every fault of the body; or only that its content type is another one, that it is too long, or that it ended early.
pub async fn read_form<T: OwnedForm, B>(headers: &HeaderMap, body: B) -> Result<T, FormError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    read_typed(content_type(headers), body).await
}

/// As [`read_form`], with the bytes of the `Content-Type`.
pub(crate) async fn read_typed<T: OwnedForm, B>(
    content_type: Option<&[u8]>,
    body: B,
) -> Result<T, FormError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    check_content_type(content_type)?;
    T::decode(&read(body, T::CONFIG.max_bytes).await?)
}

/// Reads the credentials of a client from a request that arrives: from its `Authorization` header, or from the fields `client_id` and
/// `client_secret` of a form of at most 64 KiB, whatever its grant.
///
/// # Errors
///
/// As [`ClientCredentials::decode_request`], and for a body that is too long or ended early.
pub async fn read_client<B>(
    headers: &HeaderMap,
    body: B,
) -> Result<Option<ClientCredentials>, TokenError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let body = read(body, FormConfig::DEFAULT_MAX_BYTES).await?;
    ClientCredentials::decode_request(headers, &body)
}

impl<const MAX_BYTES: usize> FormBody<MAX_BYTES> {
    /// Reads the body of a request that arrives.
    ///
    /// # Errors
    ///
    /// As [`read_form`], but for the faults of the form.
    pub async fn read<B>(headers: &HeaderMap, body: B) -> Result<Self, FormError>
    where
        B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
    {
        Self::read_typed(content_type(headers), body).await
    }

    pub(crate) async fn read_typed<B>(
        content_type: Option<&[u8]>,
        body: B,
    ) -> Result<Self, FormError>
    where
        B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
    {
        check_content_type(content_type)?;
        read(body, MAX_BYTES).await.map(Self::from_buffer)
    }
}

pub(crate) async fn read<B>(body: B, max_bytes: usize) -> Result<Zeroizing<Vec<u8>>, FormError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let read = read_parts(body, max_bytes).await;
    trace::form_faults(&read);
    read
}

async fn read_parts<B>(body: B, max_bytes: usize) -> Result<Zeroizing<Vec<u8>>, FormError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > max_bytes {
        return Err(FormError::too_large());
    }
    let mut buffer = Buffer::new(announced, max_bytes);
    let mut body = core::pin::pin!(body);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            let error: Box<dyn Error + Send + Sync> = error.into();
            if is_over_a_limit(&*error) {
                FormError::too_large()
            } else {
                FormError::incomplete()
            }
        })?;
        // Trailers are not part of a form.
        if let Ok(mut data) = frame.into_data() {
            while data.has_remaining() {
                let part = data.chunk();
                buffer.push(part)?;
                let length = part.len();
                data.advance(length);
            }
        }
    }
    Ok(buffer.into_bytes())
}

/// Looks through the error's sources too, since a limit may also be set by a layer around the route.
fn is_over_a_limit(error: &(dyn Error + 'static)) -> bool {
    error.is::<LengthLimitError>() || error.source().is_some_and(is_over_a_limit)
}
