//! The introspection endpoint of an issuer, and the questions to it.

use core::time::Duration;
use std::sync::{Arc, OnceLock};

use serde::de::IgnoredAny;

use super::flights::{Flights, Half};
use super::login::ClientLogin;
use crate::trace;
use crate::verify::FetchError;
use crate::verify::parts::discovery::{self, Sought};
use crate::verify::parts::documents::{AnyFetch, as_read};
use crate::verify::parts::http_hosts::{HttpHosts, warn_of_http};
use crate::verify::parts::once_a_minute::OnceAMinute;
use crate::verify::parts::reason::UNDECIDED;
use crate::verify::parts::rules::now;

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
    login: ClientLogin,
    fetch: Arc<dyn AnyFetch>,
    http_hosts: HttpHosts,
    /// The URL that the metadata have, once they were read.
    discovered: OnceLock<Arc<str>>,
    discovery: Flights<Result<Arc<str>, String>>,
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
        login: ClientLogin,
        fetch: Arc<dyn AnyFetch>,
        http_hosts: HttpHosts,
    ) -> Arc<Self> {
        warn_of_http(place.text());
        Arc::new(Self {
            place,
            login,
            fetch,
            http_hosts,
            discovered: OnceLock::new(),
            discovery: Flights::new(),
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

    /// Asks about a token. The answer is JSON.
    ///
    /// # Errors
    ///
    /// Returns when the issuer may be asked again, if it has not answered. The reason is recorded,
    /// once a minute.
    pub(super) async fn ask(self: &Arc<Self>, token: &str) -> Result<Vec<u8>, Duration> {
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

    async fn answer(&self, url: &str, token: &str) -> Result<Vec<u8>, FetchError> {
        let question = self.login.question(url, token)?;
        let fetched = self.fetch.fetch_boxed(question, MAX_ANSWER).await?;
        let (expected, found) = (as_read(url), as_read(&fetched.url));
        if expected != found {
            return Err(FetchError::new(format!(
                "the answer is from another URL, at {}: the client follows redirects, which send the token and the secret there",
                found.0
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
        let is_json = core::str::from_utf8(&body)
            .is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok());
        if is_json { Ok(body) } else { Err(FetchError::new("the answer is not JSON")) }
    }

    /// Returns the URL of the endpoint. The metadata are read once, with the first token.
    async fn url(self: &Arc<Self>) -> Result<Arc<str>, String> {
        if let Some(url) = self.discovered.get() {
            return Ok(Arc::clone(url));
        }
        let issuer = match &self.place {
            Place::Url(url) => return Ok(url.as_str().into()),
            Place::Issuer(issuer) => issuer.clone(),
        };
        let endpoint = Arc::clone(self);
        let discovered = self.discovery.ask(b"", Half::Active, || async move {
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
