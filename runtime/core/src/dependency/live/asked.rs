//! The requirement of a handler, as it is asked again.

use core::marker::PhantomData;
use core::pin::Pin;
use core::task::{Context as TaskContext, Poll};

use http::Response;
use http::request::Parts;

use crate::__both_families;
use crate::credential::request_head::RequestHead as _;
use crate::dependency::Dependency;
use crate::dependency::context::{Context, LocalContext, SendContext};
use crate::dependency::live::{Live, Noted};
use crate::plan::cursor::Cursor;
use crate::plan::node::Edge;
use crate::plan::table::{HasPlan, PlanPosition};
use crate::verify::Verified;

/// A requirement that is asked again.
pub trait Asked {
    /// Polls the answer, which is the refusal if there is one. Begins to ask, if nothing does.
    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<Result<(), Response<String>>>;

    /// Stops asking.
    fn stop(&mut self);

    /// Returns a copy of the request's head.
    fn head(&self) -> Parts;
}

/// A context whose request can be asked again from a copy of its head.
#[diagnostic::on_unimplemented(
    message = "`Live` cannot ask again about this kind of request",
    label = "not asked again by `{Self}`",
    note = "the state of an axum router has to be `Clone` and `'static`; without a handler, take it from a plan: `plan!(current_user).live(&head)`"
)]
pub trait Copied: SendContext + Sized {
    /// The context of the copy.
    type Copy: SendContext + Clone + 'static;

    /// Copies the head, without values that dependencies have kept. Where a token is verified for
    /// the request, if something can be attached to it, or for its copy, its expiry is noted.
    ///
    /// If values of the framework cannot be copied before a dependency has taken them, the
    /// requirement `D` is asked first.
    ///
    /// # Errors
    ///
    /// Returns the refusal, if the requirement refuses the request.
    fn copied<D: AskAll<Self>>(
        &mut self,
        noted: &Noted,
    ) -> impl Future<Output = Result<Self::Copy, Self::Rejection>> + Send;

    /// Returns the status and the header lines of a refusal.
    fn answer(refusal: <Self::Copy as Context>::Rejection) -> Response<String>;
}

/// Like [`Copied`], in a context whose futures stay on their thread.
#[diagnostic::on_unimplemented(
    message = "`Live` cannot ask again about this kind of request",
    label = "not asked again by `{Self}`"
)]
pub trait LocalCopied: LocalContext + Sized {
    /// The context of the copy.
    type Copy: LocalContext + Clone + 'static;

    /// Copies the head, without values that dependencies have kept. Where a token is verified for
    /// the request, if something can be attached to it, or for its copy, its expiry is noted.
    ///
    /// If values of the framework cannot be copied before a dependency has taken them, the
    /// requirement `D` is asked first.
    ///
    /// # Errors
    ///
    /// Returns the refusal, if the requirement refuses the request.
    fn copied<D: LocalAskAll<Self>>(
        &mut self,
        noted: &Noted,
    ) -> impl Future<Output = Result<Self::Copy, Self::Rejection>>;

    /// Returns the status and the header lines of a refusal.
    fn answer(refusal: <Self::Copy as Context>::Rejection) -> Response<String>;
}

/// The requirements of a handler in order: a dependency, its position, and the others.
#[diagnostic::on_unimplemented(
    message = "the requirement of this handler cannot be asked again",
    label = "not asked again from a copy of the request's head",
    note = "a dependency takes what cannot come from a copy, such as an extractor that borrows from the request; let it take an owned value instead, such as `HeaderMap` or a `Shared<T>`, or take the dependency out of the handler that has a `Live`"
)]
pub trait AskAll<C: Context> {
    /// The path of the handler.
    const HANDLER: &'static str;

    /// Asks all of them.
    fn ask(cx: &mut C) -> impl Future<Output = Result<(), C::Rejection>> + Send;
}

/// Like [`AskAll`], in a context whose futures stay on their thread.
#[diagnostic::on_unimplemented(
    message = "the requirement of this handler cannot be asked again",
    label = "not asked again from a copy of the request's head"
)]
pub trait LocalAskAll<C: Context> {
    /// The path of the handler.
    const HANDLER: &'static str;

    /// Asks all of them.
    fn ask(cx: &mut C) -> impl Future<Output = Result<(), C::Rejection>>;
}

/// The answer to one question.
pub type Answer = Pin<Box<dyn Future<Output = Result<(), Response<String>>> + Send>>;

/// The answer to one question, which stays on its thread.
pub type LocalAnswer = Pin<Box<dyn Future<Output = Result<(), Response<String>>>>>;

/// The requirement of a handler, which fills a [`Live`]. `D` is an [`AskAll`].
#[derive(Debug)]
pub struct AskedAgain<D>(PhantomData<fn() -> D>);

/// Its parameter is apart from the plan of the handler.
impl<D: 'static> HasPlan for AskedAgain<D> {
    const EDGES: &'static [Edge] = &[];
}

impl<D: 'static> PlanPosition for AskedAgain<D> {
    type Plan = Self;

    const NUMBER: usize = 0;

    const CURSOR: Cursor = Cursor::NOWHERE;

    #[cfg(feature = "rocket05")]
    const NAME: &'static str = "Live";
}

/// A copy of a request, and the function that asks about it.
pub(crate) struct Question<C, F, A> {
    pub(crate) copy: C,
    pub(crate) ask: F,
    pub(crate) asking: Option<A>,
}

/// Notes when the value of a dependency expires, if it is a verified token:
/// `<ExpiryOf<T>>::note(…)`.
#[derive(Debug)]
pub struct ExpiryOf<T>(PhantomData<fn() -> T>);

impl<T> ExpiryOf<Verified<T>> {
    /// Notes it, if the handler asks again then.
    #[inline]
    pub fn note<C: Context>(cx: &C, verified: &Verified<T>) {
        if let Some(expires_at) = verified.expires_at()
            && let Some(noted) = cx.head().extension::<Noted>()
        {
            noted.note(expires_at);
        }
    }
}

/// Any other value.
pub trait NoExpiry<T> {
    /// Notes nothing.
    #[inline]
    fn note<C>(_: &C, _: &T) {}
}

impl<T> NoExpiry<T> for ExpiryOf<T> {}

__both_families! {
    impl<C: __family::Context> __family::AskAll<C> for () {
        const HANDLER: &'static str = "";

        async fn ask(_: &mut C) -> Result<(), C::Rejection> {
            Ok(())
        }
    }

    impl<C, D, P, Others> __family::AskAll<C> for (D, P, Others)
    where
        C: __family::Context,
        D: Dependency + for<'r> __family::Resolve<'r, C, D::Output>,
        P: PlanPosition,
        Others: __family::AskAll<C>,
    {
        const HANDLER: &'static str = P::Plan::NAME;

        async fn ask(cx: &mut C) -> Result<(), C::Rejection> {
            D::resolve(cx, P::CURSOR).await.map(drop)?;
            Others::ask(cx).await
        }
    }

    impl<C, D> __family::Resolve<'_, C, Live<__family::AnyAsked>> for AskedAgain<D>
    where
        C: __family::Copied,
        D: __family::AskAll<C> + __family::AskAll<C::Copy> + 'static,
    {
        async fn resolve(cx: &mut C, _: Cursor) -> Result<Live<__family::AnyAsked>, C::Rejection> {
            let noted = Noted::default();
            // The copy shares it with the request.
            cx.note_proofs();
            let copy = cx.copied::<D>(&noted).await?;
            let ask = |mut copy: C::Copy| -> __family::Answer {
                Box::pin(async move {
                    <D as __family::AskAll<C::Copy>>::ask(&mut copy).await.map_err(C::answer)
                })
            };
            Ok(Live::new(<D as __family::AskAll<C>>::HANDLER, noted, Box::new(Question { copy, ask, asking: None })))
        }
    }

    impl<C, F> Asked for Question<C, F, __family::Answer>
    where
        C: __family::Context + Clone,
        F: Fn(C) -> __family::Answer,
    {
        fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<Result<(), Response<String>>> {
            let asking = self.asking.get_or_insert_with(|| (self.ask)(self.copy.clone()));
            asking.as_mut().poll(cx)
        }

        fn stop(&mut self) {
            self.asking = None;
        }

        fn head(&self) -> Parts {
            self.copy.copied_head()
        }
    }
}
