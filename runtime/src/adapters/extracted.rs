//! The items of each framework that the generated impls of `#[dependency(extract)]` name. The
//! functions call the framework's extractor for [`Secured`](crate::Secured).

#![allow(
    clippy::manual_async_fn,
    reason = "the signatures declare the futures `Send`, because rustc cannot infer it for a concrete dependency \
              (rust-lang/rust#100013)"
)]

/// axum 0.8. The value is extracted from the head, so it may be any parameter of a handler.
#[cfg(feature = "axum08")]
pub mod axum08 {
    pub use axum::extract::{FromRequestParts, OptionalFromRequestParts};
    pub use axum::response::Response;
    pub use http::request::Parts;

    use crate::adapters::axum08::Axum;
    use crate::declaration::met::met_value;
    use crate::dependency::cache::Cache;
    use crate::dependency::extracted::{Extracted, is_anonymous};
    use crate::dependency::handler::SecuredParameter;
    use crate::dependency::head::Head;
    use crate::dependency::{Dependency, Resolve as _};
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
            let extracted = resolve::<D, State>(parts, state).await;
            if D::NODE.needs_credential() {
                met_value(&extracted);
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
            match resolve::<D, State>(parts, state).await {
                Err(refusal) if is_anonymous && !refusal.status().is_server_error() => Ok(None),
                found => found.map(Some),
            }
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
    type Source<'r, 'a, D, State> = <Extracted<D> as SecuredParameter<
        'r,
        Axum<'a, State>,
        <D as Dependency>::Output,
    >>::Dependency;
}

/// actix-web 4.
#[cfg(feature = "actix-web4")]
pub mod actix_web4 {
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
}

/// poem 3.
#[cfg(feature = "poem3")]
pub mod poem3 {
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
}

/// rocket 0.5.
#[cfg(feature = "rocket05")]
pub mod rocket05 {
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
}

/// salvo 1.
#[cfg(feature = "salvo1")]
pub mod salvo1 {
    pub use salvo_core::extract::Metadata;
    pub use salvo_core::{Depot, Extractible, Request, Writer};

    use crate::adapters::salvo1::{Refusal, Salvo};
    use crate::dependency::Dependency;
    use crate::dependency::extracted::Extracted;
    use crate::dependency::handler::{Secured, SecuredParameter};

    /// Returns the metadata of the value, which has no fields for salvo.
    #[must_use]
    pub fn metadata<D>() -> &'static Metadata
    where
        D: Dependency<Output: Send>,
        Extracted<D>: for<'a, 'r> SecuredParameter<'r, Salvo<'a>, D::Output>,
    {
        Secured::<D::Output, Extracted<D>>::metadata()
    }

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
}
