//! The bounds that generated code puts on the user's types. The compiler names these traits when a
//! type does not implement them.
//!
//! `C` is the context, in bounds that concern a request. Generated impls are generic over `C`, so
//! rustc checks these bounds only where an impl is used. The item's own checks use `C = ()`, so a
//! mistake is reported once.

use core::any::Any;
use core::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use crate::credential::bearer_token::BearerToken;
use crate::credential::presented::Presented;
use crate::dependency::context::Context;
use crate::verify::Verify;

/// The return type of a dependency that can fail.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Result`",
    label = "not a `Result`",
    note = "a return type whose name ends in `Result` is treated as one; rename a type that cannot fail"
)]
pub trait Fallible {
    /// The type of the value on success.
    type Output: 'static;
    /// The type of the error.
    type Error;

    /// Converts this value into a `Result`.
    ///
    /// # Errors
    ///
    /// Returns the error of the function.
    fn into_result(self) -> Result<Self::Output, Self::Error>;
}

impl<T: 'static, E> Fallible for Result<T, E> {
    type Output = T;
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}

/// The type of a dependency's value, which must be `T`.
///
/// `How` is inferred: [`Same`] for `T` itself, [`AnyType`] for the value of a dependency that the
/// macro rejected.
#[diagnostic::on_unimplemented(
    message = "the dependency yields another type; write `{Self}`",
    label = "expected `{Self}`"
)]
pub trait IsType<T, How = Same>: Sized {
    /// Returns the value as a `T`.
    fn into_type(self) -> T;

    /// Returns the value of a handler's parameter.
    fn value_of(value: T, _: PhantomData<Self>) -> T {
        value
    }
}

/// Claims that a token yields by itself. No type implements this trait, because a token has to be
/// verified first. So where a parameter of another type takes the token of a scheme, the compiler
/// reports this bound, whose message begins with how to verify it.
#[diagnostic::on_unimplemented(
    message = "the scheme has not verified its token; write `verified = …` on the scheme with the type of the claims, or take the `BearerToken` and verify it",
    label = "the scheme yields a `BearerToken`"
)]
pub trait ClaimsOfToken {
    /// Returns the claims.
    fn of_token(token: BearerToken) -> Self;
}

/// The dependency yields a token, and the parameter has another type.
#[derive(Debug)]
pub enum Unverified {}

impl<T: ClaimsOfToken> IsType<T, Unverified> for BearerToken {
    fn into_type(self) -> T {
        T::of_token(self)
    }
}

/// Like [`IsType`], for a `T` that is named `Option` or `Result`.
#[diagnostic::on_unimplemented(
    message = "the dependency yields another type; write `{Self}`",
    label = "expected `{Self}`",
    note = "to let a request without a credential in, write a `#[one_of]` with a variant without a value, or `auto_error = false` on the scheme"
)]
pub trait IsOptional<T, How = Same>: Sized {
    /// Returns the value as a `T`.
    fn into_type(self) -> T;

    /// Returns the value of a handler's parameter.
    fn value_of(value: T, _: PhantomData<Self>) -> T {
        value
    }
}

/// The two types are the same.
#[derive(Debug)]
pub enum Same {}

/// The type is unknown, because the macro rejected the dependency.
#[derive(Debug)]
pub enum AnyType {}

macro_rules! same_or_unknown {
    ($($is_type:ident),*) => {$(
        impl<T> $is_type<T, Same> for T {
            fn into_type(self) -> T {
                self
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T> $is_type<T, AnyType> for Unknown {
            fn into_type(self) -> T {
                match self {}
            }
        }
    )*};
}

same_or_unknown!(IsType, IsOptional);

/// The value of a dependency that the macro rejected. It converts into any type that is expected.
#[derive(Debug)]
pub enum Unknown {}

/// The value of a dependency that a parameter of the type `Presented` takes.
#[diagnostic::on_unimplemented(
    message = "only a bearer token is presented; the dependency yields `{Self}`",
    label = "`Presented` is the token of a bearer scheme, with its request"
)]
pub trait Presents<C = ()> {
    /// Returns the token, with the request of the context.
    fn presented(self, cx: &C) -> Presented
    where
        C: Context;
}

impl<C> Presents<C> for BearerToken {
    fn presented(self, cx: &C) -> Presented
    where
        C: Context,
    {
        Presented::of(self, cx.copied_head())
    }
}

impl<C> Presents<C> for Presented {
    fn presented(self, _: &C) -> Presented {
        self
    }
}

/// The function of a dependency without arguments, where some are written for it. A dependency with
/// arguments has an inherent function of this name, which comes first.
pub trait NoArguments {
    /// Takes no arguments.
    // Hidden from the completion of an argument.
    #[doc(hidden)]
    fn arguments() {}
}

impl<T: ?Sized> NoArguments for T {}

/// The verifier of a scheme whose claims are a `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not verify tokens with the claims `{T}`",
    label = "not the claims of `{Self}`",
    note = "a `TokenVerifier` reads claims that derive `Deserialize`; another verifier is named with `by`, and implements `Verify` with these claims"
)]
pub trait Verifies<T>: Verify<Claims = T> {}

#[diagnostic::do_not_recommend]
impl<T, V: Verify<Claims = T>> Verifies<T> for V {}

/// The value of a cached dependency.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept for the rest of a request",
    label = "`cached` needs `Clone`, `Send` and `Sync`"
)]
pub trait Cached: Sized {
    /// Returns a clone of the value, to be kept.
    fn kept(&self) -> Arc<dyn Any + Send + Sync>;

    /// Returns a clone of a kept value, or `None` if it has another type.
    fn of_kept(kept: &(dyn Any + Send + Sync)) -> Option<Self>;
}

impl<T: Clone + Send + Sync + 'static> Cached for T {
    fn kept(&self) -> Arc<dyn Any + Send + Sync> {
        Arc::new(self.clone())
    }

    fn of_kept(kept: &(dyn Any + Send + Sync)) -> Option<Self> {
        kept.downcast_ref().cloned()
    }
}

/// The value of a cached dependency that is `local`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept for the rest of a request",
    label = "`cached` needs `Clone`"
)]
pub trait LocalCached: Sized {
    /// Returns a clone of the value, to be kept.
    fn kept(&self) -> Rc<dyn Any>;

    /// Returns a clone of a kept value, or `None` if it has another type.
    fn of_kept(kept: &dyn Any) -> Option<Self>;
}

impl<T: Clone + 'static> LocalCached for T {
    fn kept(&self) -> Rc<dyn Any> {
        Rc::new(self.clone())
    }

    fn of_kept(kept: &dyn Any) -> Option<Self> {
        kept.downcast_ref().cloned()
    }
}

/// A type that names a dependency. The impls of a function's marker take their cursor type through
/// this trait, so a path that is not a type gives one error instead of several. Those of a
/// parameter's marker take the dependency itself through it.
pub trait Named {
    /// Always the type.
    type Itself: ?Sized;

    /// Always [`Cursor`](crate::plan::cursor::Cursor).
    type Cursor;
}

impl<T: ?Sized> Named for T {
    type Itself = T;
    type Cursor = crate::plan::cursor::Cursor;
}
