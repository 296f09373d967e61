//! Refusals from places that cannot send an HTTP answer. The layer above sends them.

use core::error::Error;
use core::fmt;
use core::mem;
use std::sync::{Arc, Mutex, PoisonError};

use http::request::Parts;
use http::{Response, StatusCode};

use crate::dependency::decision::Place;
use crate::dependency::head::Head;
use crate::dependency::plan::Plan;
use crate::dependency::{Dependency, Resolve};
use crate::trace;

/// The answer to a request, as the layer and the places below it see it. It is in the request's
/// extensions.
#[derive(Clone, Default)]
pub(super) struct LateAnswer(Arc<Mutex<State>>);

#[derive(Default)]
enum State {
    /// The service below has not answered yet.
    #[default]
    Open,
    /// The layer sends this refusal.
    Refused(Response<String>),
    /// The layer has sent an answer.
    Begun,
}

impl LateAnswer {
    /// Begins to answer. Returns the refusal to send, if there is one.
    pub(super) fn begin(&self) -> Option<Response<String>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match mem::replace(&mut *state, State::Begun) {
            State::Refused(refusal) => Some(refusal),
            State::Open | State::Begun => None,
        }
    }

    /// Refuses the request, unless the answer has begun. The first refusal is sent.
    fn refuse(&self, refusal: Response<String>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_begun = matches!(*state, State::Begun);
        if matches!(*state, State::Open) {
            *state = State::Refused(refusal);
        }
        drop(state);
        if has_begun {
            trace::late_refusal_not_sent("the answer has begun");
        }
    }
}

impl<D: Dependency> Plan<D> {
    /// Resolves the dependency in a place that cannot send an HTTP answer, such as a tool of an MCP
    /// server or a resolver of GraphQL. `head` is a copy of the head that the layer has seen.
    ///
    /// If the dependency refuses the request, the layer above sends the refusal, with its status
    /// and its challenges, instead of the answer of the service. The layer says so:
    /// [`layer!(…).with_late_refusals()`](crate::SecurityLayer::with_late_refusals).
    ///
    /// ```
    /// use axum::{Router, http::request::Parts, routing::post};
    /// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, layer, plan};
    ///
    /// #[http_bearer(scopes("read" = "Read.", "write" = "Change."))]
    /// struct Token;
    ///
    /// #[dependency]
    /// fn caller(#[security(Token)] token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    ///     // Verify a real token here.
    ///     scopes.check(if token.as_str() == "reader" { "read" } else { "" })?;
    ///     Ok(())
    /// }
    ///
    /// /// Answers every request with `200`, and with its errors in the body.
    /// async fn change(mut head: Parts) -> String {
    ///     match plan!(caller, scopes("write")).resolve_late(&mut head).await {
    ///         Ok(()) => "changed".to_owned(),
    ///         Err(refusal) => refusal.to_string(),
    ///     }
    /// }
    ///
    /// // For the token `reader`, the answer is a 403 all the same, with the challenge for `write`.
    /// let app: Router = Router::new()
    ///     .route("/", post(change))
    ///     .layer(layer!(caller, scopes("read")).with_late_refusals());
    /// ```
    ///
    /// **The caller must return when it gets the error.** The error is for the answer in the
    /// service's own format, which a client sees only if the service had begun to answer before.
    ///
    /// The refusal is the answer to the whole request, and undoes nothing. If several places serve
    /// one request, such as resolvers of GraphQL, resolve what all of them need before any of them
    /// changes something. To only find out whether something is allowed, call
    /// [`resolve`](Self::resolve).
    ///
    /// # Errors
    ///
    /// Returns an error if the dependency, or one below it, refuses the request.
    #[expect(
        clippy::manual_async_fn,
        reason = "the signature declares the future `Send`, as that of `resolve`"
    )]
    pub fn resolve_late(
        self,
        head: &mut Parts,
    ) -> impl Future<Output = Result<D::Output, LateRefusal>> + Send
    where
        D: for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
    {
        async move {
            let resolved = self.decided_at(Place::Late).resolve(head).await;
            resolved.map_err(|refusal| LateRefusal::of(head, refusal))
        }
    }
}

/// A request was refused in a place that cannot send an HTTP answer. The layer above sends the
/// refusal. Returned by [`Plan::resolve_late`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LateRefusal {
    status: StatusCode,
    /// What is told instead of the status, if there is no request to refuse.
    sentence: Option<&'static str>,
}

impl LateRefusal {
    /// Hands a refusal to the layer above.
    pub(crate) fn of(head: &Parts, refusal: Response<String>) -> Self {
        let status = refusal.status();
        match head.extensions.get::<LateAnswer>() {
            Some(answer) => answer.refuse(refusal),
            None => trace::late_refusal_not_sent(
                "no layer above takes it; call `layer!(…).with_late_refusals()`",
            ),
        }
        Self { status, sentence: None }
    }

    /// Returns `true` if a layer above takes late refusals.
    #[cfg(feature = "rmcp3")]
    pub(crate) fn is_taken(head: &Parts) -> bool {
        head.extensions.get::<LateAnswer>().is_some()
    }

    /// Returns the refusal of a message that did not come in a request.
    #[cfg(feature = "rmcp3")]
    pub(crate) fn without_request(sentence: &'static str) -> Self {
        trace::late_refusal_not_sent(sentence);
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, sentence: Some(sentence) }
    }

    /// Returns the status of the refusal.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.status
    }
}

impl fmt::Display for LateRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sentence {
            Some(sentence) => f.write_str(sentence),
            None => write!(f, "the request is refused: {}", self.status),
        }
    }
}

impl Error for LateRefusal {}

/// The error of a method that `#[secured]` on its block refuses to call.
#[diagnostic::on_unimplemented(
    message = "a refused method returns its error, and `{Self}` is not made from a `LateRefusal`",
    label = "not made from a `LateRefusal`",
    note = "implement `From<doorward::layers::LateRefusal>` for it, or return `String` or `rmcp::ErrorData`"
)]
pub trait FromLateRefusal {
    /// Converts the refusal. The client does not see the error, because the layer sends the refusal.
    fn from_late_refusal(refusal: LateRefusal) -> Self;
}

#[diagnostic::do_not_recommend]
impl<E: From<LateRefusal>> FromLateRefusal for E {
    fn from_late_refusal(refusal: LateRefusal) -> Self {
        refusal.into()
    }
}

/// Returns what a refused method returns.
///
/// # Errors
///
/// Always returns the error.
#[cfg(feature = "rmcp3")]
pub fn refused<T, E: FromLateRefusal>(refusal: LateRefusal) -> Result<T, E> {
    Err(E::from_late_refusal(refusal))
}
