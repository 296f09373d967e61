//! Why a verifier or an authority cannot be built.

use core::fmt;

use doorward_core::__debug_as_display as debug_as_display;

/// The error for a verifier, an authority or a token that cannot be built.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildError(String);

impl BuildError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Creates the error for several mistakes.
    pub(crate) fn of(mistakes: Vec<String>) -> Self {
        Self(mistakes.join("; "))
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for BuildError {}

debug_as_display!(BuildError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_sentence_for_expect() {
        let error = BuildError::new("the issuer is not a URL");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}
