//! Finds the routes that no door has seen, in the tests of a service.

use core::future::poll_fn;
use core::pin::pin;
use core::task::{Context, Poll};

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response, StatusCode};
use tower_layer::Layer;
use tower_service::Service;

use super::Answering;
use crate::plan::declaration::met::{Met, watched};

/// A layer for the tests of a service: it answers `500 Internal Server Error` to a request that
/// met neither a secured handler, nor a layer, nor anything public. So a test of a route fails if
/// the service does not declare who may call it, even if it was registered without a
/// [door](https://docs.rs/doorward/latest/doorward/guide/doors/index.html).
///
/// ```
/// # #[cfg(feature = "axum08")] {
/// use axum::{Router, routing::get};
/// use doorward::testing::RefuseUndecided;
///
/// async fn users() -> &'static str {
///     "everyone sees this"
/// }
///
/// let service = Router::new().route("/users", get(users));
/// let tested: Router = service.layer(RefuseUndecided::new()); // a 500 for GET /users
/// # }
/// ```
///
/// The answers `404 Not Found` and `405 Method Not Allowed` pass, because a router gives them where
/// there is no route. A layer that answers by itself, as one for CORS does, goes around this one.
/// Work that a handler spawns on another task is not seen, and neither are the tools of an MCP server:
/// the layer around it has met the request, and `rmcp3::declared` compares its tools at start.
///
/// It is not for production: when it finds something, the handler has run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefuseUndecided<S = ()> {
    inner: S,
}

impl RefuseUndecided {
    /// Creates the layer.
    #[must_use]
    pub const fn new() -> Self {
        Self { inner: () }
    }
}

impl<S> Layer<S> for RefuseUndecided {
    type Service = RefuseUndecided<S>;

    fn layer(&self, inner: S) -> RefuseUndecided<S> {
        RefuseUndecided { inner }
    }
}

impl<S, B, R> Service<Request<B>> for RefuseUndecided<S>
where
    S: Service<Request<B>, Response = Response<R>, Future: Send + 'static>,
    R: From<String>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Answering<Response<R>, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let route = format!("{} {}", request.method(), request.uri().path());
        let (answering, mut met) = watched(|| self.inner.call(request));
        Box::pin(async move {
            let mut answering = pin!(answering);
            let response = poll_fn(|cx| {
                let (polled, met_now) = watched(|| answering.as_mut().poll(cx));
                met = met.max(met_now);
                polled
            });
            let response = response.await?;
            let status = response.status();
            let is_of_router =
                matches!(status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED);
            let is_decided = match met {
                Met::Declaration => true,
                Met::Refusal => !status.is_success(),
                Met::Nothing => false,
            };
            Ok(if is_decided || is_of_router { response } else { refusal(&route) })
        })
    }
}

/// Returns the answer to a request that has met no declaration.
fn refusal<R: From<String>>(route: &str) -> Response<R> {
    let text = format!(
        "{route} is neither secured nor public; write `#[secured(…)]` or `#[public(reason = \"…\")]` above its handler\n"
    );
    let mut response = Response::new(R::from(text));
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
