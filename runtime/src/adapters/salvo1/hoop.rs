//! A hoop that requires a dependency for a whole service.

use core::fmt;

use salvo_core::{Depot, FlowCtrl, Handler, Request, Response, Writer, async_trait};

use crate::adapters::salvo1::context::Salvo;
use crate::dependency::plan::Plan;
use crate::dependency::{Dependency, Resolve};
use crate::plan::check::check_guard;

/// A hoop that requires a dependency, with scopes, for a whole service:
/// `Service::new(router).hoop(SecurityHoop::new(plan!(user)))`.
///
/// A request that the dependency refuses goes no further. A `#[secured]` handler does the same only
/// as a hoop of a router: in a service, salvo runs the next hoop when no route matches.
///
/// ```
/// use salvo_core::{Router, Service};
/// use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, plan, salvo1::SecurityHoop};
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// #[dependency]
/// fn user(#[security(OAuth2)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
///     Err(scopes.invalid_token()) // nobody, until tokens are verified here
/// }
///
/// let service = Service::new(Router::new()).hoop(SecurityHoop::new(plan!(user, scopes("items"))));
/// ```
///
/// The dependency is a guard: one that refuses no request does not compile here. Neither does one
/// with a `Result` inside its own `Result`, because the inner error would let the request through:
///
/// ```compile_fail,E0080
/// use tollgate::{Rejection, dependency, plan, salvo1::SecurityHoop};
///
/// #[dependency]
/// fn user() -> Result<Result<(), Rejection>, Rejection> {
///     Ok(Err(Rejection::NOT_AUTHENTICATED))
/// }
///
/// let hoop = SecurityHoop::new(plan!(user));
/// ```
pub struct SecurityHoop<D> {
    plan: Plan<D>,
}

impl<D: Dependency> SecurityHoop<D> {
    /// Creates a hoop from a plan.
    #[must_use]
    pub const fn new(plan: Plan<D>) -> Self {
        const { check_guard(D::NODE) };
        Self { plan }
    }
}

impl<D> fmt::Debug for SecurityHoop<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecurityHoop").finish_non_exhaustive()
    }
}

#[async_trait]
impl<D> Handler for SecurityHoop<D>
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
