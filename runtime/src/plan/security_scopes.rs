//! The scopes that a chain of dependencies requires.

use core::fmt;

/// The scopes that every dependency in a chain requires, from the handler down to the one that asks: outermost first, each once.
///
/// A function marked `#[dependency]` has it as a parameter. It is filled at compile time, so reading it costs nothing.
///
/// ```
/// use tollgate::{BearerError, SecurityScopes, security_scopes};
///
/// fn check(granted: &[&str], scopes: SecurityScopes) -> Result<(), BearerError> {
///     scopes.check(granted)?;
///     Ok(())
/// }
///
/// let required = security_scopes!["items", "me"];
/// assert_eq!(required.scope_str, "items me");
/// assert!(check(&["me", "items"], required).is_ok());
/// assert_eq!(check(&["me"], required).unwrap_err().status(), http::StatusCode::FORBIDDEN);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SecurityScopes {
    /// The scopes.
    pub scopes: &'static [&'static str],
    /// The scopes, joined by single spaces.
    pub scope_str: &'static str,
}

impl SecurityScopes {
    /// No scopes, as in a chain that requires none.
    pub const NONE: Self = Self {
        scopes: &[],
        scope_str: "",
    };

    /// Checks the scopes that a token grants against those that are required; each is compared as a whole.
    ///
    /// # Errors
    ///
    /// Returns the missing ones, which convert into a [`BearerError`](crate::BearerError).
    pub fn check<S: AsRef<str>>(self, granted: &[S]) -> Result<(), MissingScopes> {
        let is_missing = |scope: &&str| !granted.iter().any(|granted| granted.as_ref() == *scope);
        let missing: Vec<_> = self.scopes.iter().copied().filter(is_missing).collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(MissingScopes {
                required: self,
                missing,
            })
        }
    }

    pub(crate) fn is_same_set(self, other: Self) -> bool {
        self.scopes.len() == other.scopes.len()
            && self.scopes.iter().all(|scope| other.scopes.contains(scope))
    }
}

/// Some required scopes are not granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingScopes {
    required: SecurityScopes,
    missing: Vec<&'static str>,
}

impl MissingScopes {
    /// The missing scopes, in the order in which they are required.
    #[must_use]
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }

    /// All scopes that are required.
    #[must_use]
    pub const fn required(&self) -> SecurityScopes {
        self.required
    }
}

impl fmt::Display for MissingScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scopes are missing: {}", self.missing.join(" "))
    }
}

impl core::error::Error for MissingScopes {}

/// Makes a [`SecurityScopes`], so that a test can call a dependency itself: `security_scopes!["items", "me"]`.
#[macro_export]
macro_rules! security_scopes {
    ($($scope:expr),* $(,)?) => {{
        $(const _: () = $crate::__rt::check_scope_token($scope);)*
        struct __TollgatePlan;
        impl $crate::__rt::HasPlan for __TollgatePlan {
            const ROOT: $crate::__rt::Node = $crate::__rt::Node::function("",
                &[$crate::__rt::Edge::new(
                    &$crate::__rt::Node::function("", &[]).asks_scopes(),
                    &[$($scope),*],
                )],
            );
        }
        <$crate::__rt::CursorOf<__TollgatePlan, 0>>::CURSOR.scopes()
    }};
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_set_has_no_order() {
        let all = security_scopes!["a", "b"];
        for (other, is_same) in [
            (security_scopes!["a", "b"], true),
            (security_scopes!["b", "a"], true),
            (security_scopes!["a"], false),
            (security_scopes!["a", "c"], false),
            (security_scopes!["a", "b", "c"], false),
            (security_scopes![], false),
        ] {
            assert_eq!(all.is_same_set(other), is_same, "{other:?}");
            assert_eq!(other.is_same_set(all), is_same, "{other:?}");
        }
    }
}
