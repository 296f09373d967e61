//! Whether a browser sent a request for a page of another site. A browser adds the cookies to such
//! a request by itself.

use crate::credential::request_head::{HeaderLine, RequestHead};

/// Returns `true` if the request changes something and another site may have caused it.
///
/// The browser says so in [`Sec-Fetch-Site`](https://www.w3.org/TR/fetch-metadata/). Without that
/// header, the origin has to be the host. A request with neither header is not from a browser.
pub(crate) fn is_cross_site(head: &(impl RequestHead + ?Sized)) -> bool {
    if is_safe(head.method()) && !upgrades(head) {
        return false;
    }
    let mut sites = head.lines("sec-fetch-site").map(HeaderLine::bytes).peekable();
    if sites.peek().is_some() {
        return !sites.all(|site| matches!(site, b"same-origin" | b"none"));
    }
    let mut origins = head.lines("origin").map(HeaderLine::bytes).peekable();
    origins.peek().is_some() && !origins.all(|origin| is_host(origin, head))
}

/// Returns `true` if requests with this method change nothing
/// ([RFC 9110, 9.2.1](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1)).
pub(crate) fn is_safe(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS")
}

/// Returns `true` if the request asks for a WebSocket. Its method is `GET`, but what follows is no
/// longer a safe request.
fn upgrades(head: &(impl RequestHead + ?Sized)) -> bool {
    let mut protocols =
        head.lines("upgrade").flat_map(|line| line.bytes().split(|byte| *byte == b','));
    protocols.any(|protocol| protocol.trim_ascii().eq_ignore_ascii_case(b"websocket"))
}

/// Returns `true` if an origin is the host that the request is for. A default port may be left out.
fn is_host(origin: &[u8], head: &(impl RequestHead + ?Sized)) -> bool {
    let https = origin.strip_prefix(b"https://");
    let http = origin.strip_prefix(b"http://");
    let (host, default_port) = match (https, http) {
        (Some(host), _) => (host, &b":443"[..]),
        (None, Some(host)) => (host, &b":80"[..]),
        (None, None) => return false,
    };
    let authority = head.authority();
    let mut lines = head.lines("host").map(HeaderLine::bytes);
    let target = match (&authority, lines.next(), lines.next()) {
        // The target wins over the header
        // ([RFC 9112, 3.2.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2)).
        (Some(authority), _, None) => authority.as_bytes(),
        (None, Some(host), None) => host,
        _ => return false,
    };
    let [host, target] = [host, target].map(|host| host.strip_suffix(default_port).unwrap_or(host));
    !host.is_empty() && host.eq_ignore_ascii_case(target)
}
