//! The purposes for which a body is decoded.

use core::marker::PhantomData;

use crate::form::find::Parameters;

/// The result that the caller of a decoder wants: only the form, or the credentials of its client
/// too.
pub trait Purpose {
    /// The form, and what else is wanted. The form alone is not wrapped, so it is not moved once
    /// more.
    type Output<T>;

    /// Whether the outcome is recorded as an event.
    const IS_RECORDED: bool = true;

    /// Adds what else is wanted, from the parameters of a body without faults.
    fn output<T>(form: T, parameters: &Parameters<'_>) -> Self::Output<T>;

    /// Converts the form.
    fn map<T, U>(output: Self::Output<T>, convert: impl FnOnce(T) -> U) -> Self::Output<U>;
}

/// Only the form.
pub(crate) enum FormAlone {}

impl Purpose for FormAlone {
    type Output<T> = T;

    #[inline(always)]
    fn output<T>(form: T, _: &Parameters<'_>) -> T {
        form
    }

    #[inline(always)]
    fn map<T, U>(form: T, convert: impl FnOnce(T) -> U) -> U {
        convert(form)
    }
}

/// The same, but the outcome is not recorded, or recorded elsewhere.
#[derive(Debug)]
pub struct Unrecorded<P>(PhantomData<P>);

impl<P: Purpose> Purpose for Unrecorded<P> {
    type Output<T> = P::Output<T>;

    const IS_RECORDED: bool = false;

    #[inline(always)]
    fn output<T>(form: T, parameters: &Parameters<'_>) -> P::Output<T> {
        P::output(form, parameters)
    }

    #[inline(always)]
    fn map<T, U>(output: P::Output<T>, convert: impl FnOnce(T) -> U) -> P::Output<U> {
        P::map(output, convert)
    }
}
