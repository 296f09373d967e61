//! How a verifier asks an issuer.

#[cfg(any(feature = "jwt", feature = "introspection"))]
pub(crate) mod discovery;
#[cfg(any(feature = "jwt", feature = "introspection"))]
pub(crate) mod documents;
#[cfg(any(feature = "jwt", feature = "introspection"))]
pub(crate) mod flights;
#[cfg(any(feature = "jwt", feature = "introspection"))]
pub(crate) mod http_hosts;
#[cfg(all(test, any(feature = "jwt", feature = "introspection")))]
mod orders;
#[cfg(feature = "reqwest012")]
mod reqwest012;
#[cfg(feature = "reqwest013")]
pub(crate) mod reqwest013;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod runtime;

use core::fmt;
use core::time::Duration;

use bytes::Bytes;
use doorward_core::__debug_only as debug_only;
use http::{Method, Request, StatusCode};

/// A client with which a verifier asks an issuer: for its metadata and its keys, or about a token.
///
/// The features `reqwest013` and `reqwest012` implement it for `reqwest::Client`, each for that of
/// its version. A closure that takes a URL is one too, for requests with `GET`:
///
/// ```
/// use doorward::verify::{Fetch, FetchError, Fetched};
///
/// # async fn get(_: &str) -> Result<String, std::io::Error> { Ok(String::new()) }
/// let fetch = |url: String| async move {
///     let body = get(&url).await?;
///     Ok::<_, FetchError>(Fetched::new(url, body))
/// };
/// # fn is_fetch(_: impl Fetch) {}
/// # is_fetch(fetch);
/// ```
///
/// A fetch must time out by itself, after a few seconds, because requests wait for it.
/// If all requests that wait for it go away, it goes on as a task of tokio. Without a feature of
/// reqwest, or outside of tokio, it is dropped, and begins anew with a later request.
pub trait Fetch: Send + Sync + 'static {
    /// Sends a request, and reads the answer. An answer of more than `max_bytes` is refused, so a
    /// fetch may stop there.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no answer, or one with another status than `200`.
    fn fetch(
        &self,
        request: Request<Bytes>,
        max_bytes: usize,
    ) -> impl Future<Output = Result<Fetched, FetchError>> + Send;

    /// Ends when a request that can be answered without a fetch need not wait for it any longer: one
    /// whose token names an unknown key, while keys are at hand. The fetch goes on.
    ///
    /// A client of reqwest waits for a second. By default, a request waits until the fetch ends.
    fn patience(&self) -> impl Future<Output = ()> + Send {
        core::future::pending()
    }
}

impl<F, R> Fetch for F
where
    F: Fn(String) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Fetched, FetchError>> + Send,
{
    async fn fetch(
        &self,
        request: Request<Bytes>,
        _max_bytes: usize,
    ) -> Result<Fetched, FetchError> {
        match *request.method() {
            Method::GET => self(request.uri().to_string()).await,
            _ => Err(FetchError::new("a closure fetches with `GET` alone")),
        }
    }
}

/// The answer to a fetch.
#[derive(Clone)]
pub struct Fetched {
    pub(crate) url: String,
    pub(crate) body: Vec<u8>,
    #[cfg_attr(not(feature = "jwt"), allow(dead_code, reason = "only keys are kept"))]
    pub(crate) max_age: Option<Duration>,
}

impl Fetched {
    /// Creates the answer from the URL that has answered, which is another one after a redirect,
    /// and the body of the answer.
    #[must_use]
    pub fn new(url: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        Self { url: url.into(), body: body.into(), max_age: None }
    }

    /// Returns the URL that has answered.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the body of the answer.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Sets the header `Cache-Control` of the answer, whose `max-age` says how long the document
    /// may be kept ([RFC 9111, 5.2.2.1](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.1)).
    #[must_use]
    pub fn cache_control(mut self, value: &str) -> Self {
        let directives = || value.split(',').map(str::trim);
        let is_not_kept = directives().any(|directive| {
            let names = ["no-store", "no-cache"];
            names.iter().any(|name| directive.eq_ignore_ascii_case(name))
        });
        let mut pairs = directives().filter_map(|directive| directive.split_once('='));
        let age = pairs.find(|(name, _)| name.eq_ignore_ascii_case("max-age"));
        let digits = age.map(|(_, seconds)| seconds.trim_matches('"'));
        let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        // A number that is too large is a very long time.
        let seconds = digits.filter(is_number).map(|text| text.parse().unwrap_or(u64::MAX));
        self.max_age = match is_not_kept {
            true => Some(Duration::ZERO),
            false => seconds.map(Duration::from_secs),
        };
        self
    }
}

debug_only!([] Fetched { url });

/// An extension of a request that goes on if nothing waits for it, so no task is needed for that.
#[cfg(any(feature = "reqwest012", feature = "reqwest013"))]
#[derive(Clone, Copy)]
pub(crate) struct GoesOn;

/// The error of a fetch. Any error converts into one, with `?`.
#[non_exhaustive]
pub struct FetchError {
    error: Box<dyn core::error::Error + Send + Sync>,
    status: Option<StatusCode>,
    retry_after: Option<Duration>,
}

impl FetchError {
    /// Creates an error from a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { error: text.into().into(), status: None, retry_after: None }
    }

    /// Sets the status of the answer. With `401` and `403`, the log says that the issuer refuses the
    /// login of the service.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets when the issuer may be asked again, as it says in `Retry-After` with a `429` or a `503`
    /// ([RFC 9110, 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
    #[must_use]
    pub fn with_retry_after(mut self, retry_after: Duration) -> Self {
        self.retry_after = Some(retry_after);
        self
    }

    /// Returns the status of the answer, if there was one.
    #[must_use]
    pub const fn status(&self) -> Option<StatusCode> {
        self.status
    }

    /// Returns when the issuer may be asked again, if it has said that.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }
}

impl<E: core::error::Error + Send + Sync + 'static> From<E> for FetchError {
    fn from(error: E) -> Self {
        Self { error: Box::new(error), status: None, retry_after: None }
    }
}

impl fmt::Debug for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// The error with its causes, because the first one seldom says what went wrong.
impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        let mut cause = self.error.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_read() {
        let age = |value| Fetched::new("", "").cache_control(value).max_age;
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(age("public, max-age=300"), seconds(300));
        assert_eq!(age("Max-Age=\"5\""), seconds(5));
        assert_eq!(age("no-store"), seconds(0));
        assert_eq!(age("max-age=300, No-Cache"), seconds(0));
        assert_eq!(age("max-age=99999999999999999999"), seconds(u64::MAX));
        for value in ["", "max-age", "max-age=", "max-age=-1", "s-maxage=3"] {
            assert_eq!(age(value), None, "{value}");
        }
    }
}
