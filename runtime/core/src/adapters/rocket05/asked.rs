//! The requests of a matrix, and their answers.

use bytes::Bytes;
use rocket::http::{Header, Method};
use rocket::local::asynchronous::{Client, LocalRequest, LocalResponse};

use crate::dependency::probe::Probe;
use crate::testing::Answer;

/// Converts a request of a [matrix](crate::testing::Callers::table) into one of a local client of
/// Rocket: `asked(&client, ask).dispatch()`.
#[must_use]
pub fn asked<'c>(client: &'c Client, ask: http::Request<Bytes>) -> LocalRequest<'c> {
    let (head, body) = ask.into_parts();
    // No route has a method that Rocket does not know, nor `CONNECT`.
    let method = head.method.as_str().parse().unwrap_or(Method::Connect);
    let mut request = client.req(method, head.uri.to_string());
    for (name, value) in &head.headers {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        request.add_header(Header::new(name.to_string(), value));
    }
    request.set_body(body);
    let probe: Option<&Probe> = head.extensions.get();
    request.inner().local_cache(|| probe.cloned());
    request
}

impl Answer for LocalResponse<'_> {
    fn status(&self) -> Option<u16> {
        Some(self.status().code)
    }
}
