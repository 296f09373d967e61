//! rocket 0.5.

use core::pin::Pin;

pub use rocket::request::{FromRequest, Outcome};
pub use rocket::{Ignite, Request, Rocket, Sentinel};

use crate::adapters::rocket05::{Refused, RocketRequest};
use crate::dependency::Dependency;
use crate::dependency::extracted::Extracted;
use crate::dependency::handler::{Secured, SecuredParameter};

/// The future of a value.
pub type ExtractFuture<'f, T> = Pin<Box<dyn Future<Output = Outcome<T, Refused>> + Send + 'f>>;

/// Extracts the value of the dependency `D`.
pub fn extract<'f, 'r: 'f, 'x: 'f, D>(request: &'r Request<'x>) -> ExtractFuture<'f, D::Output>
where
    D: Dependency<Output: Send>,
    Extracted<D>: for<'c> SecuredParameter<'r, RocketRequest<'r, 'c>, D::Output>,
{
    let extracted = Secured::<D::Output, Extracted<D>>::from_request(request);
    Box::pin(async { extracted.await.map(Secured::into_inner) })
}

/// Prevents a launch of Rocket without its fairing.
#[must_use]
pub fn abort<D: Dependency>(rocket: &Rocket<Ignite>) -> bool {
    Secured::<D::Output, Extracted<D>>::abort(rocket)
}

/// Makes the type of a dependency's value an extractor.
#[doc(hidden)]
#[macro_export]
macro_rules! __extract_rocket05 {
    ($dependency:ty, $output:ty) => {
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
    };
}
