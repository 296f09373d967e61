//! `Debug` of the errors that a service meets when it starts, and of what is not for a log.

/// Implements `Debug` for a type that holds a secret, or what is not of use in a log. It shows the
/// fields that are named, or one text instead of all fields.
#[doc(hidden)]
#[macro_export]
macro_rules! __debug_only {
    (
        $(#[$docs:meta])*
        [$($generics:tt)*] $name:ident $(<$($argument:tt),*>)? { $($field:ident),* }
    ) => {
        $(#[$docs])*
        impl<$($generics)*> ::core::fmt::Debug for $name $(<$($argument),*>)? {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(stringify!($name))
                    $(.field(stringify!($field), &self.$field))*
                    .finish_non_exhaustive()
            }
        }
    };
    (
        $(#[$docs:meta])*
        [$($generics:tt)*] $name:ident $(<$($argument:tt),*>)?, $text:literal
    ) => {
        $(#[$docs])*
        impl<$($generics)*> ::core::fmt::Debug for $name $(<$($argument),*>)? {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(concat!(stringify!($name), $text))
            }
        }
    };
}

/// Implements `Debug` for errors by their `Display`, because `expect` prints it, and so does a
/// `main` that returns an error.
#[doc(hidden)]
#[macro_export]
macro_rules! __debug_as_display {
    ($($error:ty),*) => {$(
        impl ::core::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    )*};
}

pub(crate) use {__debug_as_display as debug_as_display, __debug_only as debug_only};

#[cfg(test)]
mod tests {
    use core::fmt::{Debug, Display};

    use crate::BearerToken;
    use crate::scheme::Setting;

    fn assert_speaks(error: &(impl Debug + Display)) {
        let sentence = error.to_string();
        assert!(sentence.contains(' '), "{sentence}");
        assert_eq!(format!("{error:?}"), sentence);
    }

    #[test]
    fn an_error_at_start_is_a_sentence_for_expect() {
        assert_speaks(&Setting::resource("API_URL").set("nowhere").unwrap_err());
        assert_speaks(&BearerToken::try_from("\n").unwrap_err());
        #[cfg(feature = "openapi")]
        assert_speaks(&crate::openapi::DocumentError::UnknownScheme("Hawk".into()));
    }
}
