//! The extractors that read the body, so that an adapter implements its framework's trait once for
//! all of them.

#[cfg(feature = "http-body")]
use core::error::Error;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
#[cfg(feature = "http-body")]
use http_body::Body;
use secrecy::zeroize::Zeroizing;

use crate::adapters::shared::extractors::PasswordForm;
use crate::credential::request_head::{HeaderLine, RequestHead};
use crate::form::body::{FormBody, check_content_type};
use crate::form::error::FormError;
#[cfg(feature = "http-body")]
use crate::form::read::read;
use crate::form::{FormConfig, OwnedForm};
use crate::token_endpoint::client::{Client, ClientAuthentication};
use crate::token_endpoint::error::TokenError;
use crate::token_endpoint::form::{ClientForm, TokenRequest, decode};

/// An extractor that reads the body. An adapter finds the bytes, up to the limit, and this trait
/// knows the rest.
pub(crate) trait FromBody: Sized {
    type Error: From<FormError>;

    const MAX_BYTES: usize;

    /// Checks the head, before the body is read.
    fn check(head: &(impl RequestHead + ?Sized)) -> Result<(), FormError> {
        check_content_type(content_type(head))
    }

    fn of_body(
        head: &(impl RequestHead + ?Sized),
        body: Zeroizing<Vec<u8>>,
    ) -> Result<Self, Self::Error>;
}

macro_rules! forms {
    ($([$($generics:tt)*] $form:ty, $error:ty, $max_bytes:expr, |$head:pat_param, $body:ident| $of_body:expr;)*) => {$(
        impl<$($generics)*> FromBody for $form {
            type Error = $error;

            const MAX_BYTES: usize = $max_bytes;

            fn of_body(
                $head: &(impl RequestHead + ?Sized),
                $body: Zeroizing<Vec<u8>>,
            ) -> Result<Self, $error> {
                $of_body
            }
        }
    )*};
}

forms! {
    [T: OwnedForm] PasswordForm<T>, FormError, T::CONFIG.max_bytes(),
        |_, body| T::decode(&body).map(Self);
    [const MAX_BYTES: usize] FormBody<MAX_BYTES>, FormError, MAX_BYTES,
        |_, body| Ok(Self::from_buffer(body));
    [T: OwnedForm] TokenRequest<T>, TokenError, T::CONFIG.max_bytes(),
        |head, body| decode(authorization_lines(head), &body).map(Self::of);
    [T: OwnedForm] ClientForm<T>, TokenError, T::CONFIG.max_bytes(),
        |head, body| decode(authorization_lines(head), &body).map(Self::of);
}

impl FromBody for ClientAuthentication {
    type Error = TokenError;

    const MAX_BYTES: usize = FormConfig::DEFAULT_MAX_BYTES;

    /// A request without a body has no content type either.
    fn check(_: &(impl RequestHead + ?Sized)) -> Result<(), FormError> {
        Ok(())
    }

    fn of_body(
        head: &(impl RequestHead + ?Sized),
        body: Zeroizing<Vec<u8>>,
    ) -> Result<Self, TokenError> {
        Client::decode_lines(authorization_lines(head), content_type(head), &body).map(Self)
    }
}

fn authorization_lines(head: &(impl RequestHead + ?Sized)) -> impl Iterator<Item = &[u8]> {
    head.lines(AUTHORIZATION.as_str()).map(HeaderLine::bytes)
}

fn content_type(head: &(impl RequestHead + ?Sized)) -> Option<&[u8]> {
    head.lines(CONTENT_TYPE.as_str()).next().map(HeaderLine::bytes)
}

/// Reads the body of a request. If the request is refused unread, the response says that the server
/// closes the connection.
#[cfg(any(feature = "axum08", feature = "poem3", feature = "salvo1"))]
pub(crate) async fn from_body<F: FromBody, H, B>(head: &H, body: B) -> Result<F, F::Error>
where
    H: RequestHead + ?Sized,
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let read = read_unclosed::<F, B>(head, body).await;
    F::of_body(head, read.map_err(|error| error.of_unread(head))?)
}

/// Reads the bytes of a body, for a server that says by itself that it closes a connection.
#[cfg(feature = "http-body")]
pub(crate) async fn read_unclosed<F: FromBody, B>(
    head: &(impl RequestHead + ?Sized),
    body: B,
) -> Result<Zeroizing<Vec<u8>>, FormError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    F::check(head)?;
    read(body, F::MAX_BYTES).await
}
