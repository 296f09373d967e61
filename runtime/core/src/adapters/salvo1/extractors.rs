//! The extractors of handlers.

use core::marker::PhantomData;

use salvo_core::extract::Metadata;
use salvo_core::http::ReqBody;
use salvo_core::{Depot, Extractible, Request, Writer};

use crate::adapters::salvo1::context::{Refusal, Salvo, taken};
use crate::adapters::shared::extractors::Security;
use crate::adapters::shared::from_body::from_body;
use crate::dependency::handler::{Secured, SecuredParameter};
use crate::dependency::head::FromExtensions;
use crate::dependency::shared::Shared;
use crate::plan::declaration::PublicParameter;
use crate::plan::table::PlanPosition;
use crate::refusal::rejection::Rejection;
use crate::scheme::Scheme;

/// The metadata of the extractors, which have no fields for salvo.
pub static METADATA: Metadata = Metadata::new("");

/// Implements extractors, each with its error.
macro_rules! extractible {
    ($(
        $(#[$docs:meta])*
        [$($generics:tt)*] $extractor:ty, $error:ty, |$request:pat_param, $depot:pat_param| $extract:expr;
    )*) => {$(
        $(#[$docs])*
        impl<'ex, $($generics)*> Extractible<'ex> for $extractor {
            fn metadata() -> &'static Metadata {
                &METADATA
            }

            #[expect(refining_impl_trait, reason = "the error is part of the interface")]
            async fn extract($request: &'ex mut Request, $depot: &'ex mut Depot) -> Result<Self, $error> {
                $extract
            }
        }
    )*};
}

extractible! {
    [T: Send, P: for<'a, 'r> SecuredParameter<'r, Salvo<'a>, T>] Secured<T, P>, Refusal, |request, depot| {
        let mut cx = Salvo::of(request, depot);
        if P::Position::NUMBER == 0 {
            cx.cache.begin();
        }
        let value = P::resolve(&mut cx).await?;
        cx.keep_cache();
        Ok(Self { value, parameter: PhantomData })
    };
    /// For a public handler below an attribute of the framework that was imported under another
    /// name. A door refuses it, and what it prints is then the only error.
    [P] PublicParameter<P>, Rejection, |_, _| Ok(Self::of_request());
    [S: Scheme<Credential: Send>] Security<S>, Rejection, |request, _| {
        Self::of(request).map(Self)
    };
    [T: Clone + Send + Sync + 'static] FromExtensions<T>, Rejection, |request, depot| {
        let found: Option<&T> = request.extensions().get();
        let found = Self::found(found.or_else(|| depot.get_typed().ok()).cloned())?;
        Ok(Self(taken(request, found.0)))
    };
    [T: ?Sized + Send + Sync + 'static] Shared<T>, Rejection, |request, depot| {
        let found = Self::found(
            depot.get_typed().ok(),
            "call `.hoop(affix_state::inject(shared))` on the router, before the hoops that need it",
        );
        Ok(taken(request, found?))
    };
}

/// Takes the body. If a hoop has already read it, returns the payload that salvo has cached.
async fn body_of(request: &mut Request) -> ReqBody {
    if request.body().is_none()
        && let Ok(kept) = request.payload().await
    {
        return ReqBody::Once(kept.clone());
    }
    request.take_body()
}

macro_rules! extractors {
    ($([$($generics:tt)*] $extractor:ty, $error:ty;)*) => {
        extractible! {$(
            [$($generics)*] $extractor, $error, |request, _| {
                let body = body_of(request).await;
                from_body(request.headers(), body).await
            };
        )*}
    };
}

each_form!(extractors + Send);

/// The result of an extractor, for a handler that responds to the error itself:
/// `Attempt<Security<OAuth2>, Rejection>`, `Attempt<PasswordForm<Login>, FormError>`, or
/// `Attempt<User, Refusal>` for the `User` of a dependency with the argument `extract`. In other
/// frameworks, a `Result` is an extractor.
#[derive(Debug)]
pub struct Attempt<T, E>(
    /// The value, or the error.
    pub Result<T, E>,
);

macro_rules! attempts {
    ($([$($generics:tt)*] $extractor:ty, $error:ty;)*) => {
        extractible! {$(
            [$($generics)*] Attempt<$extractor, $error>, $error, |request, depot| {
                Ok(Self(<$extractor>::extract(request, depot).await))
            };
        )*}
    };
}

attempts! {
    [S: Scheme<Credential: Send>] Security<S>, Rejection;
}
each_form!(attempts + Send);

/// Any other extractor. A [`Refusal`] is its error, as salvo writes it.
impl<'ex, T: Extractible<'ex> + Send> Extractible<'ex> for Attempt<T, Refusal> {
    fn metadata() -> &'static Metadata {
        T::metadata()
    }

    #[expect(refining_impl_trait, reason = "the error is part of the interface")]
    fn extract(
        request: &'ex mut Request,
        depot: &'ex mut Depot,
    ) -> impl Future<Output = Result<Self, Refusal>> + Send {
        attempt(T::extract(request, depot))
    }

    #[expect(refining_impl_trait, reason = "the error is part of the interface")]
    fn extract_with_arg(
        request: &'ex mut Request,
        depot: &'ex mut Depot,
        name: &str,
    ) -> impl Future<Output = Result<Self, Refusal>> + Send {
        attempt(T::extract_with_arg(request, depot, name))
    }
}

/// Waits for an extractor. It is not an `async fn`, because rustc cannot infer that the future for
/// a concrete extractor is `Send` (rust-lang/rust#100013).
#[expect(clippy::manual_async_fn, reason = "the signature declares the future `Send`")]
fn attempt<T: Send, E: Writer + Send + 'static>(
    extracted: impl Future<Output = Result<T, E>> + Send,
) -> impl Future<Output = Result<Attempt<T, Refusal>, Refusal>> + Send {
    async move { Ok(Attempt(extracted.await.map_err(Refusal::of))) }
}
