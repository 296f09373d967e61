//! What a server asks of a router, which the router of axum inside it does.

/// Implements the functions that create services, and `Service`. A request is one of axum's, or
/// what `axum::serve` hands to the service that it is given. The bound says which: it would name a
/// type that axum has only with a server.
macro_rules! served {
    ($router:ident, [$($error:ident)?] $served:ty, $inner:ty) => {
        impl $router {
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

        impl<R, $($error)?> Service<R> for $served
        where
            $inner: Service<R>,
        {
            type Response = <$inner as Service<R>>::Response;
            type Error = <$inner as Service<R>>::Error;
            type Future = <$inner as Service<R>>::Future;

            fn poll_ready(
                &mut self,
                cx: &mut ::core::task::Context<'_>,
            ) -> ::core::task::Poll<Result<(), Self::Error>> {
                self.inner.poll_ready(cx)
            }

            fn call(&mut self, request: R) -> Self::Future {
                self.inner.call(request)
            }
        }
    };
}

pub(super) use served;
