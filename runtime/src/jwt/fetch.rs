//! How documents of an issuer are fetched.

use core::fmt;
use core::pin::Pin;
use core::time::Duration;

use crate::scheme::resource_url::split_after_host;

/// A client that fetches the documents of an issuer: its metadata and its keys.
///
/// The feature `reqwest013` implements it for `reqwest::Client`. A closure is one too:
///
/// ```
/// use tollgate::jwt::{Fetched, TokenVerifier};
///
/// # async fn get(_: &str) -> Result<String, std::io::Error> { Ok(String::new()) }
/// let fetch = |url: String| async move {
///     let body = get(&url).await?;
///     Ok(Fetched::new(url, body))
/// };
/// let builder = TokenVerifier::<serde_json::Value>::discover("https://id.example.com", fetch);
/// ```
///
/// A fetcher has to end: requests with a token of an unknown key wait for it, so it has to give up
/// after a few seconds. If the only request that waits for it goes away, it rests until the next
/// one comes; where that uses up its time, let it spawn its work.
pub trait Fetch: Send + Sync + 'static {
    /// Fetches a document with `GET`. A body of more than `max_bytes` is refused, so a fetcher may
    /// stop there.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no answer, or one with another status than `200`.
    fn fetch(
        &self,
        url: String,
        max_bytes: usize,
    ) -> impl Future<Output = Result<Fetched, FetchError>> + Send;
}

impl<F, R> Fetch for F
where
    F: Fn(String) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Fetched, FetchError>> + Send,
{
    async fn fetch(&self, url: String, _max_bytes: usize) -> Result<Fetched, FetchError> {
        self(url).await
    }
}

/// A document that was fetched.
#[derive(Clone)]
pub struct Fetched {
    pub(super) url: String,
    pub(super) body: Vec<u8>,
    pub(super) max_age: Option<Duration>,
}

impl Fetched {
    /// Creates a document from the URL that has answered, which is another one after a redirect,
    /// and the body of the answer.
    #[must_use]
    pub fn new(url: impl Into<String>, body: impl Into<Vec<u8>>) -> Self {
        Self {
            url: url.into(),
            body: body.into(),
            max_age: None,
        }
    }

    /// Sets the header `Cache-Control` of the answer, whose `max-age` says how long the document
    /// may be kept ([RFC 9111, 5.2.2.1](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.1)).
    #[must_use]
    pub fn cache_control(mut self, value: &str) -> Self {
        let directives = || value.split(',').map(str::trim);
        let is_not_kept = directives().any(|directive| {
            let names = ["no-store", "no-cache"];
            names
                .iter()
                .any(|name| directive.eq_ignore_ascii_case(name))
        });
        let mut pairs = directives().filter_map(|directive| directive.split_once('='));
        let age = pairs.find(|(name, _)| name.eq_ignore_ascii_case("max-age"));
        let digits = age.map(|(_, seconds)| seconds.trim_matches('"'));
        let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        // A number that is too large is a very long time.
        let seconds = digits
            .filter(is_number)
            .map(|text| text.parse().unwrap_or(u64::MAX));
        self.max_age = match is_not_kept {
            true => Some(Duration::ZERO),
            false => seconds.map(Duration::from_secs),
        };
        self
    }
}

impl fmt::Debug for Fetched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetched")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// The error of a fetcher. Any error converts into one, with `?`.
#[non_exhaustive]
pub struct FetchError(Box<dyn core::error::Error + Send + Sync>);

impl FetchError {
    /// Creates an error from a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into().into())
    }
}

impl<E: core::error::Error + Send + Sync + 'static> From<E> for FetchError {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Debug for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The error with its causes, because the first one seldom says what went wrong.
impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut cause = self.0.source();
        while let Some(error) = cause {
            write!(f, ": {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

/// A fetcher of any type.
pub(super) trait AnyFetch: Send + Sync {
    fn fetch_boxed(&self, url: String) -> FetchFuture<'_>;
}

type FetchFuture<'f> = Pin<Box<dyn Future<Output = Result<Fetched, String>> + Send + 'f>>;

/// The bytes that a document has at most. Those of all known issuers have a few thousand.
const MAX_BYTES: usize = 512 * 1024;

impl<F: Fetch> AnyFetch for F {
    /// Fetches a document. An answer that is too large, or comes from another host, is refused.
    fn fetch_boxed(&self, url: String) -> FetchFuture<'_> {
        Box::pin(async move {
            let fetched = self.fetch(url.clone(), MAX_BYTES).await;
            let fetched = fetched.map_err(|error| format!("{url}: {error}"))?;
            let found = origin(&fetched.url);
            if found != origin(&url) {
                return Err(format!("{url}: the answer is from {found}"));
            }
            if fetched.body.len() > MAX_BYTES {
                return Err(format!("{url}: the answer has more than {MAX_BYTES} bytes"));
            }
            Ok(fetched)
        })
    }
}

/// Returns the scheme, host and port of a URL, as HTTP clients report them: in lower case, and
/// without the usual port.
fn origin(url: &str) -> String {
    let (origin, _) = split_after_host(url);
    let origin = origin.to_ascii_lowercase();
    let usual = match &*origin {
        origin if origin.starts_with("https:") => ":443",
        _ => ":80",
    };
    match origin.strip_suffix(usual) {
        Some(origin) => origin.to_owned(),
        None => origin,
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

    #[test]
    fn an_origin_ends_before_the_path() {
        for (url, expected) in [
            ("https://a.example/b", "https://a.example"),
            ("https://a.example:1?b", "https://a.example:1"),
            ("https://a.example", "https://a.example"),
            ("https://A.Example:443/b", "https://a.example"),
            ("https://a.example:80/b", "https://a.example:80"),
            ("http://localhost:80/b", "http://localhost"),
            ("http://localhost:8080/b", "http://localhost:8080"),
            ("", ""),
        ] {
            assert_eq!(origin(url), expected);
        }
    }
}
