//! The impls of `#[dependency(extract)]`: the framework's trait of extractors, for the type of a
//! dependency's value.
//!
//! Each bound has a lifetime, even where one without would say the same. rustc reports such a bound
//! only where the impl is used, so a dependency may be for one of the frameworks of a build alone.

/// Makes the type of a dependency's value an extractor of each framework in the build.
#[doc(hidden)]
#[macro_export]
macro_rules! __extract {
    ($dependency:ty, $output:ty) => {
        $crate::__axum08! {
            #[automatically_derived]
            impl<__State> $crate::__rt::extracted::axum08::FromRequestParts<__State> for $output
            where
                __State: ::core::marker::Sync,
                $crate::__rt::Extracted<$dependency>: for<'__a, '__r> $crate::__rt::SecuredParameter<
                    '__r,
                    $crate::axum08::Axum<'__a, __State>,
                    $output,
                >,
            {
                type Rejection = $crate::__rt::extracted::axum08::Response;

                fn from_request_parts(
                    parts: &mut $crate::__rt::extracted::axum08::Parts,
                    state: &__State,
                ) -> impl ::core::future::Future<
                    Output = ::core::result::Result<Self, Self::Rejection>,
                > + ::core::marker::Send {
                    $crate::__rt::extracted::axum08::extract::<$dependency, __State>(parts, state)
                }
            }

            #[automatically_derived]
            impl<__State> $crate::__rt::extracted::axum08::OptionalFromRequestParts<__State> for $output
            where
                __State: ::core::marker::Sync,
                $crate::__rt::Extracted<$dependency>: for<'__a, '__r> $crate::__rt::SecuredParameter<
                    '__r,
                    $crate::axum08::Axum<'__a, __State>,
                    $output,
                >,
            {
                type Rejection = $crate::__rt::extracted::axum08::Response;

                fn from_request_parts(
                    parts: &mut $crate::__rt::extracted::axum08::Parts,
                    state: &__State,
                ) -> impl ::core::future::Future<
                    Output = ::core::result::Result<
                        ::core::option::Option<Self>,
                        Self::Rejection,
                    >,
                > + ::core::marker::Send {
                    $crate::__rt::extracted::axum08::extract_optional::<$dependency, __State>(
                        parts, state,
                    )
                }
            }
        }

        $crate::__actix_web4! {
            $crate::__extract_on_its_thread!($dependency, $output);
        }

        $crate::__poem3! {
            #[automatically_derived]
            impl<'__q> $crate::__rt::extracted::poem3::FromRequest<'__q> for $output
            where
                $crate::__rt::Extracted<$dependency>: for<'__r> $crate::__rt::SecuredParameter<
                    '__r,
                    $crate::poem3::Poem<'__r>,
                    $output,
                >,
                $output: for<'__r> $crate::__rt::Movable<'__r>,
            {
                fn from_request(
                    request: &'__q $crate::__rt::extracted::poem3::Request,
                    body: &mut $crate::__rt::extracted::poem3::RequestBody,
                ) -> impl ::core::future::Future<
                    Output = ::core::result::Result<Self, $crate::__rt::extracted::poem3::Error>,
                > + ::core::marker::Send {
                    $crate::__rt::extracted::poem3::extract::<$dependency>(request, body)
                }
            }
        }

        $crate::__rocket05! {
            #[automatically_derived]
            impl<'__q> $crate::__rt::extracted::rocket05::FromRequest<'__q> for $output
            where
                $crate::__rt::Extracted<$dependency>: for<'__r, '__x> $crate::__rt::SecuredParameter<
                    '__r,
                    $crate::rocket05::RocketRequest<'__r, '__x>,
                    $output,
                >,
                $output: for<'__r> $crate::__rt::Movable<'__r>,
            {
                type Error = $crate::rocket05::Refused;

                fn from_request<'__x, '__f>(
                    request: &'__q $crate::__rt::extracted::rocket05::Request<'__x>,
                ) -> $crate::__rt::extracted::rocket05::ExtractFuture<'__f, Self>
                where
                    '__q: '__f,
                    '__x: '__f,
                    Self: '__f,
                {
                    $crate::__rt::extracted::rocket05::extract::<$dependency>(request)
                }
            }

            #[automatically_derived]
            impl $crate::__rt::extracted::rocket05::Sentinel for $output {
                fn abort(
                    rocket: &$crate::__rt::extracted::rocket05::Rocket<
                        $crate::__rt::extracted::rocket05::Ignite,
                    >,
                ) -> ::core::primitive::bool {
                    $crate::__rt::extracted::rocket05::abort::<$dependency>(rocket)
                }
            }
        }

        $crate::__salvo1! {
            #[automatically_derived]
            impl<'__q> $crate::__rt::extracted::salvo1::Extractible<'__q> for $output
            where
                $crate::__rt::Extracted<$dependency>: for<'__a, '__r> $crate::__rt::SecuredParameter<
                    '__r,
                    $crate::salvo1::Salvo<'__a>,
                    $output,
                >,
                $output: for<'__r> $crate::__rt::Movable<'__r>,
            {
                fn metadata() -> &'static $crate::__rt::extracted::salvo1::Metadata {
                    $crate::__rt::extracted::salvo1::metadata::<$dependency>()
                }

                fn extract(
                    request: &'__q mut $crate::__rt::extracted::salvo1::Request,
                    depot: &'__q mut $crate::__rt::extracted::salvo1::Depot,
                ) -> impl ::core::future::Future<
                    Output = ::core::result::Result<
                        Self,
                        impl $crate::__rt::extracted::salvo1::Writer
                            + ::core::marker::Send
                            + ::core::fmt::Debug
                            + 'static,
                    >,
                > + ::core::marker::Send {
                    $crate::__rt::extracted::salvo1::extract::<$dependency>(request, depot)
                }
            }
        }
    };
}

/// Makes the type of a `local` dependency's value an extractor of actix-web, whose futures stay on
/// their thread. A library may be built without the framework that its dependencies are for, so a
/// build without any is right.
#[cfg(not(all(
    not(feature = "actix-web4"),
    any(feature = "axum08", feature = "poem3", feature = "rocket05", feature = "salvo1")
)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __extract_local {
    ($dependency:ty, $output:ty) => {
        $crate::__actix_web4! {
            $crate::__extract_on_its_thread!($dependency, $output);
        }
    };
}

/// Reports a `local` dependency whose value no framework of the build can extract.
#[cfg(all(
    not(feature = "actix-web4"),
    any(feature = "axum08", feature = "poem3", feature = "rocket05", feature = "salvo1")
))]
#[doc(hidden)]
#[macro_export]
macro_rules! __extract_local {
    ($dependency:ty, $output:ty) => {
        ::core::compile_error!(
            "only actix-web extracts the value of a `local` dependency, and its feature `actix-web4` of tollgate is not enabled; remove `local`, or enable it"
        );
    };
}

/// The impl for actix-web.
#[doc(hidden)]
#[macro_export]
macro_rules! __extract_on_its_thread {
    ($dependency:ty, $output:ty) => {
        #[automatically_derived]
        impl $crate::__rt::extracted::actix_web4::FromRequest for $output
        where
            $crate::__rt::Extracted<$dependency>: for<'__r> $crate::__rt::LocalSecuredParameter<
                    '__r,
                    $crate::actix_web4::ActixWeb,
                    $output,
                >,
        {
            type Error = $crate::__rt::extracted::actix_web4::Error;
            type Future = $crate::__rt::extracted::actix_web4::ExtractFuture<Self>;

            fn from_request(
                request: &$crate::__rt::extracted::actix_web4::HttpRequest,
                payload: &mut $crate::__rt::extracted::actix_web4::Payload,
            ) -> Self::Future {
                $crate::__rt::extracted::actix_web4::extract::<$dependency>(request, payload)
            }
        }
    };
}

/// Makes a parameter of a dependency's value declare its handler, if no request passes the
/// dependency without a credential. A value that everyone gets declares nothing.
#[cfg(any(feature = "actix-web4", feature = "axum08"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __declares {
    ($dependency:ty, $output:ty) => {
        impl $crate::bounds::Declares for $output
        where
            $crate::__rt::Needed<{ <$dependency as $crate::Dependency>::NODE.needs_credential() }>:
                for<'__a> $crate::__rt::IsNeeded<'__a>,
        {
            type Plan = $crate::__rt::Extracted<$dependency>;
        }
    };
}

/// Expands to nothing without a door for such handlers.
#[cfg(not(any(feature = "actix-web4", feature = "axum08")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __declares {
    ($dependency:ty, $output:ty) => {};
}
