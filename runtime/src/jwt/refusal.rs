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

    pub(super) async fn refuses(&self, verified: &Verified<C>) -> bool {
        match (self.0)(verified.clone()) {
            Answered::Now(refuses) => refuses,
            Answered::Later(refuses) => refuses.await,
        }
    }
}

/// The answer of a function that a service gives to
/// [`refuse_if`](super::TokenVerifierBuilder::refuse_if): a `bool`, or a boxed future of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whether a token is refused",
    label = "neither `bool` nor a boxed future of one",
    note = "write `|claims| Box::pin(async move {{ … }})` for a future"
)]
pub trait Answer: sealed::Answer {}

/// An answer that is there, or one that comes later.
#[expect(missing_debug_implementations, reason = "it is sealed")]
pub enum Answered {
    /// It is there.
    Now(bool),
    /// It comes later.
    Later(Pin<Box<dyn Future<Output = bool> + Send>>),
}

mod sealed {
    pub trait Answer {
        fn answered(self) -> super::Answered;
    }
}

impl Answer for bool {}

impl sealed::Answer for bool {
    fn answered(self) -> Answered {
        Answered::Now(self)
    }
}

impl<F: Future<Output = bool> + Send + 'static> Answer for Pin<Box<F>> {}

impl<F: Future<Output = bool> + Send + 'static> sealed::Answer for Pin<Box<F>> {
    fn answered(self) -> Answered {
        Answered::Later(self)
    }
}
