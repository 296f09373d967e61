//! A scheme, a form and a client's credentials as extractors of a framework. Each adapter implements its framework's traits for them.

use core::fmt;

use crate::form::OwnedForm;
use crate::scheme::Scheme;
use crate::token_endpoint::client::ClientCredentials;

/// Takes what the scheme `S` yields, as an extractor of a framework.
///
/// Each adapter implements its framework's trait for it. As a parameter, it answers a request that the scheme refuses;
/// `Result<Security<S>, Rejection>` leaves the answer to the handler.
pub struct Security<S: Scheme>(
    /// What the scheme yields.
    pub S::Credential,
);

impl<S: Scheme> fmt::Debug for Security<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Security<{}>(<redacted>)", S::CONFIG.scheme_name)
    }
}

/// Takes a form that owns its fields, as an extractor of a framework.
///
/// Each adapter implements its framework's trait for it. As a parameter, it answers a faulty body;
/// `Result<PasswordForm<T>, FormError>` leaves the answer to the handler. A form that borrows is taken through
/// [`FormBody`](crate::FormBody).
///
/// The body is read up to the form's own `max_bytes`; axum's `DefaultBodyLimit` is for axum's own extractors. A layer that limits
/// the body itself, such as tower-http's, counts too.
pub struct PasswordForm<T: OwnedForm>(
    /// The form.
    pub T,
);

impl<T: OwnedForm> fmt::Debug for PasswordForm<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordForm(<redacted>)")
    }
}

/// Takes the credentials of a client, as an extractor of a framework: from the `Authorization` header, or from the form's fields
/// `client_id` and `client_secret`, whatever else the form has.
///
/// It reads the body, so that it stands where a form does. Beside a form of its own, a handler calls
/// [`ClientCredentials::find`] with the headers and the form's fields.
///
/// As a parameter, it answers contradictory credentials; `Result<ClientAuth, TokenError>` leaves the answer to the handler.
#[derive(Debug)]
pub struct ClientAuth(
    /// The credentials, where the request has some.
    pub Option<ClientCredentials>,
);
