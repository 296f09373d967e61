//! tonic 0.14: methods of services of gRPC, each with scopes of its own.
//!
//! Write `#[secured]` above the `impl` of a service, or resolve a plan in a method:
//! [`Plan::resolve_call`]. [The guide](https://docs.rs/doorward/latest/doorward/guide/grpc/index.html) has an
//! example.

use core::pin::Pin;

use http::request::Parts;
use http::{HeaderMap, Method, Response, Uri, Version};
use tonic::server::NamedService;
use tonic::{Request, Status};

use crate::adapters::http::SecurityService;
use crate::adapters::http::declared_service::DeclaredService;
use crate::adapters::http::grpc_refusal::status_headers;
use crate::adapters::shared::resolve_all::ResolveAll;
use crate::dependency::cache::Cache;
use crate::dependency::context::{Extract, Reject, SendContext};
use crate::dependency::decision::{Decider, Place};
use crate::dependency::head::{FromExtensions, FromHead as _, http_context};
use crate::dependency::live::Noted;
use crate::dependency::live::asked::{AskAll, Copied};
use crate::dependency::plan::Plan;
use crate::dependency::shared::Shared;
use crate::dependency::{Dependency, Resolve, decided};
use crate::plan::cursor::Cursor;
use crate::plan::declaration::{Public, met};
use crate::plan::table::HasPlan;
use crate::refusal::own_error::RefusedRequest;
use crate::routes::entry::{Entry, table};
use crate::routes::kept::Line;
use crate::routes::{Route, Routes};
use crate::syntax::debug_text::debug_only;

/// The head of a call, as far as tonic keeps it for a method: metadata and extensions.
///
/// A dependency takes the metadata as a `HeaderMap`, and a [`Shared`] or a [`FromExtensions`] from
/// the extensions. tonic has dropped the target, so a dependency that takes a `Uri` does not compile
/// here, and the target of a [`Presented`](crate::verify::Presented) token is `*`, which no proof of
/// possession names. To check those, put a layer around the service.
#[derive(Clone)]
pub struct Head {
    parts: Parts,
}

impl Head {
    /// Copies the head of a call.
    #[doc(hidden)]
    #[must_use]
    pub fn of<T>(call: &Request<T>) -> Self {
        let (mut parts, ()) = http::Request::new(()).into_parts();
        // Each call is a `POST` by HTTP/2.
        parts.method = Method::POST;
        parts.uri = Uri::from_static("*");
        parts.version = Version::HTTP_2;
        parts.headers = call.metadata().clone().into_headers();
        parts.extensions = call.extensions().clone();
        Cache::begin_in_extensions(&mut parts);
        Self { parts }
    }

    /// Resolves what a secured method requires, in order, each at its position in the plan.
    /// The future is boxed, because each method would otherwise be checked with all that is in it.
    #[doc(hidden)]
    #[must_use]
    pub fn resolve<P: HasPlan, Ds, Ts, const COUNT: usize>(
        mut self,
        at: [Cursor; COUNT],
    ) -> Pin<Box<dyn Future<Output = Result<Ts, Status>> + Send>>
    where
        Ds: ResolveAll<Self, Ts, COUNT>,
    {
        Box::pin(async move {
            met::met();
            let mut resolved = Ds::resolve(&mut self, at).await;
            let by = Decider { place: Place::Handler, name: P::NAME, lets_in: P::DECIDES };
            decided::<Self, _>(by, &mut resolved);
            resolved.map_err(status)
        })
    }
}

impl<D: Dependency> Plan<D> {
    /// Resolves the dependency in a method of a service of tonic. The status of a refusal is that of
    /// [`with_grpc_refusals`](crate::SecurityLayer::with_grpc_refusals), with the challenges in its
    /// metadata.
    ///
    /// ```
    /// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, plan};
    /// use tonic::{Request, Response, Status};
    ///
    /// #[http_bearer(scopes("notes:read" = "Read notes."))]
    /// struct Api;
    ///
    /// #[dependency]
    /// fn user(#[security(Api)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
    ///     Err(scopes.invalid_token()) // rejects every token, until tokens are verified here
    /// }
    ///
    /// async fn get(request: Request<u64>) -> Result<Response<String>, Status> {
    ///     let user = plan!(user, scopes("notes:read")).resolve_call(&request).await?;
    ///     Ok(Response::new(format!("note {} of {user}", request.into_inner())))
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the status to send if the dependency, or one below it, refuses the call.
    pub fn resolve_call<T>(
        self,
        call: &Request<T>,
    ) -> impl Future<Output = Result<D::Output, Status>> + Send + use<D, T>
    where
        D: for<'r> Resolve<'r, Head, D::Output>,
    {
        let mut head = Head::of(call);
        async move { self.resolve_in(&mut head).await.map_err(status) }
    }
}

http_context!([] Head, String);

impl<E: Into<Response<String>>> Reject<E> for Head {
    fn reject(&mut self, error: E) -> Response<String> {
        error.into()
    }
}

impl SendContext for Head {
    fn cache(&mut self) -> &mut Cache {
        Cache::in_extensions(&mut self.parts)
    }
}

impl Extract<HeaderMap> for Head {
    async fn extract(&mut self, _name: &'static str) -> Result<HeaderMap, Response<String>> {
        Ok(self.parts.headers.clone())
    }
}

impl<T: Clone + Send + Sync + 'static> Extract<FromExtensions<T>> for Head {
    async fn extract(
        &mut self,
        _name: &'static str,
    ) -> Result<FromExtensions<T>, Response<String>> {
        Ok(FromExtensions::from_head(&mut self.parts)?)
    }
}

impl<T: ?Sized + Send + Sync + 'static> Extract<Shared<T>> for Head {
    async fn extract(&mut self, _name: &'static str) -> Result<Shared<T>, Response<String>> {
        Ok(Shared::found(
            self.parts.extensions.get(),
            "insert it into the extensions of each call, with a layer of the server: tower-http's \
             `.layer(AddExtensionLayer::new(Shared::new(…)))`",
        )?)
    }
}

impl Copied for Head {
    type Copy = Self;

    async fn copied<D: AskAll<Self>>(&mut self, noted: &Noted) -> Result<Self, Response<String>> {
        self.parts.extensions.insert(noted.clone());
        Ok(Self { parts: noted.copied(self.parts.clone()) })
    }

    fn answer(refusal: Response<String>) -> Response<String> {
        refusal
    }
}

debug_only!([] Head, "(<redacted>)");

/// Returns the status of a refusal.
fn status(refusal: Response<String>) -> Status {
    let (head, body) = refusal.into_parts();
    let headers = status_headers(head.status, &head.headers, body);
    Status::from_header_map(&headers).unwrap_or_else(|| Status::internal(""))
}

/// The last item of a stream, in
/// [`ending_with`](crate::live::Around::ending_with).
impl From<RefusedRequest> for Status {
    fn from(refusal: RefusedRequest) -> Self {
        status(refusal.into_http_response())
    }
}

/// Notes that a call has reached a public method.
pub fn met() {
    met::met();
}

/// Returns what a refused method returns.
///
/// # Errors
///
/// Always returns the status.
pub fn refused<T, E: From<Status>>(refusal: Status) -> Result<T, E> {
    Err(refusal.into())
}

impl<T: NamedService> NamedService for Public<T> {
    const NAME: &'static str = T::NAME;
}

impl<T: NamedService, D, State, Refusals> NamedService for SecurityService<T, D, State, Refusals> {
    const NAME: &'static str = T::NAME;
}

/// Returns the table of a service that has no block of its own, because it is behind a layer or
/// `public("…", service)`: one line, for all methods.
///
/// ```
/// use doorward::public;
/// use doorward::tonic014::service_routes;
/// # struct HealthServer;
/// # impl tonic::server::NamedService for HealthServer {
/// #     const NAME: &'static str = "grpc.health.v1.Health";
/// # }
///
/// let health = public("load balancers ask it", HealthServer);
/// let table = service_routes(&health).to_string();
/// assert_eq!(table, "RPC  /grpc.health.v1.Health/*  public: load balancers ask it\n");
/// // Then `Server::builder().add_service(health)`.
/// ```
#[must_use]
pub fn service_routes<S: NamedService + DeclaredService>(service: &S) -> Routes {
    let line = Line::new("RPC", &format!("/{}/*", S::NAME), service.declaration());
    Routes::of([Route::from(line)].into_iter())
}

/// Returns the table of the methods of a service, whose block is in a module.
#[must_use]
pub fn routes(service: &str, module: &str, entries: &[Entry]) -> Routes {
    table(module, entries, |method| format!("/{service}/{method}"))
}
