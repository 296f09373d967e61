use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use axum::routing::Route;
use doorward::axum08::Router;
use doorward::axum08::routing::{MethodRouter, get, get_service};
use doorward::public;
use doorward::utoipa_axum03::OpenApiRouter;
use tower_layer::Layer;
use tower_service::Service;

/// A service that answers with `A`, or fails with `E`.
struct Answers<A, E>(fn() -> Result<A, E>);

/// A layer that puts it in the place of a route.
struct Answering<A, E>(fn() -> Result<A, E>);

impl<A, E> Service<Request> for Answers<A, E> {
    type Response = A;
    type Error = E;
    type Future = Ready<Result<A, E>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), E>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request) -> Self::Future {
        ready((self.0)())
    }
}

impl<A, E> Layer<Route> for Answering<A, E> {
    type Service = Answers<A, E>;

    fn layer(&self, _: Route) -> Self::Service {
        Answers(self.0)
    }
}

impl<A, E> Clone for Answers<A, E> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<A, E> Clone for Answering<A, E> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

/// A layer whose service takes no requests.
#[derive(Clone)]
struct Unserved;

impl Layer<Route> for Unserved {
    type Service = ();

    fn layer(&self, _: Route) {}
}

/// An answer that is no response.
#[derive(Clone)]
struct Page;

struct Broken;

#[public(reason = "everyone may read")]
async fn read() {}

fn layer_that_fails(layer: Answering<Response, Broken>) {
    let _app: Router = Router::new().layer(layer);
}

fn layer_without_a_response(layer: Answering<Page, Infallible>) {
    let _app: Router = Router::new().layer(layer);
}

fn no_layer() {
    let _app: Router = Router::new().layer(Page);
}

fn layer_without_a_service() {
    let _app: Router = Router::new().layer(Unserved);
}

fn layer_around_routes_that_fails(layer: Answering<Response, Broken>) {
    let _app: Router = Router::new().route_layer(layer);
}

fn layer_of_a_method_without_a_response(layer: Answering<Page, Infallible>) {
    let _route: MethodRouter = get(read).layer(layer);
}

fn layer_of_a_described_router_that_fails(layer: Answering<Response, Broken>) {
    let _app = OpenApiRouter::<()>::new().layer(layer);
}

fn service_that_fails(service: Answers<Response, Broken>) {
    let _app: Router = Router::new().route_service("/", public("everyone may read", service));
}

fn service_without_a_response(service: Answers<Page, Infallible>) {
    let _app: Router = Router::new().fallback_service(public("everyone may read", service));
}

fn no_service() {
    let _app: Router = Router::new().fallback_service(public("everyone may read", Page));
}

fn service_of_a_method_without_a_response(service: Answers<Page, Infallible>) {
    let _route: MethodRouter = get_service(public("everyone may read", service));
}

fn service_of_a_method_with_another_error(service: Answers<Response, Broken>) {
    let _route: MethodRouter = get(read).post_service(public("everyone may read", service));
}

fn main() {}
