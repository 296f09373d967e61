//! salvo 1.

#![allow(
    clippy::manual_async_fn,
    reason = "the signatures declare the futures `Send`, because rustc cannot infer it for a concrete dependency \
              (rust-lang/rust#100013)"
)]

pub use salvo_core::extract::Metadata;
pub use salvo_core::{Depot, Extractible, Request, Writer};

pub use crate::adapters::salvo1::extractors::METADATA;
use crate::adapters::salvo1::{Refusal, Salvo};
use crate::dependency::Dependency;
use crate::dependency::extracted::Extracted;
use crate::dependency::handler::{Secured, SecuredParameter};

/// Extracts the value of the dependency `D`.
///
/// # Errors
///
/// Returns the response that refuses the request.
pub fn extract<D>(
    request: &mut Request,
    depot: &mut Depot,
) -> impl Future<Output = Result<D::Output, Refusal>> + Send
where
    D: Dependency<Output: Send>,
    Extracted<D>: for<'a, 'r> SecuredParameter<'r, Salvo<'a>, D::Output>,
{
    async move {
        let extracted = Secured::<D::Output, Extracted<D>>::extract(request, depot);
        extracted.await.map(Secured::into_inner)
    }
}

/// Makes the type of a dependency's value an extractor.
#[doc(hidden)]
#[macro_export]
macro_rules! __extract_salvo1 {
    ($dependency:ty, $output:ty) => {
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
                &$crate::__rt::extracted::salvo1::METADATA
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
    };
}
