//! The credential with which a caller asks.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Request};

use crate::credential::bearer_token::BearerToken;

/// The credential of a caller, which is added to each of their requests: a token, `None`, a header
/// line such as `("x-api-key", key)`, or a function of the request, for example for a key in the
/// query or for a proof of each request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the credential of a caller",
    note = "pass a `BearerToken`, `None`, a header line `(\"x-api-key\", key)`, or a function `|request: &mut http::Request<_>| …`"
)]
pub trait CallerCredential: 'static {
    /// Adds the credential to a request. Returns `None` if no request can have it.
    #[doc(hidden)]
    fn add_to(&self, request: &mut Request<Bytes>) -> Option<()>;
}

impl CallerCredential for BearerToken {
    fn add_to(&self, request: &mut Request<Bytes>) -> Option<()> {
        ("authorization", format!("Bearer {}", self.as_str())).add_to(request)
    }
}

impl CallerCredential for Option<BearerToken> {
    fn add_to(&self, request: &mut Request<Bytes>) -> Option<()> {
        self.as_ref().map_or(Some(()), |token| token.add_to(request))
    }
}

impl<V: AsRef<str> + 'static> CallerCredential for (&'static str, V) {
    fn add_to(&self, request: &mut Request<Bytes>) -> Option<()> {
        let name = HeaderName::try_from(self.0).ok()?;
        let mut value = HeaderValue::from_str(self.1.as_ref()).ok()?;
        value.set_sensitive(true);
        request.headers_mut().append(name, value);
        Some(())
    }
}

impl<F: Fn(&mut Request<Bytes>) + 'static> CallerCredential for F {
    fn add_to(&self, request: &mut Request<Bytes>) -> Option<()> {
        self(request);
        Some(())
    }
}
