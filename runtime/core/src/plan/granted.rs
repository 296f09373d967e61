//! The forms in which a token's scopes come.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// The scopes that a token grants, for [`SecurityScopes::check`](crate::SecurityScopes::check).
///
/// A string holds scopes that are separated by spaces, such as the claim `scope` of
/// [RFC 9068](https://www.rfc-editor.org/rfc/rfc9068#section-2.2.3). A collection holds one scope in
/// each string.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the scopes of a token",
    label = "neither a string nor a collection of strings",
    note = "pass a string with spaces, such as the claim `scope`, or a slice of strings"
)]
pub trait GrantedScopes {
    /// Returns `true` if one of the scopes is `scope`.
    fn grants(&self, scope: &str) -> bool;
}

macro_rules! pointers {
    ($([$($generics:tt)*] $pointer:ty;)*) => {$(
        impl<$($generics)*> GrantedScopes for $pointer {
            fn grants(&self, scope: &str) -> bool {
                (**self).grants(scope)
            }
        }
    )*};
}

pointers! {
    [T: GrantedScopes + ?Sized] &T;
    [T: GrantedScopes + ?Sized] Box<T>;
    [T: GrantedScopes + ?Sized] Arc<T>;
    [] String;
    [] Cow<'_, str>;
}

impl GrantedScopes for str {
    fn grants(&self, scope: &str) -> bool {
        // An empty scope would be found between two spaces.
        !scope.is_empty() && self.split(' ').any(|granted| granted == scope)
    }
}

/// Each collection, by its own iterator.
macro_rules! collections {
    ($([$($generics:tt)*] $collection:ty;)*) => {$(
        impl<S: AsRef<str>, $($generics)*> GrantedScopes for $collection {
            fn grants(&self, scope: &str) -> bool {
                self.iter().any(|granted| granted.as_ref() == scope)
            }
        }
    )*};
}

collections! {
    [] [S];
    [const N: usize] [S; N];
    [] Vec<S>;
    [] BTreeSet<S>;
    [H] HashSet<S, H>;
}
