//! salvo 1.
//!
//! A `#[secured]` handler is an endpoint, or a hoop of a router. A hoop of a service is a [`guard`].

use core::any::type_name;
use core::fmt;
use core::marker::PhantomData;
use core::pin::Pin;

use bytes::Bytes;
use http::{Response as HttpResponse, StatusCode};
use salvo_core::extract::Metadata;
use salvo_core::http::ReqBody;
use salvo_core::{
    Depot, Extractible, FlowCtrl, Handler, Request, Response, Scribe, Writer, async_trait,
};

use crate::cache::Cache;
use crate::context::{Context, Extract, Reject, SendContext};
use crate::dependency::{Dependency, Resolve};
use crate::form::read::{read_client, read_form};
use crate::plan::check_guard;
use crate::planned::Plan;
use crate::refusal::refuses;
use crate::secured::{Parameter, Secured};
use crate::trace;
use crate::{
    BearerError, Client, FormBody, FormError, OwnedForm, PasswordForm, Rejection, Scheme, Security,
    TokenError, TokenResponse,
};

/// A request of salvo as the context of a dependency.
pub struct Salvo<'a> {
    request: &'a mut Request,
    depot: &'a mut Depot,
    /// Kept in the depot between the parameters of a handler.
    cache: Cache,
}

impl<'a> Salvo<'a> {
    fn of(request: &'a mut Request, depot: &'a mut Depot) -> Self {
        let cache = depot.remove_typed().unwrap_or_default();
        Self {
            request,
            depot,
            cache,
        }
    }

    fn keep_cache(self) {
        self.depot.insert_typed(self.cache);
    }
}

impl fmt::Debug for Salvo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Salvo").finish_non_exhaustive()
    }
}

/// Writes the response to a request that is refused.
pub struct Refusal(Write);

type Write =
    Box<dyn for<'w> FnOnce(&'w mut Request, &'w mut Depot, &'w mut Response) -> Writing<'w> + Send>;
type Writing<'w> = Pin<Box<dyn Future<Output = ()> + Send + 'w>>;

impl Refusal {
    fn of<W: Writer + Send + 'static>(writer: W) -> Self {
        Self(Box::new(move |request, depot, response| {
            writer.write(request, depot, response)
        }))
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusal").finish_non_exhaustive()
    }
}

#[async_trait]
impl Writer for Refusal {
    async fn write(self, request: &mut Request, depot: &mut Depot, response: &mut Response) {
        // A hoop of a service or a catcher starts with an error, and salvo does not stop at another one.
        if response.is_stamped() {
            trace::hoop_goes_on();
        }
        response.status_code = None;
        (self.0)(request, depot, response).await;
        // A writer that sets no status would leave a 200.
        if !refuses(response.status_code.map_or(200, |status| status.as_u16())) {
            response.status_code(StatusCode::INTERNAL_SERVER_ERROR);
        }
    }
}

impl Context for Salvo<'_> {
    type Rejection = Refusal;

    fn authenticate<S: Scheme>(&self) -> Result<S::Yield, Rejection> {
        S::authenticate(self.request.headers())
    }

    fn refuse(&self, rejection: Rejection) -> Refusal {
        Refusal::of(rejection)
    }

    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::Overrides> {
        self.depot.get_typed().ok()
    }
}

impl SendContext for Salvo<'_> {
    fn cache(&mut self) -> &mut Cache {
        self.cache.of(self.request.headers())
    }
}

impl<T: for<'e> Extractible<'e> + Send> Extract<T> for Salvo<'_> {
    async fn extract(&mut self, name: &'static str) -> Result<T, Refusal> {
        // The handler's body is out of reach; an extractor that takes its stand-in has tried to read it.
        let stand_in = ReqBody::Once(Bytes::new());
        let has_body = !self.request.body().is_none();
        let body = has_body.then(|| self.request.replace_body(stand_in));
        let extracted = T::extract_with_arg(self.request, self.depot, name).await;
        let Some(body) = body else {
            return extracted.map_err(Refusal::of);
        };
        // The kept payload, which may be that of the stand-in, goes with it.
        if self.request.replace_body(body).is_none() {
            drop(extracted);
            trace::body_in_dependency(type_name::<T>());
            return Err(Refusal::of(StatusCode::INTERNAL_SERVER_ERROR));
        }
        extracted.map_err(Refusal::of)
    }
}

impl<E: Writer + Send + 'static> Reject<E> for Salvo<'_> {
    fn reject(&mut self, error: E) -> Refusal {
        Refusal::of(error)
    }
}

/// Requires a dependency, and scopes of it, for a whole service: `Service::new(router).hoop(guard(plan!(OAuth2)))`.
///
/// A request that it refuses goes no further. A `#[secured]` handler does the same as a hoop of a router only: in a service, salvo
/// goes on with the next hoop when no route matches.
///
/// ```
/// use salvo_core::{Router, Service};
/// use tollgate::{oauth2_password_bearer, plan, salvo1::guard};
///
/// #[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// let service = Service::new(Router::new()).hoop(guard(plan!(OAuth2, scopes("items"))));
/// ```
///
/// What refuses no request does not build, and neither does a `Result` inside the dependency's own, because its error would let the
/// request through:
///
/// ```compile_fail,E0080
/// use tollgate::{Rejection, dependency, plan, salvo1::guard};
///
/// #[dependency]
/// fn user() -> Result<Result<(), Rejection>, Rejection> {
///     Ok(Err(Rejection::NOT_AUTHENTICATED))
/// }
///
/// let hoop = guard(plan!(user));
/// ```
#[must_use]
pub const fn guard<D: Dependency>(plan: Plan<D>) -> Guard<D> {
    const { check_guard(D::NODE) };
    Guard { plan }
}

/// A hoop that requires a dependency. [`guard`] makes one.
pub struct Guard<D> {
    plan: Plan<D>,
}

impl<D> fmt::Debug for Guard<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").finish_non_exhaustive()
    }
}

#[async_trait]
impl<D> Handler for Guard<D>
where
    D: Dependency<Output: Send> + for<'a, 'r> Resolve<'r, Salvo<'a>, D::Output>,
{
    async fn handle(
        &self,
        request: &mut Request,
        depot: &mut Depot,
        response: &mut Response,
        ctrl: &mut FlowCtrl,
    ) {
        let mut cx = Salvo::of(request, depot);
        cx.cache.begin();
        match self.plan.resolve_in(&mut cx).await {
            Ok(_) => cx.keep_cache(),
            Err(refusal) => {
                response.status_code = None;
                refusal.write(request, depot, response).await;
                ctrl.skip_rest();
            }
        }
    }
}

/// What describes the extractors, which have no fields of salvo's.
static METADATA: Metadata = Metadata::new("");

impl<'ex, T, P> Extractible<'ex> for Secured<T, P>
where
    T: Send,
    P: for<'a, 'r> Parameter<'r, Salvo<'a>, T>,
{
    fn metadata() -> &'static Metadata {
        &METADATA
    }

    #[allow(refining_impl_trait, reason = "the error is part of the interface")]
    async fn extract(request: &'ex mut Request, depot: &'ex mut Depot) -> Result<Self, Refusal> {
        let mut cx = Salvo::of(request, depot);
        if P::NUMBER == 0 {
            cx.cache.begin();
        }
        let value = P::resolve(&mut cx).await?;
        cx.keep_cache();
        Ok(Self {
            value,
            parameter: PhantomData,
        })
    }
}

impl<'ex, S: Scheme<Yield: Send>> Extractible<'ex> for Security<S> {
    fn metadata() -> &'static Metadata {
        &METADATA
    }

    #[allow(refining_impl_trait, reason = "the error is part of the interface")]
    async fn extract(request: &'ex mut Request, _: &'ex mut Depot) -> Result<Self, Rejection> {
        S::authenticate(request.headers()).map(Self)
    }
}

/// Takes the body. When a hoop has read it, what salvo has kept of it.
async fn body_of(request: &mut Request) -> ReqBody {
    if request.body().is_none()
        && let Ok(kept) = request.payload().await
    {
        return ReqBody::Once(kept.clone());
    }
    request.take_body()
}

impl<'ex, T: OwnedForm + Send> Extractible<'ex> for PasswordForm<T> {
    fn metadata() -> &'static Metadata {
        &METADATA
    }

    #[allow(refining_impl_trait, reason = "the error is part of the interface")]
    async fn extract(request: &'ex mut Request, _: &'ex mut Depot) -> Result<Self, FormError> {
        let body = body_of(request).await;
        read_form(request.headers(), body).await.map(Self)
    }
}

impl<'ex, const MAX_BYTES: usize> Extractible<'ex> for FormBody<MAX_BYTES> {
    fn metadata() -> &'static Metadata {
        &METADATA
    }

    #[allow(refining_impl_trait, reason = "the error is part of the interface")]
    async fn extract(request: &'ex mut Request, _: &'ex mut Depot) -> Result<Self, FormError> {
        let body = body_of(request).await;
        Self::read(request.headers(), body).await
    }
}

impl<'ex> Extractible<'ex> for Client {
    fn metadata() -> &'static Metadata {
        &METADATA
    }

    #[allow(refining_impl_trait, reason = "the error is part of the interface")]
    async fn extract(request: &'ex mut Request, _: &'ex mut Depot) -> Result<Self, TokenError> {
        let body = body_of(request).await;
        read_client(request.headers(), body).await.map(Self)
    }
}

/// What an extractor finds, or why it refuses, to be answered by the handler: `Attempt<Security<OAuth2>, Rejection>`,
/// `Attempt<PasswordForm<Login>, FormError>`. In other frameworks a `Result` is an extractor.
#[derive(Debug)]
pub struct Attempt<T, E>(
    /// What came of it.
    pub Result<T, E>,
);

macro_rules! attempts {
    ($([$($generics:tt)*] $extractor:ty, $error:ty;)*) => {$(
        impl<'ex, $($generics)*> Extractible<'ex> for Attempt<$extractor, $error> {
            fn metadata() -> &'static Metadata {
                &METADATA
            }

            #[allow(refining_impl_trait, reason = "the error is part of the interface")]
            async fn extract(request: &'ex mut Request, depot: &'ex mut Depot) -> Result<Self, $error> {
                Ok(Self(<$extractor>::extract(request, depot).await))
            }
        }
    )*};
}

attempts! {
    [S: Scheme<Yield: Send>] Security<S>, Rejection;
    [T: OwnedForm + Send] PasswordForm<T>, FormError;
    [const MAX_BYTES: usize] FormBody<MAX_BYTES>, FormError;
    [] Client, TokenError;
}

macro_rules! responses {
    ($($error:ty),*) => {$(
        impl Scribe for $error {
            fn render(self, response: &mut Response) {
                let refusal: HttpResponse<String> = self.into_http_response();
                let (head, body) = refusal.into_parts();
                response.status_code(head.status);
                response.headers_mut().extend(head.headers);
                response.replace_body(body.into());
            }
        }
    )*};
}

responses!(Rejection, FormError, BearerError, TokenError, TokenResponse);
