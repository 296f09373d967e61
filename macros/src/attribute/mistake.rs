//! The mistakes that darling finds, in the words of this crate: the rule, then what to write.

use darling::Error;
use proc_macro2::Span;
use syn::spanned::Spanned;

use super::near::nearest;

/// Returns an error at a span.
pub(crate) fn error_at(at: Span, sentence: impl core::fmt::Display) -> Error {
    Error::from(syn::Error::new(at, sentence))
}

/// Returns the error about an argument that is written twice.
pub(crate) fn duplicate(name: &str, at: &impl Spanned) -> Error {
    error_at(at.span(), format!("`{name}` is written twice; remove one"))
}

/// Returns the error about a name that is not one of `names`. `noun` says what they are names of.
pub(crate) fn unknown(noun: &str, found: &str, names: &[&str], at: &impl Spanned) -> Error {
    let sentence = match nearest(found, names.iter().copied()) {
        Some(near) => format!("unknown {noun} `{found}`; did you mean `{near}`?"),
        None => format!("unknown {noun} `{found}`; write one of `{}`", names.join("`, `")),
    };
    error_at(at.span(), sentence)
}

/// Rewords the sentences of darling. The other errors stay as they are.
pub(crate) fn reworded(error: Error) -> Error {
    let reworded = error.flatten().into_iter().map(|error| {
        let at = error.explicit_span();
        // With a span, darling does not add the fields that it was in.
        let error = syn::Error::from(error.with_span(&Span::call_site()));
        let sentence = in_our_words(&error.to_string());
        match at {
            Some(at) => error_at(at, sentence),
            None => Error::custom(sentence),
        }
    });
    Error::multiple(reworded.collect())
}

/// Returns the name of an unknown argument, if an error in our words is about one.
pub(super) fn unknown_name(error: &Error) -> Option<String> {
    let sentence = error.to_string();
    let names = sentence.strip_prefix("unknown argument ")?;
    quoted(names).next().map(str::to_owned)
}

/// Translates a sentence of darling.
///
/// darling has no accessor for the kind of an error, so the kind is read from the sentence.
fn in_our_words(sentence: &str) -> String {
    let first_word = sentence.split(' ').next().unwrap_or_default();
    let names: Vec<_> = quoted(sentence).collect();
    match (first_word, &names[..]) {
        ("Unknown", [found]) => format!("unknown argument `{found}`; remove it"),
        ("Unknown", [found, near]) if sentence.contains("Did you mean") => {
            format!("unknown argument `{found}`; did you mean `{near}`?")
        }
        ("Unknown", [found, names @ ..]) => {
            let names = names.join("`, `");
            format!("unknown argument `{found}`; write one of `{names}`")
        }
        ("Duplicate", [name]) => format!("`{name}` is written twice; remove one"),
        ("Missing", [name]) => format!("`{name}` is missing; write `{name} = …`"),
        ("Unexpected", _) => "expected `name = value`".to_owned(),
        ("Name-value", _) => "an attribute has a list; write its arguments in `(…)`".to_owned(),
        _ => sentence.to_owned(),
    }
}

/// Returns the names between backticks.
fn quoted(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sentence_of_darling_is_reworded() {
        let few = ["strict", "scopes"];
        for (error, sentence) in [
            (
                Error::unknown_field_with_alts("strikt", &few),
                "unknown argument `strikt`; did you mean `strict`?",
            ),
            (
                Error::unknown_field_with_alts("bananas", &few),
                "unknown argument `bananas`; write one of `scopes`, `strict`",
            ),
            (Error::unknown_field("bananas"), "unknown argument `bananas`; remove it"),
            (Error::duplicate_field("strict"), "`strict` is written twice; remove one"),
            (Error::missing_field("strict"), "`strict` is missing; write `strict = …`"),
            (Error::unsupported_format("literal"), "expected `name = value`"),
            (Error::unexpected_type("string"), "expected `name = value`"),
            (
                Error::custom("a scope must not be empty; write its name"),
                "a scope must not be empty; write its name",
            ),
        ] {
            assert_eq!(reworded(error.at("a field")).to_string(), sentence);
        }
    }
}
