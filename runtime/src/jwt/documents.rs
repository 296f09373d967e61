//! The documents of an issuer: its metadata and its keys, as they are fetched.

use core::pin::Pin;

use bytes::Bytes;
use http::Request;

use crate::url::split_after_host;
use crate::verify::{Fetch, Fetched};

/// A fetcher of any type.
pub(super) trait AnyFetch: Send + Sync {
    fn fetch_boxed(&self, url: String) -> FetchFuture<'_>;

    /// Returns `true` if only a token has named the issuer, so the URL is text of a caller.
    fn is_of_newcomer(&self) -> bool {
        false
    }
}

pub(super) type FetchFuture<'f> =
    Pin<Box<dyn Future<Output = Result<Fetched, String>> + Send + 'f>>;

/// The bytes that a document has at most. Those of all known issuers have a few thousand.
const MAX_BYTES: usize = 512 * 1024;

impl<F: Fetch> AnyFetch for F {
    /// Fetches a document. An answer that is too large, or comes from another host, is refused.
    fn fetch_boxed(&self, url: String) -> FetchFuture<'_> {
        Box::pin(async move {
            let request =
                Request::get(&url).body(Bytes::new()).map_err(|error| format!("{url}: {error}"))?;
            let fetched =
                self.fetch(request, MAX_BYTES).await.map_err(|error| format!("{url}: {error}"))?;
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
