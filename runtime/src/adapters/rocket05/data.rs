//! The data guards for forms and client credentials.

use http::Response as HttpResponse;
use rocket::Request;
use rocket::async_trait;
use rocket::data::{self, ByteUnit, Data, FromData};
use rocket::outcome::Outcome;
use rocket::tokio::io::AsyncReadExt;
use secrecy::zeroize::Zeroizing;

use crate::adapters::extractors::PasswordForm;
use crate::adapters::rocket05::context::Answer;
use crate::adapters::rocket05::fairing::keep;
use crate::adapters::rocket05::respond;
use crate::form::FormConfig;
use crate::form::body::check_content_type;
use crate::form::buffer::Buffer;
use crate::form::{FormBody, FormError, OwnedForm};
use crate::token_endpoint::form::decode;
use crate::token_endpoint::{Client, ClientAuthentication, ClientForm, TokenError, TokenRequest};
use crate::trace;

#[async_trait]
impl<'r, T: OwnedForm> FromData<'r> for PasswordForm<T> {
    type Error = FormError;

    async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Self> {
        let form = match read(request, data, T::CONFIG.max_bytes()).await {
            Ok(body) => T::decode(&body),
            Err(error) => Err(error),
        };
        data_outcome(request, form.map(Self))
    }
}

#[async_trait]
impl<'r, const MAX_BYTES: usize> FromData<'r> for FormBody<MAX_BYTES> {
    type Error = FormError;

    async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Self> {
        let body = read(request, data, MAX_BYTES).await;
        let body = body.map(Self::from_buffer);
        data_outcome(request, body)
    }
}

#[async_trait]
impl<'r> FromData<'r> for ClientAuthentication {
    type Error = TokenError;

    async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Self> {
        let found = match read_any(request, data, FormConfig::DEFAULT_MAX_BYTES).await {
            Ok(body) => {
                let lines = request.headers().get("authorization").map(str::as_bytes);
                Client::decode_lines(lines, content_type(request), &body).map(Self)
            }
            Err(error) => Err(error.into()),
        };
        data_outcome(request, found)
    }
}

macro_rules! forms_with_client {
    ($($form:ident),*) => {$(
        #[async_trait]
        impl<'r, T: OwnedForm> FromData<'r> for $form<T> {
            type Error = TokenError;

            async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Self> {
                let form = match read(request, data, T::CONFIG.max_bytes()).await {
                    Ok(body) => {
                        let lines = request.headers().get("authorization").map(str::as_bytes);
                        decode(lines, content_type(request), &body).map(Self::of)
                    }
                    Err(error) => Err(error.into()),
                };
                data_outcome(request, form)
            }
        }
    )*};
}

forms_with_client!(TokenRequest, ClientForm);

fn data_outcome<'r, T: FromData<'r, Error = E>, E: Clone + Into<HttpResponse<String>>>(
    request: &Request<'_>,
    found: Result<T, E>,
) -> data::Outcome<'r, T> {
    match found {
        Ok(found) => Outcome::Success(found),
        Err(error) => {
            let response = Box::new(respond(error.clone().into()));
            Outcome::Error((keep(request, Answer::Response(response)), error))
        }
    }
}

fn content_type<'r>(request: &'r Request<'_>) -> Option<&'r [u8]> {
    request.headers().get_one("content-type").map(str::as_bytes)
}

/// The number of bytes that Rocket reads before any request guard, to look for a form's `_method`.
const PEEKED: usize = "_method=delete".len();

/// Reads the body of a form up to a limit. A body that announces more is not read at all.
async fn read(
    request: &Request<'_>,
    data: Data<'_>,
    max_bytes: usize,
) -> Result<Zeroizing<Vec<u8>>, FormError> {
    check_content_type(content_type(request)).map_err(|error| error.of_unread(request))?;
    read_any(request, data, max_bytes).await
}

/// Same as [`read`], but accepts any content type.
async fn read_any(
    request: &Request<'_>,
    data: Data<'_>,
    max_bytes: usize,
) -> Result<Zeroizing<Vec<u8>>, FormError> {
    let read = read_parts(request, data, max_bytes).await;
    trace::form_faults(&read);
    read.map_err(|error| error.of_unread(request))
}

async fn read_parts(
    request: &Request<'_>,
    data: Data<'_>,
    max_bytes: usize,
) -> Result<Zeroizing<Vec<u8>>, FormError> {
    let announced = request.headers().get_one("content-length");
    let announced = announced.and_then(|length| length.parse().ok());
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
        let read = stream.read(&mut *chunk).await;
        let read = read.map_err(|_| FormError::incomplete_body())?;
        match chunk.get(..read) {
            Some([]) | None => break,
            Some(bytes) => body.push(bytes)?,
        }
    }
    let body = body.into_bytes();
    if has_ended || body.len() >= PEEKED {
        Ok(body)
    } else {
        Err(FormError::incomplete_body())
    }
}
