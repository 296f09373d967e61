//! Tokens that are bound to a key of the client
//! ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)).

use std::time::Duration;

use doorward_core::__tokens::BoundTo;
use doorward_core::SecurityScopes;
use doorward_core::verify::{Presented, Verified, Verify, VerifyError};
use http::HeaderValue;

use crate::bound::Bindable;
use crate::bound::destination::PublicUrl;
use crate::bound::proof::{self, Checked, Fault};
use crate::bound::used_proofs::{USUAL_BYTES, UsedProofs};
use crate::build_error::BuildError;
use crate::claims::rules::now;
use crate::jwt::backend;
use crate::reason::Reason;

/// Verifies tokens that are bound to a key of the client (DPoP,
/// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)): each request comes with a proof, which the
/// client has signed for its method and its URL, so a token that was stolen is worth nothing. It wraps
/// a `TokenVerifier`, `Issuers` or `Introspection`, each of which refuses such tokens by itself.
///
/// ```
/// use serde::Deserialize;
/// use doorward::http_bearer;
/// use doorward::jwt::{BuildError, TokenVerifier};
/// use doorward::verify::KeyBound;
///
/// #[derive(Deserialize)]
/// struct Claims {
///     sub: String,
/// }
///
/// type Tokens = KeyBound<TokenVerifier<Claims>>;
///
/// #[http_bearer(dpop, verified = Claims, by = Tokens)]
/// struct Api;
///
/// fn bound(tokens: TokenVerifier<Claims>) -> Result<Tokens, BuildError> {
///     // The public URL, as clients write it.
///     KeyBound::new(tokens, "https://api.example.com")
/// }
/// ```
///
/// A token that is not bound is accepted as `Bearer`, unless [`required`](Self::required) is set. A
/// bound one needs `Authorization: DPoP …` and its proof.
/// [The guide](https://docs.rs/doorward/latest/doorward/guide/bound_tokens/index.html) has the checks,
/// and what a proxy changes.
#[derive(Debug)]
pub struct KeyBound<V> {
    verifier: V,
    url: PublicUrl,
    /// In seconds.
    window: f64,
    is_required: bool,
    used: UsedProofs,
    /// The clock, which tests replace.
    pub(super) now: fn() -> f64,
}

/// The time for which a proof is good, before and after the one that it names.
const WINDOW: f64 = 60.0;

impl<V> KeyBound<V> {
    /// Wraps a verifier. `resource` is the public URL of the service: the `htu` of a proof is compared
    /// with its scheme, host and port, and with the path of the request. What the request says of its
    /// host, in `Host` or `X-Forwarded-Host`, is never read.
    ///
    /// If the URL has a path, such as `https://example.com/notes`, a proxy may take it away: a request
    /// for `/1` is then one for `/notes/1`, and so is a request for `/notes/1`.
    ///
    /// # Errors
    ///
    /// Returns an error if the resource is not an `https` URL, or one of this machine, or if no backend
    /// for signatures is enabled.
    pub fn new(verifier: V, resource: impl AsRef<str>) -> Result<Self, BuildError> {
        backend::check()?;
        let url = PublicUrl::of(resource.as_ref())?;
        let used = UsedProofs::new(USUAL_BYTES);
        Ok(Self { verifier, url, window: WINDOW, is_required: false, used, now })
    }

    /// Sets the path below which clients find the service, and which a proxy takes away from each
    /// request, instead of the path of the resource: `/svc2` if the client asks for `/svc2/items` and
    /// the service sees `/items`.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a path.
    pub fn public_path(mut self, path: impl AsRef<str>) -> Result<Self, BuildError> {
        self.url = self.url.with_path(path.as_ref())?;
        Ok(self)
    }

    /// Sets how far the `iat` of a proof may be from now, in the past or in the future. The default is
    /// 60 seconds. Each proof is remembered for as long.
    #[must_use]
    pub fn window(mut self, window: Duration) -> Self {
        self.window = window.as_secs_f64();
        self
    }

    /// Refuses tokens that are not bound.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    /// Sets how many bytes of proofs are remembered at most. The default is 64 MiB, which is a million
    /// proofs: 8,000 in each second. If they are full, the answer to another one is `503`.
    #[must_use]
    pub fn remember_proofs(mut self, bytes: usize) -> Self {
        self.used = UsedProofs::new(bytes);
        self
    }

    /// Returns the verifier inside.
    #[must_use]
    pub const fn verifier(&self) -> &V {
        &self.verifier
    }

    /// Finds and checks the proof of a token, if it needs one. Returns `None` if it does not, or if the
    /// same request has shown the proof before.
    fn check<'p>(
        &self,
        presented: &'p Presented,
        bound_to: Option<&BoundTo>,
    ) -> Result<Option<(&'p HeaderValue, Checked)>, Fault> {
        let is_dpop = presented.scheme() == "DPoP";
        let thumbprint = match bound_to {
            None if is_dpop || self.is_required => return Err(Reason::NotBound.into()),
            None => return Ok(None),
            Some(BoundTo { key: Some(_), .. }) if !is_dpop => return Err(Reason::AsBearer.into()),
            Some(BoundTo { key: Some(thumbprint), certificate: None }) => thumbprint,
            Some(_) => return Err(Reason::BoundOtherwise.into()),
        };
        let line = proof::line_of(presented)?;
        if presented.is_proved(self.address(), line) {
            return Ok(None);
        }
        let now = (self.now)();
        let proof = proof::check(presented, line, thumbprint, &self.url, self.window, now)?;
        Ok(Some((line, proof)))
    }

    fn address(&self) -> usize {
        core::ptr::from_ref(&self.used).addr()
    }
}

impl<V: Bindable> KeyBound<V> {
    /// Makes all checks. A proof is used last: one that fails another check can be sent again.
    async fn accept(
        &self,
        presented: &Presented,
        scopes: SecurityScopes,
    ) -> Result<Verified<V::Claims>, VerifyError> {
        let verified = self.verifier.accept(presented.token(), scopes).await?;
        let proof = self.check(presented, verified.bound_to());
        let proof = proof.map_err(|fault| fault.refuse(scopes))?;
        let verified = verified.require(scopes)?;
        if let Some((line, proof)) = proof {
            let used = self.used.spend(proof.id, proof.until, (self.now)());
            used.map_err(|reason| reason.refuse(scopes))?;
            presented.prove(self.address(), line);
        }
        Ok(verified)
    }
}

impl<V: Bindable> Verify for KeyBound<V> {
    type Claims = V::Claims;

    const CHECKS_SCOPES_LAST: bool = true;
    const TAKES_DPOP: bool = true;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<V::Claims>, VerifyError> {
        let presented = token.into();
        let accepted = self.accept(&presented, scopes).await;
        // The error is in the challenge of the scheme with which the token came.
        accepted.map_err(|error| match presented.scheme() {
            "DPoP" => error.of_dpop(false),
            _ => error,
        })
    }
}
