//! Tokens that the service itself refuses, such as those that were revoked.

use core::pin::Pin;

use crate::verify::Verified;

/// A function of a service that refuses tokens by their claims.
pub(super) struct Refusal<C>(Box<dyn Fn(Verified<C>) -> Answered + Send + Sync>);

impl<C> Refusal<C> {
    pub(super) fn new<A: Answer>(
        refuses: impl Fn(Verified<C>) -> A + Send + Sync + 'static,
    ) -> Self {
        Self(Box::new(move |verified| refuses(verified).answered()))
    }

    /// Returns `None` if the service could not decide.
    pub(super) async fn refuses(&self, verified: &Verified<C>) -> Option<bool> {
        (self.0)(verified.clone()).decided().await
    }
}

/// The answer of a function that a service gives to
/// [`refuse_if`](super::TokenVerifierBuilder::refuse_if): a `bool`, a `Result` of one, whose error
/// says that the service could not decide, or a boxed future of either.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether a token is refused",
    label = "neither `bool` or `Result<bool, _>`, nor a boxed future of one",
    note = "write `|claims| Box::pin(async move {{ … }})` for a future"
)]
pub trait Answer: sealed::Answer {}

/// Either an answer, or a future of one. It is `None` if the service could not decide.
#[expect(missing_debug_implementations, reason = "it is sealed")]
pub enum Answered {
    /// The answer.
    Now(Option<bool>),
    /// A future of the answer.
    Later(Pin<Box<dyn Future<Output = Option<bool>> + Send>>),
}

mod sealed {
    pub trait Answer {
        fn answered(self) -> super::Answered;
    }
}

impl Answered {
    async fn decided(self) -> Option<bool> {
        match self {
            Self::Now(refuses) => refuses,
            Self::Later(refuses) => refuses.await,
        }
    }
}

impl Answer for bool {}

impl sealed::Answer for bool {
    fn answered(self) -> Answered {
        Answered::Now(Some(self))
    }
}

impl<E> Answer for Result<bool, E> {}

impl<E> sealed::Answer for Result<bool, E> {
    fn answered(self) -> Answered {
        Answered::Now(self.ok())
    }
}

impl<F: Future + Send + 'static> Answer for Pin<Box<F>> where F::Output: Answer {}

impl<F: Future + Send + 'static> sealed::Answer for Pin<Box<F>>
where
    F::Output: Answer,
{
    fn answered(self) -> Answered {
        Answered::Later(Box::pin(async move {
            let answered = self.await.answered();
            answered.decided().await
        }))
    }
}
