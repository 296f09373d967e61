//! axum's bounds on a layer and on a service, under a name each. rustc reports the bound that one
//! lacks, as it does for axum.

use core::convert::Infallible;

use axum::extract::Request;
use axum::response::IntoResponse;
use axum::routing::Route;
use tower_layer::Layer;
use tower_service::Service;

macro_rules! alias {
    ($(#[$doc:meta])* $name:ident $(<$($parameter:ident),*>)?: $($bound:tt)+) => {
        $(#[$doc])*
        pub trait $name$(<$($parameter = Infallible),*>)?: $($bound)+ {}

        impl<$($($parameter,)*)? T: $($bound)+> $name$(<$($parameter),*>)? for T {}
    };
}

alias! {
    /// A service that answers requests.
    RouteService: Service<Request, Response: IntoResponse, Future: Send + 'static> + Clone + Send + Sync + 'static
}

alias! {
    #[diagnostic::on_unimplemented(
        message = "the trait bound `{Self}: Layer<Route>` is not satisfied"
    )]
    /// A layer around routes with the error `E`, which have the error `NewError` below it.
    RouteLayer<E, NewError>: Layer<
        Route<E>,
        Service: Service<Request, Response: IntoResponse + 'static, Error: Into<NewError> + 'static, Future: Send + 'static>
            + Clone + Send + Sync + 'static,
    > + Clone + Send + Sync + 'static
}
