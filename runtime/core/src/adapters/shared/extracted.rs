//! `#[dependency(extract)]`: for each framework, the impl of its trait of extractors for the type of a
//! dependency's value, and what the impl names. The functions call the framework's extractor for
//! [`Secured`](crate::Secured).
//!
//! Each bound has a lifetime, even where one without would say the same. rustc reports such a bound
//! only where the impl is used, so a dependency may be for only one of the frameworks of a build.

/// Makes the type of a dependency's value an extractor of each framework in the build.
#[doc(hidden)]
#[macro_export]
macro_rules! __extract {
    ($dependency:ty, $output:ty) => {
        $crate::__axum08! { $crate::__extract_axum08!($dependency, $output); }
        $crate::__actix_web4! { $crate::__extract_actix_web4!($dependency, $output); }
        $crate::__poem3! { $crate::__extract_poem3!($dependency, $output); }
        $crate::__rocket05! { $crate::__extract_rocket05!($dependency, $output); }
        $crate::__salvo1! { $crate::__extract_salvo1!($dependency, $output); }
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
            $crate::__extract_actix_web4!($dependency, $output);
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
            "only actix-web extracts the value of a `local` dependency, and its feature `actix-web4` of doorward is not enabled; remove `local`, or enable it"
        );
    };
}

/// Makes a parameter of a dependency's value declare its handler, if no request passes the
/// dependency without a credential. A value that every caller gets declares nothing.
#[doc(hidden)]
#[macro_export]
macro_rules! __declares {
    ($dependency:ty, $output:ty) => {
        $crate::__doors! {
            // A public type may have a private dependency, which may not be an associated type of its
            // impls, but may be the value of a parameter of theirs.
            impl<__D: $crate::Dependency> $crate::bounds::Declares for $output
            where
                ($dependency,): $crate::bounds::Named<Itself = (__D,)>,
                $crate::__rt::Needed<
                    { <$dependency as $crate::Dependency>::NODE.needs_credential() },
                >: for<'__a> $crate::__rt::IsNeeded<'__a>,
            {
                type Plan = $crate::__rt::Extracted<__D>;
            }
        }
    };
}
