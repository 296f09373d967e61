//! tower: a layer that requires a dependency for every route below it.

pub(crate) mod late_refusal;

use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};

use http::{Request, Response};
use tower_layer::Layer;
use tower_service::Service;

use self::late_refusal::LateAnswer;
pub use self::late_refusal::LateRefusal;
use crate::dependency::head::Head;
use crate::dependency::plan::Plan;
use crate::dependency::{Dependency, Resolve};
use crate::plan::check::check_guard;

/// A layer that requires a dependency, with scopes, for every route below it. Created by
/// [`layer!`](crate::layer!).
///
/// The layer puts the dependency's output into the request's extensions, by type, for the handlers.
/// If two layers yield the same type, handlers see the output of the inner one. A request that the
/// dependency refuses goes no further.
///
/// **CORS**: a preflight request has no `Authorization` header, so it is refused like any other
/// request without one. Put the layer that answers preflights around this one.
///
/// ```
/// use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, layer, http_bearer};
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// #[derive(Clone)]
/// struct User(String);
///
/// #[dependency]
/// async fn current_user(#[security(OAuth2)] token: BearerToken, scopes: SecurityScopes) -> Result<User, BearerError> {
///     // Verify a real token here, and find out which scopes it grants.
///     let granted = if token.as_str() == "t0k3n" { "items" } else { return Err(scopes.invalid_token()) };
///     scopes.check(granted)?;
///     Ok(User("johndoe".to_owned()))
/// }
///
/// let layer = layer!(current_user, scopes("items"));
/// ```
pub struct SecurityLayer<D> {
    plan: Plan<D>,
    takes_late_refusals: bool,
}

impl<D: Dependency> SecurityLayer<D> {
    /// Creates a layer from a plan.
    ///
    /// A dependency that refuses no request does not compile here. Neither does one with a `Result`
    /// inside its own `Result`, because the inner error would let the request through:
    ///
    /// ```compile_fail,E0080
    /// use tollgate::{Rejection, SecurityLayer, dependency, plan};
    ///
    /// #[dependency]
    /// fn user() -> Result<Result<(), Rejection>, Rejection> {
    ///     Ok(Err(Rejection::NOT_AUTHENTICATED))
    /// }
    ///
    /// let layer = SecurityLayer::new(plan!(user));
    /// ```
    #[must_use]
    pub const fn new(plan: Plan<D>) -> Self {
        const { check_guard(D::NODE) };
        Self {
            plan,
            takes_late_refusals: false,
        }
    }

    /// Lets the services below refuse a request from a place that cannot send an HTTP answer, such
    /// as a tool of an MCP server or a resolver of GraphQL. The place calls
    /// [`Plan::resolve_late`], and the refusal takes the place of the service's answer.
    #[must_use]
    pub const fn with_late_refusals(mut self) -> Self {
        self.takes_late_refusals = true;
        self
    }

    /// Returns the plan: the requirements for the routes below.
    #[must_use]
    pub const fn plan(&self) -> Plan<D> {
        self.plan
    }
}

impl<S, D> Layer<S> for SecurityLayer<D> {
    type Service = SecurityService<S, D>;

    fn layer(&self, inner: S) -> Self::Service {
        SecurityService {
            inner,
            layer: *self,
        }
    }
}

/// A service behind a [`SecurityLayer`].
pub struct SecurityService<S, D> {
    inner: S,
    layer: SecurityLayer<D>,
}

impl<S, D: Dependency> SecurityService<S, D> {
    /// Returns the plan of the layer.
    #[cfg(feature = "axum08")]
    pub(crate) const fn plan(&self) -> Plan<D> {
        self.layer.plan
    }
}

impl<S, D, B, R> Service<Request<B>> for SecurityService<S, D>
where
    S: Service<Request<B>, Response = Response<R>, Future: Send> + Clone + Send + 'static,
    D: Dependency<Output: Clone + Send + Sync> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
    B: Send + 'static,
    R: From<String>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<R>, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // Call the service that was polled ready. Its clone is polled before the next call.
        let clone = self.inner.clone();
        let mut inner = core::mem::replace(&mut self.inner, clone);
        let layer = self.layer;
        Box::pin(async move {
            let (mut head, body) = request.into_parts();
            match layer.plan.resolve(&mut head).await {
                Ok(output) => {
                    head.extensions.insert(output);
                }
                Err(refusal) => return Ok(refusal.map(R::from)),
            }
            let answer = layer.takes_late_refusals.then(LateAnswer::default);
            if let Some(answer) = &answer {
                head.extensions.insert(answer.clone());
            }
            let response = inner.call(Request::from_parts(head, body)).await;
            match answer.and_then(|answer| answer.begin()) {
                Some(refusal) => Ok(refusal.map(R::from)),
                None => response,
            }
        })
    }
}

impl<D> Clone for SecurityLayer<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for SecurityLayer<D> {}

impl<S: Clone, D> Clone for SecurityService<S, D> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            layer: self.layer,
        }
    }
}

impl<D> fmt::Debug for SecurityLayer<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecurityLayer").finish_non_exhaustive()
    }
}

impl<S: fmt::Debug, D> fmt::Debug for SecurityService<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecurityService")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}
