//! actix-web 4.

pub use actix_web::dev::Payload;
pub use actix_web::{Error, FromRequest, HttpRequest};

use crate::adapters::actix_web4::ActixWeb;
pub use crate::adapters::actix_web4::extraction::ExtractFuture;
use crate::adapters::actix_web4::extraction::secured;
use crate::dependency::Dependency;
use crate::dependency::extracted::Extracted;
use crate::dependency::handler::LocalSecuredParameter;

/// Extracts the value of the dependency `D`.
pub fn extract<D>(request: &HttpRequest, payload: &mut Payload) -> ExtractFuture<D::Output>
where
    D: Dependency,
    Extracted<D>: for<'r> LocalSecuredParameter<'r, ActixWeb, D::Output>,
{
    secured::<D::Output, Extracted<D>>(request, payload, false)
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
