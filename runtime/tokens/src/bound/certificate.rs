//! Tokens that are bound to the certificate of a client
//! ([RFC 8705, 3](https://www.rfc-editor.org/rfc/rfc8705#section-3)).

use doorward_core::__tokens::BoundTo;
use doorward_core::SecurityScopes;
use doorward_core::verify::{ClientCertificate, Presented, Verified, Verify, VerifyError};
use http::HeaderName;
use subtle::ConstantTimeEq as _;

use crate::authority::signer::digest;
use crate::bound::Bindable;
use crate::reason::Reason;

/// Verifies tokens that are bound to the certificate with which a client has opened the connection
/// ([RFC 8705, 3](https://www.rfc-editor.org/rfc/rfc8705#section-3)): a token that was stolen is
/// worth nothing without the private key. It wraps a `TokenVerifier`, `Issuers` or `Introspection`,
/// each of which refuses such tokens by itself.
///
/// ```
/// use serde::Deserialize;
/// use doorward::http_bearer;
/// use doorward::jwt::TokenVerifier;
/// use doorward::verify::CertificateBound;
///
/// #[derive(Deserialize)]
/// struct Claims {
///     sub: String,
/// }
///
/// #[http_bearer(verified = Claims, by = CertificateBound<TokenVerifier<Claims>>)]
/// struct Api;
/// ```
///
/// The certificate is that of [`Presented::certificate`], which the service attaches to each
/// request; [the guide](https://docs.rs/doorward/latest/doorward/guide/bound_tokens/index.html) has
/// the lines.
#[derive(Debug)]
pub struct CertificateBound<V> {
    verifier: V,
    header: Option<HeaderName>,
    takes_unbound: bool,
}

impl<V> CertificateBound<V> {
    /// Wraps a verifier. A token that is not bound is refused.
    #[must_use]
    pub const fn new(verifier: V) -> Self {
        Self { verifier, header: None, takes_unbound: false }
    }

    /// Also accepts tokens that are not bound, for example while an issuer begins to bind them. A
    /// bound one still needs its certificate.
    #[must_use]
    pub fn or_unbound(mut self) -> Self {
        self.takes_unbound = true;
        self
    }

    /// Takes the certificate from this header instead of the connection, for a service behind a
    /// proxy that ends TLS, as [`ClientCertificate::from_header`] reads it.
    ///
    /// **A client can send any header**, so the proxy has to overwrite it in each request, or to
    /// remove it. Name one only if no request reaches the service except through that proxy.
    #[must_use]
    pub fn header(mut self, name: HeaderName) -> Self {
        self.header = Some(name);
        self
    }

    /// Returns the verifier inside.
    #[must_use]
    pub const fn verifier(&self) -> &V {
        &self.verifier
    }

    fn check(&self, presented: &Presented, bound_to: Option<&BoundTo>) -> Result<(), Reason> {
        let expected = match bound_to {
            None if self.takes_unbound => return Ok(()),
            None => return Err(Reason::NotBound),
            Some(BoundTo { certificate: Some(expected), key: None }) => expected,
            Some(_) => return Err(Reason::BoundOtherwise),
        };
        let of_header = |name| ClientCertificate::from_header(presented.headers()?, name);
        let shown = match &self.header {
            Some(name) => of_header(name),
            None => presented.certificate().cloned(),
        };
        let found = digest(shown.ok_or(Reason::NoCertificate)?.as_der());
        // There is no digest without a backend.
        let is_same = !found.is_empty() && bool::from(found.as_bytes().ct_eq(expected.as_bytes()));
        if is_same { Ok(()) } else { Err(Reason::OtherCertificate) }
    }
}

impl<V: Bindable> Verify for CertificateBound<V> {
    type Claims = V::Claims;

    const CHECKS_SCOPES_LAST: bool = true;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<V::Claims>, VerifyError> {
        let presented = token.into();
        let verified = self.verifier.accept(presented.token(), scopes).await?;
        let checked = self.check(&presented, verified.bound_to());
        checked.map_err(|reason| reason.refuse(scopes))?;
        verified.require(scopes)
    }
}
