//! The text of an argument: its value by `Debug`, or else as it is written.

use core::any::type_name;
use core::fmt::{self, Write as _};

/// The number of characters after which a text is cut.
const MAX: usize = 1000;

/// The value of an argument. Its [`text`](Self::text) is inherent if the type has `Debug`, and wins
/// over that of [`AnyArgument`], which covers every type.
#[derive(Debug)]
pub struct ArgumentOf<'v, T>(pub &'v T);

impl<T: fmt::Debug> ArgumentOf<'_, T> {
    /// Returns the text of the value. A function and a raw pointer would print their address, which
    /// differs from one start to the next, so a type that has one in it is printed as it is written.
    /// The name of the type knows it behind an alias, too.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let ty = type_name::<T>();
        if ["fn(", "*const ", "*mut "].iter().any(|address| ty.contains(address)) {
            return None;
        }
        let mut text = String::new();
        // What a `Debug` wrote before its error is the text.
        let _ = write!(text, "{:?}", self.0);
        Some(cut(&text))
    }
}

/// The value of an argument of any type.
pub trait AnyArgument {
    /// Returns `None`, so the argument is printed as it is written.
    fn text(&self) -> Option<String> {
        None
    }
}

impl<T> AnyArgument for ArgumentOf<'_, T> {}

/// Returns a text in one line, because it is a part of one, and without what is too long.
pub(super) fn cut(text: &str) -> String {
    let (mut cut, mut characters) = (String::new(), text.chars());
    for character in characters.by_ref().take(MAX) {
        match character.is_control() {
            true => cut.extend(character.escape_debug()),
            false => cut.push(character),
        }
    }
    match characters.count() {
        0 => cut,
        more => format!("{cut}… ({more} characters left out)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rule = fn(u32) -> bool;

    struct Opaque;

    struct Failing;

    impl fmt::Debug for Failing {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("one\n\ttwo")?;
            Err(fmt::Error)
        }
    }

    fn assert_text(text: Option<String>, expected: Option<&str>) {
        assert_eq!(text.as_deref(), expected);
    }

    #[test]
    fn prints_the_value_if_the_type_has_debug() {
        assert_text(ArgumentOf(&[Some(1.50), None]).text(), Some("[Some(1.5), None]"));
        assert_text(ArgumentOf(&"a\"b").text(), Some(r#""a\"b""#));
        assert_text(ArgumentOf(&Failing).text(), Some(r"one\n\ttwo"));
        assert_text(ArgumentOf(&Opaque).text(), None);
        assert_text(ArgumentOf(&Some(Opaque)).text(), None);
        let dynamic: &'static (dyn Fn(u32) -> bool + Sync) = &|_| true;
        assert_text(ArgumentOf(&dynamic).text(), None);
    }

    #[test]
    fn prints_no_address() {
        let rule: Rule = |_| true;
        assert_text(ArgumentOf(&rule).text(), None);
        assert_text(ArgumentOf(&[Some((1, rule))]).text(), None);
        let of_text: for<'a> fn(&'a str) -> &'a str = |text| text;
        assert_text(ArgumentOf(&of_text).text(), None);
        assert_text(ArgumentOf(&core::ptr::null::<u8>()).text(), None);
        assert_text(ArgumentOf(&Some(core::ptr::null_mut::<u8>())).text(), None);
    }

    #[test]
    fn cuts_a_long_text() {
        let long = "é".repeat(MAX);
        assert_eq!(cut(&long), long);
        assert_eq!(cut(&(long.clone() + "12")), format!("{long}… (2 characters left out)"));
    }
}
