//! tower: a [`SecurityLayer`] around any service of `http` requests.

pub(crate) mod late_refusal;
#[cfg(feature = "testing")]
pub(crate) mod refuse_undecided;

use core::mem::replace;
use core::pin::Pin;
use core::task::{Context, Poll};

use http::{Request, Response};
use tower_layer::Layer;
use tower_service::Service;

use self::late_refusal::LateAnswer;
pub use self::late_refusal::LateRefusal;
pub use crate::adapters::security_service::SecurityService;
use crate::declaration::Public;
use crate::declaration::met::met;
use crate::dependency::head::Head;
use crate::dependency::layer::SecurityLayer;
use crate::dependency::{Dependency, Resolve};

impl<D, State> SecurityLayer<D, State> {
    /// Lets the services below refuse a request from a place that cannot send an HTTP answer, such
    /// as a tool of an MCP server or a resolver of GraphQL. The place calls
    /// [`Plan::resolve_late`](crate::Plan::resolve_late), and the refusal takes the place of the
    /// service's answer.
    ///
    /// This is for tower and axum: on the other frameworks, a layer takes no late refusals.
    #[must_use]
    pub fn with_late_refusals(mut self) -> Self {
        self.takes_late_refusals = true;
        self
    }
}

impl<S, D, State: Clone> Layer<S> for SecurityLayer<D, State> {
    type Service = SecurityService<S, D, State>;

    fn layer(&self, inner: S) -> Self::Service {
        SecurityService::around(inner, self)
    }
}

impl<S: Clone, D, State: Clone> SecurityService<S, D, State> {
    /// Takes the service that was polled ready, with its layer. A clone is polled before the next
    /// call.
    pub(crate) fn take_ready(&mut self) -> Self {
        let next = self.clone();
        replace(self, next)
    }

    /// Answers a request that the dependency has let in, with its output.
    pub(crate) async fn answer<B, R>(
        mut self,
        mut request: Request<B>,
        output: D::Output,
    ) -> Result<Response<R>, S::Error>
    where
        S: Service<Request<B>, Response = Response<R>>,
        D: Dependency<Output: Clone + Send + Sync>,
        R: From<String>,
    {
        let extensions = request.extensions_mut();
        self.layer.let_in(extensions);
        extensions.insert(output);
        let answer = self.layer.takes_late_refusals.then(LateAnswer::default);
        if let Some(answer) = &answer {
            request.extensions_mut().insert(answer.clone());
        }
        let response = self.inner.call(request).await;
        match answer.and_then(|answer| answer.begin()) {
            Some(refusal) => Ok(refusal.map(R::from)),
            None => response,
        }
    }
}

impl<T: Service<R>, R> Service<R> for Public<T> {
    type Response = T::Response;
    type Error = T::Error;
    type Future = T::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), T::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: R) -> T::Future {
        met();
        self.inner.call(request)
    }
}

/// The future of a service behind a layer.
pub(crate) type Answering<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

impl<S, D, B, R> Service<Request<B>> for SecurityService<S, D>
where
    S: Service<Request<B>, Response = Response<R>, Future: Send> + Clone + Send + 'static,
    D: Dependency<Output: Clone + Send + Sync> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
    B: Send + 'static,
    R: From<String>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Answering<Response<R>, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let ready = self.take_ready();
        Box::pin(async move {
            let (mut head, body) = request.into_parts();
            match ready.layer.plan.resolve(&mut head).await {
                Ok(output) => ready.answer(Request::from_parts(head, body), output).await,
                Err(refusal) => Ok(refusal.map(R::from)),
            }
        })
    }
}
