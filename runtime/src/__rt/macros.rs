//! Code that the macros generate in full only with some features, so that they need not know any.

/// Returns from a dependency with what a test has put in its place; empty without the feature `testing`.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __overridden {
    ($cx:ident) => {
        if let ::core::option::Option::Some(output) = $crate::__rt::overridden::<Self, _>($cx) {
            return ::core::result::Result::Ok(output);
        }
    };
}

/// Returns from a dependency with what a test has put in its place; empty without the feature `testing`.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __overridden {
    ($cx:ident) => {};
}

/// Takes the local impl of a dependency; empty without the feature `local`, so that nobody compiles both for nothing.
#[cfg(feature = "local")]
#[doc(hidden)]
#[macro_export]
macro_rules! __local {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// Takes the local impl of a dependency; empty without the feature `local`, so that nobody compiles both for nothing.
#[cfg(not(feature = "local"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __local {
    ($($tokens:tt)*) => {};
}

/// Makes a scheme a dependency. Each has impls of its own: beside one for all of them, the compiler would not say what keeps a function
/// from being resolved. The names of type parameters are as any user's, so they are none that a user would choose.
#[doc(hidden)]
#[macro_export]
macro_rules! __dependency {
    ($scheme:ident) => {
        impl $crate::Dependency for $scheme {
            type Output = <Self as $crate::Scheme>::Credential;

            const NODE: &'static $crate::__rt::Node =
                &$crate::__rt::Node::scheme::<Self::Output>(<Self as $crate::Scheme>::CONFIG);
        }

        impl<__C: $crate::__rt::SendContext<Rejection: ::core::marker::Send>>
            $crate::__rt::Resolve<'_, __C, <$scheme as $crate::Dependency>::Output> for $scheme
        {
            fn resolve(
                cx: &mut __C,
                _at: $crate::__rt::Cursor,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<
                    <Self as $crate::Dependency>::Output,
                    __C::Rejection,
                >,
            > + ::core::marker::Send {
                $crate::__rt::authenticate::<Self, __C>(cx)
            }
        }

        impl<__C: $crate::__rt::LocalContext>
            $crate::__rt::LocalResolve<'_, __C, <$scheme as $crate::Dependency>::Output>
            for $scheme
        {
            fn resolve_local(
                cx: &mut __C,
                _at: $crate::__rt::Cursor,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<
                    <Self as $crate::Dependency>::Output,
                    __C::Rejection,
                >,
            > {
                $crate::__rt::authenticate::<Self, __C>(cx)
            }
        }
    };
}

/// Makes a form a `ToSchema` of utoipa; empty without the feature `utoipa6`.
#[cfg(feature = "utoipa6")]
#[doc(hidden)]
#[macro_export]
macro_rules! __to_schema {
    ([$($generics:tt)*] $form:ty, $name:literal, [$($where_clause:tt)*]) => {
        impl $($generics)* $crate::__rt::utoipa::PartialSchema for $form $($where_clause)* {
            fn schema() -> $crate::__rt::utoipa::openapi::RefOr<$crate::__rt::utoipa::openapi::schema::Schema> {
                $crate::__rt::form_schema(&<Self as $crate::PasswordRequestForm<'_>>::schema())
            }
        }

        impl $($generics)* $crate::__rt::utoipa::ToSchema for $form $($where_clause)* {
            fn name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                ::std::borrow::Cow::Borrowed($name)
            }
        }
    };
}

/// Makes a form a `ToSchema` of utoipa; empty without the feature `utoipa6`.
#[cfg(not(feature = "utoipa6"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __to_schema {
    ($($tokens:tt)*) => {};
}

/// Makes a rejected function a dependency all the same, so that code that names it has no errors of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __rejected {
    ($function:ident) => {
        impl $crate::Dependency for $function {
            type Output = $crate::bounds::Unknown;

            const NODE: &'static $crate::__rt::Node =
                &$crate::__rt::Node::function(::core::stringify!($function), &[])
                    .asks_scopes()
                    .fails();
        }

        impl<
            __C: $crate::__rt::SendContext<Rejection: ::core::marker::Send>,
            __T: ::core::marker::Send,
        > $crate::__rt::Resolve<'_, __C, __T> for $function
        {
            fn resolve(
                _cx: &mut __C,
                _at: $crate::__rt::Cursor,
            ) -> impl ::core::future::Future<Output = ::core::result::Result<__T, __C::Rejection>>
            + ::core::marker::Send {
                ::core::future::pending()
            }
        }

        impl<__C: $crate::__rt::LocalContext, __T> $crate::__rt::LocalResolve<'_, __C, __T>
            for $function
        {
            fn resolve_local(
                _cx: &mut __C,
                _at: $crate::__rt::Cursor,
            ) -> impl ::core::future::Future<Output = ::core::result::Result<__T, __C::Rejection>>
            {
                ::core::future::pending()
            }
        }
    };
}

/// The `schema` of a form; empty without the feature `openapi`.
#[cfg(feature = "openapi")]
#[doc(hidden)]
#[macro_export]
macro_rules! __schema {
    ([$($own:tt)*]) => {
        fn schema() -> $crate::openapi::FormSchema {
            $crate::openapi::FormSchema::of::<Self>(&[$($own)*])
        }
    };
}

/// The `schema` of a form; empty without the feature `openapi`.
#[cfg(not(feature = "openapi"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __schema {
    ([$($own:tt)*]) => {};
}

/// A handler below `#[secured]` and above `#[utoipa::path]`: the first form carries the requirement in its operation.
#[cfg(feature = "utoipa6")]
#[doc(hidden)]
#[macro_export]
macro_rules! __documented {
    ({ $($documented:tt)* } { $($written:tt)* }) => { $($documented)* };
}

/// A handler below `#[secured]` and above `#[utoipa::path]`, as it is written: nobody takes the requirement out of its operation.
#[cfg(not(feature = "utoipa6"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __documented {
    ({ $($documented:tt)* } { $($written:tt)* }) => { $($written)* };
}

/// Checks that `#[utoipa::path]` is not above `#[secured]`, where no requirement would get into its operation: `$documented` is the struct
/// that it has made for the handler then, and cannot be declared twice. Empty without the feature `utoipa6`.
#[cfg(feature = "utoipa6")]
#[doc(hidden)]
#[macro_export]
macro_rules! __undocumented {
    ($documented:ident) => {
        #[allow(dead_code, non_camel_case_types)]
        struct $documented;
    };
}

/// Checks that `#[utoipa::path]` is not above `#[secured]`; empty without the feature `utoipa6`.
#[cfg(not(feature = "utoipa6"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __undocumented {
    ($documented:ident) => {};
}

/// Tells why an import of `security` is not needed.
#[doc(hidden)]
#[deprecated(note = "`#[security(…)]` needs no import; `#[secured]` and `#[dependency]` read it")]
#[macro_export]
macro_rules! security {
    ($($tokens:tt)*) => {
        ::core::compile_error!(
            "`#[security(…)]` belongs on a parameter of a `#[secured]` or `#[dependency]` function"
        );
    };
}
