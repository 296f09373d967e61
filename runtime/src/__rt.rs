//! What generated code calls. Not part of the public interface.

use core::marker::PhantomData;

pub use crate::cache::{recall, recall_local, remember, remember_local};
pub use crate::context::{Extract, LocalContext, LocalExtract, Reject, SendContext};
#[cfg(feature = "testing")]
pub use crate::dependency::overridden;
pub use crate::dependency::{Broken, OwnScopes, Resolve, ResolveLocal, authenticate, broken};
pub use crate::form::decode::decode;
pub use crate::form::find::Standard;
pub use crate::local::{LocalHandler, LocalParameter, Outputs};
use crate::openapi::Operation;
pub use crate::openapi::form_schema::{AnyValueType, ValueTypeOf};
#[cfg(feature = "utoipa6")]
pub use crate::openapi::utoipa6::form_schema;
pub use crate::plan::{
    At, Cursor, Edge, Node, Planned, check_guard, check_scope, check_scope_token,
};
pub use crate::secured::Parameter;
use crate::{Flow, Rejection, SecurityScopes};
#[cfg(feature = "utoipa6")]
pub use utoipa;

/// What a handler requires, by the first marker of its plan.
#[must_use]
pub fn operation<P: Planned>() -> Operation {
    Operation::of_node(&P::ROOT, &[])
}

/// What a handler requires, as an operation of utoipa carries it; nothing without the feature `utoipa6`, which takes it out again.
#[must_use]
pub fn extension<P: Planned>() -> impl serde::Serialize {
    cfg!(feature = "utoipa6").then(|| crate::openapi::extension(&operation::<P>()))
}

/// Returns a flow that a scheme has, to be looked into by a check.
#[must_use]
pub const fn flow(flow: Option<Flow>) -> Flow {
    match flow {
        Some(flow) => flow,
        None => Flow::EMPTY,
    }
}

/// Holds a URL that is given as a constant to what the macros hold a literal to.
#[track_caller]
pub const fn check_url(url: Option<&str>) {
    let Some(url) = url else { return };
    assert!(!url.is_empty(), "a URL must not be empty");
    let mut rest = url.as_bytes();
    while let [byte, tail @ ..] = rest {
        // U+0080 to U+009F are control characters too: C2 80 to C2 9F.
        let is_control =
            byte.is_ascii_control() || *byte == 0xc2 && matches!(tail, [0x80..=0x9f, ..]);
        assert!(!is_control, "a URL must not have control characters");
        rest = tail;
    }
}

/// Has a rejection evaluated by `cargo check`.
pub const fn check_rejection(_: Option<Rejection>) {}

/// Holds a scheme name that is given as a constant to what the macros hold a literal to.
#[track_caller]
pub const fn check_scheme_name(name: &str) {
    assert!(!name.is_empty(), "a scheme name must not be empty");
    let mut rest = name.as_bytes();
    while let [byte, tail @ ..] = rest {
        assert!(
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'),
            "a scheme name is made of ASCII letters, digits, `.`, `-` and `_`"
        );
        rest = tail;
    }
}

/// Holds a form's limit to what the macros hold a literal to.
#[track_caller]
pub const fn check_max_bytes(max_bytes: usize) {
    assert!(max_bytes > 0, "`max_bytes` must be above 0");
}

/// Returns from a dependency with what a test has put in its place; empty without the feature `testing`.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __overridden {
    ($cx:ident) => {
        if let ::core::option::Option::Some(output) = $crate::__rt::overridden::<Self, _>($cx) {
            return ::core::result::Result::Ok(output);
        }
    };
}

/// Returns from a dependency with what a test has put in its place; empty without the feature `testing`.
#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __overridden {
    ($cx:ident) => {};
}

/// Takes the local impl of a dependency; empty without the feature `local`, so that nobody compiles both for nothing.
#[cfg(feature = "local")]
#[doc(hidden)]
#[macro_export]
macro_rules! __local {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// Takes the local impl of a dependency; empty without the feature `local`, so that nobody compiles both for nothing.
#[cfg(not(feature = "local"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __local {
    ($($tokens:tt)*) => {};
}

/// Makes a scheme a dependency. Each has impls of its own: beside one for all of them, the compiler would not say what keeps a function
/// from being resolved. The names of type parameters are as any user's, so they are none that a user would choose.
#[doc(hidden)]
#[macro_export]
macro_rules! __dependency {
    ($scheme:ident) => {
        impl $crate::Dependency for $scheme {
            type Output = <Self as $crate::Scheme>::Yield;

            const NODE: &'static $crate::__rt::Node =
                &$crate::__rt::Node::scheme::<Self::Output>(<Self as $crate::Scheme>::CONFIG);
        }

        impl<__C: $crate::__rt::SendContext<Rejection: ::core::marker::Send>>
            $crate::__rt::Resolve<'_, __C, <$scheme as $crate::Dependency>::Output> for $scheme
        {
            fn resolve(
                cx: &mut __C,
                _at: $crate::__rt::Cursor,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<
                    <Self as $crate::Dependency>::Output,
                    __C::Rejection,
                >,
            > + ::core::marker::Send {
                $crate::__rt::authenticate::<Self, __C>(cx)
            }
        }

        impl<__C: $crate::__rt::LocalContext>
            $crate::__rt::ResolveLocal<'_, __C, <$scheme as $crate::Dependency>::Output>
            for $scheme
        {
            fn resolve_local(
                cx: &mut __C,
                _at: $crate::__rt::Cursor,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<
                    <Self as $crate::Dependency>::Output,
                    __C::Rejection,
                >,
            > {
                $crate::__rt::authenticate::<Self, __C>(cx)
            }
        }
    };
}

/// Makes a form a `ToSchema` of utoipa; empty without the feature `utoipa6`.
#[cfg(feature = "utoipa6")]
#[doc(hidden)]
#[macro_export]
macro_rules! __to_schema {
    ([$($generics:tt)*] $form:ty, $name:literal, [$($where_clause:tt)*]) => {
        impl $($generics)* $crate::__rt::utoipa::PartialSchema for $form $($where_clause)* {
            fn schema() -> $crate::__rt::utoipa::openapi::RefOr<$crate::__rt::utoipa::openapi::schema::Schema> {
                $crate::__rt::form_schema(&<Self as $crate::PasswordRequestForm<'_>>::schema())
            }
        }

        impl $($generics)* $crate::__rt::utoipa::ToSchema for $form $($where_clause)* {
            fn name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                ::std::borrow::Cow::Borrowed($name)
            }
        }
    };
}

/// Makes a form a `ToSchema` of utoipa; empty without the feature `utoipa6`.
#[cfg(not(feature = "utoipa6"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __to_schema {
    ($($tokens:tt)*) => {};
}

/// Holds `#[secured]` to stand above `#[utoipa::path]`, where it did not see one: if utoipa has made its unit struct for the handler,
/// `$documented` is a pattern of that type, and otherwise a new name. Empty without the feature `utoipa6`.
#[cfg(feature = "utoipa6")]
#[doc(hidden)]
#[macro_export]
macro_rules! __undocumented {
    ($documented:ident) => {
        #[allow(unused_variables, non_snake_case)]
        const _: () = {
            let $documented = $crate::bounds::SecuredStandsAboveUtoipaPath;
        };
    };
}

/// Holds `#[secured]` to stand above `#[utoipa::path]`; empty without the feature `utoipa6`.
#[cfg(not(feature = "utoipa6"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __undocumented {
    ($documented:ident) => {};
}

/// Resolves what a guard depends on, and drops it.
///
/// # Errors
///
/// As the dependency.
pub async fn guarded<T, R>(output: impl Future<Output = Result<T, R>> + Send) -> Result<(), R> {
    output.await.map(drop)
}

/// Names the type that a dependency yields.
#[must_use]
pub const fn yielded<T>() -> PhantomData<T> {
    PhantomData
}

/// Tells whether `T` is [`SecurityScopes`], whatever its name: `<IsScopes<T>>::YES`.
pub struct IsScopes<T>(PhantomData<T>);

impl IsScopes<SecurityScopes> {
    /// It is.
    pub const YES: bool = true;
}

/// The answer for any other type.
pub trait IsNotScopes {
    /// It is not.
    const YES: bool = false;
}

impl<T> IsNotScopes for IsScopes<T> {}

/// Holds a parameter that is extracted to be no [`SecurityScopes`] under another name.
#[track_caller]
pub const fn check_extractor(is_scopes: bool) {
    assert!(
        !is_scopes,
        "`SecurityScopes` is recognised by its name; write it instead of the alias"
    );
}

/// Tells whether `T` is a `Result`, whatever its name: `<IsResult<T>>::YES`.
pub struct IsResult<T>(PhantomData<T>);

impl<T, E> IsResult<Result<T, E>> {
    /// It is.
    pub const YES: bool = true;
}

/// The answer for any other type.
pub trait IsNoResult {
    /// It is not.
    const YES: bool = false;
}

impl<T> IsNoResult for IsResult<T> {}

/// Holds what a dependency yields to be no `Result` under another name.
#[track_caller]
pub const fn check_output(is_result: bool) {
    assert!(
        !is_result,
        "a return type that can fail is recognised by its name; write `Result`, or a name that ends in it"
    );
}

/// Holds what a guard yields, which it does not look into, to be no `Result` itself.
#[track_caller]
pub const fn check_guard_output(is_result: bool) {
    assert!(
        !is_result,
        "what this yields is a `Result` itself, whose error a guard lets through; return one `Result`"
    );
}
