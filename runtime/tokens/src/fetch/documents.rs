//! The documents of an issuer: its metadata and its keys, as they are fetched.

use core::pin::Pin;
use std::net::Ipv6Addr;

use bytes::Bytes;
use doorward_core::__tokens::url::split_after_host;
use http::Request;

use crate::fetch::{Fetch, FetchError, Fetched};

/// A fetcher of any type.
pub(crate) trait AnyFetch: Send + Sync {
    fn fetch_boxed(&self, request: Request<Bytes>, max_bytes: usize) -> FetchFuture<'_>;

    /// Ends when a request that can be answered without a fetch need not wait for it any longer.
    fn patience(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// Returns `true` if only a token has named the issuer, so the URL is text of a caller.
    fn is_of_newcomer(&self) -> bool {
        false
    }
}

pub(crate) type FetchFuture<'f> =
    Pin<Box<dyn Future<Output = Result<Fetched, FetchError>> + Send + 'f>>;

/// The bytes that a document has at most. Those of all known issuers have a few thousand.
const MAX_BYTES: usize = 512 * 1024;

impl<F: Fetch> AnyFetch for F {
    fn fetch_boxed(&self, request: Request<Bytes>, max_bytes: usize) -> FetchFuture<'_> {
        Box::pin(self.fetch(request, max_bytes))
    }

    fn patience(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(Fetch::patience(self))
    }
}

/// Fetches a document. An answer that is too large, or comes from another host, is refused.
pub(crate) async fn fetch(fetch: &dyn AnyFetch, url: String) -> Result<Fetched, String> {
    let request =
        Request::get(&url).body(Bytes::new()).map_err(|error| format!("{url}: {error}"))?;
    let fetched = fetch.fetch_boxed(request, MAX_BYTES).await;
    let fetched = fetched.map_err(|error| format!("{url}: {error}"))?;
    let (found, _) = as_read(&fetched.url);
    if found != as_read(&url).0 {
        return Err(format!("{url}: the answer is from {found}"));
    }
    if fetched.body.len() > MAX_BYTES {
        return Err(format!("{url}: the answer has more than {MAX_BYTES} bytes"));
    }
    Ok(fetched)
}

/// Returns the scheme, host and port of a URL, and its path and query, as HTTP clients report them:
/// the host in lower case, an address in its shortest form, no usual port, and the path `/` for none.
pub(crate) fn as_read(url: &str) -> (String, String) {
    let (origin, target) = split_after_host(url);
    let mut origin = origin.to_ascii_lowercase();
    let usual = if origin.starts_with("https:") { 443 } else { 80 };
    if let Some((host, port)) = origin.rsplit_once(':')
        && let Ok(port) = port.parse::<u16>()
    {
        origin = if port == usual { host.to_owned() } else { format!("{host}:{port}") };
    }
    if let Some((start, rest)) = origin.split_once('[')
        && let Some((address, end)) = rest.split_once(']')
        && let Ok(address) = address.parse::<Ipv6Addr>()
    {
        origin = format!("{start}[{address}]{end}");
    }
    let root = if target.starts_with('/') { "" } else { "/" };
    (origin, format!("{root}{}", target.replace('\'', "%27")))
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
            ("https://a.example:0443/b", "https://a.example"),
            ("https://[0:0::0:1]:8443/b", "https://[::1]:8443"),
            ("", ""),
        ] {
            assert_eq!(as_read(url).0, expected);
        }
    }
}
