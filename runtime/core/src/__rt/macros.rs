//! Macros that expand fully only with some features, so `doorward-macros` does not need to know the
//! features.

/// Returns from a dependency with the value that a test puts in its place.
#[doc(hidden)]
#[macro_export]
macro_rules! __overridden {
    ($cx:ident, $at:ident) => {
        $crate::__testing! {
            if let ::core::option::Option::Some(value) =
                $crate::__rt::replaced_value::<Self, _, _>($cx)
            {
                return ::core::result::Result::Ok(value);
            }
            if let ::core::option::Option::Some(future) =
                $crate::__rt::replaced_future::<Self, _, _>($cx, $at)
            {
                return match future.await {
                    ::core::result::Result::Ok(value) => ::core::result::Result::Ok(value),
                    ::core::result::Result::Err(rejection) => ::core::result::Result::Err(
                        $crate::__rt::refuse::<Self, _>($cx, $at, rejection),
                    ),
                };
            }
        }
    };
}

/// Defines macros that emit code if a condition on the features holds, and expand to nothing
/// otherwise. `$dollar` is the sign before the variables of the macros that are defined.
macro_rules! with_features {
    ($dollar:tt $($(#[$docs:meta])* $name:ident: $condition:meta;)*) => {$(
        $(#[$docs])*
        #[cfg($condition)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            ($dollar($dollar tokens:tt)*) => { $dollar($dollar tokens)* };
        }

        $(#[$docs])*
        #[cfg(not($condition))]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            ($dollar($dollar tokens:tt)*) => {};
        }
    )*};
}

with_features! { $
    /// Emits code for contexts whose futures stay on their thread.
    __local: feature = "local";
    /// Emits code for a test that replaces dependencies.
    __testing: feature = "testing";
    /// Emits code for the API description.
    __openapi: feature = "openapi";
    /// Emits code for a handler that asks its requirement again.
    __live: feature = "live";
    /// Emits code for axum 0.8.
    __axum08: feature = "axum08";
    /// Emits code for actix-web 4.
    __actix_web4: feature = "actix-web4";
    /// Emits code for poem 3.
    __poem3: feature = "poem3";
    /// Emits code for rocket 0.5.
    __rocket05: feature = "rocket05";
    /// Emits code for salvo 1.
    __salvo1: feature = "salvo1";
    /// Emits code for utoipa 5.
    __utoipa5: feature = "utoipa5";
    /// Emits code for utoipa 6.
    __utoipa6: feature = "utoipa6";
    /// Emits code for any version of utoipa.
    __utoipa: any(feature = "utoipa5", feature = "utoipa6");
    /// Emits code for the frameworks with a door for handlers that an extractor declares.
    __doors: any(feature = "actix-web4", feature = "axum08", feature = "rocket05");
    /// Emits code for the frameworks whose attributes declare types.
    __declaring: any(feature = "actix-web4", feature = "poem3", feature = "rocket05", feature = "salvo1");
}

/// Defines a macro that emits a block with secured methods, or reports it in a build without what
/// the block is for.
#[rustfmt::skip] // It would move the inner macros further with each run.
macro_rules! block {
    ($dollar:tt $name:ident: $feature:literal, $mistake:literal) => {
        #[cfg(feature = $feature)]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            ($dollar($dollar items:tt)*) => { $dollar($dollar items)* };
        }

        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $name {
            ($dollar($dollar items:tt)*) => { ::core::compile_error!($mistake); };
        }
    };
}

block! { $ __rmcp3: "rmcp3", "`#[secured]` above an `impl` is for rmcp 3; enable the feature `rmcp3` of doorward" }
block! { $ __tonic014: "tonic014", "`#[secured]` above an `#[async_trait]` is for tonic 0.14; enable the feature `tonic014` of doorward" }

/// Implements `Dependency` for a scheme, whose node this function of `Node` creates.
#[doc(hidden)]
#[macro_export]
macro_rules! __scheme_node {
    ($scheme:ident, $output:ty, $node:ident) => {
        impl $crate::Dependency for $scheme {
            type Output = $output;

            // In a static, which is checked once. A constant would be looked through again for each
            // that refers to it.
            const NODE: &'static $crate::__rt::Node = {
                static NODE: $crate::__rt::Node = $crate::__rt::Node::$node::<
                    <$scheme as $crate::Scheme>::Credential,
                >(&<$scheme as $crate::Scheme>::CONFIG);
                &NODE
            };
        }
    };
}

/// Makes a scheme a dependency. The traits are implemented per scheme: with a blanket impl, rustc's
/// error would no longer say which bound a function misses. `__C` cannot clash with a user's type.
#[doc(hidden)]
#[macro_export]
macro_rules! __dependency {
    ($scheme:ident $(, $error:ty, $challenges:literal)?) => {
        $crate::__scheme_node!($scheme, <Self as $crate::Scheme>::Credential, scheme);

        $crate::__both_families! {
            impl<
                __C: __family::Context $(+ $crate::__rt::Reject<$error>)?,
                __T: 'static,
            > __family::Resolve<'_, __C, __T> for $scheme
            {
                fn resolve(
                    cx: &mut __C,
                    at: $crate::__rt::Cursor,
                ) -> impl ::core::future::Future<
                    Output = ::core::result::Result<__T, __C::Rejection>,
                > {
                    $crate::__authenticate!(cx, at, __C, __T $(, $error, $challenges)?)
                }
            }
        }
    };
}

/// Resolves a scheme, which answers for itself or with an error type of the service.
#[doc(hidden)]
#[macro_export]
macro_rules! __authenticate {
    ($cx:ident, $at:ident, $context:ident, $value:ident) => {
        $crate::__rt::authenticate::<Self, $context, $value>($cx, $at)
    };
    ($cx:ident, $at:ident, $context:ident, $value:ident, $error:ty, $challenges:literal) => {{
        use $crate::__rt::NoOwnError as _;
        <$crate::__rt::OwnError<$error, $challenges>>::authenticate::<Self, $context, $value>(
            $cx, $at,
        )
    }};
}

/// Makes a scheme that verifies a dependency, which yields the claims of its tokens.
#[doc(hidden)]
#[macro_export]
macro_rules! __verified {
    ($scheme:ident, $claims:ty, $verifier:ty; $($error:ty, $challenges:literal)?) => {
        const _: () = {
            const fn verifies<V: $crate::bounds::Verifies<$claims>>() {
                $crate::__rt::check_dpop(V::TAKES_DPOP, <$scheme as $crate::Scheme>::CONFIG.takes_dpop());
            }
            verifies::<$verifier>();

            $crate::__families! {
                impl<__C, __T> __family::Resolve<'_, __C, __T> for $scheme
                where
                    __T: 'static,
                    __C: __family::Context
                        + __family::Extract<$crate::Shared<$verifier>>
                        + $crate::__rt::Reject<$crate::__error_of!($($error)?)>,
                {
                    fn resolve(
                        cx: &mut __C,
                        at: $crate::__rt::Cursor,
                    ) -> impl ::core::future::Future<
                        Output = ::core::result::Result<__T, __C::Rejection>,
                    > {
                        use $crate::__rt::{KeepNone as _, NotVerifying as _};
                        <$crate::__verifying!($verifier, $claims; $($error, $challenges)?)>::verify::<Self, __C, __T>(
                            cx,
                            at,
                            <$crate::__rt::KeepOf<$claims>>::KEEP,
                        )
                    }
                }
            }
        };

        $crate::__scheme_node!(
            $scheme,
            $crate::__rt::VerifiedBy<Self, $claims>,
            verified_scheme
        );
    };
}

/// The error of a scheme that verifies: that of its verifier, or the error type of the service.
#[doc(hidden)]
#[macro_export]
macro_rules! __error_of {
    () => {
        $crate::verify::VerifyError
    };
    ($error:ty) => {
        $error
    };
}

/// The type that resolves a scheme that verifies, in a family.
#[doc(hidden)]
#[macro_export]
macro_rules! __verifying {
    ($verifier:ty, $claims:ty;) => {
        __family::Verifying<$verifier, $claims>
    };
    ($verifier:ty, $claims:ty; $error:ty, $challenges:literal) => {
        __family::VerifyingAs<$verifier, $claims, $error, $challenges>
    };
}

/// Returns what is known of the responses of an error type: what utoipa's traits say, if there are
/// any. Without the API description, it is nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! __error_description {
    ($error:ty) => {{
        let known = ();
        $crate::__openapi! { let known = $crate::__rt::ErrorDescription::NOTHING; }
        $crate::__utoipa6! { let known = known.or($crate::__described_by!(utoipa6, $error)); }
        $crate::__utoipa5! { let known = known.or($crate::__described_by!(utoipa5, $error)); }
        known
    }};
}

/// Returns what the traits of one version of utoipa say of an error type.
#[doc(hidden)]
#[macro_export]
macro_rules! __described_by {
    ($utoipa:ident, $error:ty) => {{
        use $crate::__rt::$utoipa::{AnyResponses as _, AnySchema as _};
        $crate::__rt::ErrorDescription::new(
            <$crate::__rt::$utoipa::ResponsesOf<$error>>::RESPONSES,
            <$crate::__rt::$utoipa::SchemaOf<$error>>::SCHEMA,
        )
    }};
}

/// Implements `ToSchema` of each version of utoipa for a form. Expands to nothing without the
/// features `utoipa5` and `utoipa6`.
#[doc(hidden)]
#[macro_export]
macro_rules! __to_schema {
    ($($form:tt)*) => {
        $crate::__utoipa5! { $crate::__to_schema_of! { [$crate::__rt::utoipa5] $($form)* } }
        $crate::__utoipa6! { $crate::__to_schema_of! { [$crate::__rt::utoipa6] $($form)* } }
    };
}

/// Implements `ToSchema` of one version of utoipa for a form.
#[doc(hidden)]
#[macro_export]
macro_rules! __to_schema_of {
    ([$($utoipa:tt)*] [$($generics:tt)*] $form:ty, $name:literal, [$($where_clause:tt)*]) => {
        impl $($generics)* $($utoipa)*::PartialSchema for $form $($where_clause)* {
            fn schema() -> $($utoipa)*::RefOr<$($utoipa)*::Schema> {
                $($utoipa)*::form_schema(&<Self as $crate::form::RequestForm<'_>>::schema())
            }
        }

        impl $($generics)* $($utoipa)*::ToSchema for $form $($where_clause)* {
            fn name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                ::std::borrow::Cow::Borrowed($name)
            }

            fn schemas(
                schemas: &mut ::std::vec::Vec<(
                    ::std::string::String,
                    $($utoipa)*::RefOr<$($utoipa)*::Schema>,
                )>,
            ) {
                $($utoipa)*::form_components(&<Self as $crate::form::RequestForm<'_>>::schema(), schemas);
            }
        }
    };
}

/// Makes a rejected function a dependency anyway, so code that names it causes no further errors.
#[doc(hidden)]
#[macro_export]
macro_rules! __rejected {
    ($function:ident) => {
        impl $crate::Dependency for $function {
            type Output = $crate::bounds::Unknown;

            const NODE: &'static $crate::__rt::Node =
                &$crate::__rt::Function::new(::core::stringify!($function))
                    .asks_scopes()
                    .fails()
                    .broken()
                    .node(&[]);
        }

        $crate::__both_families! {
            impl<__C: __family::Context, __T> __family::Resolve<'_, __C, __T> for $function {
                fn resolve(
                    _cx: &mut __C,
                    _at: $crate::__rt::Cursor,
                ) -> impl ::core::future::Future<
                    Output = ::core::result::Result<__T, __C::Rejection>,
                > {
                    ::core::future::pending()
                }
            }
        }
    };
}

/// Defines the `schema` of a form.
#[doc(hidden)]
#[macro_export]
macro_rules! __schema {
    ($schema:expr) => {
        $crate::__openapi! {
            fn schema() -> $crate::openapi::FormSchema {
                $schema
            }
        }
    };
}

/// Emits a handler with `#[utoipa::path]` below `#[secured]`. The first form is used, whose
/// operation carries the requirement.
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __documented {
    ({ $($documented:tt)* } { $($written:tt)* }) => { $($documented)* };
}

/// Emits a handler with `#[utoipa::path]` below `#[secured]`, as it is written. Without the
/// features `utoipa5` and `utoipa6`, nothing would take the requirement out of the operation.
#[cfg(not(any(feature = "utoipa5", feature = "utoipa6")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __documented {
    ({ $($documented:tt)* } { $($written:tt)* }) => { $($written)* };
}

/// Checks that `#[utoipa::path]` is not above `#[secured]`, because its operation would not get the
/// requirement. In that order, utoipa has already declared the struct `$documented` for the
/// handler, and a second declaration is an error.
#[doc(hidden)]
#[macro_export]
macro_rules! __undocumented {
    ($documented:ident) => {
        $crate::__utoipa! {
            #[allow(dead_code, non_camel_case_types)]
            struct $documented;
        }
    };
}

/// Declares a handler whose name is that of a type, which a framework's attribute declares.
#[doc(hidden)]
#[macro_export]
macro_rules! __named {
    ($handler:ident) => {
        $crate::__declaring! { impl $crate::bounds::NamedHandler for $handler {} }
    };
}

/// Rocket's `routes!`, for handlers that are secured or public.
#[cfg(feature = "rocket05")]
#[doc(hidden)]
#[macro_export]
macro_rules! __rocket_routes {
    ($($handler:path),* $(,)?) => {{
        $({
            use $crate::__rt::ByCaller as _;
            (&$crate::__rt::RocketDoor::<$handler, _>::of(&$handler)).declared();
        })*
        // The service may tell clippy that it wants this door, and not Rocket's.
        #[allow(clippy::disallowed_macros)]
        let routes = $crate::__rt::routes![$($handler),*];
        routes
    }};
}

/// Adds handlers to the routes of one version of utoipa-axum. A path is taken as its tokens,
/// because the compiler reports one that is taken as a path at the macro, and not at the handler.
#[doc(hidden)]
#[macro_export]
macro_rules! __described_routes {
    ($version:ident $routes:expr;) => {
        $routes
    };
    ($version:ident $routes:expr; $first:tt $(:: $segment:tt)* $(, $($others:tt)*)?) => {
        $crate::__described_routes!(
            $version $crate::__rt::$version::with_handler(
                $routes,
                $crate::__rt::$version::routes!($first $(:: $segment)*),
                $first $(:: $segment)*,
            );
            $($($others)*)?
        )
    };
    ($version:ident $routes:expr; $($other:tt)*) => {
        ::core::compile_error!(
            "`routes!` takes the paths of functions; write `#[public(reason = \"…\")]` above a function that is public"
        )
    };
}

/// `routes!` of utoipa-axum 0.2, for handlers that are secured or public.
#[cfg(feature = "utoipa-axum02")]
#[doc(hidden)]
#[macro_export]
macro_rules! __utoipa_axum02_routes {
    ($($handlers:tt)+) => {
        $crate::__described_routes!(utoipa_axum02 $crate::__rt::utoipa_axum02::without_handlers(); $($handlers)+)
    };
}

/// `routes!` of utoipa-axum 0.3, for handlers that are secured or public.
#[cfg(feature = "utoipa-axum03")]
#[doc(hidden)]
#[macro_export]
macro_rules! __utoipa_axum03_routes {
    ($($handlers:tt)+) => {
        $crate::__described_routes!(utoipa_axum03 $crate::__rt::utoipa_axum03::without_handlers(); $($handlers)+)
    };
}

/// Says whether the error of a `Result` is a response with a status. If a check reports that it is
/// none, something else is sent for it. Otherwise, each use in a framework would be an error too. A
/// type that is no `Result` is reported by another check.
#[doc(hidden)]
#[macro_export]
macro_rules! __fails {
    ($of:ident, $result:ty) => {
        impl $crate::__rt::Fails for $of {
            type IsAnswer = $crate::__rt::IsAnswer<
                {
                    use $crate::__rt::{AnyError as _, AnyOutput as _};
                    $crate::__rt::is_answer(
                        <$crate::__rt::ErrorOf<$result>>::KIND,
                        $crate::__is_response!($result)
                            || !<$crate::__rt::OutputOf<$result>>::KIND.is_result(),
                    )
                },
            >;
        }
    };
}

/// Returns `true` if the error of a `Result` is a response in one of the frameworks of this build.
#[doc(hidden)]
#[macro_export]
macro_rules! __is_response {
    ($result:ty) => {{
        use $crate::__rt::AnyResponse as _;
        $crate::__rt::MAY_BE_RESPONSE
            || <$crate::__rt::AxumResponseOf<$result>>::IS_RESPONSE
            || <$crate::__rt::HttpResponseOf<$result>>::IS_RESPONSE
            || <$crate::__rt::ActixWebResponseOf<$result>>::IS_RESPONSE
            || <$crate::__rt::PoemResponseOf<$result>>::IS_RESPONSE
            || <$crate::__rt::RocketResponseOf<$result>>::IS_RESPONSE
            || <$crate::__rt::SalvoResponseOf<$result>>::IS_RESPONSE
    }};
}

/// Creates a [`SecurityScopes`](crate::SecurityScopes) for a test that calls a dependency directly:
/// `security_scopes!["items", "me"]`.
#[macro_export]
macro_rules! security_scopes {
    ($($scope:expr),* $(,)?) => {{
        $(const _: () = $crate::__rt::check_scope_token($scope);)*
        struct __DoorwardPlan;
        impl $crate::__rt::HasPlan for __DoorwardPlan {
            const EDGES: &'static [$crate::__rt::Edge] = &[$crate::__rt::Edge::new(
                &$crate::__rt::Function::new("security_scopes").asks_scopes().node(&[]),
                &[$($scope),*],
            )];
        }
        <$crate::__rt::CursorOf<__DoorwardPlan, 0> as $crate::__rt::PlanPosition>::CURSOR.scopes()
    }};
}
