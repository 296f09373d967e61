//! The credentials of a client at the token endpoint
//! ([RFC 6749, 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)).

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{HeaderLine, single};
use crate::form;
use crate::form::body::{check_content_type, content_type};
use crate::syntax::debug_text::debug_only;
use crate::syntax::secret::{SecretBytes, secret_eq};
use crate::token_endpoint::basic;
use crate::token_endpoint::error::TokenError;
use crate::trace;

/// The credentials of a client: its identifier, and its secret unless the client is public.
///
/// A client sends them in an `Authorization: Basic` header, or in the form fields `client_id` and
/// `client_secret`. **Found credentials prove nothing**: compare the secret with
/// [`secret_eq`](Self::secret_eq).
///
/// `Debug` does not show the secret.
///
/// ```
/// use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
/// use doorward::token_endpoint::{Client, TokenError};
///
/// let mut headers = HeaderMap::new();
/// headers.insert(AUTHORIZATION, HeaderValue::from_static("Basic d2ViOmh1bnRlcjI="));
///
/// let client = Client::find(&headers, None, None)?.expect("the header has them");
/// assert_eq!(client.client_id(), "web");
/// assert!(client.secret_eq("hunter2") && !client.secret_eq("hunter3"));
///
/// // A client that gives two secrets is refused.
/// let error = Client::find(&headers, None, Some(&"hunter2".into())).unwrap_err();
/// assert_eq!(error.code(), "invalid_request");
/// # Ok::<(), TokenError>(())
/// ```
#[derive(Clone)]
pub struct Client {
    client_id: String,
    client_secret: Option<SecretString>,
    is_in_header: bool,
}

impl Client {
    /// Finds the credentials of a client in the headers of a request, or in the fields of its form.
    ///
    /// Returns `None` if the request has no credentials.
    ///
    /// # Errors
    ///
    /// Returns `invalid_request` for a malformed header, more than one `Authorization` line, a
    /// secret in both places, two different identifiers, a secret without an identifier, and a form
    /// field that is not visible ASCII and spaces
    /// ([RFC 6749, appendix A](https://www.rfc-editor.org/rfc/rfc6749#appendix-A)).
    pub fn find(
        headers: &HeaderMap,
        client_id: Option<&str>,
        client_secret: Option<&SecretString>,
    ) -> Result<Option<Self>, TokenError> {
        Self::find_in_lines(authorization_lines(headers), client_id, client_secret)
    }

    /// Finds the credentials of a client in raw `Authorization` lines, or in the fields of its
    /// form. Each line is the value of a header, without its name.
    ///
    /// # Errors
    ///
    /// Same as [`find`](Self::find).
    pub fn find_in_lines<'h>(
        lines: impl IntoIterator<Item = &'h [u8]>,
        client_id: Option<&str>,
        client_secret: Option<&SecretString>,
    ) -> Result<Option<Self>, TokenError> {
        let found = Self::decide(lines, client_id, client_secret);
        trace::client(&found);
        found
    }

    fn decide<'h>(
        lines: impl IntoIterator<Item = &'h [u8]>,
        client_id: Option<&str>,
        client_secret: Option<&SecretString>,
    ) -> Result<Option<Self>, TokenError> {
        let in_header = match single(lines.into_iter().map(HeaderLine::from)) {
            Ok(line) => basic::credentials(line.bytes()).map_err(|_| {
                TokenError::invalid_request("the Authorization header is malformed")
            })?,
            Err(RejectionReason::Repeated) => {
                return Err(TokenError::invalid_request(
                    "the Authorization header is sent more than once",
                ));
            }
            Err(_) => None,
        };
        let in_form = client_id.into_iter();
        let mut in_form = in_form.chain(client_secret.map(ExposeSecret::expose_secret));
        if !in_form.all(basic::is_vschar) {
            return Err(TokenError::invalid_request(
                "a client's credentials are visible ASCII and spaces",
            ));
        }
        // An empty identifier or secret counts as omitted.
        let client_id = client_id.filter(|id| !id.is_empty());
        let client_secret = client_secret.filter(|secret| !secret.expose_secret().is_empty());
        let is_in_header = in_header.is_some();
        let (header_id, header_secret) = in_header.unzip();
        let header_secret = header_secret.flatten();
        if header_secret.is_some() && client_secret.is_some() {
            return Err(TokenError::invalid_request("the client has two secrets"));
        }
        if let (Some(in_header), Some(in_form)) = (&header_id, client_id)
            && in_header != in_form
        {
            return Err(TokenError::invalid_request("the client has two identifiers"));
        }
        let client_secret = header_secret.or_else(|| client_secret.cloned());
        match header_id.or_else(|| client_id.map(str::to_owned)) {
            Some(client_id) => Ok(Some(Self { client_id, client_secret, is_in_header })),
            None if client_secret.is_some() => {
                Err(TokenError::invalid_request("`client_id` is missing"))
            }
            None => Ok(None),
        }
    }

    /// Finds the credentials of a client in the headers and the body of a request.
    ///
    /// Only the fields `client_id` and `client_secret` of a form are read. An empty body is a form
    /// without fields.
    ///
    /// # Errors
    ///
    /// Same as [`find`](Self::find). Also returns `invalid_request` for a body that is not a form,
    /// and if one of the two fields is repeated or not UTF-8.
    pub fn decode_request(headers: &HeaderMap, body: &[u8]) -> Result<Option<Self>, TokenError> {
        Self::decode_lines(authorization_lines(headers), content_type(headers), body)
    }

    pub(crate) fn decode_lines<'h>(
        lines: impl IntoIterator<Item = &'h [u8]>,
        content_type: Option<&[u8]>,
        body: &[u8],
    ) -> Result<Option<Self>, TokenError> {
        if !body.is_empty() {
            check_content_type(content_type)?;
        }
        let decoded = form::client::find(body);
        trace::form_faults(&decoded);
        let client = decoded?;
        Self::find_in_lines(lines, client.id.as_deref(), client.secret.as_ref())
    }

    /// Returns the client that a request has named, for an endpoint that serves no other requests:
    /// `let client = Client::require(client)?`.
    ///
    /// # Errors
    ///
    /// Returns `invalid_client` for `None`. The request has no header of a client, so the status is
    /// `400`, without a challenge.
    pub fn require(found: Option<Self>) -> Result<Self, TokenError> {
        found.ok_or(TokenError::invalid_client())
    }

    /// Returns the client's identifier.
    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// Returns the client's secret, which is not empty, or `None` for a public client.
    #[must_use]
    pub fn client_secret(&self) -> Option<&SecretString> {
        self.client_secret.as_ref()
    }

    /// Returns `true` if the client sent this secret. The time that this takes does not reveal
    /// where a wrong secret differs.
    #[must_use]
    pub fn secret_eq(&self, expected: impl SecretBytes) -> bool {
        self.client_secret.as_ref().is_some_and(|secret| secret_eq(secret, expected))
    }

    /// Returns the error for a client that is unknown or sent a wrong secret: `invalid_client`,
    /// with a challenge if the client used the header
    /// ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    #[must_use]
    pub const fn invalid_client(&self) -> TokenError {
        match self.is_in_header {
            true => TokenError::invalid_client_with_challenge(),
            false => TokenError::invalid_client(),
        }
    }
}

/// Returns the value of each `Authorization` line.
pub(super) fn authorization_lines(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let lines = headers.get_all(AUTHORIZATION).iter();
    lines.map(HeaderValue::as_bytes)
}

debug_only!([] Client { client_id, client_secret });

/// An extractor for the credentials of a client: from the `Authorization` header, or from the form
/// fields `client_id` and `client_secret`. Other form fields are ignored.
///
/// It reads the body, so it takes the place of a form. A handler with its own form calls
/// [`Client::find`] with the headers and the form's fields.
///
/// If the credentials are malformed or contradictory, the extractor sends the response. To respond
/// in the handler, take a `Result<ClientAuthentication, TokenError>`.
#[derive(Debug)]
pub struct ClientAuthentication(
    /// The credentials, if the request has any.
    pub Option<Client>,
);
