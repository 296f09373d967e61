//! Decides whether a refusal says that the server closes the connection.
//!
//! A request is refused before the service reads its body. Most servers then close the connection,
//! because the next request would come after the body, and do not say so. A proxy that keeps its
//! connections sends another client's request there, and loses it. `Connection: close` prevents
//! that ([RFC 9112, 9.6](https://www.rfc-editor.org/rfc/rfc9112#section-9.6)). hyper keeps the
//! connection if the whole body has come with the head, but the head does not say whether it has. So
//! each announced body counts.

#[cfg(any(feature = "http-body", feature = "rocket05"))]
use http::header::HOST;
use http::header::{CONNECTION, CONTENT_LENGTH, HeaderMap, HeaderValue, TRANSFER_ENCODING};
use http::{HeaderName, Version};

use crate::credential::reason::RejectionReason;
use crate::credential::request_head::RequestHead;

/// Returns `true` if the connection is one of HTTP/1, and the head announces a body, which is
/// unread when a credential is refused. A head without a version says nothing.
///
/// In HTTP/2 and later, each request has a stream, and `Connection` is forbidden
/// ([RFC 9113, 8.2.2](https://www.rfc-editor.org/rfc/rfc9113#section-8.2.2)).
#[inline]
pub(crate) fn may_be_unread<H: RequestHead + ?Sized>(head: &H) -> bool {
    head.version().is_some_and(|version| version <= Version::HTTP_11) && has_body(head)
}

/// Like [`may_be_unread`], where the head may have no version. Then the connection is one of HTTP/1
/// if there is a `Host`, in whose place HTTP/2 has `:authority`. Where that is wrong, servers drop
/// the `Connection` of a response.
#[cfg(any(feature = "http-body", feature = "rocket05"))]
#[cold]
pub(crate) fn body_may_be_unread<H: RequestHead + ?Sized>(head: &H) -> bool {
    match head.version() {
        Some(_) => may_be_unread(head),
        None => has_body(head) && head.line(&HOST).is_ok(),
    }
}

/// Returns `true` if the head announces a body that is not empty
/// ([RFC 9112, 6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)).
#[cold]
fn has_body<H: RequestHead + ?Sized>(head: &H) -> bool {
    let is_absent = |name: &HeaderName| matches!(head.line(name), Err(RejectionReason::Missing));
    let is_empty = match head.line(&CONTENT_LENGTH) {
        Ok(length) => length.bytes().iter().all(|digit| *digit == b'0'),
        Err(reason) => reason == RejectionReason::Missing,
    };
    !(is_empty && is_absent(&TRANSFER_ENCODING))
}

/// Says that the server closes the connection after this response.
pub(crate) fn announce_close(headers: &mut HeaderMap) {
    headers.insert(CONNECTION, HeaderValue::from_static("close"));
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    #[test]
    fn the_head_decides() {
        for (version, name, value, expected) in [
            (Version::HTTP_11, "content-length", "5", true),
            (Version::HTTP_11, "content-length", "10", true),
            (Version::HTTP_11, "content-length", "0", false),
            (Version::HTTP_11, "content-length", "00", false),
            (Version::HTTP_11, "content-length", "5, 5", true),
            (Version::HTTP_11, "transfer-encoding", "chunked", true),
            (Version::HTTP_11, "x", "5", false),
            (Version::HTTP_10, "content-length", "5", true),
            (Version::HTTP_2, "content-length", "5", false),
            (Version::HTTP_3, "content-length", "5", false),
        ] {
            let request = Request::builder().version(version).header(name, value);
            let request = request.header("host", "a").body(()).unwrap();
            assert_eq!(may_be_unread(&request), expected, "{request:?}");
        }
    }

    #[test]
    #[cfg(any(feature = "http-body", feature = "rocket05"))]
    fn a_repeated_length_announces_a_body() {
        let head = [("Host", &b"a"[..]), ("Content-Length", b"0"), ("Content-Length", b"5")];
        assert!(body_may_be_unread(&head));
    }

    #[test]
    #[cfg(any(feature = "http-body", feature = "rocket05"))]
    fn without_a_version_the_host_decides() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_LENGTH, HeaderValue::from_static("5"));
        assert!(!body_may_be_unread(&headers));
        headers.insert(HOST, HeaderValue::from_static("a"));
        assert!(!may_be_unread(&headers));
        assert!(body_may_be_unread(&headers));
    }
}
