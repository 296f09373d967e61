//! A dependency with its plan, outside a handler.

use core::marker::PhantomData;

use http::Response;
use http::request::Parts;

use crate::dependency::cache::{Cache, LocalCache};
use crate::dependency::context::{LocalContext, SendContext};
use crate::dependency::decision::{Decider, Place};
#[cfg(feature = "live")]
use crate::dependency::head::HeadCopy;
use crate::dependency::head::{Head, LocalHead};
#[cfg(feature = "live")]
use crate::dependency::live::{
    Live, Noted,
    asked::{Answer, Question},
};
use crate::dependency::{Dependency, LocalResolve, Resolve, decided};
use crate::plan::arguments::Arguments;
use crate::plan::cursor::Cursor;
use crate::plan::declaration::met::met;
use crate::plan::security_scopes::SecurityScopes;
use crate::syntax::debug_text::debug_only;

/// A dependency and the scopes required of it, planned outside a handler. Created by
/// `plan!`.
pub struct Plan<D> {
    pub(super) at: Cursor,
    pub(super) by: Decider,
    pub(super) dependency: PhantomData<fn() -> D>,
}

impl<D: Dependency> Plan<D> {
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(at: Cursor) -> Self {
        let by = Decider { place: Place::Plan, name: D::NODE.name(), lets_in: true };
        Self { at, by, dependency: PhantomData }
    }

    pub(crate) const fn scopes(self) -> SecurityScopes {
        self.at.scopes()
    }

    /// Returns the arguments with which the dependency is required.
    pub(crate) const fn arguments(self) -> Option<&'static Arguments> {
        self.at.arguments()
    }

    /// Resolves the dependency from the head of a request.
    ///
    /// # Errors
    ///
    /// Returns the response to send if the dependency, or one below it, refuses the request.
    #[expect(
        clippy::manual_async_fn,
        reason = "the signature declares the future `Send`, because rustc cannot infer it for a concrete \
                  dependency (rust-lang/rust#100013)"
    )]
    pub fn resolve(
        self,
        head: &mut Parts,
    ) -> impl Future<Output = Result<D::Output, Response<String>>> + Send
    where
        D: for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
    {
        async move {
            Cache::begin_in_extensions(head);
            met();
            // Written out, because the answer would be moved once more.
            let mut cx = Head { parts: head };
            let mut resolved = D::resolve(&mut cx, self.at).await;
            decided::<Head<'_>, _>(self.by, &mut resolved);
            resolved
        }
    }

    /// Returns the plan, to be asked again about a request while something goes on that no handler of
    /// a framework has begun, such as a stream of gRPC behind a layer. Nothing is asked yet.
    ///
    /// ```
    /// use doorward::http::request::Parts;
    /// use doorward::live::Live;
    /// use doorward::{BearerError, BearerToken, Plan, SecurityLayer, dependency, http_bearer, plan};
    ///
    /// #[http_bearer]
    /// struct Api;
    ///
    /// #[dependency]
    /// fn user(#[security(Api)] _token: BearerToken) -> Result<String, BearerError> {
    ///     Err(BearerError::invalid_token()) // rejects every token, until tokens are verified here
    /// }
    ///
    /// // The layer requires the same plan, so that it is written once.
    /// const PLAN: Plan<user> = plan!(user);
    /// const LAYER: SecurityLayer<user> = SecurityLayer::new(PLAN);
    ///
    /// fn watch(head: &Parts) -> Live {
    ///     PLAN.live(head)
    /// }
    /// ```
    #[cfg(feature = "live")]
    pub fn live(self, head: &Parts) -> Live
    where
        D: for<'r> Resolve<'r, HeadCopy, D::Output>,
    {
        self.live_noted(Noted::default(), head)
    }

    #[cfg(feature = "live")]
    fn live_noted(self, noted: Noted, head: &Parts) -> Live
    where
        D: for<'r> Resolve<'r, HeadCopy, D::Output>,
    {
        let copy = HeadCopy { parts: noted.copied(head.clone()) };
        let ask = move |mut copy: HeadCopy| -> Answer {
            Box::pin(async move { D::resolve(&mut copy, self.at).await.map(drop) })
        };
        Live::new(D::NODE.name(), noted, Box::new(Question { copy, ask, asking: None }))
    }

    /// Resolves the dependency as [`resolve`](Self::resolve) does, and returns the plan with its
    /// value, to be asked again.
    #[cfg(all(feature = "live", feature = "warp04"))]
    #[expect(clippy::manual_async_fn, reason = "declared `Send`, as the future of `resolve` is")]
    pub(crate) fn resolve_live(
        self,
        head: &mut Parts,
    ) -> impl Future<Output = Result<(D::Output, Live), Response<String>>> + Send
    where
        D: Dependency<Output: Send>
            + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>
            + for<'r> Resolve<'r, HeadCopy, D::Output>,
    {
        async move {
            let noted = Noted::default();
            let live = self.live_noted(noted.clone(), head);
            head.extensions.insert(noted);
            Ok((self.resolve(head).await?, live))
        }
    }

    /// Resolves the dependency from a request of a framework.
    #[allow(dead_code, reason = "used by the frameworks with layers")]
    pub(crate) fn resolve_in<'r, C>(
        self,
        cx: &mut C,
    ) -> impl Future<Output = Result<D::Output, C::Rejection>> + Send
    where
        C: SendContext,
        D: Resolve<'r, C, D::Output>,
    {
        met();
        async move {
            let mut resolved = D::resolve(cx, self.at).await;
            decided::<C, _>(self.by, &mut resolved);
            resolved
        }
    }

    /// Resolves a dependency marked `#[dependency(local)]`.
    ///
    /// # Errors
    ///
    /// Same as [`resolve`](Self::resolve).
    pub async fn resolve_local(self, head: &mut Parts) -> Result<D::Output, Response<String>>
    where
        D: for<'a, 'r> LocalResolve<'r, LocalHead<'a>, D::Output>,
    {
        let mut cx = LocalHead { parts: head, cache: LocalCache::default() };
        self.resolve_local_in(&mut cx).await
    }

    /// Resolves the dependency from a request of a framework whose futures stay on their thread.
    pub(crate) async fn resolve_local_in<'r, C>(self, cx: &mut C) -> Result<D::Output, C::Rejection>
    where
        C: LocalContext,
        D: LocalResolve<'r, C, D::Output>,
    {
        met();
        let mut resolved = D::resolve(cx, self.at).await;
        decided::<C, _>(self.by, &mut resolved);
        resolved
    }
}

impl<D> Plan<D> {
    /// Returns the plan with the place that its events name.
    pub(crate) const fn decided_at(self, place: Place) -> Self {
        Self { by: Decider { place, ..self.by }, ..self }
    }
}

impl<D> Clone for Plan<D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Plan<D> {}

debug_only!([D] Plan<D> {});
