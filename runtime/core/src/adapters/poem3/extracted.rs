//! poem 3.

#![allow(
    clippy::manual_async_fn,
    reason = "the signatures declare the futures `Send`, because rustc cannot infer it for a concrete dependency \
              (rust-lang/rust#100013)"
)]

pub use poem::{Error, FromRequest, Request, RequestBody};

use crate::adapters::poem3::Poem;
use crate::dependency::Dependency;
use crate::dependency::extracted::Extracted;
use crate::dependency::handler::{Secured, SecuredParameter};

/// Extracts the value of the dependency `D`.
///
/// # Errors
///
/// Returns the response that refuses the request.
pub fn extract<'r, D>(
    request: &'r Request,
    body: &mut RequestBody,
) -> impl Future<Output = Result<D::Output, Error>> + Send
where
    D: Dependency<Output: Send>,
    Extracted<D>: SecuredParameter<'r, Poem<'r>, D::Output>,
{
    async move {
        let extracted = Secured::<D::Output, Extracted<D>>::from_request(request, body);
        extracted.await.map(Secured::into_inner)
    }
}

/// Makes the type of a dependency's value an extractor.
#[doc(hidden)]
#[macro_export]
macro_rules! __extract_poem3 {
    ($dependency:ty, $output:ty) => {
        #[automatically_derived]
        impl<'__q> $crate::__rt::extracted::poem3::FromRequest<'__q> for $output
        where
            $crate::__rt::Extracted<$dependency>:
                for<'__r> $crate::__rt::SecuredParameter<'__r, $crate::poem3::Poem<'__r>, $output>,
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
    };
}
