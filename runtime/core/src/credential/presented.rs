//! A token as it was presented.

use std::sync::{Arc, Mutex, PoisonError};

use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Uri};

use crate::credential::bearer_token::BearerToken;
use crate::credential::client_certificate::ClientCertificate;
use crate::credential::request_head::RequestHead;
use crate::credential::sent_head::as_sent;
use crate::syntax::debug_text::debug_only;

/// A token as it was presented, with the request that brought it. Cloning is cheap.
///
/// A bearer token needs no more than itself, so a `&BearerToken` converts into this type. A token
/// that is bound to its sender needs the request: with DPoP
/// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)) its method, target and `DPoP` header, and
/// with mutual TLS ([RFC 8705](https://www.rfc-editor.org/rfc/rfc8705)) the certificate of the
/// client. A dependency that takes this type instead of the token hands over all of it:
///
/// ```
/// # #[cfg(feature = "jwt")] {
/// # use doorward::jwt::TokenVerifier;
/// use doorward::verify::{Presented, Verified, VerifyError};
/// use doorward::{SecurityScopes, Shared, dependency, http_bearer};
/// # struct Claims;
/// # type Tokens = TokenVerifier<Claims>;
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct Api;
///
/// #[dependency]
/// async fn caller(
///     #[security(Api)] token: Presented,
///     scopes: SecurityScopes,
///     tokens: Shared<Tokens>,
/// ) -> Result<Verified<Claims>, VerifyError> {
///     tokens.verify(token, scopes).await
/// }
/// # impl<'de> serde::Deserialize<'de> for Claims {
/// #     fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> { Ok(Self) }
/// # }
/// # }
/// ```
#[derive(Clone)]
pub struct Presented {
    token: BearerToken,
    request: Option<Arc<Request>>,
}

struct Request {
    /// `None` if the `http` crate has no such method or target, and so are both.
    method_and_target: Option<(Method, Uri)>,
    headers: HeaderMap,
    certificate: Option<ClientCertificate>,
    proved: Proved,
}

/// The proofs that verifiers have accepted in a request, in its extensions. A proof is good for one
/// request, and a request may need it twice: for a layer and a handler, or for a guard and a value.
#[derive(Clone, Default)]
pub(crate) struct Proved(Arc<Mutex<Vec<Proof>>>);

/// A proof, the token with which it came, and the verifier that has accepted it, by its address.
#[derive(PartialEq)]
struct Proof(usize, Vec<u8>, HeaderValue);

/// A mark in the extensions of a copied head whose method or target the `http` crate does not have.
#[derive(Clone)]
pub(crate) struct MadeUp;

impl Presented {
    /// Creates the view of a token and the head of the request that brought it. Below `nest` of
    /// axum, the head may be the one that the nested router has.
    #[must_use]
    pub fn of(token: BearerToken, head: Parts) -> Self {
        let head = as_sent(head);
        let certificate = head.certificate();
        let is_made_up = head.extensions.get::<MadeUp>().is_some();
        let mut headers = head.headers;
        headers.remove(AUTHORIZATION);
        Self {
            token,
            request: Some(Arc::new(Request {
                method_and_target: (!is_made_up).then_some((head.method, head.uri)),
                headers,
                certificate,
                proved: head.extensions.get().cloned().unwrap_or_default(),
            })),
        }
    }

    /// Returns the authentication scheme with which the token came: `"DPoP"`
    /// ([RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1)), which only a scheme
    /// with `dpop` takes, or `"Bearer"`.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        if self.token.is_dpop() { "DPoP" } else { "Bearer" }
    }

    /// Returns `true` if this verifier has accepted the proof in the same request.
    #[doc(hidden)]
    #[must_use]
    pub fn is_proved(&self, verifier: usize, proof: &HeaderValue) -> bool {
        let Some(request) = &self.request else { return false };
        let proved = request.proved.0.lock().unwrap_or_else(PoisonError::into_inner);
        proved.contains(&self.proof(verifier, proof))
    }

    /// Notes that this verifier has accepted the proof.
    #[doc(hidden)]
    pub fn prove(&self, verifier: usize, proof: &HeaderValue) {
        let Some(request) = &self.request else { return };
        let mut proved = request.proved.0.lock().unwrap_or_else(PoisonError::into_inner);
        proved.push(self.proof(verifier, proof));
    }

    fn proof(&self, verifier: usize, proof: &HeaderValue) -> Proof {
        Proof(verifier, self.token.as_bytes().to_vec(), proof.clone())
    }

    /// Returns `true` if this is the same token in the same request.
    #[cfg(feature = "rmcp3")]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_same_request = match (&self.request, &other.request) {
            (Some(this), Some(other)) => {
                this.method_and_target == other.method_and_target
                    && this.headers == other.headers
                    && this.certificate == other.certificate
            }
            (this, other) => this.is_none() && other.is_none(),
        };
        is_same_request && self.token.as_bytes() == other.token.as_bytes()
    }

    /// Returns the token.
    #[must_use]
    pub const fn token(&self) -> &BearerToken {
        &self.token
    }

    /// Returns the method of the request, unless the token was presented alone, or the `http` crate
    /// does not have its method or target.
    #[must_use]
    pub fn method(&self) -> Option<&Method> {
        Some(&self.request.as_ref()?.method_and_target.as_ref()?.0)
    }

    /// Returns the target of the request as the client sent it, unless the token was presented
    /// alone, or the `http` crate does not have its method or target. In a nested router, it has the
    /// prefix of the router.
    #[must_use]
    pub fn target(&self) -> Option<&Uri> {
        Some(&self.request.as_ref()?.method_and_target.as_ref()?.1)
    }

    /// Returns the header lines of the request but `Authorization`, unless the token was presented
    /// alone.
    #[must_use]
    pub fn headers(&self) -> Option<&HeaderMap> {
        Some(&self.request.as_ref()?.headers)
    }

    /// Returns the certificate that the client has shown, if the server has attached it to the
    /// request.
    #[must_use]
    pub fn certificate(&self) -> Option<&ClientCertificate> {
        self.request.as_ref()?.certificate.as_ref()
    }
}

impl From<BearerToken> for Presented {
    fn from(token: BearerToken) -> Self {
        Self { token, request: None }
    }
}

impl From<&BearerToken> for Presented {
    fn from(token: &BearerToken) -> Self {
        token.clone().into()
    }
}

impl From<&Self> for Presented {
    fn from(presented: &Self) -> Self {
        presented.clone()
    }
}

debug_only!([] Presented { token });
