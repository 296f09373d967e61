//! The data guards for forms and client credentials.

use http::Response as HttpResponse;
use rocket::Request;
use rocket::async_trait;
use rocket::data::{self, ByteUnit, Data, FromData};
use rocket::outcome::Outcome;
use rocket::tokio::io::AsyncReadExt;
use secrecy::zeroize::Zeroizing;

use crate::adapters::rocket05::kept::{Answer, keep};
use crate::adapters::rocket05::respond;
use crate::adapters::shared::from_body::FromBody;
use crate::form::FormError;
use crate::form::buffer::Buffer;
use crate::trace;

macro_rules! data_guards {
    ($([$($generics:tt)*] $extractor:ty, $error:ty;)*) => {$(
        #[async_trait]
        impl<'r, $($generics)*> FromData<'r> for $extractor {
            type Error = $error;

            async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Self> {
                let found = match read::<Self>(request, data).await {
                    Ok(body) => Self::of_body(request, body),
                    Err(error) => Err(error.of_unread(request).into()),
                };
                data_outcome(request, found)
            }
        }
    )*};
}

each_form!(data_guards);

fn data_outcome<'r, T: FromData<'r, Error = E>, E: Clone + Into<HttpResponse<String>>>(
    request: &Request<'_>,
    found: Result<T, E>,
) -> data::Outcome<'r, T> {
    match found {
        Ok(found) => Outcome::Success(found),
        Err(error) => {
            let response = Box::new(respond(error.clone().into()));
            Outcome::Error((keep(request, Answer::Response(response, None)), error))
        }
    }
}

/// The number of bytes that Rocket reads before any request guard, to look for a form's `_method`.
const PEEKED: usize = "_method=delete".len();

/// Reads a body up to its limit. A body that announces more is not read at all.
async fn read<F: FromBody>(
    request: &Request<'_>,
    data: Data<'_>,
) -> Result<Zeroizing<Vec<u8>>, FormError> {
    F::check(request)?;
    let read = read_parts(request, data, F::MAX_BYTES).await;
    trace::form_faults(&read);
    read
}

async fn read_parts(
    request: &Request<'_>,
    data: Data<'_>,
    max_bytes: usize,
) -> Result<Zeroizing<Vec<u8>>, FormError> {
    let announced =
        request.headers().get_one("content-length").and_then(|length| length.parse().ok());
    if announced.is_some_and(|announced: usize| announced > max_bytes) {
        return Err(FormError::body_too_large());
    }
    // Rocket ignores an error in the bytes that it reads first. If the body is shorter than those
    // bytes and Rocket did not see its end, there was an error.
    let has_ended = data.peek_complete();
    let mut stream = data.open(ByteUnit::from(max_bytes.saturating_add(1)));
    let mut body = Buffer::new(announced.unwrap_or(0), max_bytes);
    let mut chunk = Zeroizing::new([0; 1024]);
    loop {
        let read = stream.read(&mut *chunk).await.map_err(|_| FormError::incomplete_body())?;
        match chunk.get(..read) {
            Some([]) | None => break,
            Some(bytes) => body.push(bytes)?,
        }
    }
    let body = body.into_bytes();
    if has_ended || body.len() >= PEEKED { Ok(body) } else { Err(FormError::incomplete_body()) }
}
