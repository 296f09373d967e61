//! A router whose routes are secured or public, all of them.

use core::convert::Infallible;
use core::fmt;
use core::mem;
use core::task::{Context, Poll};
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::routing::{IntoMakeService, RouterAsService, RouterIntoService};
use axum::{Router as Inner, ServiceExt};
use tower_layer::layer_fn;
use tower_service::Service;

use super::at_door::{Arguments, at_door};
use super::bounds::{RouteLayer, RouteService};
use super::routing::MethodRouter;
use super::served::{Answer, Extended, Values};
use crate::adapters::http::declared_service::{DeclaredService, of_layer};
use crate::adapters::shared::security_service::SecurityService;
use crate::dependency::Dependency;
use crate::dependency::layer::SecurityLayer;
use crate::plan::declaration::{Declaration, Declared, Public};
use crate::routes::kept::Line;
use crate::routes::{Route as Listed, Routes};

/// axum's [`Router`](axum::Router), whose handlers are all secured or public. Its methods have the
/// names and the shapes of axum's, so a service changes its imports, and nothing else:
///
/// | instead of | import |
/// |---|---|
/// | `axum::Router` | `doorward::axum08::Router` |
/// | `axum::routing::{get, post, …}` | `doorward::axum08::routing::{get, post, …}` |
///
/// A handler passes with `#[secured]`,
/// `#[public(reason = "…")]`, inside
/// [`public("…", handler)`](fn@crate::public), or with one parameter whose type is the value of a
/// `#[dependency(extract)]`. Any other does not compile:
///
/// ```compile_fail
/// use doorward::axum08::Router;
/// use doorward::axum08::routing::get;
///
/// async fn users() {}
///
/// let app: Router = Router::new().route("/users", get(users));
/// ```
///
/// A service passes inside `public("…", service)`, or directly behind a `layer!`:
/// `layer!(user).layer(service)`. A plain router passes in the same two ways, in
/// [`merge`](Self::merge) and [`nest`](Self::nest). [`into_inner`](Self::into_inner) goes the other
/// way.
///
/// A layer around a router is not seen. Each handler below it has its own declaration.
///
/// [`routes`](Self::routes) lists what the routes require.
#[must_use]
pub struct Router<S = ()> {
    inner: Inner<S>,
    /// What [`extension`](Self::extension) puts into each request.
    values: Values,
    lines: Vec<Line>,
    /// The fallbacks of the router itself, which [`reset_fallback`](Self::reset_fallback) removes.
    fallback: Option<Declaration>,
}

impl<S> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    /// Creates a router without routes, which answers `404 Not Found`.
    pub fn new() -> Self {
        Self::of(Inner::new(), Vec::new())
    }

    /// Allows paths that begin a segment with `:` or `*`, as axum 0.7 had parameters.
    pub fn without_v07_checks(mut self) -> Self {
        self.inner = self.inner.without_v07_checks();
        self
    }

    /// Adds a route.
    #[track_caller]
    pub fn route(mut self, path: &str, method_router: MethodRouter<S>) -> Self {
        self.lines.extend(method_router.lines(path));
        self.inner = self.inner.route(path, method_router.inner);
        self
    }

    /// Adds a route to a service that is public, or behind a layer.
    #[track_caller]
    pub fn route_service<T: DeclaredService + RouteService<Error = Infallible>>(
        mut self,
        path: &str,
        service: T,
    ) -> Self {
        self.lines.push(Line::any(path, service.declaration()));
        self.inner = self.inner.route_service(path, service);
        self
    }

    /// Adds the routes of another router below a prefix, as [`merge`](Self::merge) takes it.
    #[track_caller]
    pub fn nest<R: DeclaredRouter<S>>(mut self, path: &str, router: R) -> Self {
        let router = router.into_router();
        let lines = router.all_lines().map(|line| line.below(path));
        self.lines.extend(lines);
        self.inner = self.inner.nest(path, router.into_inner());
        self
    }

    /// Adds everything below a prefix, to a service that is public, or behind a layer.
    #[track_caller]
    pub fn nest_service<T: DeclaredService + RouteService<Error = Infallible>>(
        mut self,
        path: &str,
        service: T,
    ) -> Self {
        let line = Line::any("/*", service.declaration());
        self.lines.push(line.below(path));
        self.inner = self.inner.nest_service(path, service);
        self
    }

    /// Adds the routes of another router: one of this type, or anything that converts into axum's,
    /// such as the `SwaggerUi` of utoipa, in `public("…", router)` or behind a layer, which then
    /// checks each of its routes:
    ///
    /// ```
    /// # use doorward::axum08::Router;
    /// # use doorward::{BearerError, BearerToken, dependency, http_bearer, layer};
    /// use axum::routing::get;
    /// use tower::Layer as _;
    ///
    /// # #[http_bearer]
    /// # struct Api;
    /// # #[dependency]
    /// # fn auth(#[security(Api)] _token: BearerToken) -> Result<(), BearerError> {
    /// #     Err(BearerError::invalid_token())
    /// # }
    /// let routes = axum::Router::new().route("/jobs", get(async || "none"));
    /// let app: Router = Router::new().merge(layer!(auth).layer(routes));
    /// assert_eq!(app.routes().to_string(), "ANY  *  Api\n");
    /// ```
    #[track_caller]
    pub fn merge<R: DeclaredRouter<S>>(mut self, other: R) -> Self {
        let mut other = other.into_router();
        self.lines.append(&mut other.lines);
        self.fallback = self.fallback.or(other.fallback);
        self.inner = self.inner.merge(other.into_inner());
        self
    }

    /// Puts a value into the extensions of each request: `.extension(Shared::new(tokens))` for the
    /// dependencies and handlers that take a [`Shared`](crate::Shared).
    ///
    /// It is there for every route and layer of the router, and costs less than a layer of axum's
    /// `Extension`, which wraps each route. A router that is nested or merged keeps its own value of
    /// the same type.
    pub fn extension<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        Arc::make_mut(self.values.get_or_insert_default()).insert(value);
        self
    }

    /// Puts a layer around the routes. It does not declare them: each has its own declaration.
    pub fn layer<L: RouteLayer>(mut self, layer: L) -> Self {
        self.inner = self.inner.layer(layer);
        self
    }

    /// Puts a layer around the routes, but not around the fallback.
    #[track_caller]
    pub fn route_layer<L: RouteLayer>(mut self, layer: L) -> Self {
        self.inner = self.inner.route_layer(layer);
        self
    }

    /// Returns `true` if there is a route.
    #[must_use]
    pub fn has_routes(&self) -> bool {
        self.inner.has_routes()
    }

    /// Sets the handler for requests that match no route.
    #[track_caller]
    pub fn fallback<H, T, Declaration>(mut self, handler: H) -> Self
    where
        H: Handler<T, S> + Declared<T, Declaration>,
        T: Arguments<S>,
    {
        let declaration = handler.declaration();
        self.inner = self.inner.fallback(at_door(handler, &declaration));
        self.fallback = Some(declaration);
        self
    }

    /// Sets the service for requests that match no route.
    pub fn fallback_service<T: DeclaredService + RouteService<Error = Infallible>>(
        mut self,
        service: T,
    ) -> Self {
        self.fallback = Some(service.declaration());
        self.inner = self.inner.fallback_service(service);
        self
    }

    /// Sets the handler for requests with a method that a route of their path does not have.
    pub fn method_not_allowed_fallback<H, T, Declaration>(mut self, handler: H) -> Self
    where
        H: Handler<T, S> + Declared<T, Declaration>,
        T: Arguments<S>,
    {
        let declaration = handler.declaration();
        self.inner = self.inner.method_not_allowed_fallback(at_door(handler, &declaration));
        // The path does not lead to the handler, but a method that no route of a path has.
        #[cfg(feature = "testing")]
        let declaration = crate::plan::declaration::Declaration { is_asked: false, ..declaration };
        self.lines.push(Line::any("/*", declaration));
        self
    }

    /// Removes the fallback.
    pub fn reset_fallback(mut self) -> Self {
        self.fallback = None;
        self.inner = self.inner.reset_fallback();
        self
    }

    /// Provides the state of the handlers.
    pub fn with_state<S2>(self, state: S) -> Router<S2> {
        Router {
            inner: self.inner.with_state(state),
            values: self.values,
            lines: self.lines,
            fallback: self.fallback,
        }
    }

    /// Returns the router as a service of requests with the body `B`, which helps inference.
    pub fn as_service<B>(&mut self) -> RouterAsService<'_, B, S> {
        if self.values.is_some() {
            self.inner = extended(mem::take(&mut self.inner), self.values.take());
        }
        self.inner.as_service()
    }

    /// Converts the router into a service of requests with the body `B`, which helps inference.
    #[must_use]
    pub fn into_service<B>(self) -> RouterIntoService<B, S> {
        self.into_inner().into_service()
    }

    /// Returns axum's own router, for what takes no other.
    pub fn into_inner(self) -> Inner<S> {
        extended(self.inner, self.values)
    }
}

/// Puts a layer with the values around the routes that the router has by now.
fn extended<S: Clone + Send + Sync + 'static>(inner: Inner<S>, values: Values) -> Inner<S> {
    if values.is_none() {
        return inner;
    }
    inner.layer(layer_fn(move |inner| Extended { inner, values: values.clone() }))
}

impl<S> Router<S> {
    fn of(inner: Inner<S>, lines: Vec<Line>) -> Self {
        Self { inner, values: None, lines, fallback: None }
    }

    /// Returns the table of the routes: what each requires, or why it is public.
    #[must_use]
    pub fn routes(&self) -> Routes {
        Routes::of(self.all_lines().map(Listed::from))
    }

    /// Returns a line for each route, and one for the fallback.
    fn all_lines(&self) -> impl Iterator<Item = Line> {
        let fallback = self.fallback.map(|fallback| Line::any("/*", fallback));
        self.lines.iter().cloned().chain(fallback)
    }
}

impl Router {
    /// Converts into a service that creates services, as a server wants it.
    #[must_use]
    pub fn into_make_service(self) -> IntoMakeService<Extended<Inner>> {
        ServiceExt::<Request>::into_make_service(self.into_extended())
    }

    /// The same, with the address of each client for the extractor `ConnectInfo`.
    #[cfg(not(target_family = "wasm"))]
    #[must_use]
    pub fn into_make_service_with_connect_info<C>(
        self,
    ) -> axum::extract::connect_info::IntoMakeServiceWithConnectInfo<Extended<Inner>, C> {
        ServiceExt::<Request>::into_make_service_with_connect_info(self.into_extended())
    }

    fn into_extended(self) -> Extended<Inner> {
        Extended { inner: self.inner, values: self.values }
    }
}

/// A request is one of axum's, or what `axum::serve` hands to the service that it is given.
impl<R> Service<R> for Router
where
    Inner: Service<R, Response: Answer<R>, Error = Infallible>,
{
    type Response = <<Inner as Service<R>>::Response as Answer<R>>::Ours;
    type Error = Infallible;
    type Future = <<Inner as Service<R>>::Response as Answer<R>>::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: R) -> Self::Future {
        <Inner as Service<R>>::Response::answer(&mut self.inner, &self.values, request)
    }
}

impl<S> Default for Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    fn default() -> Self {
        Self::new()
    }
}

impl<S> Clone for Router<S> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            values: self.values.clone(),
            lines: self.lines.clone(),
            fallback: self.fallback,
        }
    }
}

impl<S> fmt::Debug for Router<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

/// A router whose routes are secured or public, or that is one of both as a whole.
#[diagnostic::on_unimplemented(
    message = "the routes of this router are neither secured nor public",
    label = "any caller could call them, and nothing says that they may",
    note = "build it as a `doorward::axum08::Router`, or write `layer!(…).layer(router)` if all of its routes require the same, or `public(\"the reason\", router)` if anyone may call them"
)]
pub trait DeclaredRouter<S> {
    /// Returns the router with the table of its routes.
    #[doc(hidden)]
    fn into_router(self) -> Router<S>;
}

#[diagnostic::do_not_recommend]
impl<S> DeclaredRouter<S> for Router<S> {
    fn into_router(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<S, R> DeclaredRouter<S> for Public<R>
where
    S: Clone + Send + Sync + 'static,
    R: Into<Inner<S>>,
{
    fn into_router(self) -> Router<S> {
        let reason = self.reason;
        let line = Line::any("*", Declaration::public::<R>(reason));
        let inner = self.inner.into();
        // Each request notes that it has met something public.
        #[cfg(feature = "testing")]
        let inner = inner.layer(layer_fn(move |inner| Public { inner, reason }));
        Router::of(inner, vec![line])
    }
}

#[diagnostic::do_not_recommend]
impl<S, R, D, State, Refusals> DeclaredRouter<S> for SecurityService<R, D, State, Refusals>
where
    S: Clone + Send + Sync + 'static,
    R: Into<Inner<S>>,
    D: Dependency,
    SecurityLayer<D, State, Refusals>: RouteLayer,
{
    fn into_router(self) -> Router<S> {
        let line = Line::any("*", of_layer(&self));
        Router::of(self.inner.into().layer(self.layer), vec![line])
    }
}
