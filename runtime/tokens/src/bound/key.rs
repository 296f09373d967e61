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
use crate::bound::used_proofs::{USUAL_BYTES, Unusable, UsedProofs};
use crate::build_error::BuildError;
use crate::claims::rules::now;
use crate::jwt::backend;
use crate::reason::Reason;
use crate::trace;

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

/// A refused token, or its proof.
enum Refused {
    Token(Reason),
    Proof(Fault),
}

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
    ) -> Result<Option<(&'p HeaderValue, Checked)>, Refused> {
        let is_dpop = presented.scheme() == "DPoP";
        let thumbprint = match bound_to {
            None if is_dpop || self.is_required => return Err(Refused::Token(Reason::NotBound)),
            None => return Ok(None),
            Some(BoundTo { key: Some(_), .. }) if !is_dpop => {
                return Err(Refused::Token(Reason::AsBearer));
            }
            Some(BoundTo { key: Some(thumbprint), certificate: None }) => thumbprint,
            Some(_) => return Err(Refused::Token(Reason::BoundOtherwise)),
        };
        let line = proof::line_of(presented).map_err(Refused::Proof)?;
        if presented.is_proved(self.address(), line) {
            return Ok(None);
        }
        let checked =
            proof::check(presented, line, thumbprint, &self.url, self.window, (self.now)());
        checked.map(|checked| Some((line, checked))).map_err(Refused::Proof)
    }

    /// Uses a proof, the last of all checks: one that fails another check can be sent again.
    fn spend(
        &self,
        presented: &Presented,
        line: &HeaderValue,
        proof: &Checked,
    ) -> Result<(), Refused> {
        self.used.spend(proof.id, proof.until, (self.now)()).map_err(
            |unusable| match unusable {
                Unusable::Repeated => Refused::Proof(Fault {
                    reason: "the proof was used before",
                    ..Fault::default()
                }),
                Unusable::Full(wait) => Refused::Token(Reason::TooManyProofs(wait)),
            },
        )?;
        presented.prove(self.address(), line);
        Ok(())
    }

    fn address(&self) -> usize {
        core::ptr::from_ref(&self.used).addr()
    }
}

impl Refused {
    /// Records the refusal, and returns the answer.
    fn answer(self, scopes: SecurityScopes) -> VerifyError {
        match self {
            Self::Token(reason) => reason.refuse(scopes),
            Self::Proof(fault) => {
                let details = trace::Details {
                    expected: fault.expected.as_deref(),
                    found: fault.found.as_deref(),
                    setting: fault.setting,
                    also: None,
                };
                trace::token_refused(fault.reason, &details);
                VerifyError::invalid_token(scopes).of_dpop(true)
            }
        }
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
        // The error is in the challenge of the scheme with which the token came.
        let of_scheme = |error: VerifyError| match presented.scheme() {
            "DPoP" => error.of_dpop(false),
            _ => error,
        };
        let verified = self.verifier.accept(presented.token(), scopes).await.map_err(of_scheme)?;
        let refused = |refused: Refused| match refused {
            Refused::Token(_) => of_scheme(refused.answer(scopes)),
            Refused::Proof(_) => refused.answer(scopes),
        };
        let proof = self.check(&presented, verified.bound_to()).map_err(refused)?;
        let verified = verified.require(scopes).map_err(of_scheme)?;
        if let Some((line, proof)) = &proof {
            self.spend(&presented, line, proof).map_err(refused)?;
        }
        Ok(verified)
    }
}
