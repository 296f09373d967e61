//! The text of an expression. It depends only on the tokens, because a table of routes must not
//! change when a source file is formatted.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Returns the text of an expression, with a space only between two words and after a comma, and
/// without a comma at the end of a list.
pub(super) fn text(expression: TokenStream) -> String {
    let (mut text, mut ends_in_word, mut comma) = (String::new(), false, "");
    for token in expression {
        text.push_str(core::mem::take(&mut comma));
        let is_word = matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
        if is_word && ends_in_word {
            text.push(' ');
        }
        ends_in_word = is_word;
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    // From a `macro_rules!` macro.
                    Delimiter::None => ("", ""),
                };
                text.extend([open, &self::text(group.stream()), close]);
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => comma = ", ",
            word_or_operator => text.push_str(&word_or_operator.to_string()),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_written_on_one_line() {
        for written in [
            "Action::Change",
            "LIMIT+1",
            "\"a, b\"",
            "&[\"read\", \"write\"]",
            "least(2, -5)",
            "crate::auth::LIMIT",
            "Limit{per_minute:60, burst:2}",
            "size_of(X)as u64",
            "r#type",
            "two::<u8, 7>()",
            "Vec::<Vec<u8>>::new",
            "<u8 as Into<u16>>::LIMIT",
            "&'static str",
            "|user|user.is_admin",
            "1..=5",
        ] {
            assert_eq!(text(written.parse().expect("tokens")), written);
        }
    }

    #[test]
    fn the_layout_of_the_source_makes_no_difference() {
        for (source, written) in [
            ("Role\n  :: Admin", "Role::Admin"),
            ("two :: < u8,7 > ( )", "two::<u8, 7>()"),
            ("&[\n    \"read\",\n    \"write\",\n]", "&[\"read\", \"write\"]"),
            ("Limit {\n    a: 1,\n    b: least(2),\n}", "Limit{a:1, b:least(2)}"),
            ("1 + 2", "1+2"),
        ] {
            assert_eq!(text(source.parse().expect("tokens")), written);
        }
    }
}
