//! The types of standard fields.

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use secrecy::SecretString;
use secrecy::zeroize::Zeroize;

use crate::form::decode::Fields;
use crate::form::standard::Standard;

/// A type of a field, made from the decoded text of a parameter.
///
/// It is implemented for the owned strings of std, for `Cow<'a, str>` (which borrows from the body
/// if the value has no escapes), for [`SecretString`], and for an `Option` of each. Implement it
/// for a custom type to check a value while it is read:
///
/// ```
/// use std::borrow::Cow;
/// use doorward::form::{FaultKind, FromText, InvalidText, RequestForm};
/// use doorward::PasswordRequestForm;
///
/// struct UserName(String);
///
/// impl<'a> FromText<'a> for UserName {
///     fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
///         if text.len() <= 32 { Ok(Self(text.into_owned())) } else { Err(InvalidText::new()) }
///     }
/// }
///
/// #[derive(PasswordRequestForm)]
/// struct Login {
///     username: UserName,
///     password: String,
/// }
///
/// assert!(Login::decode(b"username=johndoe&password=secret").is_ok());
/// let body = format!("username={}&password=secret", "a".repeat(33));
/// assert_eq!(Login::decode(body.as_bytes()).err().unwrap().faults()[0].kind, FaultKind::Invalid);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from the text of a form field",
    label = "not made from text",
    note = "write `String`, `Cow<'_, str>`, `SecretString` or an `Option` of one, or implement `FromText` for the type",
    note = "if the type implements `TryFrom<String>`, write `#[password_form(from)]` on the field"
)]
pub trait FromText<'a>: Sized {
    /// Creates the value from the text of a parameter. The text is never empty.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidText`] if the type refuses the text. The field then has the fault
    /// [`FaultKind::Invalid`](crate::form::FaultKind::Invalid).
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText>;

    /// Returns the value for a parameter that was not sent. With `None`, the default, a missing
    /// parameter is a fault.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }

    #[doc(hidden)]
    #[inline]
    fn take(fields: &mut Fields<'_, 'a>, field: Standard) -> Option<Self> {
        fields.made(field, Self::from_text, Self::absent)
    }
}

/// The error of a type that refuses the text of a field. It does not contain the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidText;

impl InvalidText {
    /// Creates the error.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "an error has no default")]
    pub const fn new() -> Self {
        Self
    }
}

impl fmt::Display for InvalidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is not valid for its field")
    }
}

impl core::error::Error for InvalidText {}

macro_rules! from_text_into {
    ($($text:ty),*) => {$(
        impl<'a> FromText<'a> for $text {
            #[inline]
            fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
                Ok(text.into())
            }
        }
    )*};
}

from_text_into!(Cow<'a, str>, Box<str>, Rc<str>, Arc<str>);

// Not in the list, because the conversion of the standard library is not inlined.
impl<'a> FromText<'a> for String {
    #[inline]
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
        Ok(text.into_owned())
    }
}

impl<'a> FromText<'a> for SecretString {
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
        let secret = match text {
            // Without spare capacity, the string becomes the secret without a copy.
            Cow::Owned(decoded) if decoded.capacity() == decoded.len() => Self::from(decoded),
            Cow::Owned(mut decoded) => {
                let secret = Self::from(decoded.as_str());
                // No copy of the secret may remain in freed memory.
                decoded.zeroize();
                secret
            }
            Cow::Borrowed(text) => Self::from(text),
        };
        Ok(secret)
    }
}

impl<'a, T: FromText<'a>> FromText<'a> for Option<T> {
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
        T::from_text(text).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// A type of a field with `#[password_form(from(U))]`: one that implements `TryFrom<U>`, or an
/// `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from `{U}`",
    label = "has no `TryFrom<{U}>`",
    note = "implement `From<{U}>` or `TryFrom<{U}>` for it, or name another type: `#[password_form(from(…))]`"
)]
pub trait FromIntermediate<'a, U: FromText<'a>, Via>: Sized {
    /// Creates the value from the intermediate value.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidText`] if `TryFrom` fails.
    fn from_intermediate(value: U) -> Result<Self, InvalidText>;

    /// Returns the value for a parameter that was not sent, like [`FromText::absent`].
    fn absent() -> Option<Self>;

    /// Takes a standard field.
    #[inline]
    fn take(_: Via, fields: &mut Fields<'_, 'a>, field: Standard) -> Option<Self> {
        let from_text = |text| U::from_text(text).and_then(Self::from_intermediate);
        fields.made(field, from_text, Self::absent)
    }
}

/// The marker of a type that implements `TryFrom` itself.
#[derive(Debug)]
pub struct Directly;

/// The marker of an `Option` of a type that implements `TryFrom`.
#[derive(Debug)]
pub struct InOption;

/// Selects the marker of a field's type: `<FieldOf<T>>::way()`. For an `Option`, the inherent
/// function takes precedence over the one of [`AnyField`].
#[derive(Debug)]
pub struct FieldOf<T>(PhantomData<T>);

impl<T> FieldOf<Option<T>> {
    /// Returns the marker of an `Option`: the parameter may be absent.
    #[must_use]
    pub const fn way() -> InOption {
        InOption
    }
}

/// The fallback for a field of any other type.
pub trait AnyField {
    /// Returns the marker of any other type.
    #[must_use]
    fn way() -> Directly {
        Directly
    }
}

impl<T> AnyField for FieldOf<T> {}

#[diagnostic::do_not_recommend]
impl<'a, U: FromText<'a>, T: TryFrom<U>> FromIntermediate<'a, U, Directly> for T {
    fn from_intermediate(value: U) -> Result<Self, InvalidText> {
        // The error of `TryFrom` may contain the value, so it is dropped.
        T::try_from(value).map_err(|_| InvalidText)
    }

    fn absent() -> Option<Self> {
        U::absent().and_then(|value| T::try_from(value).ok())
    }
}

#[diagnostic::do_not_recommend]
impl<'a, U: FromText<'a>, T: TryFrom<U>> FromIntermediate<'a, U, InOption> for Option<T> {
    fn from_intermediate(value: U) -> Result<Self, InvalidText> {
        T::try_from(value).map(Some).map_err(|_| InvalidText)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}
