//! Services of `http` requests: the layer of tower, calls of gRPC, and late answers.

mod grpc_message;
mod grpc_refusal;
pub(crate) mod late_refusal;
mod late_refusals_layer;
mod metadata_service;
#[cfg(feature = "testing")]
pub(crate) mod refuse_undecided;
pub(crate) mod send_refusal;

use core::marker::PhantomData;
use core::mem::replace;
use core::pin::Pin;
use core::task::{Context, Poll};

#[cfg(feature = "rmcp3")]
use http::request::Parts;
use http::{Request, Response};
use tower_layer::Layer;
use tower_service::Service;

pub use self::grpc_refusal::GrpcRefusals;
use self::late_refusal::LateAnswer;
pub use self::late_refusal::LateRefusal;
pub use self::late_refusals_layer::LateRefusals;
use self::send_refusal::SendRefusal;
pub use crate::adapters::shared::security_service::SecurityService;
use crate::dependency::below_layer::BelowLayer;
use crate::dependency::head::Head;
use crate::dependency::layer::SecurityLayer;
#[cfg(feature = "testing")]
use crate::dependency::probe::refused_by_layer;
#[cfg(feature = "rmcp3")]
use crate::dependency::recognised::Recognised;
use crate::dependency::{Dependency, Resolve};
use crate::plan::declaration::Public;
use crate::plan::declaration::met::met;

impl<D, State, Refusals> SecurityLayer<D, State, Refusals> {
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

impl<D: Dependency> SecurityLayer<D> {
    /// Returns a service or a handler of axum's that is already below a layer of this dependency, for
    /// a door, which lists it as such. A request that has not passed such a layer, with these scopes and arguments, is
    /// answered with a `500`. `#[secured(layer = …)]` says the same of a handler.
    ///
    /// ```
    /// # #[cfg(feature = "axum08")] {
    /// # use doorward::{BearerError, BearerToken, dependency, http_bearer, layer};
    /// use doorward::axum08::{Router, routing::get};
    ///
    /// # #[http_bearer]
    /// # struct Api;
    /// # #[dependency]
    /// # fn auth(#[security(Api)] _token: BearerToken) -> Result<(), BearerError> {
    /// #     Err(BearerError::invalid_token())
    /// # }
    /// let app: Router = Router::new()
    ///     .route("/metrics", get(layer!(auth).already_around(async || "up 1")))
    ///     .layer(layer!(auth));
    /// assert_eq!(app.routes().to_string(), "GET  /metrics  Api\n");
    /// # }
    /// ```
    #[must_use]
    pub fn already_around<S>(self, service: S) -> SecurityService<S, BelowLayer<D>> {
        let layer = SecurityLayer {
            plan: self.plan.below_layer(),
            takes_late_refusals: false,
            state: (),
            refusals: PhantomData,
        };
        SecurityService::around(service, &layer)
    }
}

impl<D, State> SecurityLayer<D, State> {
    /// Refuses calls of gRPC with a status of gRPC, for services such as tonic's. Without it, a
    /// client of gRPC reads a refusal as an internal error.
    ///
    /// A call is a `POST` by HTTP/2 whose one `Content-Type` is `application/grpc`, alone or before
    /// a `+` or `;`. Its refusal has the status 200 and no body, and these headers
    /// ([gRPC over HTTP/2](https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md)):
    ///
    /// | header | value |
    /// |---|---|
    /// | `grpc-status` | 16 for 401, 7 for 403, 14 for 503, 8 for 429, 3 for 400, 5 for 404, otherwise 13 |
    /// | `grpc-message` | what is in the `{"detail":"…"}` of the refusal, or its whole text, up to 1 KiB |
    /// | `WWW-Authenticate`, `Retry-After` | those of the refusal |
    /// | `Cache-Control` | `no-store` |
    ///
    /// A [late refusal](Self::with_late_refusals) is sent in the same form. Any other request gets
    /// the status and the headers of plain HTTP with an empty body, because the bodies of a service
    /// of gRPC are not made from text: the layer requires `Default` of them. This is for tower and
    /// axum.
    ///
    /// **Put it only around services of gRPC.** A caller that reads nothing but the HTTP status
    /// takes the 200 for a success, for example a proxy that asks whether it may let a request in.
    ///
    /// ```
    /// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, layer};
    ///
    /// #[http_bearer(scopes("notes" = "Read notes."))]
    /// struct Token;
    ///
    /// #[dependency]
    /// fn caller(#[security(Token)] token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    ///     // Verify a real token here.
    ///     scopes.check(token.as_str())?;
    ///     Ok(())
    /// }
    ///
    /// // With tonic: `Server::builder().layer(layer).add_service(…)`.
    /// let layer = layer!(caller, scopes("notes")).with_grpc_refusals();
    /// ```
    #[must_use]
    pub fn with_grpc_refusals(self) -> SecurityLayer<D, State, GrpcRefusals> {
        SecurityLayer {
            plan: self.plan,
            takes_late_refusals: self.takes_late_refusals,
            state: self.state,
            refusals: PhantomData,
        }
    }
}

#[cfg(feature = "rmcp3")]
impl<D, State, Refusals> SecurityLayer<D, State, Refusals> {
    /// Has the tokens of a request kept, for the places below that ask for them again.
    pub(crate) fn recognise(&self, head: &mut Parts) {
        if self.takes_late_refusals {
            head.extensions.get_or_insert_default::<Recognised>();
        }
    }
}

impl<S, D, State: Clone, Refusals> Layer<S> for SecurityLayer<D, State, Refusals> {
    type Service = SecurityService<S, D, State, Refusals>;

    fn layer(&self, inner: S) -> Self::Service {
        SecurityService::around(inner, self)
    }
}

impl<S: Clone, D, State: Clone, Refusals> SecurityService<S, D, State, Refusals> {
    /// Takes the service that was polled ready, with its layer. A clone is polled before the next
    /// call.
    pub(crate) fn take_ready(&mut self) -> Self {
        let next = self.clone();
        replace(self, next)
    }

    /// Answers a request that the dependency has let in, with its output, or sends its refusal.
    pub(crate) async fn answer<B, R, Text>(
        mut self,
        mut request: Request<B>,
        resolved: Result<D::Output, Response<Text>>,
        refusals: Refusals,
    ) -> Result<Response<R>, S::Error>
    where
        S: Service<Request<B>, Response = Response<R>>,
        D: Dependency<Output: Clone + Send + Sync>,
        Refusals: SendRefusal<String, R> + SendRefusal<Text, R>,
    {
        #[cfg(feature = "testing")]
        if let Err(refusal) = &resolved {
            refused_by_layer(&request, Some(refusal.status().as_u16()));
        }
        let output = match resolved {
            Ok(output) => output,
            Err(refusal) => return Ok(refusals.send(refusal)),
        };
        let extensions = request.extensions_mut();
        self.layer.let_in(extensions);
        extensions.insert(output);
        let answer = self.layer.takes_late_refusals.then(LateAnswer::default);
        if let Some(answer) = &answer {
            request.extensions_mut().insert(answer.clone());
        }
        let response = self.inner.call(request).await;
        match answer.and_then(|answer| answer.begin()) {
            Some(refusal) => Ok(refusals.send(refusal)),
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

impl<S, D, B, R, Refusals> Service<Request<B>> for SecurityService<S, D, (), Refusals>
where
    S: Service<Request<B>, Response = Response<R>, Future: Send> + Clone + Send + 'static,
    D: Dependency<Output: Clone + Send + Sync> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
    B: Send + 'static,
    Refusals: SendRefusal<String, R>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Answering<Response<R>, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let ready = self.take_ready();
        let refusals = Refusals::of_request(&request);
        Box::pin(async move {
            let (mut head, body) = request.into_parts();
            #[cfg(feature = "rmcp3")]
            ready.layer.recognise(&mut head);
            let resolved = ready.layer.plan.resolve(&mut head).await;
            ready.answer(Request::from_parts(head, body), resolved, refusals).await
        })
    }
}
