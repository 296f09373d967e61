//! How a verifier of opaque tokens is set up.

use core::fmt;
use core::time::Duration;
use std::sync::Arc;

use doorward_core::verify::Verified;
use serde::de::DeserializeOwned;

use super::active_tokens::ActiveTokens;
use super::endpoint::{Endpoint, Place};
use super::login::ClientLogin;
use super::{Introspection, MAX_QUESTIONS, Now, Remembering, Verifier};
use crate::build_error::BuildError;
use crate::claims::rules::{CommonRules, common_settings, now};
use crate::clock::instant;
use crate::fetch::Fetch;
use crate::fetch::documents::AnyFetch;
use crate::fetch::flights::Flights;
use crate::fetch::http_hosts::HttpHosts;
use crate::refuse_if::{IsRefused, Refusal};

/// The set-up of an [`Introspection`].
#[must_use = "`build` creates the verifier"]
pub struct IntrospectionBuilder<C> {
    place: Place,
    login: ClientLogin,
    rules: CommonRules,
    fetch: Option<Arc<dyn AnyFetch>>,
    http_hosts: HttpHosts,
    remember: Option<(usize, Duration)>,
    refusals: Vec<Refusal<C>>,
    /// The mistakes in settings that no other field records.
    problems: Vec<String>,
}

impl<C: DeserializeOwned + Send + Sync + 'static> Introspection<C> {
    /// Asks the introspection endpoint at this URL.
    pub fn at(url: impl Into<String>, login: ClientLogin) -> IntrospectionBuilder<C> {
        IntrospectionBuilder::new(Place::Url(url.into()), login)
    }

    /// Asks the `introspection_endpoint` in the metadata of an issuer
    /// ([OpenID Connect Discovery](https://openid.net/specs/openid-connect-discovery-1_0.html),
    /// [RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)), which must name the same issuer. If an
    /// answer has an `iss`, it must be this issuer as well.
    ///
    /// The metadata are fetched with the first token, so the service starts while the issuer is down.
    /// Until they can be read, the answer is `503`.
    pub fn discover(issuer: impl Into<String>, login: ClientLogin) -> IntrospectionBuilder<C> {
        IntrospectionBuilder::new(Place::Issuer(issuer.into()), login)
    }
}

impl<C: DeserializeOwned + Send + Sync + 'static> IntrospectionBuilder<C> {
    pub(super) fn new(place: Place, login: ClientLogin) -> Self {
        Self {
            place,
            login,
            rules: CommonRules::default(),
            fetch: None,
            http_hosts: HttpHosts::default(),
            remember: None,
            refusals: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Sets the client that asks. Without it, the feature `reqwest013` makes one, which follows no
    /// redirects and gives up after five seconds.
    ///
    /// **A client of your own must not follow redirects** (`redirect::Policy::none()` of reqwest):
    /// with a 307 it sends the form, and with it the token and the secret, to any place that the answer
    /// names. A closure is no such client, because it fetches only with `GET`.
    pub fn fetch(mut self, fetch: impl Fetch) -> Self {
        self.fetch = Some(Arc::new(fetch));
        self
    }

    /// Remembers active tokens in this many bytes for this long, counted from the question, and never
    /// longer than the token is valid. Refused ones are remembered for a second at most, in an eighth
    /// of the bytes. By default, nothing is remembered, and the issuer is asked about each request.
    ///
    /// **For as long, a token is accepted that was revoked.** [`forget`](Introspection::forget) ends
    /// it earlier, and [`refuse_if`](Self::refuse_if) is asked at each request.
    pub fn remember(mut self, bytes: usize, duration: Duration) -> Self {
        self.remember = Some((bytes, duration));
        self
    }

    /// Creates the verifier. It asks nothing yet.
    ///
    /// # Errors
    ///
    /// Returns an error that lists all mistakes: the URL or the issuer is not a URL that may be asked,
    /// the login cannot be sent, or there is no client that asks.
    pub fn build(self) -> Result<Introspection<C>, BuildError> {
        let mut problems = self.problems;
        problems.extend(self.place.problem(&self.http_hosts));
        problems.extend(self.rules.problems());
        let login = self.login.prepared().map_err(str::to_owned);
        let fetch = self.fetch.map_or_else(own_client, Ok);
        let (login, fetch) = match (login, fetch) {
            (Ok(login), Ok(fetch)) if problems.is_empty() => (login, fetch),
            (login, fetch) => {
                problems.extend(login.err());
                problems.extend(fetch.err());
                return Err(BuildError::of(problems));
            }
        };
        Ok(Introspection(Arc::new(Verifier {
            rules: self.rules,
            endpoint: Endpoint::new(self.place, login, fetch, self.http_hosts),
            refusals: self.refusals,
            questions: Flights::new(MAX_QUESTIONS),
            other_questions: Flights::new(MAX_QUESTIONS),
            active: ActiveTokens::new(),
            memory: self.remember.and_then(|(bytes, duration)| Remembering::new(bytes, duration)),
            now: || Now { instant: instant(), seconds: now() },
        })))
    }
}

common_settings!(
    [C: DeserializeOwned + Send + Sync + 'static] IntrospectionBuilder<C>,
    rules: rules,
    http_hosts: http_hosts
);

/// Returns the client of a verifier that has been given none.
fn own_client() -> Result<Arc<dyn AnyFetch>, String> {
    #[cfg(feature = "reqwest013")]
    return match crate::fetch::reqwest013::without_redirects() {
        Ok(client) => Ok(Arc::new(client)),
        Err(error) => Err(format!("the client of reqwest cannot be created: {error}")),
    };
    #[cfg(not(feature = "reqwest013"))]
    Err("no client asks the issuer; enable the feature `reqwest013`, or call `fetch`".to_owned())
}

impl<C> fmt::Debug for IntrospectionBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntrospectionBuilder")
            .field("place", &self.place)
            .field("login", &self.login)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}
