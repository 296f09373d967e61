//! rmcp 3, the official SDK for MCP servers: `#[secured]` above an `impl` with tools, prompts or
//! resources.
//!
//! A refusal is [late](crate::SecurityLayer::with_late_refusals): the layer around the server sends
//! it instead of rmcp's answer. [The guide](https://docs.rs/doorward/latest/doorward/guide/mcp/index.html) has an example.

pub(crate) mod entry;
pub(crate) mod granted;
pub(crate) mod security_schemes;

use core::pin::Pin;

use http::request::Parts;
use rmcp::handler::server::common::{AsRequestContext, FromContextPart};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

pub use self::entry::{Undecided, declared};
use crate::adapters::http::late_refusal::LateRefusal;
use crate::adapters::shared::resolve_all::ResolveAll;
use crate::dependency::cache::Cache;
use crate::dependency::decision::{Decider, Place};
use crate::dependency::head;
use crate::dependency::plan::Plan;
use crate::dependency::recognised::Recognised;
use crate::dependency::{Dependency, Resolve, decided};
use crate::plan::cursor::Cursor;
use crate::plan::declaration::met::met;
use crate::plan::table::HasPlan;
use crate::syntax::debug_text::debug_only;

/// The head of the request that brought a message, if it came in one. `#[secured]` gives it to each
/// secured method of a block as an additional parameter.
///
/// A test that calls the method itself passes the head of a request with a token: `head.into()`.
pub struct Head(Option<Parts>);

impl Head {
    /// Returns the head of the request that brought a message.
    #[must_use]
    pub fn of(context: &RequestContext<RoleServer>) -> Self {
        Self(context.extensions.get().cloned())
    }

    /// Resolves a plan, whose refusal the layer sends. It is for a requirement that only the method
    /// knows, such as that of a resource by its URI, as
    /// [`Plan::resolve_late`](crate::Plan::resolve_late) is elsewhere.
    ///
    /// ```
    /// use rmcp::model::{ReadResourceRequestParams, ReadResourceResponse};
    /// use rmcp::service::RequestContext;
    /// use rmcp::{ErrorData, RoleServer, ServerHandler};
    /// use doorward::rmcp3::Head;
    /// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, plan, secured};
    ///
    /// #[http_bearer(scopes("notes" = "Read the notes.", "drafts" = "Read the drafts."))]
    /// struct Token;
    ///
    /// #[dependency]
    /// fn caller(#[security(Token)] token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    ///     // Verify a real token here.
    ///     scopes.check(token.as_str())?;
    ///     Ok(())
    /// }
    ///
    /// struct Notes;
    ///
    /// #[secured]
    /// impl ServerHandler for Notes {
    ///     #[public(reason = "each resource has its own scopes")]
    ///     async fn read_resource(
    ///         &self,
    ///         request: ReadResourceRequestParams,
    ///         context: RequestContext<RoleServer>,
    ///     ) -> Result<ReadResourceResponse, ErrorData> {
    ///         let mut head = Head::of(&context);
    ///         match &*request.uri {
    ///             "notes:///drafts" => head.resolve_late(plan!(caller, scopes("notes", "drafts"))).await?,
    ///             _ => head.resolve_late(plan!(caller, scopes("notes"))).await?,
    ///         }
    ///         Err(ErrorData::resource_not_found("no such note", None))
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the plan refuses the request, or if there is none.
    #[expect(
        clippy::manual_async_fn,
        reason = "the signature declares the future `Send`, as that of `Plan::resolve_late`"
    )]
    pub fn resolve_late<D>(
        &mut self,
        plan: Plan<D>,
    ) -> impl Future<Output = Result<D::Output, LateRefusal>> + Send
    where
        D: Dependency + for<'a, 'r> Resolve<'r, head::Head<'a>, D::Output>,
    {
        async move { plan.resolve_late(self.parts()?).await }
    }

    fn parts(&mut self) -> Result<&mut Parts, LateRefusal> {
        self.0.as_mut().ok_or_else(|| {
            LateRefusal::without_request(
                "this is secured, and the message came in no HTTP request that could have a token",
            )
        })
    }

    /// Resolves what a secured method requires, in order, each at its position in the plan.
    /// The future is boxed, because each method would otherwise be checked with all that is in it.
    #[doc(hidden)]
    #[must_use]
    pub fn resolve<P: HasPlan, Ds, Ts, const COUNT: usize>(
        mut self,
        at: [Cursor; COUNT],
    ) -> Pin<Box<dyn Future<Output = Result<Ts, LateRefusal>> + Send>>
    where
        Ds: for<'a> ResolveAll<head::Head<'a>, Ts, COUNT>,
    {
        Box::pin(async move {
            let parts = self.parts()?;
            Cache::begin_in_extensions(parts);
            parts.extensions.get_or_insert_default::<Recognised>();
            met();
            let mut cx = head::Head { parts };
            let mut resolved = Ds::resolve(&mut cx, at).await;
            let by = Decider { place: Place::Late, name: P::NAME, lets_in: P::DECIDES };
            decided::<head::Head<'_>, _>(by, &mut resolved);
            resolved.map_err(|refusal| LateRefusal::of(parts, refusal))
        })
    }
}

impl From<Parts> for Head {
    fn from(head: Parts) -> Self {
        Self(Some(head))
    }
}

/// It never fails, so that the method decides what to answer without a request.
impl<C: AsRequestContext> FromContextPart<C> for Head {
    fn from_context_part(context: &mut C) -> Result<Self, ErrorData> {
        Ok(Self::of(context.as_request_context()))
    }
}

debug_only!([] Head, "(<redacted>)");

/// The error of a refused tool.
impl From<LateRefusal> for String {
    fn from(refusal: LateRefusal) -> Self {
        refusal.to_string()
    }
}

/// The error of a refused tool, prompt or resource.
impl From<LateRefusal> for ErrorData {
    fn from(refusal: LateRefusal) -> Self {
        Self::invalid_request(refusal.to_string(), None)
    }
}
