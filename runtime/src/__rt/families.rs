//! The two families of contexts under the same names. An impl that names them through `__family` is
//! compiled once for each family.
//!
//! The items are in a constant without a name, because an alias beside them would be an item of the
//! user's module.

/// The family whose futures can move between threads.
pub mod send {
    pub use crate::dependency::Resolve;
    pub use crate::dependency::bounds::Cached;
    pub use crate::dependency::context::{Extract, SendContext as Context};
    pub use crate::dependency::handler::SecuredParameter;
    pub use crate::dependency::recall::Keep;
    pub use crate::dependency::verified::{Verifying, VerifyingAs};
}

/// The family whose futures stay on their thread.
pub mod local {
    pub use crate::dependency::LocalResolve as Resolve;
    pub use crate::dependency::bounds::LocalCached as Cached;
    pub use crate::dependency::context::{LocalContext as Context, LocalExtract as Extract};
    pub use crate::dependency::handler::LocalSecuredParameter as SecuredParameter;
    pub use crate::dependency::recall::LocalKeep as Keep;
    pub use crate::dependency::verified::{
        LocalVerifying as Verifying, LocalVerifyingAs as VerifyingAs,
    };
}

/// Emits items for both families.
#[doc(hidden)]
#[macro_export]
macro_rules! __both_families {
    ($($items:tt)*) => {
        const _: () = {
            use $crate::__rt::send as __family;
            $($items)*
        };
        $crate::__local_family! { $($items)* }
    };
}

/// Emits items for the family whose futures stay on their thread.
#[doc(hidden)]
#[macro_export]
macro_rules! __local_family {
    ($($items:tt)*) => {
        const _: () = {
            use $crate::__rt::local as __family;
            $($items)*
        };
    };
}

/// Emits items for the families of this build.
#[cfg(feature = "local")]
#[doc(hidden)]
#[macro_export]
macro_rules! __families {
    ($($items:tt)*) => {
        $crate::__both_families! { $($items)* }
    };
}

/// Emits items for the families of this build: without the feature `local`, a second impl would
/// only cost compile time.
#[cfg(not(feature = "local"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __families {
    ($($items:tt)*) => {
        const _: () = {
            use $crate::__rt::send as __family;
            $($items)*
        };
    };
}
