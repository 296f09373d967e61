//! The introspection endpoint of an issuer, and the questions to it.

use core::time::Duration;
use std::sync::{Arc, OnceLock};

use serde::de::IgnoredAny;

use super::answer::State;
use super::login::Prepared;
use crate::claims::rules::now;
use crate::fetch::FetchError;
use crate::fetch::discovery::{self, Sought};
use crate::fetch::documents::{AnyFetch, as_read};
use crate::fetch::flights::Flights;
use crate::fetch::http_hosts::{HttpHosts, warn_of_http};
use crate::once_a_minute::OnceAMinute;
use crate::reason::UNDECIDED;
use crate::trace;

/// Where an issuer answers about tokens.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Url(String),
    /// Where the metadata of this issuer say.
    Issuer(String),
}

/// The bytes that an answer has at most.
pub(super) const MAX_ANSWER: usize = 64 * 1024;

/// The endpoint, the login of the service there, and the client that asks.
pub(super) struct Endpoint {
    place: Place,
    login: Prepared,
    fetch: Arc<dyn AnyFetch>,
    http_hosts: HttpHosts,
    /// The URL of the endpoint, once it is known.
    discovered: OnceLock<Arc<str>>,
    discovery: Flights<(), Result<Arc<str>, String>>,
    refusals_of_login: OnceAMinute,
    failures: OnceAMinute,
}

impl Place {
    pub(super) fn text(&self) -> &str {
        let (Self::Url(text) | Self::Issuer(text)) = self;
        text
    }

    /// Returns what is wrong with the place, as a sentence.
    pub(super) fn problem(&self, http_hosts: &HttpHosts) -> Option<String> {
        let fault = http_hosts.fault(self.text(), "")?;
        Some(match self {
            Self::Url(url) => format!("the URL of the introspection endpoint {fault}: {url}"),
            Self::Issuer(_) => format!("an issuer {fault}"),
        })
    }
}

impl Endpoint {
    pub(super) fn new(
        place: Place,
        login: Prepared,
        fetch: Arc<dyn AnyFetch>,
        http_hosts: HttpHosts,
    ) -> Arc<Self> {
        warn_of_http(place.text());
        let discovered = match &place {
            Place::Url(url) => OnceLock::from(Arc::from(url.as_str())),
            Place::Issuer(_) => OnceLock::new(),
        };
        Arc::new(Self {
            place,
            login,
            fetch,
            http_hosts,
            discovered,
            discovery: Flights::new(1),
            refusals_of_login: OnceAMinute::default(),
            failures: OnceAMinute::default(),
        })
    }

    pub(super) const fn place(&self) -> &Place {
        &self.place
    }

    /// Returns the issuer that was discovered.
    pub(super) fn issuer(&self) -> Option<&str> {
        match &self.place {
            Place::Url(_) => None,
            Place::Issuer(issuer) => Some(issuer),
        }
    }

    /// Asks about a token. The answer is JSON, of which the state of the token is read.
    ///
    /// # Errors
    ///
    /// Returns when the issuer may be asked again, if it has not answered. The reason is recorded,
    /// once a minute.
    pub(super) async fn ask(self: &Arc<Self>, token: &str) -> Result<(State, Vec<u8>), Duration> {
        let answer = match self.url().await {
            Ok(url) => self.answer(&url, token).await,
            Err(error) => Err(FetchError::new(error)),
        };
        answer.map_err(|error| {
            match error.status().map(|status| status.as_u16()) {
                Some(status @ (401 | 403)) => {
                    if self.refusals_of_login.is_due(now()) {
                        trace::login_refused(self.place.text(), status);
                    }
                }
                _ => {
                    if self.failures.is_due(now()) {
                        trace::token_not_looked_up(self.place.text(), &error.to_string());
                    }
                }
            }
            error.retry_after().unwrap_or(UNDECIDED)
        })
    }

    async fn answer(&self, url: &str, token: &str) -> Result<(State, Vec<u8>), FetchError> {
        #[cfg_attr(
            not(any(feature = "reqwest012", feature = "reqwest013")),
            expect(unused_mut, reason = "no client looks at the extension")
        )]
        let mut question = self.login.question(url, token)?;
        #[cfg(any(feature = "reqwest012", feature = "reqwest013"))]
        question.extensions_mut().insert(crate::fetch::GoesOn);
        let fetched = self.fetch.fetch_boxed(question, MAX_ANSWER).await?;
        if fetched.url != url && as_read(&fetched.url) != as_read(url) {
            return Err(FetchError::new(format!(
                "the answer is from another URL, at {}: the client follows redirects, which send the token and the secret there",
                as_read(&fetched.url).0
            )));
        }
        let body = fetched.body;
        if body.len() > MAX_ANSWER {
            return Err(FetchError::new(format!("the answer has more than {MAX_ANSWER} bytes")));
        }
        if body.starts_with(b"eyJ") {
            return Err(FetchError::new(
                "the answer is a JSON Web Token (RFC 9701); let the issuer answer with `application/json`",
            ));
        }
        match State::read(&body) {
            Some(state) => Ok((state, body)),
            None if serde_json::from_slice::<IgnoredAny>(&body).is_ok() => {
                Ok((State::default(), body))
            }
            None => Err(FetchError::new("the answer is not JSON")),
        }
    }

    /// Returns the URL of the endpoint. The metadata are read once, with the first token.
    async fn url(self: &Arc<Self>) -> Result<Arc<str>, String> {
        if let Some(url) = self.discovered.get() {
            return Ok(Arc::clone(url));
        }
        let (issuer, endpoint) = (self.place.text().to_owned(), Arc::clone(self));
        let discovered = self.discovery.ask((), || async move {
            let found = discovery::find(Sought::Introspection, &issuer, &*endpoint.fetch).await;
            let url = found.map_err(|error| error.to_string())?;
            if let Some(fault) = endpoint.http_hosts.fault(&url, "") {
                return Err(format!("the introspection endpoint of the metadata {fault}: {url}"));
            }
            warn_of_http(&url);
            Ok(Arc::clone(endpoint.discovered.get_or_init(|| url.into())))
        });
        let discovered = discovered.await.ok().flatten();
        discovered.unwrap_or_else(|| Err("the metadata could not be read".to_owned()))
    }
}
