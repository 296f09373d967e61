//! axum 0.8. The value is extracted from the head, so it may be any parameter of a handler.

#![allow(
    clippy::manual_async_fn,
    reason = "the signatures declare the futures `Send`, because rustc cannot infer it for a concrete dependency \
              (rust-lang/rust#100013)"
)]

pub use axum::extract::{FromRequestParts, OptionalFromRequestParts};
pub use axum::response::Response;
pub use http::request::Parts;

use crate::adapters::axum08::Axum;
use crate::dependency::cache::Cache;
use crate::dependency::decision::Decider;
use crate::dependency::extracted::{Extracted, is_anonymous};
use crate::dependency::handler::SecuredParameter;
use crate::dependency::head::Head;
#[cfg(feature = "testing")]
use crate::dependency::probe::refused_by_layer;
use crate::dependency::{Dependency, Resolve as _, decided};
use crate::plan::declaration::met::met_value;
use crate::plan::table::{CursorOf, PlanPosition as _};

/// Extracts the value of the dependency `D`.
///
/// # Errors
///
/// Returns the response that refuses the request.
pub fn extract<D, State>(
    parts: &mut Parts,
    state: &State,
) -> impl Future<Output = Result<D::Output, Response>> + Send
where
    D: Dependency,
    Extracted<D>: for<'a, 'r> SecuredParameter<'r, Axum<'a, State>, D::Output>,
    State: Sync,
{
    async move {
        let mut extracted = resolve::<D, State>(parts, state).await;
        let by = Decider::of::<CursorOf<Extracted<D>, 0>>(D::NODE.needs_credential());
        decided::<Axum<'_, State>, _>(by, &mut extracted);
        if D::NODE.needs_credential() {
            met_value(&extracted);
        }
        // The handler, or the middleware function, may go on without the value.
        #[cfg(feature = "testing")]
        if extracted.is_err() {
            refused_by_layer(parts, None);
        }
        extracted
    }
}

/// Extracts the value, or `None` if the dependency refuses a request that has no credential of
/// a scheme below it. What the service is at fault for is an error all the same.
///
/// # Errors
///
/// Returns the response that refuses the request.
pub fn extract_optional<D, State>(
    parts: &mut Parts,
    state: &State,
) -> impl Future<Output = Result<Option<D::Output>, Response>> + Send
where
    D: Dependency,
    Extracted<D>: for<'a, 'r> SecuredParameter<'r, Axum<'a, State>, D::Output>,
    State: Sync,
{
    async move {
        // Before the dependency runs, because an extractor may change the head.
        let is_anonymous = is_anonymous::<D, _>(&Head { parts });
        let mut found = match resolve::<D, State>(parts, state).await {
            Err(refusal) if is_anonymous && !refusal.status().is_server_error() => Ok(None),
            found => found.map(Some),
        };
        let by = Decider::of::<CursorOf<Extracted<D>, 0>>(false);
        decided::<Axum<'_, State>, _>(by, &mut found);
        found
    }
}

async fn resolve<D, State>(parts: &mut Parts, state: &State) -> Result<D::Output, Response>
where
    D: Dependency,
    Extracted<D>: for<'a, 'r> SecuredParameter<'r, Axum<'a, State>, D::Output>,
    State: Sync,
{
    Cache::begin_in_extensions(parts);
    let mut cx = Axum { parts, state };
    Source::<'_, '_, D, State>::resolve(&mut cx, CursorOf::<Extracted<D>, 0>::CURSOR).await
}

/// The dependency that fills the value.
type Source<'r, 'a, D, State> =
    <Extracted<D> as SecuredParameter<'r, Axum<'a, State>, <D as Dependency>::Output>>::Dependency;

/// Makes the type of a dependency's value an extractor.
#[doc(hidden)]
#[macro_export]
macro_rules! __extract_axum08 {
    ($dependency:ty, $output:ty) => {
        $crate::__extract_axum08!($dependency, $output, FromRequestParts, extract, Self);
        $crate::__extract_axum08!(
            $dependency,
            $output,
            OptionalFromRequestParts,
            extract_optional,
            ::core::option::Option<Self>
        );
    };
    ($dependency:ty, $output:ty, $of:ident, $extract:ident, $extracted:ty) => {
        #[automatically_derived]
        impl<__State> $crate::__rt::extracted::axum08::$of<__State> for $output
        where
            __State: ::core::marker::Sync,
            $crate::__rt::Extracted<$dependency>: for<'__a, '__r> $crate::__rt::SecuredParameter<
                    '__r,
                    $crate::axum08::Axum<'__a, __State>,
                    $output,
                >,
        {
            type Rejection = $crate::__rt::extracted::axum08::Response;

            fn from_request_parts(
                parts: &mut $crate::__rt::extracted::axum08::Parts,
                state: &__State,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<$extracted, Self::Rejection>,
            > + ::core::marker::Send {
                $crate::__rt::extracted::axum08::$extract::<$dependency, __State>(parts, state)
            }
        }
    };
}
