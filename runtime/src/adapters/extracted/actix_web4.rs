//! actix-web 4.

use core::pin::Pin;

pub use actix_web::dev::Payload;
pub use actix_web::{Error, FromRequest, HttpRequest};

use crate::adapters::actix_web4::ActixWeb;
use crate::dependency::Dependency;
use crate::dependency::extracted::Extracted;
use crate::dependency::handler::{LocalSecuredParameter, Secured};

/// The future of a value.
pub type ExtractFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

/// Extracts the value of the dependency `D`.
pub fn extract<D>(request: &HttpRequest, payload: &mut Payload) -> ExtractFuture<D::Output>
where
    D: Dependency,
    Extracted<D>: for<'r> LocalSecuredParameter<'r, ActixWeb, D::Output>,
{
    let extracted = Secured::<D::Output, Extracted<D>>::from_request(request, payload);
    Box::pin(async { extracted.await.map(Secured::into_inner) })
}

/// Makes the type of a dependency's value an extractor.
#[doc(hidden)]
#[macro_export]
macro_rules! __extract_actix_web4 {
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
