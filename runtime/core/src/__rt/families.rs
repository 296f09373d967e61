//! The two families of contexts under the same names. An impl that names them through `__family` is
//! compiled once for each family.
//!
//! The items are in blocks of a constant without a name, because the alias would otherwise be an
//! item of the user's module.

/// The family whose futures can move between threads.
pub mod send {
    pub use crate::dependency::Resolve;
    pub use crate::dependency::bounds::Cached;
    pub use crate::dependency::context::{Extract, SendContext as Context};
    pub use crate::dependency::handler::SecuredParameter;
    #[cfg(feature = "live")]
    pub use crate::dependency::live::asked::{Answer, AskAll, Copied};
    pub use crate::dependency::recall::Keep;
    pub use crate::dependency::verified::{Verifying, VerifyingAs};

    /// A requirement that is asked again.
    #[cfg(feature = "live")]
    pub type AnyAsked = dyn crate::dependency::live::asked::Asked + Send;

    /// The additional bound of a future.
    pub use core::marker::Send as MaybeSend;

    /// Returns the future of a dependency. If it is not `Send`, the error names this function.
    pub fn write_dependency_local_unless_send<F: Future + Send>(
        future: F,
    ) -> impl Future<Output = F::Output> + Send {
        future
    }
}

/// The family whose futures stay on their thread.
pub mod local {
    pub use crate::dependency::LocalResolve as Resolve;
    pub use crate::dependency::bounds::LocalCached as Cached;
    pub use crate::dependency::context::{LocalContext as Context, LocalExtract as Extract};
    pub use crate::dependency::handler::LocalSecuredParameter as SecuredParameter;
    #[cfg(feature = "live")]
    pub use crate::dependency::live::asked::{
        LocalAnswer as Answer, LocalAskAll as AskAll, LocalCopied as Copied,
    };
    pub use crate::dependency::recall::LocalKeep as Keep;
    pub use crate::dependency::verified::{
        LocalVerifying as Verifying, LocalVerifyingAs as VerifyingAs,
    };

    /// A requirement that is asked again.
    #[cfg(feature = "live")]
    pub type AnyAsked = dyn crate::dependency::live::asked::Asked;

    /// Nothing in addition: each value that a function returns is `Sized`.
    pub use core::marker::Sized as MaybeSend;

    /// Returns the future of a dependency.
    pub use core::convert::identity as write_dependency_local_unless_send;
}

/// Emits items for both families.
#[doc(hidden)]
#[macro_export]
macro_rules! __both_families {
    ($($items:tt)*) => {
        const _: () = {
            {
                use $crate::__rt::send as __family;
                $($items)*
            }
            $crate::__local_family! { $($items)* }
        };
    };
}

/// Emits a block with items for the family whose futures stay on their thread.
#[doc(hidden)]
#[macro_export]
macro_rules! __local_family {
    ($($items:tt)*) => {
        {
            use $crate::__rt::local as __family;
            $($items)*
        }
    };
}

/// Emits a block with items for each family of this build. Without the feature `local`, a second
/// impl would only cost compile time.
#[doc(hidden)]
#[macro_export]
macro_rules! __families {
    ($($items:tt)*) => {
        {
            use $crate::__rt::send as __family;
            $($items)*
        }
        $crate::__local! { $crate::__local_family! { $($items)* } }
    };
}
