//! The router of utoipa-axum, in the version that the module above names, for handlers that are
//! secured or public.

use core::convert::Infallible;
use core::fmt;

use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter as PlainMethodRouter, RouterAsService};

use super::plain::router::{
    OpenApiRouter as PlainOpenApiRouter, UtoipaMethodRouter as PlainUtoipaMethodRouter,
};
use super::utoipa::Modify;
use super::utoipa::openapi::path::{PathItem, Paths};
use super::utoipa::openapi::schema::Schema;
use super::utoipa::openapi::{OpenApi, RefOr};
use crate::adapters::axum08::Router;
use crate::adapters::axum08::at_door::{Arguments, Marked};
use crate::adapters::axum08::bounds::{RouteLayer, RouteService};
use crate::adapters::axum08::router::DeclaredRouter;
use crate::adapters::axum08::routing::MethodRouter;
use crate::adapters::http::declared_service::DeclaredService;
use crate::dependency::handler_parameters::Function;
use crate::openapi::SecurityAddon;
use crate::plan::declaration::Declared;

/// What `routes!` returns: the schemas and the operations of its handlers, and the handlers.
pub type UtoipaMethodRouter<S = (), E = Infallible> =
    (Vec<(String, RefOr<Schema>)>, Paths, MethodRouter<S, E>);

/// The methods of [`MethodRouter`] on what `routes!` returns.
pub trait UtoipaMethodRouterExt<S, E>
where
    S: Send + Sync + Clone + 'static,
{
    /// Puts a layer around the handlers. It does not declare them: each has its own declaration.
    fn layer<L, NewError>(self, layer: L) -> UtoipaMethodRouter<S, NewError>
    where
        L: RouteLayer<E, NewError>,
        E: 'static,
        NewError: 'static;

    /// Provides the state of the handlers.
    fn with_state<S2>(self, state: S) -> UtoipaMethodRouter<S2, E>;

    /// Calls any other method of the [`MethodRouter`].
    fn map<NewError>(
        self,
        op: impl FnOnce(MethodRouter<S, E>) -> MethodRouter<S, NewError>,
    ) -> UtoipaMethodRouter<S, NewError>;
}

impl<S, E> UtoipaMethodRouterExt<S, E> for UtoipaMethodRouter<S, E>
where
    S: Send + Sync + Clone + 'static,
{
    fn layer<L, NewError>(self, layer: L) -> UtoipaMethodRouter<S, NewError>
    where
        L: RouteLayer<E, NewError>,
        E: 'static,
        NewError: 'static,
    {
        self.map(|handlers| handlers.layer(layer))
    }

    fn with_state<S2>(self, state: S) -> UtoipaMethodRouter<S2, E> {
        let (schemas, paths, handlers) = self;
        (schemas, paths, handlers.with_state(state))
    }

    fn map<NewError>(
        self,
        op: impl FnOnce(MethodRouter<S, E>) -> MethodRouter<S, NewError>,
    ) -> UtoipaMethodRouter<S, NewError> {
        let (schemas, paths, handlers) = self;
        (schemas, paths, op(handlers))
    }
}

/// utoipa-axum's `OpenApiRouter`, whose handlers are all secured or public. Its methods have the
/// names and the shapes of utoipa-axum's, but what they return is the [`Router`] of this crate.
///
/// The document that leaves the router is complete: it has the security of each handler, and the
/// reasons of the public ones. This is done as by [`SecurityAddon`], so
/// [`split_for_parts`](Self::split_for_parts), [`into_openapi`](Self::into_openapi) and
/// [`to_openapi`](Self::to_openapi) panic where it panics, such as for two schemes with one name
/// and different content. For an error instead, call
/// [`secure(router.get_openapi_mut())`](crate::openapi::secure) before. utoipa's types sort the
/// scopes of a scheme; `Document::try_from(router.get_openapi().clone())?` keeps their order.
///
/// The table of the routes is that of the router which comes out:
/// `router.split_for_parts().0.routes()`.
#[must_use]
#[derive(Clone)]
pub struct OpenApiRouter<S = ()>(Router<S>, OpenApi);

impl<S> OpenApiRouter<S>
where
    S: Send + Sync + Clone + 'static,
{
    /// Creates a router without routes, whose document has the title and version that utoipa-axum
    /// gives it.
    pub fn new() -> Self {
        Self::with_openapi(PlainOpenApiRouter::<()>::new().into_openapi())
    }

    /// Creates a router without routes, to whose document the operations are added.
    pub fn with_openapi(openapi: OpenApi) -> Self {
        Self(Router::new(), openapi)
    }

    /// Returns the router as a service of requests with the body `B`, which helps inference.
    pub fn as_service<B>(&mut self) -> RouterAsService<'_, B, S> {
        self.0.as_service()
    }

    /// Sets the handler for requests that match no route.
    #[track_caller]
    pub fn fallback<H, T, Declaration>(self, handler: H) -> Self
    where
        H: Handler<T, S> + Declared<T, Declaration>,
        T: Arguments<S>,
    {
        Self(self.0.fallback(handler), self.1)
    }

    /// Sets the service for requests that match no route.
    pub fn fallback_service<T: DeclaredService + RouteService<Error = Infallible>>(
        self,
        service: T,
    ) -> Self {
        Self(self.0.fallback_service(service), self.1)
    }

    /// Puts a value into the extensions of each request, as [`Router::extension`] does.
    pub fn extension<T: Clone + Send + Sync + 'static>(self, value: T) -> Self {
        Self(self.0.extension(value), self.1)
    }

    /// Puts a layer around the routes. It does not declare them: each has its own declaration.
    pub fn layer<L: RouteLayer>(self, layer: L) -> Self {
        Self(self.0.layer(layer), self.1)
    }

    /// Adds the handlers of `routes!`, each at its path and with its operation. As in utoipa-axum,
    /// handlers of different paths in one `routes!` answer at all of these paths, and the table
    /// lists them so.
    #[track_caller]
    pub fn routes(self, (schemas, paths, handlers): UtoipaMethodRouter<S>) -> Self {
        let Self(mut router, openapi) = self;
        for path in paths.paths.keys() {
            let path = if path.is_empty() { "/" } else { path };
            router = router.route(path, handlers.clone());
        }
        let described = (schemas, paths, PlainMethodRouter::new());
        let document = document_alone(openapi).routes(described);
        Self(router, document.into_openapi())
    }

    /// Adds a route that the document does not have.
    #[track_caller]
    pub fn route(self, path: &str, method_router: MethodRouter<S>) -> Self {
        Self(self.0.route(path, method_router), self.1)
    }

    /// Puts a layer around the routes, but not around the fallback.
    #[track_caller]
    pub fn route_layer<L: RouteLayer>(self, layer: L) -> Self {
        Self(self.0.route_layer(layer), self.1)
    }

    /// Adds a route to a service that is public, or behind a layer. The document does not have it.
    #[track_caller]
    pub fn route_service<T: DeclaredService + RouteService<Error = Infallible>>(
        self,
        path: &str,
        service: T,
    ) -> Self {
        Self(self.0.route_service(path, service), self.1)
    }

    /// Adds the routes of another router, and its document, below a prefix.
    #[track_caller]
    pub fn nest(self, path: &str, router: Self) -> Self {
        let nested = self.0.nest(path, router.0);
        let document = document_alone(self.1).nest(path, document_alone(router.1));
        Self(nested, document.into_openapi())
    }

    /// Adds everything below a prefix, to a service that is public, or behind a layer. The document
    /// does not have it.
    #[track_caller]
    pub fn nest_service<T: DeclaredService + RouteService<Error = Infallible>>(
        self,
        path: &str,
        service: T,
    ) -> Self {
        Self(self.0.nest_service(path, service), self.1)
    }

    /// Adds the routes of another router, and its document.
    #[track_caller]
    pub fn merge(self, router: Self) -> Self {
        let merged = self.0.merge(router.0);
        let document = document_alone(self.1).merge(document_alone(router.1));
        Self(merged, document.into_openapi())
    }

    /// Provides the state of the handlers.
    pub fn with_state<S2>(self, state: S) -> OpenApiRouter<S2> {
        OpenApiRouter(self.0.with_state(state), self.1)
    }

    /// Returns the complete document.
    ///
    /// # Panics
    ///
    /// Panics where [`SecurityAddon`] does.
    #[must_use]
    pub fn into_openapi(self) -> OpenApi {
        self.split_for_parts().1
    }

    /// Takes the complete document, and leaves an empty one.
    ///
    /// # Panics
    ///
    /// Panics where [`SecurityAddon`] does.
    pub fn to_openapi(&mut self) -> OpenApi {
        complete(core::mem::take(&mut self.1))
    }

    /// Returns the document as it has been gathered so far, before the security of the handlers is
    /// moved into place.
    #[must_use]
    pub fn get_openapi(&self) -> &OpenApi {
        &self.1
    }

    /// The same, to change it.
    pub fn get_openapi_mut(&mut self) -> &mut OpenApi {
        &mut self.1
    }

    /// Returns the router, which lists its routes, and the complete document.
    ///
    /// # Panics
    ///
    /// Panics where [`SecurityAddon`] does.
    pub fn split_for_parts(self) -> (Router<S>, OpenApi) {
        (self.0, complete(self.1))
    }
}

/// Returns utoipa-axum's router with a document and no routes, to change the document as
/// utoipa-axum does.
fn document_alone(openapi: OpenApi) -> PlainOpenApiRouter {
    PlainOpenApiRouter::with_openapi(openapi)
}

/// Returns a document with the security of its handlers.
fn complete(mut openapi: OpenApi) -> OpenApi {
    SecurityAddon.modify(&mut openapi);
    openapi
}

/// Adds a handler to those of a `routes!`. utoipa-axum has routed it, and has thereby asked whether
/// it is a [`Handler`]: asked once more, it would be a second error.
#[track_caller]
pub fn with_handler<S, H, T, M, Declaration>(
    routes: UtoipaMethodRouter<S>,
    routed: PlainUtoipaMethodRouter<S>,
    handler: H,
) -> UtoipaMethodRouter<S>
where
    H: Function<T> + Declared<T, Declaration>,
    T: Arguments<S, Marked<M>>,
    S: Clone + Send + Sync + 'static,
{
    let (mut schemas, mut paths, handlers) = routes;
    let (its_schemas, its_paths, router) = routed;
    let methods = its_paths.paths.values().flat_map(methods);
    let routed = methods.reduce(MethodFilter::or).map(|methods| {
        // Each method of the router has this handler.
        MethodRouter::of::<T, M>(methods, handler.declaration(), router)
    });
    schemas.extend(its_schemas);
    paths.merge(its_paths);
    (schemas, paths, handlers.merge(routed.unwrap_or_default()))
}

/// Returns the routes before the first handler of a `routes!`.
pub fn without_handlers<S: Clone>() -> UtoipaMethodRouter<S> {
    (Vec::new(), Paths::new(), MethodRouter::new())
}

/// Returns the methods of an item, of which utoipa-axum knows these.
fn methods(item: &PathItem) -> impl Iterator<Item = MethodFilter> {
    let operations = [
        (MethodFilter::DELETE, &item.delete),
        (MethodFilter::GET, &item.get),
        (MethodFilter::HEAD, &item.head),
        (MethodFilter::OPTIONS, &item.options),
        (MethodFilter::PATCH, &item.patch),
        (MethodFilter::POST, &item.post),
        (MethodFilter::PUT, &item.put),
        (MethodFilter::TRACE, &item.trace),
    ];
    let present = operations.into_iter().filter(|(_, found)| found.is_some());
    present.map(|(method, _)| method)
}

impl<S> Default for OpenApiRouter<S>
where
    S: Send + Sync + Clone + 'static,
{
    /// Creates a router without routes, whose document is empty.
    fn default() -> Self {
        Self::from(Router::new())
    }
}

/// The router with an empty document.
impl<S> From<Router<S>> for OpenApiRouter<S> {
    fn from(router: Router<S>) -> Self {
        Self(router, OpenApi::default())
    }
}

/// The router without its document.
impl<S> From<OpenApiRouter<S>> for Router<S> {
    fn from(router: OpenApiRouter<S>) -> Self {
        router.0
    }
}

#[diagnostic::do_not_recommend]
impl<S> DeclaredRouter<S> for OpenApiRouter<S> {
    fn into_router(self) -> Router<S> {
        self.0
    }
}

impl<S> fmt::Debug for OpenApiRouter<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // utoipa's types have no `Debug` without a feature.
        f.debug_tuple("OpenApiRouter").field(&self.0).finish_non_exhaustive()
    }
}
