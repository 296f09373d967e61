//! What a body is decoded for.

use super::find::Parameters;

/// What the caller of a decoder wants: the form alone, or the credentials of its client too.
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

macro_rules! forms_alone {
    ($($(#[$docs:meta])* $purpose:ident, $is_recorded:literal;)*) => {$(
        $(#[$docs])*
        pub(crate) enum $purpose {}

        impl Purpose for $purpose {
            type Output<T> = T;

            const IS_RECORDED: bool = $is_recorded;

            #[inline(always)]
            fn output<T>(form: T, _: &Parameters<'_>) -> T {
                form
            }

            #[inline(always)]
            fn map<T, U>(form: T, convert: impl FnOnce(T) -> U) -> U {
                convert(form)
            }
        }
    )*};
}

forms_alone! {
    /// The form of a request.
    FormAlone, true;
    /// A form of which only the faults are of interest.
    FaultsAlone, false;
}
