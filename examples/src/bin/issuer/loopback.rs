//! The hosts of this machine, which are the only ones that this issuer talks to.

use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tower_http::cors::{AllowOrigin, CorsLayer};
use url::{Host, Url};

/// Refuses a request for another host: the name of a site may have been pointed at this machine.
pub(crate) async fn require_host(request: Request, next: Next) -> Response {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let url = host.and_then(|host| Url::parse(&format!("http://{host}/")).ok());
    match (url, hosts.next()) {
        (Some(url), None) if is_loopback(&url) => next.run(request).await,
        _ => (StatusCode::MISDIRECTED_REQUEST, "only for 127.0.0.1 and localhost").into_response(),
    }
}

/// Lets the pages of this machine read a token, such as one that its developer works on.
pub(crate) fn cors() -> CorsLayer {
    let is_here = |origin: &HeaderValue| {
        let origin = origin.to_str().ok().and_then(|origin| Url::parse(origin).ok());
        origin.is_some_and(|origin| is_loopback(&origin))
    };
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin, _| is_here(origin)))
        .allow_methods([Method::POST])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE])
}

/// Returns `true` if a URL is one of this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let is_named = url.username().is_empty() && url.password().is_none();
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "http" && is_named && is_here
}
