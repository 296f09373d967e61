//! Handlers that are declared by one of their parameters.

use crate::dependency::handler::Secured;
#[cfg(feature = "axum08")]
use crate::plan::declaration::Declaration;
use crate::plan::declaration::{Declared, Declares, PublicParameter};
use crate::plan::table::HasPlan;

/// The place of the parameter that declares the handler. The numbers differ in one list of
/// parameters, and mean nothing else.
#[derive(Debug)]
pub enum At<const PLACE: usize> {}

#[diagnostic::do_not_recommend]
impl<T, P: HasPlan> Declares for Secured<T, P> {
    type Plan = P;
}

#[diagnostic::do_not_recommend]
impl<P: HasPlan> Declares for PublicParameter<P> {
    type Plan = P;
}

/// Implements the trait for each place in a list of parameters, and in each list that is shorter.
macro_rules! each_list {
    () => {};
    ($first:ident $first_place:literal $($rest:ident $place:literal)*) => {
        each_place! { [] $first $first_place $($rest $place)* }
        #[cfg(any(feature = "rocket05", feature = "utoipa-axum02", feature = "utoipa-axum03"))]
        impl<F: Fn($first, $($rest),*) -> Answer, Answer, $first, $($rest),*>
            Function<($first, $($rest,)*)> for F
        {
        }

        each_list! { $($rest $place)* }
    };
}

macro_rules! each_place {
    ([$($before:ident)*]) => {};
    ([$($before:ident)*] $here:ident $place:literal $($after:ident $place_after:literal)*) => {
        #[diagnostic::do_not_recommend]
        impl<H, $($before,)* $here: Declares, $($after),*>
            Declared<($($before,)* $here, $($after,)*), At<$place>> for H
        {
            #[cfg(feature = "axum08")]
            fn declaration(&self) -> Declaration {
                Declaration::of_handler::<$here::Plan, H>()
            }
        }

        each_place! { [$($before)* $here] $($after $place_after)* }
    };
}

/// A function with these parameters, whether or not it is a handler.
#[cfg(any(feature = "rocket05", feature = "utoipa-axum02", feature = "utoipa-axum03"))]
pub trait Function<Arguments> {}

#[cfg(any(feature = "rocket05", feature = "utoipa-axum02", feature = "utoipa-axum03"))]
impl<F: Fn() -> Answer, Answer> Function<()> for F {}

// A handler has 16 parameters at most, and axum adds one more.
each_list! {
    T1 1 T2 2 T3 3 T4 4 T5 5 T6 6 T7 7 T8 8 T9 9 T10 10 T11 11 T12 12 T13 13 T14 14 T15 15 T16 16 T17 17
}
