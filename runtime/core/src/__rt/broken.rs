//! Stand-ins for code with a mistake, so the compiler prints only the error for that mistake.

use core::future::pending;
use core::marker::PhantomData;

use crate::__both_families;
use crate::dependency::Dependency;
use crate::plan::cursor::Cursor;
use crate::plan::node::{Function, Node};
use crate::refusal::rejection::Rejection;

/// The dependency behind a parameter whose attribute has a mistake. It causes no further errors.
#[derive(Debug)]
pub struct Broken<T>(PhantomData<fn() -> T>);

impl<T: 'static> Dependency for Broken<T> {
    type Output = T;

    const NODE: &'static Node = &Function::new("broken").fails().broken().node(&[]);
}

__both_families! {
    impl<T: 'static, C: __family::Context> __family::Resolve<'_, C, T> for Broken<T> {
        fn resolve(_cx: &mut C, _at: Cursor) -> impl Future<Output = Result<T, C::Rejection>> {
            pending()
        }
    }
}

/// An item that refuses with an error: a dependency that can fail, or a scheme or a list that
/// answers with an error type of the service.
pub trait Fails {
    /// Whether the error is a response, as [`IsAnswer`].
    type IsAnswer;
}

/// Whether an error is a response. If it is `false`, the check of the error reports that. A
/// rejection is then sent instead, which each framework can answer with, so no route is an error.
#[derive(Debug)]
pub enum IsAnswer<const IS: bool> {}

/// The answer to an error of the type `E`.
pub trait Answers<E> {
    /// The type that is sent.
    type Sent;

    /// Returns what is sent for an error.
    fn sent(error: E) -> Self::Sent;
}

impl<E> Answers<E> for IsAnswer<true> {
    type Sent = E;

    fn sent(error: E) -> E {
        error
    }
}

impl<E> Answers<E> for IsAnswer<false> {
    type Sent = Rejection;

    fn sent(_: E) -> Rejection {
        Rejection::NOT_AUTHENTICATED
    }
}

/// The type that is sent for the error `E` of `D`.
pub type AnswerOf<D, E> = <<D as Fails>::IsAnswer as Answers<E>>::Sent;

/// Returns what is sent for an error of `D`.
pub fn answer_of<D: Fails<IsAnswer: Answers<E>>, E>(error: E) -> AnswerOf<D, E> {
    <D::IsAnswer as Answers<E>>::sent(error)
}

/// Returns a value for such a parameter. It is never called, because code that contains it does not
/// compile.
#[must_use]
pub fn broken<T>() -> T {
    loop {
        core::hint::spin_loop();
    }
}
