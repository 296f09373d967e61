//! The list in the `scope` parameter ([RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)).

use core::fmt;
use std::borrow::Cow;

use crate::form::decode::Fields;
use crate::form::error::FaultKind;
use crate::form::find::{Parameters, Span};
use crate::form::text::{FromText, InvalidText};

/// The scopes that a client requests. They are split lazily, and nothing is allocated unless the
/// parameter has `%` escapes.
///
/// Scopes are separated by whitespace (Unicode's `White_Space`). Order and duplicates are kept. A
/// scope is opaque and never split at a colon.
///
/// ```
/// use std::borrow::Cow;
/// use doorward::form::{RequestForm, RequestedScopes};
/// use doorward::PasswordRequestForm;
///
/// #[derive(PasswordRequestForm)]
/// struct Login<'a> {
///     username: Cow<'a, str>,
///     password: Cow<'a, str>,
///     scopes: RequestedScopes<'a>,
/// }
///
/// let form = Login::decode(b"username=johndoe&password=secret&scope=items:read+me")?;
/// assert!(form.scopes.iter().eq(["items:read", "me"]));
/// # Ok::<(), doorward::form::FormError>(())
/// ```
#[derive(Clone, Default)]
pub struct RequestedScopes<'a> {
    text: ScopeText<'a>,
}

#[derive(Clone)]
enum ScopeText<'a> {
    /// The text as sent, without `%` escapes. `+` separates scopes like a space.
    Wire(&'a str),
    /// The decoded text. `+` is part of a scope.
    Decoded(String),
}

impl Default for ScopeText<'_> {
    fn default() -> Self {
        Self::Wire("")
    }
}

impl<'a> RequestedScopes<'a> {
    #[inline(always)]
    pub(super) fn find(parameters: &Parameters<'a>, place: &Span) -> Result<Self, FaultKind> {
        let text = if parameters.has_percent(place) {
            ScopeText::Decoded(parameters.unescape(place)?)
        } else {
            ScopeText::Wire(parameters.text(place)?)
        };
        Ok(Self { text })
    }

    /// Returns an iterator over the scopes, in the order of the request.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let (text, plus_separates) = match &self.text {
            ScopeText::Wire(text) => (*text, true),
            ScopeText::Decoded(text) => (text.as_str(), false),
        };
        split(text, plus_separates)
    }

    /// Returns `true` if the client requests no scope.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns `true` if the client requests this scope.
    #[must_use]
    pub fn contains(&self, scope: &str) -> bool {
        self.iter().any(|asked| asked == scope)
    }

    fn collect<T: FromText<'a>, C: FromIterator<T>>(&self) -> Result<C, InvalidText> {
        match &self.text {
            ScopeText::Wire(text) => {
                split(text, true).map(|scope| T::from_text(Cow::Borrowed(scope))).collect()
            }
            ScopeText::Decoded(text) => {
                split(text, false).map(|scope| T::from_text(Cow::Owned(scope.to_owned()))).collect()
            }
        }
    }
}

fn split(text: &str, plus_separates: bool) -> impl Iterator<Item = &str> + Clone {
    let separates = move |letter: char| letter.is_whitespace() || plus_separates && letter == '+';
    text.split(separates).filter(|scope| !scope.is_empty())
}

/// Compares the scopes and their order, regardless of how they were sent.
impl PartialEq for RequestedScopes<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for RequestedScopes<'_> {}

impl fmt::Debug for RequestedScopes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A type of the field `scopes`: [`RequestedScopes`], or any collection of a [`FromText`] type,
/// such as `Vec<String>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the scopes of a form",
    label = "not a collection of scopes",
    note = "write `Vec<String>`, another collection of a `FromText` type, or `RequestedScopes<'_>`, which splits the scopes lazily",
    note = "for a custom type, implement `FromScopes`"
)]
pub trait FromScopes<'a>: Sized {
    /// Creates the value from the requested scopes.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidText`] if the type refuses one of them.
    fn from_scopes(scopes: RequestedScopes<'a>) -> Result<Self, InvalidText>;

    #[doc(hidden)]
    #[inline]
    fn take(fields: &mut Fields<'_, 'a>) -> Option<Self> {
        fields.scopes()
    }
}

impl<'a> FromScopes<'a> for RequestedScopes<'a> {
    fn from_scopes(scopes: Self) -> Result<Self, InvalidText> {
        Ok(scopes)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, C> FromScopes<'a> for C
where
    C: IntoIterator + FromIterator<C::Item>,
    C::Item: FromText<'a>,
{
    fn from_scopes(scopes: RequestedScopes<'a>) -> Result<Self, InvalidText> {
        scopes.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::config::FormConfig;
    use crate::form::standard::Standard;

    fn scopes(raw: &str) -> RequestedScopes<'static> {
        let body: &'static str = format!("scope={raw}").leak();
        let mut parameters = Parameters::of(body.as_bytes());
        parameters.find(FormConfig::new(), &[], &mut []);
        RequestedScopes::find(&parameters, parameters.place(Standard::Scope)).unwrap()
    }

    #[test]
    fn a_plus_on_the_wire_separates_and_an_escaped_one_does_not() {
        assert!(scopes("a+b").iter().eq(["a", "b"]));
        assert!(scopes("a%2Bb+c").iter().eq(["a+b", "c"]));
        assert!(scopes("a\u{2003}b+ c").iter().eq(["a", "b", "c"]));
        assert!(scopes("a+b") == scopes("a%20+b") && scopes("a+b") != scopes("a%2Bb"));
        assert!(
            scopes("+").is_empty()
                && scopes("%20").is_empty()
                && RequestedScopes::default().is_empty()
        );
    }

    #[test]
    fn a_scope_is_asked_for_or_not() {
        for scopes in [scopes("items+me"), scopes("items%20me")] {
            assert!(!scopes.is_empty());
            assert!(scopes.contains("items") && scopes.contains("me"));
            assert!(!scopes.contains("item") && !scopes.contains("items me"));
        }
        assert!(!RequestedScopes::default().contains(""));
        assert_eq!(format!("{:?}", scopes("items+me")), r#"["items", "me"]"#);
    }

    #[test]
    fn only_escapes_make_a_copy() {
        let borrowed: Vec<Cow<'_, str>> = FromScopes::from_scopes(scopes("a+b")).unwrap();
        assert!(borrowed.iter().all(|scope| matches!(scope, Cow::Borrowed(_))));
    }

    #[test]
    fn a_scope_that_its_type_refuses_makes_the_list_invalid() {
        struct Short;
        impl<'a> FromText<'a> for Short {
            fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
                if text.len() == 1 { Ok(Self) } else { Err(InvalidText) }
            }
        }
        assert!(Vec::<Short>::from_scopes(scopes("a+b")).is_ok());
        assert!(Vec::<Short>::from_scopes(scopes("a+bb")).is_err());
    }
}
