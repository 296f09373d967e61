//! Reads the credentials of a client from a request as its body arrives.

use core::error::Error;

use http::HeaderMap;
use http_body::Body;

use crate::form::FormConfig;
use crate::form::read::read;
use crate::token_endpoint::client::Client;
use crate::token_endpoint::error::TokenError;

/// Reads the credentials of a client from a request as its body arrives.
///
/// They are in the `Authorization` header, or in the fields `client_id` and `client_secret` of a
/// form. The form may be at most 64 KiB long and have any grant type.
///
/// # Errors
///
/// Same as [`Client::decode_request`]. Also returns an error if the body is too long or
/// ends early.
pub async fn read_client<B>(headers: &HeaderMap, body: B) -> Result<Option<Client>, TokenError>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let read = read(body, FormConfig::DEFAULT_MAX_BYTES).await;
    let body = read.map_err(|error| error.of_unread(headers))?;
    Client::decode_request(headers, &body)
}
