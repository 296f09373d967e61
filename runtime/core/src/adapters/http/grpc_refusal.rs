//! Refusals as clients of gRPC read them: a status in the headers of a successful response
//! ([gRPC over HTTP/2](https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md),
//! `Trailers-Only`).

use core::error::Error;

use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Version};
use http_body::Body;

use super::grpc_message::{message, percent_encoded};
use super::send_refusal::SendRefusal;

/// The form of the refusals of a layer that says
/// [`with_grpc_refusals`](crate::SecurityLayer::with_grpc_refusals).
#[derive(Clone, Copy)]
pub struct GrpcRefusals {
    is_call: bool,
}

impl<B, R> SendRefusal<B, R> for GrpcRefusals
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
    R: Default,
{
    fn of_request<T>(request: &Request<T>) -> Self {
        Self { is_call: is_call(request) }
    }

    /// The only place where a refusal is sent as a 200. It is the last one, so any other refusal
    /// with a status of success is a 500 already.
    fn send(self, refusal: Response<B>) -> Response<R> {
        let (mut head, body) = refusal.into_parts();
        if self.is_call {
            head.headers = status_headers(head.status, &head.headers, body);
            head.status = StatusCode::OK;
        } else {
            for name in [CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING] {
                head.headers.remove(name);
            }
        }
        Response::from_parts(head, R::default())
    }
}

/// Returns `true` only if a request is a valid call of gRPC, because otherwise a
/// caller that does not read `grpc-status` would take the refusal for a success.
fn is_call<T>(request: &Request<T>) -> bool {
    let mut kinds = request.headers().get_all(CONTENT_TYPE).iter();
    let (Some(kind), None) = (kinds.next(), kinds.next()) else { return false };
    let rest = kind.as_bytes().strip_prefix(b"application/grpc");
    request.method() == Method::POST
        && request.version() == Version::HTTP_2
        && matches!(rest, Some([] | [b'+' | b';', ..]))
}

/// Returns the headers of a refusal as a status of gRPC. Nothing else of it is sent, so that it
/// cannot have another `grpc-status`.
pub(crate) fn status_headers<B>(status: StatusCode, refusal: &HeaderMap, body: B) -> HeaderMap
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    const STATUS: HeaderName = HeaderName::from_static("grpc-status");
    const MESSAGE: HeaderName = HeaderName::from_static("grpc-message");

    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert(STATUS, HeaderValue::from_static(code(status)));
    if let Ok(message) = HeaderValue::try_from(percent_encoded(&message(status, body))) {
        headers.insert(MESSAGE, message);
    }
    for name in [WWW_AUTHENTICATE, RETRY_AFTER] {
        for value in refusal.get_all(&name) {
            headers.append(&name, value.clone());
        }
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers
}

/// Returns the [code](https://grpc.github.io/grpc/core/md_doc_statuscodes.html) for a status.
const fn code(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "3",
        StatusCode::NOT_FOUND => "5",
        StatusCode::FORBIDDEN => "7",
        StatusCode::TOO_MANY_REQUESTS => "8",
        StatusCode::SERVICE_UNAVAILABLE => "14",
        StatusCode::UNAUTHORIZED => "16",
        _ => "13",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_call_of_grpc_is_one() {
        let call = |method: Method, version, kinds: &[&str]| {
            let mut request = Request::builder().method(method).version(version);
            for kind in kinds {
                request = request.header(CONTENT_TYPE, *kind);
            }
            is_call(&request.body(()).unwrap())
        };
        for kind in ["application/grpc", "application/grpc+proto", "application/grpc;a=b"] {
            assert!(call(Method::POST, Version::HTTP_2, &[kind]), "{kind}");
            for version in [Version::HTTP_10, Version::HTTP_11, Version::HTTP_3] {
                assert!(!call(Method::POST, version, &[kind]), "{kind} {version:?}");
            }
            for method in [Method::GET, Method::HEAD, Method::OPTIONS, Method::PUT] {
                assert!(!call(method.clone(), Version::HTTP_2, &[kind]), "{kind} {method}");
            }
            assert!(!call(Method::POST, Version::HTTP_2, &[kind, kind]), "{kind} twice");
        }
        for kind in [
            "",
            "application/grpc-web",
            "application/grpc-web+proto",
            "application/grpcx",
            "application/grpc ;a=b",
            "application/grpc,application/grpc",
            "application/GRPC",
            " application/grpc",
            "application/json",
            "text/plain; application/grpc",
        ] {
            assert!(!call(Method::POST, Version::HTTP_2, &[kind]), "{kind}");
        }
        assert!(!call(Method::POST, Version::HTTP_2, &[]));
    }

    #[test]
    fn every_status_has_a_code_that_is_no_success() {
        let known = [(400, "3"), (401, "16"), (403, "7"), (404, "5"), (429, "8"), (503, "14")];
        for status in 100..=999 {
            let expected = known.iter().find(|(known, _)| *known == status);
            let expected = expected.map_or("13", |(_, code)| *code);
            assert_eq!(code(StatusCode::from_u16(status).unwrap()), expected, "{status}");
        }
    }
}
