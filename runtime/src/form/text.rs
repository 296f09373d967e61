//! What a standard field can become.

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use secrecy::SecretString;
use secrecy::zeroize::Zeroize;

use super::decode::Fields;
use super::standard::Standard;

/// A type that a standard field of a form can have: made from the decoded text of a parameter.
///
/// It is implemented for the owned strings of std, `Cow<'a, str>` (which borrows from the body when nothing in the value is
/// escaped), [`SecretString`], and `Option` of each. Implement it for a type of your own to check a value while it is read:
///
/// ```
/// use std::borrow::Cow;
/// use tollgate::{FaultKind, FromText, InvalidText, PasswordRequestForm};
///
/// struct UserName(String);
///
/// impl<'a> FromText<'a> for UserName {
///     fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
///         if text.len() <= 32 { Ok(Self(text.into_owned())) } else { Err(InvalidText) }
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
    note = "a type with `TryFrom<String>` is read with `#[password_form(from)]` on the field"
)]
pub trait FromText<'a>: Sized {
    /// Makes the value from the text of a parameter, which is never empty.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidText`] when the type refuses the text; the field then has the fault
    /// [`FaultKind::Invalid`](crate::FaultKind::Invalid).
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText>;

    /// The value for a parameter that was not sent, where the type has one. `None` makes its absence a fault.
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

/// A type refuses the text of a field. It does not hold the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidText;

impl fmt::Display for InvalidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is not valid for its field")
    }
}

impl core::error::Error for InvalidText {}

impl<'a> FromText<'a> for Cow<'a, str> {
    fn from_text(text: Self) -> Result<Self, InvalidText> {
        Ok(text)
    }
}

macro_rules! from_text_into {
    ($($owned:ty),*) => {$(
        impl<'a> FromText<'a> for $owned {
            fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
                Ok(text.into())
            }
        }
    )*};
}

from_text_into!(Box<str>, Rc<str>, Arc<str>);

impl<'a> FromText<'a> for String {
    #[inline]
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
        Ok(text.into_owned())
    }
}

impl<'a> FromText<'a> for SecretString {
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
        let secret = match text {
            // Without spare capacity, it becomes the secret as it is.
            Cow::Owned(decoded) if decoded.capacity() == decoded.len() => Self::from(decoded),
            Cow::Owned(mut decoded) => {
                let secret = Self::from(decoded.as_str());
                // A copy must not outlive the secret in freed memory.
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

/// How a field marked `#[password_form(from(U))]` is made: by `TryFrom<U>`, or an `Option` of that.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be made from `{U}`",
    label = "has no `TryFrom<{U}>`",
    note = "implement `From<{U}>` or `TryFrom<{U}>` for it, or name another type: `#[password_form(from(…))]`"
)]
pub trait FromIntermediate<'a, U: FromText<'a>, Via>: Sized {
    /// Makes the value from the type between.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidText`] when `TryFrom` refuses it.
    fn from_intermediate(value: U) -> Result<Self, InvalidText>;

    /// The value for a parameter that was not sent, as [`FromText::absent`].
    fn absent() -> Option<Self>;

    /// Takes a standard field.
    #[inline]
    fn take(_: Via, fields: &mut Fields<'_, 'a>, field: Standard) -> Option<Self> {
        let from_text = |text| U::from_text(text).and_then(Self::from_intermediate);
        fields.made(field, from_text, Self::absent)
    }
}

/// The type itself has `TryFrom`.
#[derive(Debug)]
pub struct Directly;

/// The type is an `Option` of one that has `TryFrom`.
#[derive(Debug)]
pub struct InOption;

/// The way in which a field is made: `<FieldOf<T>>::way()`. The inherent function for an `Option` wins over that of [`AnyField`].
#[derive(Debug)]
pub struct FieldOf<T>(PhantomData<T>);

impl<T> FieldOf<Option<T>> {
    /// The field may be absent.
    #[must_use]
    pub const fn way() -> InOption {
        InOption
    }
}

/// A field of any other type.
pub trait AnyField {
    /// The field is there.
    #[must_use]
    fn way() -> Directly {
        Directly
    }
}

impl<T> AnyField for FieldOf<T> {}

#[diagnostic::do_not_recommend]
impl<'a, U: FromText<'a>, T: TryFrom<U>> FromIntermediate<'a, U, Directly> for T {
    fn from_intermediate(value: U) -> Result<Self, InvalidText> {
        // The type's own error may hold the value, so it goes no further.
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
