//! axum's functions for the methods of a route, of the same names. They take a handler that is
//! secured or public, and no other.
//!
//! `MethodFilter` and the rest are axum's own.

use core::convert::Infallible;
use core::fmt;
use core::task::{Context, Poll};

use axum::error_handling::HandleError;
use axum::extract::Request;
use axum::handler::Handler;
use axum::response::IntoResponse;
use axum::routing::{self, MethodRouter as Inner};
pub use axum::routing::{IntoMakeService, MethodFilter, Route, future};
use tower_service::Service;

#[cfg(all(feature = "testing", any(feature = "utoipa-axum02", feature = "utoipa-axum03")))]
use super::at_door::AtDoor;
#[cfg(any(feature = "utoipa-axum02", feature = "utoipa-axum03"))]
use super::at_door::Marked;
use super::at_door::{Arguments, at_door};
use super::bounds::{RouteLayer, RouteService};
use super::declared_service::DeclaredService;
pub use super::served::Extended;
use crate::plan::declaration::{Declaration, Declared};
use crate::routes::ANY;
use crate::routes::kept::Line;

/// The handlers of a route, one for each method: axum's
/// [`MethodRouter`](axum::routing::MethodRouter), with what each handler declares.
#[must_use]
pub struct MethodRouter<S = (), E = Infallible> {
    pub(super) inner: Inner<S, E>,
    lines: Vec<(&'static str, Declaration)>,
    /// The declaration of the fallback, which answers all other methods.
    fallback: Option<Declaration>,
}

/// The methods of a [`MethodFilter`], which are printed in the table.
const METHODS: [(MethodFilter, &str); 9] = [
    (MethodFilter::CONNECT, "CONNECT"),
    (MethodFilter::DELETE, "DELETE"),
    (MethodFilter::GET, "GET"),
    (MethodFilter::HEAD, "HEAD"),
    (MethodFilter::OPTIONS, "OPTIONS"),
    (MethodFilter::PATCH, "PATCH"),
    (MethodFilter::POST, "POST"),
    (MethodFilter::PUT, "PUT"),
    (MethodFilter::TRACE, "TRACE"),
];

/// Declares the functions and methods for each method of HTTP.
macro_rules! methods {
    ($($name:ident $service:ident $method:ident;)*) => {
        $(
            #[doc = concat!("Routes `", stringify!($method), "` requests to a handler that is secured or public.")]
            pub fn $name<H, T, S, Declaration>(handler: H) -> MethodRouter<S>
            where
                H: Handler<T, S> + Declared<T, Declaration>,
                T: Arguments<S>,
                S: Clone + Send + Sync + 'static,
            {
                on(MethodFilter::$method, handler)
            }

            #[doc = concat!("Routes `", stringify!($method), "` requests to a service that is public, or behind a layer.")]
            pub fn $service<T, S>(service: T) -> MethodRouter<S, T::Error>
            where
                T: DeclaredService + RouteService,
                S: Clone,
            {
                on_service(MethodFilter::$method, service)
            }
        )*

        impl<S: Clone> MethodRouter<S> {
            $(
                #[doc = concat!("Adds a handler for `", stringify!($method), "` requests.")]
                #[track_caller]
                pub fn $name<H, T, Declaration>(self, handler: H) -> Self
                where
                    H: Handler<T, S> + Declared<T, Declaration>,
                    T: Arguments<S>,
                    S: Send + Sync + 'static,
                {
                    self.on(MethodFilter::$method, handler)
                }
            )*
        }

        impl<S: Clone, E> MethodRouter<S, E> {
            $(
                #[doc = concat!("Adds a service for `", stringify!($method), "` requests.")]
                #[track_caller]
                pub fn $service<T>(self, service: T) -> Self
                where
                    T: DeclaredService + RouteService<Error = E>,
                {
                    self.on_service(MethodFilter::$method, service)
                }
            )*
        }
    };
}

methods! {
    connect connect_service CONNECT;
    delete delete_service DELETE;
    get get_service GET;
    head head_service HEAD;
    options options_service OPTIONS;
    patch patch_service PATCH;
    post post_service POST;
    put put_service PUT;
    trace trace_service TRACE;
}

/// Routes requests with the methods of a filter to a handler that is secured or public.
pub fn on<H, T, S, Declaration>(filter: MethodFilter, handler: H) -> MethodRouter<S>
where
    H: Handler<T, S> + Declared<T, Declaration>,
    T: Arguments<S>,
    S: Clone + Send + Sync + 'static,
{
    MethodRouter::new().on(filter, handler)
}

/// Routes all requests to a handler that is secured or public.
pub fn any<H, T, S, Declaration>(handler: H) -> MethodRouter<S>
where
    H: Handler<T, S> + Declared<T, Declaration>,
    T: Arguments<S>,
    S: Clone + Send + Sync + 'static,
{
    let declaration = handler.declaration();
    let inner = routing::any(at_door(handler, &declaration));
    MethodRouter { inner, lines: Vec::new(), fallback: Some(declaration) }
}

/// Routes requests with the methods of a filter to a service that is public, or behind a layer.
pub fn on_service<T, S>(filter: MethodFilter, service: T) -> MethodRouter<S, T::Error>
where
    T: DeclaredService + RouteService,
    S: Clone,
{
    MethodRouter::new().on_service(filter, service)
}

/// Routes all requests to a service that is public, or behind a layer.
pub fn any_service<T, S>(service: T) -> MethodRouter<S, T::Error>
where
    T: DeclaredService + RouteService,
    S: Clone,
{
    let fallback = Some(service.declaration());
    MethodRouter { inner: routing::any_service(service), lines: Vec::new(), fallback }
}

impl<S: Clone> MethodRouter<S> {
    /// Adds a handler for the methods of a filter.
    #[track_caller]
    pub fn on<H, T, Declaration>(mut self, filter: MethodFilter, handler: H) -> Self
    where
        H: Handler<T, S> + Declared<T, Declaration>,
        T: Arguments<S>,
        S: Send + Sync + 'static,
    {
        let declaration = handler.declaration();
        self.add(filter, declaration);
        self.inner = self.inner.on(filter, at_door(handler, &declaration));
        self
    }

    /// Sets the handler for the methods that have none.
    pub fn fallback<H, T, Declaration>(mut self, handler: H) -> Self
    where
        H: Handler<T, S> + Declared<T, Declaration>,
        T: Arguments<S>,
        S: Send + Sync + 'static,
    {
        let declaration = handler.declaration();
        self.inner = self.inner.fallback(at_door(handler, &declaration));
        self.fallback = Some(declaration);
        self
    }
}

#[cfg(any(feature = "utoipa-axum02", feature = "utoipa-axum03"))]
impl<S: Clone + Send + Sync + 'static> MethodRouter<S> {
    /// Takes a router that has the methods of a filter, all with one handler, of these arguments.
    pub(crate) fn of<T: Arguments<S, Marked<M>>, M>(
        filter: MethodFilter,
        declaration: Declaration,
        inner: Inner<S>,
    ) -> Self {
        #[cfg(feature = "testing")]
        let inner = Inner::new().on(filter, AtDoor::new(inner, T::stand_in(), &declaration));
        let mut router = Self { inner, lines: Vec::new(), fallback: None };
        router.add(filter, declaration);
        router
    }
}

impl<S: Clone, E> MethodRouter<S, E> {
    /// Creates a router that answers every method with `405 Method Not Allowed`.
    pub fn new() -> Self {
        Self { inner: Inner::new(), lines: Vec::new(), fallback: None }
    }

    /// Adds a service for the methods of a filter.
    #[track_caller]
    pub fn on_service<T: DeclaredService + RouteService<Error = E>>(
        mut self,
        filter: MethodFilter,
        service: T,
    ) -> Self {
        self.add(filter, service.declaration());
        self.inner = self.inner.on_service(filter, service);
        self
    }

    /// Sets the service for the methods that have none.
    pub fn fallback_service<T: DeclaredService + RouteService<Error = E>>(
        mut self,
        service: T,
    ) -> Self {
        self.fallback = Some(service.declaration());
        self.inner = self.inner.fallback_service(service);
        self
    }

    /// Adds the handlers of another route.
    #[track_caller]
    pub fn merge(mut self, other: Self) -> Self {
        self.inner = self.inner.merge(other.inner);
        self.lines.extend(other.lines);
        self.fallback = self.fallback.or(other.fallback);
        self
    }

    /// Puts a layer around the handlers. It does not declare them: each has its own declaration.
    pub fn layer<L, NewError>(self, layer: L) -> MethodRouter<S, NewError>
    where
        L: RouteLayer<E, NewError>,
        E: 'static,
        S: 'static,
        NewError: 'static,
    {
        self.map(|inner| inner.layer(layer))
    }

    /// Puts a layer around the handlers, but not around the fallback.
    #[track_caller]
    pub fn route_layer<L>(mut self, layer: L) -> Self
    where
        L: RouteLayer<E, E, Service: Service<Request, Error = E>>,
        E: 'static,
        S: 'static,
    {
        self.inner = self.inner.route_layer(layer);
        self
    }

    /// Turns the errors of services into responses.
    pub fn handle_error<F, T>(self, handle: F) -> MethodRouter<S>
    where
        F: Clone + Send + Sync + 'static,
        HandleError<Route<E>, F, T>: Service<Request, Error = Infallible>,
        <HandleError<Route<E>, F, T> as Service<Request>>::Future: Send,
        <HandleError<Route<E>, F, T> as Service<Request>>::Response: IntoResponse + Send,
        T: 'static,
        E: 'static,
        S: 'static,
    {
        self.map(|inner| inner.handle_error(handle))
    }

    /// Provides the state of the handlers.
    pub fn with_state<S2>(self, state: S) -> MethodRouter<S2, E> {
        self.map(|inner| inner.with_state(state))
    }

    fn map<S2, E2>(
        self,
        change: impl FnOnce(Inner<S, E>) -> Inner<S2, E2>,
    ) -> MethodRouter<S2, E2> {
        MethodRouter { inner: change(self.inner), lines: self.lines, fallback: self.fallback }
    }

    fn add(&mut self, filter: MethodFilter, declaration: Declaration) {
        let methods = METHODS.into_iter();
        let methods = methods.filter(|(method, _)| filter.or(*method) == filter);
        self.lines.extend(methods.map(|(_, name)| (name, declaration)));
    }

    /// Returns a line of the table for each handler.
    pub(super) fn lines(&self, path: &str) -> impl Iterator<Item = Line> {
        let fallback = self.fallback.map(|fallback| (ANY, fallback));
        let lines = self.lines.iter().copied().chain(fallback);
        lines.map(move |(method, declaration)| Line::new(method, path, declaration))
    }

    /// Returns axum's own, for a plain router.
    pub fn into_inner(self) -> Inner<S, E> {
        self.inner
    }
}

impl MethodRouter {
    /// Converts into a service that creates services, as a server wants it.
    #[must_use]
    pub fn into_make_service(self) -> IntoMakeService<Inner> {
        self.inner.into_make_service()
    }

    /// The same, with the address of each client for the extractor `ConnectInfo`.
    #[cfg(not(target_family = "wasm"))]
    #[must_use]
    pub fn into_make_service_with_connect_info<C>(
        self,
    ) -> axum::extract::connect_info::IntoMakeServiceWithConnectInfo<Inner, C> {
        self.inner.into_make_service_with_connect_info()
    }
}

/// A request is one of axum's, or what `axum::serve` hands to the service that it is given. The bound
/// says which: it would name a type that axum has only with a server.
impl<R, E> Service<R> for MethodRouter<(), E>
where
    Inner<(), E>: Service<R>,
{
    type Response = <Inner<(), E> as Service<R>>::Response;
    type Error = <Inner<(), E> as Service<R>>::Error;
    type Future = <Inner<(), E> as Service<R>>::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: R) -> Self::Future {
        self.inner.call(request)
    }
}

impl<S: Clone, E> Default for MethodRouter<S, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S, E> Clone for MethodRouter<S, E> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone(), lines: self.lines.clone(), fallback: self.fallback }
    }
}

impl<S, E> fmt::Debug for MethodRouter<S, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}
