//! Fetches with the version of reqwest that the module above names.

use core::time::Duration;

use bytes::Bytes;
use tokio::runtime::Handle;

use super::reqwest::header::{ACCEPT, CACHE_CONTROL, HeaderName, HeaderValue, RETRY_AFTER};
use super::reqwest::{Client, RequestBuilder, Response, StatusCode};
use crate::fetch::{Fetch, FetchError, Fetched, GoesOn};

/// The media types of metadata, and of keys, unless a request names its own.
const ACCEPTED: HeaderValue =
    HeaderValue::from_static("application/json, application/jwk-set+json");

/// How long a request lasts at most, from the connection to the last byte.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How long a request waits for a fetch without which it can be answered.
const PATIENCE: Duration = Duration::from_secs(1);

const WITHOUT_TLS: &str =
    "reqwest has no TLS; enable its feature `default-tls`, or `rustls` (0.12: `rustls-tls`)";

/// Gives up after five seconds. The fetch goes on if the request that waits for it goes away, because
/// its time would run out meanwhile: it is a separate task, unless the verifier sees to it.
impl Fetch for Client {
    async fn fetch(
        &self,
        mut request: http::Request<Bytes>,
        max_bytes: usize,
    ) -> Result<Fetched, FetchError> {
        let Ok(runtime) = Handle::try_current() else {
            return Err(FetchError::new("a client of reqwest needs a runtime of tokio"));
        };
        request.headers_mut().entry(ACCEPT).or_insert(ACCEPTED);
        let goes_on = request.extensions_mut().remove::<GoesOn>().is_some();
        let request = RequestBuilder::from_parts(self.clone(), request.try_into()?);
        let fetched = fetched(request, max_bytes);
        if goes_on { fetched.await } else { runtime.spawn(fetched).await? }
    }

    async fn patience(&self) {
        tokio::time::sleep(PATIENCE).await;
    }
}

async fn fetched(request: RequestBuilder, max_bytes: usize) -> Result<Fetched, FetchError> {
    let mut response = request.timeout(TIMEOUT).send().await.map_err(|error| {
        let is_https = error.url().is_some_and(|url| url.scheme() == "https");
        let error = FetchError::from(error);
        // A client without TLS takes `http` alone.
        match is_https && error.to_string().contains("scheme is not http") {
            true => FetchError::new(WITHOUT_TLS),
            false => error,
        }
    })?;
    let status = response.status();
    if status != StatusCode::OK {
        let error = FetchError::new(format!("status {status}")).with_status(status);
        // A date is not read.
        let seconds = text_of(&response, &RETRY_AFTER).and_then(|text| text.trim().parse().ok());
        return Err(match seconds.map(Duration::from_secs) {
            Some(retry_after) => error.with_retry_after(retry_after),
            None => error,
        });
    }
    let cache_control = text_of(&response, &CACHE_CONTROL).unwrap_or_default().to_owned();
    let url = response.url().to_string();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > max_bytes {
            return Err(FetchError::new(format!("more than {max_bytes} bytes")));
        }
    }
    Ok(Fetched::new(url, body).cache_control(&cache_control))
}

fn text_of<'r>(response: &'r Response, name: &HeaderName) -> Option<&'r str> {
    response.headers().get(name)?.to_str().ok()
}
