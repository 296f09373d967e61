//! Fetches with the version of reqwest that the module above names.

use core::time::Duration;

use bytes::Bytes;
use tokio::runtime::Handle;

use super::reqwest::header::{ACCEPT, CACHE_CONTROL};
use super::reqwest::{Client, RequestBuilder, StatusCode};
use crate::verify::fetch::{Fetch, FetchError, Fetched};

/// The media types of metadata, and of keys.
const ACCEPTED: &str = "application/json, application/jwk-set+json";

/// How long a request lasts at most, from the connection to the last byte.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Gives up after five seconds. The fetch is a separate task, which goes on if the request that
/// waits for it goes away: otherwise its time would run out meanwhile.
impl Fetch for Client {
    async fn fetch(
        &self,
        request: http::Request<Bytes>,
        max_bytes: usize,
    ) -> Result<Fetched, FetchError> {
        let Ok(runtime) = Handle::try_current() else {
            return Err(FetchError::new("a client of reqwest needs a runtime of tokio"));
        };
        let request = RequestBuilder::from_parts(self.clone(), request.try_into()?);
        runtime.spawn(fetched(request, max_bytes)).await?
    }
}

async fn fetched(request: RequestBuilder, max_bytes: usize) -> Result<Fetched, FetchError> {
    let request = request.timeout(TIMEOUT).header(ACCEPT, ACCEPTED);
    let mut response = request.send().await?;
    if response.status() != StatusCode::OK {
        return Err(FetchError::new(format!("status {}", response.status())));
    }
    let header = response.headers().get(CACHE_CONTROL);
    let cache_control = header.and_then(|value| value.to_str().ok()).map(str::to_owned);
    let url = response.url().to_string();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > max_bytes {
            return Err(FetchError::new(format!("more than {max_bytes} bytes")));
        }
    }
    Ok(Fetched::new(url, body).cache_control(&cache_control.unwrap_or_default()))
}
