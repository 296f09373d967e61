//! Reads the body of a request as it arrives, up to a form's limit.

use core::error::Error;

use bytes::Buf;
use http::HeaderMap;
use http_body::Body;
use http_body_util::{BodyExt, LengthLimitError};
use secrecy::zeroize::Zeroizing;

use crate::form::OwnedForm;
use crate::form::body::{FormBody, check_content_type, content_type};
use crate::form::buffer::Buffer;
use crate::form::error::FormError;
use crate::trace;

/// Reads a form from a request as its body arrives, up to the form's own `max_bytes`.
///
/// This is for servers without extractors, such as plain hyper. If the announced length exceeds the
/// limit, the body is not read at all.
///
/// # Errors
///
/// Returns all faults of the body. A wrong content type, a body that is too long, and a body that
/// ends early are each the only fault.
pub async fn read_form<T: OwnedForm, B>(headers: &HeaderMap, body: B) -> Result<T, FormError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    T::decode(&read_body(headers, body, T::CONFIG.max_bytes()).await?)
}

/// Reads the body of a form.
pub(crate) async fn read_body<B>(
    headers: &HeaderMap,
    body: B,
    max_bytes: usize,
) -> Result<Zeroizing<Vec<u8>>, FormError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let read = match check_content_type(content_type(headers)) {
        Ok(()) => read(body, max_bytes).await,
        Err(error) => Err(error),
    };
    read.map_err(|error| error.of_unread(headers))
}

impl<const MAX_BYTES: usize> FormBody<MAX_BYTES> {
    /// Reads the body of a request as it arrives.
    ///
    /// # Errors
    ///
    /// Same as [`read_form`], without the faults of the form's fields.
    pub async fn read<B>(headers: &HeaderMap, body: B) -> Result<Self, FormError>
    where
        B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
    {
        let read = read_body(headers, body, MAX_BYTES).await;
        read.map(Self::from_buffer)
    }
}

/// Reads a body up to a limit.
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
        return Err(FormError::body_too_large());
    }
    let mut buffer = Buffer::new(announced, max_bytes);
    let mut body = core::pin::pin!(body);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            let error: Box<dyn Error + Send + Sync> = error.into();
            if is_over_a_limit(&*error) {
                FormError::body_too_large()
            } else {
                FormError::incomplete_body()
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

/// Returns `true` if the error or one of its sources is a [`LengthLimitError`]. A layer around the
/// route may set a limit too.
fn is_over_a_limit(error: &(dyn Error + 'static)) -> bool {
    error.is::<LengthLimitError>() || error.source().is_some_and(is_over_a_limit)
}
