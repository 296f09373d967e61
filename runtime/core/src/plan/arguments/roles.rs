//! The names of roles: the values of an `#[argument(roles)]`, which is one role or several.
//!
//! The compiler chooses by the type: each way to a name is a trait, implemented behind one more
//! reference than the next way. A method call tries the one with the most references first, and
//! skips those whose bounds the type does not satisfy.

use core::fmt::Display;
use core::marker::PhantomData;

/// The type of an argument. It has the method `names` of the first trait below that takes it.
#[derive(Debug)]
pub struct RolesOf<T>(PhantomData<fn() -> T>);

impl<T> RolesOf<T> {
    /// The type.
    pub const NEW: Self = Self(PhantomData);
}

macro_rules! ways {
    ($($(#[$doc:meta])* $way:ident($of:ty) [$($bound:tt)*] |$value:ident| $names:expr;)*) => {$(
        $(#[$doc])*
        pub trait $way<T> {
            /// Returns the names.
            fn names(&self, value: T) -> Vec<String>;
        }

        impl<T: $($bound)*> $way<T> for $of {
            fn names(&self, $value: T) -> Vec<String> {
                $names
            }
        }
    )*};
}

ways! {
    /// Each element is a name.
    EachAsRef(&&&&RolesOf<T>) [IntoIterator<Item: AsRef<str>>]
        |values| values.into_iter().map(|value| value.as_ref().to_owned()).collect();

    /// Each element displays a name.
    EachDisplay(&&&RolesOf<T>) [IntoIterator<Item: Display>]
        |values| values.into_iter().map(|value| value.to_string()).collect();

    /// The value is a name.
    OneAsRef(&&RolesOf<T>) [AsRef<str>] |value| vec![value.as_ref().to_owned()];

    /// The value displays a name.
    OneDisplay(&RolesOf<T>) [Display] |value| vec![value.to_string()];
}

/// The value has no name, which does not compile.
pub trait Nameless<T> {
    /// Returns the names.
    fn names(&self, value: T) -> Vec<String>
    where
        T: RoleNames;
}

impl<T> Nameless<T> for RolesOf<T> {
    fn names(&self, value: T) -> Vec<String>
    where
        T: RoleNames,
    {
        RoleNames::names(value)
    }
}

/// The value of an `#[argument(roles)]`. No type implements it: it is in the error about a type
/// without names.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no roles",
    label = "neither it nor its elements are `AsRef<str>` or `Display`",
    note = "implement `Display` for the role, with its name as the description has it, or remove `roles`"
)]
pub trait RoleNames {
    /// Returns the names.
    fn names(self) -> Vec<String>;
}

#[cfg(test)]
mod tests {
    use core::fmt;

    use super::*;

    /// Has a name and a text.
    #[derive(Clone, Copy)]
    enum Role {
        Administrator,
        Typist,
    }

    impl AsRef<str> for Role {
        fn as_ref(&self) -> &str {
            match self {
                Self::Administrator => "administrator",
                Self::Typist => "typist",
            }
        }
    }

    impl Display for Role {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "the {}", self.as_ref())
        }
    }

    /// As generated code calls it.
    macro_rules! names {
        ($ty:ty, $value:expr) => {
            (&&&&&RolesOf::<$ty>::NEW).names($value)
        };
    }

    #[test]
    fn a_role_is_named_by_as_ref_and_else_by_display() {
        let both = [Role::Administrator, Role::Typist];
        let names = ["administrator", "typist"];
        assert_eq!(names!([Role; 2], both), names);
        assert_eq!(names!(&[Role], &both), names);
        assert_eq!(names!(&[Role; 2], &both), names);
        assert_eq!(names!(&'static [&str], &["administrator", "typist"]), names);
        assert_eq!(names!(Role, Role::Typist), ["typist"]);
        assert_eq!(names!(&Role, &Role::Typist), ["typist"]);
        assert_eq!(names!(Option<Role>, Some(Role::Typist)), ["typist"]);
        assert_eq!(names!(&str, "typist"), ["typist"]);
        assert_eq!(names!(char, 't'), ["t"]);
        assert_eq!(names!(&[u8], &[1, 2]), ["1", "2"]);
        assert!(names!(&[Role], &[]).is_empty());
    }
}
