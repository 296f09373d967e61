//! A token in the list of subprotocols with which a WebSocket is opened, for pages in browsers: a
//! script can set no other header there
//! ([RFC 6455, 4.1](https://www.rfc-editor.org/rfc/rfc6455#section-4.1)).

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Version;

use crate::credential::authorization_line::{is_b64token, trimmed};
use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{AUTHORIZATION_NAME, RequestHead};
use crate::syntax::grammar::is_token;

const LIST: &str = "sec-websocket-protocol";

const BEARER: &[u8] = b"bearer";

/// A token as it is written in the list.
#[derive(Clone, Copy)]
enum Written<'h> {
    Plain(&'h [u8]),
    /// In base64url, as Kubernetes takes it.
    Encoded(&'h [u8]),
}

/// Returns the subprotocol to select in the answer to a request that opens a WebSocket: `bearer` as
/// the client has written it, or else the first one that is offered and has no token.
///
/// A browser closes a socket whose answer selects none of those that it has offered. So a client
/// that offers `bearer.TOKEN` offers another one as well.
///
/// ```
/// use doorward::http::{HeaderMap, HeaderValue};
/// use doorward::websocket::protocol;
///
/// let mut headers = HeaderMap::new();
/// headers.insert("sec-websocket-protocol", HeaderValue::from_static("bearer, t0k3n"));
/// assert_eq!(protocol(&headers), Some("bearer"));
/// headers.insert("sec-websocket-protocol", HeaderValue::from_static("bearer.t0k3n, chat"));
/// assert_eq!(protocol(&headers), Some("chat"));
/// ```
#[must_use]
pub fn protocol<H: RequestHead + ?Sized>(head: &H) -> Option<&str> {
    let is_bearer = |entry: &&[u8]| entry.eq_ignore_ascii_case(BEARER);
    let other = || entries(head, LIST).find(|entry| written(entry).is_none());
    let selected = entries(head, LIST).find(is_bearer).or_else(other)?;
    core::str::from_utf8(selected).ok().filter(|name| is_token(name))
}

/// Finds the token of a request that opens a WebSocket, if there is one in the list.
///
/// # Errors
///
/// Returns the reason for a token that is not well-formed, for a second one, and for one next to
/// `Authorization`.
pub(crate) fn token<H: RequestHead + ?Sized>(
    head: &H,
) -> Result<Option<Cow<'_, str>>, RejectionReason> {
    if !opens_websocket(head) {
        return Ok(None);
    }
    let token = match located(head)? {
        None => return Ok(None),
        Some(_) if head.lines(AUTHORIZATION_NAME.as_str()).next().is_some() => {
            return Err(RejectionReason::Repeated);
        }
        Some(Written::Plain(token)) => Cow::Borrowed(token),
        Some(Written::Encoded(token)) => {
            Cow::Owned(URL_SAFE_NO_PAD.decode(token).map_err(|_| RejectionReason::Malformed)?)
        }
    };
    if !is_b64token(&token) {
        return Err(RejectionReason::Malformed);
    }
    let token = match token {
        Cow::Borrowed(token) => core::str::from_utf8(token).ok().map(Cow::Borrowed),
        Cow::Owned(token) => String::from_utf8(token).ok().map(Cow::Owned),
    };
    token.map(Some).ok_or(RejectionReason::Malformed)
}

/// Returns `true` if a request that opens a WebSocket has a token in the list, well-formed or not.
pub(crate) fn is_present<H: RequestHead + ?Sized>(head: &H) -> bool {
    opens_websocket(head) && !matches!(located(head), Ok(None))
}

/// Returns `true` for a request that opens a WebSocket, in HTTP/1.1 or later
/// ([RFC 8441, 5](https://www.rfc-editor.org/rfc/rfc8441#section-5)). Only an extended `CONNECT`
/// has a path, and only one for a WebSocket a version of it.
fn opens_websocket<H: RequestHead + ?Sized>(head: &H) -> bool {
    match head.method() {
        "GET" => entries(head, "upgrade").any(|to| to.eq_ignore_ascii_case(b"websocket")),
        "CONNECT" => {
            matches!(head.version(), Some(Version::HTTP_2 | Version::HTTP_3))
                && head.path().is_some_and(|path| path.starts_with('/'))
                && head.lines("sec-websocket-version").next().is_some()
        }
        _ => false,
    }
}

/// Finds the only token in the list.
fn located<H: RequestHead + ?Sized>(head: &H) -> Result<Option<Written<'_>>, RejectionReason> {
    let mut entries = entries(head, LIST);
    let mut found = None;
    while let Some(entry) = entries.next() {
        let token = match written(entry) {
            None if entry.eq_ignore_ascii_case(BEARER) => match entries.next() {
                None => return Err(RejectionReason::Malformed),
                Some(next) if written(next).is_some() || next.eq_ignore_ascii_case(BEARER) => {
                    return Err(RejectionReason::Repeated);
                }
                next => next.map(Written::Plain),
            },
            token => token,
        };
        if found.is_some() && token.is_some() {
            return Err(RejectionReason::Repeated);
        }
        found = found.or(token);
    }
    Ok(found)
}

/// Returns the token of an entry that names its form before it.
fn written(entry: &[u8]) -> Option<Written<'_>> {
    let after = |name: &[u8]| {
        let (start, token) = entry.split_at_checked(name.len())?;
        start.eq_ignore_ascii_case(name).then_some(token)
    };
    let encoded = after(b"base64url.bearer.authorization.k8s.io.").map(Written::Encoded);
    encoded.or_else(|| after(b"bearer.").map(Written::Plain))
}

/// Returns the entries of a list, whose lines are one
/// ([RFC 9110, 5.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.1)).
fn entries<'h, H: RequestHead + ?Sized>(head: &'h H, name: &str) -> impl Iterator<Item = &'h [u8]> {
    let entries = head.lines(name).flat_map(|line| line.bytes().split(|byte| *byte == b','));
    entries.map(trimmed).filter(|entry| !entry.is_empty())
}
