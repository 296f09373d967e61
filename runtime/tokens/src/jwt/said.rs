//! Shortens and escapes text from others, such as callers, before it goes into a log.

use core::fmt;

/// The bytes of a text that are shown at most.
const MAX_BYTES: usize = 128;

/// Returns a text for the log: its beginning, in which no character ends a line, controls a
/// terminal or changes the direction of the text.
pub(crate) fn said(text: &str) -> impl fmt::Display {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    let shown = text.get(..end).unwrap_or_default().escape_debug();
    let rest = if end < text.len() { "…" } else { "" };
    format!("{shown}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_and_escaped() {
        for (text, expected) in [
            ("at+jwt", "at+jwt".to_owned()),
            ("a\nb\u{1b}[31m\u{202e}`", "a\\nb\\u{1b}[31m\\u{202e}`".to_owned()),
            (&"é".repeat(100), "é".repeat(64) + "…"),
            (&format!("a{}", "é".repeat(100)), format!("a{}…", "é".repeat(63))),
        ] {
            assert_eq!(said(text).to_string(), expected);
        }
    }
}
