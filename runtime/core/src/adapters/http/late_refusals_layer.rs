//! A layer that takes late refusals, and requires nothing itself.

use core::task::{Context, Poll};

use http::{Request, Response};
use tower_layer::Layer;
use tower_service::Service;

use super::Answering;
use super::late_refusal::LateAnswer;
use super::send_refusal::SendRefusal;

/// A layer that sends the late refusals of the services below, and requires nothing itself.
///
/// It is for a server of which some places are public, such as an MCP server with public tools:
/// `layer!(…).with_late_refusals()` would ask every request for a credential. Each place below
/// decides for itself, by [`Plan::resolve_late`](crate::Plan::resolve_late) or by `#[secured]` above
/// its block. A request to any other place goes through, so at a door the service is public:
///
/// ```
/// # #[cfg(feature = "axum08")] {
/// use axum::routing::any;
/// use doorward::axum08::Router;
/// use doorward::public;
/// use doorward::layers::LateRefusals;
/// use tower_layer::Layer;
///
/// let mcp = any(|| async { "the MCP server" });
/// let app: Router = Router::new()
///     .route_service("/mcp", public("each tool decides", LateRefusals::new().layer(mcp)));
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LateRefusals<S = ()> {
    inner: S,
}

impl LateRefusals {
    /// Creates the layer.
    #[must_use]
    pub const fn new() -> Self {
        Self { inner: () }
    }
}

impl<S> Layer<S> for LateRefusals {
    type Service = LateRefusals<S>;

    fn layer(&self, inner: S) -> LateRefusals<S> {
        LateRefusals { inner }
    }
}

impl<S, B, R> Service<Request<B>> for LateRefusals<S>
where
    S: Service<Request<B>, Response = Response<R>, Future: Send + 'static>,
    (): SendRefusal<String, R>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Answering<Response<R>, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let answer = LateAnswer::default();
        request.extensions_mut().insert(answer.clone());
        let answering = self.inner.call(request);
        Box::pin(async move {
            let response = answering.await;
            match answer.begin() {
                Some(refusal) => Ok(().send(refusal)),
                None => response,
            }
        })
    }
}
