//! A layer whose dependency has the state of the router.

use core::task::{Context, Poll};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use tower_service::Service;

use crate::adapters::axum08::Axum;
use crate::adapters::http::Answering;
use crate::adapters::http::send_refusal::SendRefusal;
use crate::adapters::shared::security_service::SecurityService;
use crate::dependency::cache::Cache;
use crate::dependency::layer::SecurityLayer;
use crate::dependency::{Dependency, Resolve};

impl<D: Dependency, Refusals> SecurityLayer<D, (), Refusals> {
    /// Gives the layer the state of an axum router, so that its dependency can take `State` and any
    /// other extractor of axum's: `.route_layer(layer!(user).with_state(state.clone()))`. Without
    /// it, the layer sees only the head of a request.
    ///
    /// ```
    /// use axum::extract::State;
    /// use axum::{Router, routing::get};
    /// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, layer};
    ///
    /// #[http_bearer]
    /// struct Api;
    ///
    /// #[derive(Clone)]
    /// struct Tokens(Vec<String>);
    ///
    /// #[dependency]
    /// fn caller(
    ///     #[security(Api)] token: BearerToken,
    ///     scopes: SecurityScopes,
    ///     State(tokens): State<Tokens>,
    /// ) -> Result<(), BearerError> {
    ///     let known = tokens.0.iter().any(|known| known == token.as_str());
    ///     if known { Ok(()) } else { Err(scopes.invalid_token()) }
    /// }
    ///
    /// let state = Tokens(vec!["t0k3n".to_owned()]);
    /// let app: Router = Router::new()
    ///     .route("/items", get(|| async { "items" }))
    ///     .route_layer(layer!(caller).with_state(state.clone()))
    ///     .with_state(state);
    /// ```
    #[must_use]
    pub fn with_state<T>(self, state: T) -> SecurityLayer<D, State<T>, Refusals> {
        SecurityLayer {
            plan: self.plan,
            takes_late_refusals: self.takes_late_refusals,
            state: State(state),
            refusals: self.refusals,
        }
    }
}

impl<S, D, T, Refusals> Service<Request> for SecurityService<S, D, State<T>, Refusals>
where
    S: Service<Request, Response = Response, Future: Send> + Clone + Send + 'static,
    D: Dependency<Output: Clone + Send + Sync> + for<'a, 'r> Resolve<'r, Axum<'a, T>, D::Output>,
    T: Clone + Send + Sync + 'static,
    Refusals: SendRefusal<Body, Body> + SendRefusal<String, Body>,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Answering<Response, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let ready = self.take_ready();
        let refusals = <Refusals as SendRefusal<Body, Body>>::of_request(&request);
        Box::pin(async move {
            let (mut parts, body) = request.into_parts();
            Cache::begin_in_extensions(&mut parts);
            #[cfg(feature = "rmcp3")]
            ready.layer.recognise(&mut parts);
            let State(state) = &ready.layer.state;
            let mut cx = Axum { parts: &mut parts, state };
            let resolved = ready.layer.plan.resolve_in(&mut cx).await;
            ready.answer(Request::from_parts(parts, body), resolved, refusals).await
        })
    }
}
