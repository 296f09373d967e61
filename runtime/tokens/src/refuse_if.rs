//! Refusals of tokens by the service itself, for example of revoked tokens.

use core::pin::Pin;

use doorward_core::verify::Verified;

/// A function of a service that refuses tokens by their claims.
pub(crate) struct Refusal<C>(Box<dyn Fn(Verified<C>) -> Answered + Send + Sync>);

impl<C> Refusal<C> {
    pub(crate) fn new<A: IsRefused>(
        refuses: impl Fn(Verified<C>) -> A + Send + Sync + 'static,
    ) -> Self {
        Self(Box::new(move |verified| refuses(verified).answered()))
    }

    /// Returns `None` if the service could not decide.
    pub(crate) async fn refuses(&self, verified: &Verified<C>) -> Option<bool> {
        (self.0)(verified.clone()).decided().await
    }
}

/// The answer of a function that a service gives to
/// [`refuse_if`](crate::jwt::TokenVerifierBuilder::refuse_if): a `bool`, a `Result` of one, whose error
/// says that the service could not decide, or a boxed future of either.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether a token is refused",
    label = "neither `bool` or `Result<bool, _>`, nor a boxed future of one",
    note = "write `|claims| Box::pin(async move {{ … }})` for a future"
)]
pub trait IsRefused: sealed::IsRefused {}

/// Either an answer, or a future of one. It is `None` if the service could not decide.
#[expect(missing_debug_implementations, reason = "it is sealed")]
pub enum Answered {
    /// The answer.
    Now(Option<bool>),
    /// A future of the answer.
    Later(Pin<Box<dyn Future<Output = Option<bool>> + Send>>),
}

mod sealed {
    pub trait IsRefused {
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

impl IsRefused for bool {}

impl sealed::IsRefused for bool {
    fn answered(self) -> Answered {
        Answered::Now(Some(self))
    }
}

impl<E> IsRefused for Result<bool, E> {}

impl<E> sealed::IsRefused for Result<bool, E> {
    fn answered(self) -> Answered {
        Answered::Now(self.ok())
    }
}

impl<F: Future + Send + 'static> IsRefused for Pin<Box<F>> where F::Output: IsRefused {}

impl<F: Future + Send + 'static> sealed::IsRefused for Pin<Box<F>>
where
    F::Output: IsRefused,
{
    fn answered(self) -> Answered {
        Answered::Later(Box::pin(async move {
            let answered = self.await.answered();
            answered.decided().await
        }))
    }
}
