//! A dependency that is required of every route below it.

use core::marker::PhantomData;

use crate::dependency::Dependency;
use crate::dependency::decision::Place;
use crate::dependency::plan::Plan;
use crate::plan::check::check_guard;
use crate::syntax::debug_text::debug_only;

/// A layer that requires a dependency, with scopes, for every route below it. Created by
/// `layer!`.
///
/// The layer puts the dependency's output into the request's extensions (salvo: the depot), by
/// type, for the handlers. If two layers yield the same type, handlers see the output of the inner
/// one. A request that the dependency refuses goes no further.
///
/// `State` is that of an axum router, after `with_state`. `Refusals` is the form in which requests
/// are refused: plain HTTP, or that of gRPC after `with_grpc_refusals`.
///
/// **CORS**: a preflight request has no `Authorization` header, so it is refused like any other
/// request without one. Put the layer that answers preflights around this one.
///
/// ```
/// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, layer, http_bearer};
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// #[derive(Clone)]
/// struct User(String);
///
/// #[dependency]
/// async fn current_user(#[security(OAuth2)] token: BearerToken, scopes: SecurityScopes) -> Result<User, BearerError> {
///     // Verify a real token here, and find out which scopes it grants.
///     let granted = if token.as_str() == "t0k3n" { "items" } else { return Err(scopes.invalid_token()) };
///     scopes.check(granted)?;
///     Ok(User("johndoe".to_owned()))
/// }
///
/// let layer = layer!(current_user, scopes("items"));
/// ```
pub struct SecurityLayer<D, State = (), Refusals = ()> {
    pub(crate) plan: Plan<D>,
    pub(crate) takes_late_refusals: bool,
    pub(crate) state: State,
    pub(crate) refusals: PhantomData<fn() -> Refusals>,
}

impl<D: Dependency> SecurityLayer<D> {
    /// Creates a layer from a plan.
    ///
    /// A dependency that refuses no request does not compile here. Neither does one with a `Result`
    /// inside its own `Result`, because the inner error would let the request through:
    ///
    /// ```compile_fail,E0080
    /// use doorward::{Rejection, SecurityLayer, dependency, plan};
    ///
    /// #[dependency]
    /// fn user() -> Result<Result<(), Rejection>, Rejection> {
    ///     Ok(Err(Rejection::NOT_AUTHENTICATED))
    /// }
    ///
    /// let layer = SecurityLayer::new(plan!(user));
    /// ```
    #[must_use]
    pub const fn new(plan: Plan<D>) -> Self {
        const { check_guard(D::NODE) };
        let plan = plan.decided_at(Place::Layer);
        Self { plan, takes_late_refusals: false, state: (), refusals: PhantomData }
    }
}

impl<D, State, Refusals> SecurityLayer<D, State, Refusals> {
    /// Returns the plan: the requirements for the routes below.
    #[must_use]
    pub const fn plan(&self) -> Plan<D> {
        self.plan.decided_at(Place::Plan)
    }
}

impl<D, State: Clone, Refusals> Clone for SecurityLayer<D, State, Refusals> {
    fn clone(&self) -> Self {
        Self {
            plan: self.plan,
            takes_late_refusals: self.takes_late_refusals,
            state: self.state.clone(),
            refusals: PhantomData,
        }
    }
}

impl<D, State: Copy, Refusals> Copy for SecurityLayer<D, State, Refusals> {}

debug_only!([D, State, Refusals] SecurityLayer<D, State, Refusals> {});
