//! A form together with the credentials of the client that sent it.

#[cfg(feature = "http-body")]
use core::error::Error;

use http::HeaderMap;
#[cfg(feature = "http-body")]
use http_body::Body;

use crate::form::RequestForm;
use crate::form::body::{check_content_type, content_type};
use crate::form::client::ClientFields;
#[cfg(feature = "http-body")]
use crate::form::{OwnedForm, read::read_body};
use crate::syntax::debug_text::debug_only;
use crate::token_endpoint::client::{Client, authorization_lines};
use crate::token_endpoint::error::TokenError;

/// Checks at compile time that a form has a grant type. Any other form would take the request of
/// every grant.
macro_rules! has_grant_type {
    ($form:ty) => {
        const {
            assert!(
                <$form>::CONFIG.grant_type().is_some() || !<$form>::GRANTS.is_empty(),
                "this form has no grant type: take it as a `ClientForm`, or give it a `grant_type`"
            );
        }
    };
}

macro_rules! any_form {
    ($form:ty) => {};
}

/// Defines a form with its client.
macro_rules! with_client {
    ($(#[$docs:meta])* $name:ident, $(#[$field_docs:meta])* $field:ident, $check:ident) => {
        $(#[$docs])*
        ///
        /// The client's credentials come from the `Authorization: Basic` header, or from the
        /// form's `client_id` and `client_secret`, by the rules of [`Client::find`].
        /// **Found credentials prove nothing**: compare the secret.
        ///
        /// It is an extractor, where a framework has some: each adapter implements its framework's
        /// trait. A faulty form or contradictory credentials send their response, which is a
        /// [`TokenError`]. To respond in the handler, take a `Result` of both. `Debug` does not
        /// show the form.
        pub struct $name<T> {
            /// The credentials, if the request has any.
            pub client: Option<Client>,
            $(#[$field_docs])*
            pub $field: T,
        }

        impl<T> $name<T> {
            pub(crate) fn of<'a>((client, $field): (Option<Client>, T)) -> Self
            where
                T: RequestForm<'a>,
            {
                $check!(T);
                Self { client, $field }
            }

            /// Reads the form and the client's credentials from the headers and the body of a
            /// request. The form may borrow from the body.
            ///
            /// # Errors
            ///
            /// Returns the faults of the form. If it has none, returns the errors of
            /// [`Client::find`].
            pub fn decode_request<'a>(
                headers: &HeaderMap,
                body: &'a [u8],
            ) -> Result<Self, TokenError>
            where
                T: RequestForm<'a>,
            {
                check_content_type(content_type(headers))?;
                decode(authorization_lines(headers), body).map(Self::of)
            }

            /// Reads the form and the client's credentials from a request as its body arrives, up
            /// to the form's own `max_bytes`.
            ///
            /// # Errors
            ///
            /// Same as [`decode_request`](Self::decode_request). Also returns an error if the body
            /// is too long or ends early.
            #[cfg(feature = "http-body")]
            pub async fn read<B>(headers: &HeaderMap, body: B) -> Result<Self, TokenError>
            where
                T: OwnedForm,
                B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
            {
                let body = read_body(headers, body, T::CONFIG.max_bytes()).await?;
                decode(authorization_lines(headers), &body).map(Self::of)
            }
        }

        debug_only!([T] $name<T> { client });
    };
}

with_client! {
    /// A token request: the grant, and the credentials of the client that sent it.
    ///
    /// ```
    /// use http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};
    /// use doorward::token_endpoint::{ClientCredentialsGrant, RefreshTokenGrant, TokenRequest};
    /// use doorward::Grant;
    ///
    /// #[derive(Grant)]
    /// enum Grant {
    ///     RefreshToken(RefreshTokenGrant),
    ///     ClientCredentials(ClientCredentialsGrant),
    /// }
    ///
    /// let mut headers = HeaderMap::new();
    /// headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    ///
    /// let body = b"grant_type=client_credentials&scope=items&client_id=cron&client_secret=hunter2";
    /// let TokenRequest { client, grant } = TokenRequest::<Grant>::decode_request(&headers, body)?;
    /// assert!(client.is_some_and(|client| client.secret_eq("hunter2")));
    /// assert!(matches!(grant, Grant::ClientCredentials(grant) if grant.scopes == ["items"]));
    ///
    /// let error = TokenRequest::<Grant>::decode_request(&headers, b"grant_type=password").unwrap_err();
    /// assert_eq!(error.code(), "unsupported_grant_type");
    /// # Ok::<(), doorward::token_endpoint::TokenError>(())
    /// ```
    ///
    /// A form without a grant type does not compile, because it would take the request of every
    /// grant:
    ///
    /// ```compile_fail,E0080
    /// use doorward::token_endpoint::{RevocationForm, TokenRequest};
    ///
    /// let headers = http::HeaderMap::new();
    /// let _ = TokenRequest::<RevocationForm>::decode_request(&headers, b"token=x");
    /// ```
    TokenRequest,
    /// The grant: an enum with `#[derive(Grant)]`, or the form of the only grant.
    grant,
    has_grant_type
}

with_client! {
    /// A form without a grant, and the credentials of the client that sent it: for the endpoints
    /// next to the token endpoint, such as the one for revocation.
    ///
    /// ```
    /// use http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};
    /// use doorward::secrecy::ExposeSecret;
    /// use doorward::token_endpoint::{ClientForm, RevocationForm};
    ///
    /// let mut headers = HeaderMap::new();
    /// headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    ///
    /// let body = b"token=45ghiukldjahdnhzdauz&client_id=web";
    /// let request = ClientForm::<RevocationForm>::decode_request(&headers, body)?;
    /// assert_eq!(request.form.token.expose_secret(), "45ghiukldjahdnhzdauz");
    /// assert_eq!(request.client.expect("it sent its identifier").client_id(), "web");
    /// # Ok::<(), doorward::token_endpoint::TokenError>(())
    /// ```
    ClientForm,
    /// The form, such as a [`RevocationForm`](crate::token_endpoint::RevocationForm).
    form,
    any_form
}

/// Reads a form and the client's credentials from raw `Authorization` lines and the body of a form.
pub(crate) fn decode<'h, 'a, T: RequestForm<'a>>(
    lines: impl IntoIterator<Item = &'h [u8]>,
    body: &'a [u8],
) -> Result<(Option<Client>, T), TokenError> {
    let (form, client) = T::from_body::<ClientFields>(body, T::CONFIG)?;
    let client = Client::find_in_lines(lines, client.id.as_deref(), client.secret.as_ref())?;
    Ok((client, form))
}
