//! What most tests do: they ask an app of axum, or resolve a plan for the head of a request.

use std::convert::Infallible;

use axum::body::{Body, to_bytes};
use http::header::CONTENT_TYPE;
use http::request::{Builder, Parts};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use tower::{Service, ServiceExt};

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn with_lines(request: Builder, lines: &[(&str, &str)]) -> Builder {
    lines.iter().fold(request, |request, (name, value)| request.header(*name, *value))
}

/// Returns the head of a request with these header lines.
pub(crate) fn head(lines: &[(&str, &str)]) -> Parts {
    with_lines(Request::get("/"), lines).body(()).unwrap().into_parts().0
}

/// Returns the header of a form.
pub(crate) fn form_headers() -> HeaderMap {
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    HeaderMap::from_iter([(CONTENT_TYPE, form)])
}

/// Returns a request. The target is a path, or a method and a path.
pub(crate) fn request(target: &str, lines: &[(&str, &str)], body: &str) -> Request<Body> {
    let (method, path) = target.split_once(' ').unwrap_or(("GET", target));
    let request = with_lines(Request::builder().method(method).uri(path), lines);
    request.body(Body::from(body.to_owned())).unwrap()
}

/// Returns the answer of an app, with its whole body.
pub(crate) async fn answer<A>(app: A, request: Request<Body>) -> Response<String>
where
    A: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let (head, body) = app.oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    Response::from_parts(head, String::from_utf8(body.to_vec()).unwrap())
}

/// Returns the answer to a request without a body.
pub(crate) async fn ask<A>(app: A, target: &str, lines: &[(&str, &str)]) -> Response<String>
where
    A: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    answer(app, request(target, lines, "")).await
}

/// Returns the answer to a request with a bearer token, or without one.
pub(crate) async fn ask_with<A>(app: A, target: &str, token: Option<&str>) -> Response<String>
where
    A: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let line = token.map(|token| format!("Bearer {token}"));
    let line = line.as_deref().map(|line| ("authorization", line));
    ask(app, target, line.as_slice()).await
}

/// Returns the status and the body of an answer.
pub(crate) fn seen(answer: Response<String>) -> (u16, String) {
    (answer.status().as_u16(), answer.into_body())
}

/// Returns the status, the challenge and the body of an answer.
pub(crate) fn refused(answer: Response<String>) -> (u16, String, String) {
    let challenge = answer.headers().get("www-authenticate");
    let challenge = challenge.map_or("", |line| line.to_str().unwrap()).to_owned();
    (answer.status().as_u16(), challenge, answer.into_body())
}

/// Returns everything in an answer that can be compared.
pub(crate) fn whole(answer: Response<String>) -> (StatusCode, HeaderMap, String) {
    let (head, body) = answer.into_parts();
    (head.status, head.headers, body)
}
