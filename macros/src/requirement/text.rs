//! The text of expressions, as rustfmt would write them on one line. It depends only on the
//! tokens, because a table of routes must not change when a source file is formatted.

use core::iter::Peekable;

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};

/// Returns the text of expressions, without a comma at the end.
pub(super) fn text(expressions: TokenStream) -> String {
    let mut text = Text::default();
    text.write(expressions);
    text.drop_last_comma();
    text.written
}

/// The operators of more than one character, each after its prefixes, as `..=` after `..`.
const OPERATORS: [&str; 23] = [
    "::", "..", "..=", "...", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "<<", "<<=", ">>",
    ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
];

/// The words after which an expression or a type begins, as at the start.
const KEYWORDS: [&str; 16] = [
    "as", "async", "break", "const", "dyn", "else", "if", "impl", "in", "let", "match", "move",
    "mut", "ref", "return", "unsafe",
];

/// The text of tokens between two brackets.
#[derive(Default)]
struct Text {
    written: String,
    last: Last,
    /// The number of open `<` of generic arguments.
    depth: usize,
    /// `true` between the bars of a closure.
    is_in_bars: bool,
    /// `true` in a type that no bracket or bar ends.
    is_type: bool,
    /// The number of commas, without those of generic arguments and of closures.
    commas: usize,
}

/// The kind of the last token.
#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    /// An operator or nothing, so the next one has no operand before it.
    #[default]
    Operator,
    /// `::`, behind which `<` opens generic arguments.
    Colons,
    Keyword,
    Word,
    /// Parentheses, square brackets, or the end of generic arguments.
    Brackets,
    Braces,
    /// `!` behind the name of a macro.
    Bang,
}

impl Text {
    fn write(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '\'' => self.lifetime(tokens.next()),
                TokenTree::Punct(punct) => {
                    let operator = self.operator(&punct, &mut tokens);
                    self.write_operator(&operator, tokens.peek().is_none());
                }
                // An invisible group comes from a `macro_rules!` macro.
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                    self.write(group.stream());
                }
                TokenTree::Group(group) => self.group(&group),
                word => self.word(&word.to_string()),
            }
        }
    }

    /// Returns the whole operator that begins with a character. Two characters may be one operator
    /// only if nothing is between them: `a && b` is another expression than `a & &b`.
    fn operator(&self, first: &Punct, tokens: &mut Peekable<IntoIter>) -> String {
        let mut operator = String::from(first.as_char());
        let mut spacing = first.spacing();
        while spacing == Spacing::Joint {
            let Some(TokenTree::Punct(next)) = tokens.peek() else { break };
            if operator == "<" && self.is_opening() || operator == ">" && self.depth > 0 {
                break;
            }
            let longer = format!("{operator}{}", next.as_char());
            if !OPERATORS.contains(&longer.as_str()) {
                break;
            }
            (operator, spacing) = (longer, next.spacing());
            tokens.next();
        }
        operator
    }

    fn has_operand(&self) -> bool {
        matches!(self.last, Last::Word | Last::Brackets | Last::Braces)
    }

    /// Returns `true` if `<` opens generic arguments here, or a qualified path.
    fn is_opening(&self) -> bool {
        !self.has_operand() || self.depth > 0 || self.is_in_bars || self.is_type
    }

    fn write_operator(&mut self, operator: &str, is_last: bool) {
        let (has_operand, is_opening, last) = (self.has_operand(), self.is_opening(), self.last);
        self.last = Last::Operator;
        match operator {
            "<" if is_opening => {
                self.prefix("<", last);
                self.depth += 1;
            }
            ">" if self.depth > 0 => {
                self.drop_comma();
                self.written.push('>');
                self.depth -= 1;
                self.last = Last::Brackets;
            }
            "::" => {
                self.prefix("::", last);
                self.last = Last::Colons;
                return;
            }
            "." | ".." | "..=" | "..." => self.prefix(operator, last),
            "?" => {
                self.written.push('?');
                self.last = Last::Brackets;
            }
            "!" if has_operand => {
                self.written.push('!');
                self.last = Last::Bang;
            }
            "," | ";" | ":" => {
                self.commas += usize::from(operator == "," && self.depth == 0 && !self.is_in_bars);
                self.written.push_str(operator);
                if !is_last {
                    self.written.push(' ');
                }
            }
            "|" if self.is_in_bars => {
                self.written.push_str("| ");
                self.is_in_bars = false;
            }
            "|" if !has_operand => {
                self.prefix("|", last);
                self.is_in_bars = true;
            }
            "||" if !has_operand => self.prefix("|| ", last),
            operator if has_operand => {
                self.written.push(' ');
                self.written.push_str(operator);
                self.written.push(' ');
            }
            operator => self.prefix(operator, last),
        }
        self.is_type = operator == "->" || self.is_type && self.depth > 0;
    }

    /// Writes an operator without spaces around it, except that one follows a keyword.
    fn prefix(&mut self, operator: &str, last: Last) {
        if last == Last::Keyword {
            self.written.push(' ');
        }
        self.written.push_str(operator);
    }

    fn lifetime(&mut self, name: Option<TokenTree>) {
        let name = name.map(|name| name.to_string()).unwrap_or_default();
        self.word(&format!("'{name}"));
        // In front of the type behind a reference.
        self.last = Last::Keyword;
    }

    fn word(&mut self, word: &str) {
        if self.has_operand() || self.last == Last::Keyword {
            self.written.push(' ');
        }
        self.written.push_str(word);
        self.is_type = word == "as" || self.is_type && self.last != Last::Word;
        self.last = match KEYWORDS.contains(&word) {
            true => Last::Keyword,
            false => Last::Word,
        };
    }

    fn group(&mut self, group: &Group) {
        let (is_call, is_apart) = (self.has_operand(), self.last == Last::Keyword);
        let mut inside = Self::default();
        inside.write(group.stream());
        let (open, close) = match group.delimiter() {
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Parenthesis | Delimiter::None => ("(", ")"),
        };
        let is_brace = open == "{";
        // `(1,)` is a tuple, and `(1)` is not.
        let is_tuple = open == "(" && !is_call && self.last != Last::Bang && inside.commas == 1;
        if !is_tuple {
            inside.drop_last_comma();
        }
        if is_apart || is_brace && (is_call || self.last == Last::Bang) {
            self.written.push(' ');
        }
        let space = if is_brace && !inside.written.is_empty() { " " } else { "" };
        for part in [open, space, &inside.written, space, close] {
            self.written.push_str(part);
        }
        self.is_type = false;
        self.last = if is_brace { Last::Braces } else { Last::Brackets };
    }

    /// Drops a comma behind the last expression.
    fn drop_last_comma(&mut self) {
        if self.last == Last::Operator {
            self.drop_comma();
        }
    }

    fn drop_comma(&mut self) {
        let text = self.written.trim_end();
        if let Some(before) = text.strip_suffix(',') {
            self.written.truncate(before.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: [&str; 41] = [
        "Action::Change",
        "Role::Admin, 3",
        "LIMIT + 1, -5",
        "\"a, b\", 'c', b\"d\"",
        "&[\"read\", \"write\"]",
        "least(2)",
        "Names::none(), crate::auth::LIMIT",
        "Limit { per_minute: 60, burst: 2 * 5 }",
        "Limit {}, {}",
        "!true, 1 << 3, *A && B != C",
        "size_of(X) as u64",
        "concat!(\"a\", \"b\"), vec![1; 2], block! { 1 }",
        "(1, 2), ()",
        "(1,), ((2,), 3), (two::<u8, 7>(),), (|a, b| a,)",
        "A.0, A.b",
        "1..=5, 0.5, ..",
        "r#type, 1_000u32",
        "two::<u8, 7>()",
        "Vec::<Vec<u8>>::new, none::<Option<Option<u8>>>()",
        "<u8 as Into<u16>>::LIMIT, <<A as B>::C as D>::E",
        "Map::<<A as B>::C, &'static str>::new()",
        "A < B, C > D, E >> F, G >= H, I <= J",
        "-1 - -1, A & &B, &&C, &mut D, &raw const E, **F",
        "|user| user.is_admin, |a: Vec<u8>, b| a.len() > b, || 1",
        "move || -1, |&a| a | b",
        "as_any as fn(u8) -> Vec<u8>, X as *const u8",
        "if A { 1 } else { 2 }",
        "match A { B | C => 1, _ => -2 }",
        "{ let a = 1; a }, { a; }",
        "&'static A, Cow::<'static, str>::Borrowed(\"a\")",
        "'a: loop { break 'a }",
        "find(A)?, B?.c, A[1]",
        "[1, 2], [[3], [4]], [{ 5 }]",
        "Some((1,)), Some::<(u8,)>((2,))",
        "Box::<dyn Fn(u8) -> bool + Send>::of, each::<[u8; 2]>",
        "all::<dyn Iterator<Item = u8>>()",
        "A == B, A || B, A ^ B, A % B, A / B",
        "Limit { a: 1, ..LIMIT }",
        "N::<{ A > B }>, N::<-1>",
        "5 as ::core::primitive::u8, ::core::primitive::u8::MAX",
        "return -1, unsafe { 1 }, const { 2 }",
    ];

    #[test]
    fn expressions_are_written_on_one_line() {
        for written in WRITTEN {
            assert_eq!(text(written.parse().expect("tokens")), written);
        }
    }

    /// Breaks the line after each token that does not belong to an operator with the next.
    fn spread(tokens: TokenStream) -> String {
        let spread = tokens.into_iter().map(|token| match token {
            TokenTree::Group(group) => {
                let shown = Group::new(group.delimiter(), TokenStream::new()).to_string();
                let (open, close) = shown.split_at(1);
                format!("{open}\n{}{}\n", self::spread(group.stream()), close.trim())
            }
            TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint => punct.to_string(),
            token => format!("{token}\n"),
        });
        spread.collect()
    }

    #[test]
    fn the_layout_of_the_source_makes_no_difference() {
        for written in WRITTEN {
            let spread = spread(written.parse().expect("tokens"));
            assert_eq!(text(spread.parse().expect("tokens")), written, "{spread}");
        }
        for (source, written) in [
            ("Role\n  :: Admin , 1+2", "Role::Admin, 1 + 2"),
            ("two::<u8, 7 > ()", "two::<u8, 7>()"),
            ("two :: < u8,7>()", "two::<u8, 7>()"),
            ("A,-5,&B,!C,*D", "A, -5, &B, !C, *D"),
            ("a-1, a--1, a&&b, a<-1", "a - 1, a - -1, a && b, a < -1"),
            ("Vec::<Vec<u8> >::new", "Vec::<Vec<u8>>::new"),
            ("& &a, ! !b", "&&a, !!b"),
            ("|a|a+1,||-1", "|a| a + 1, || -1"),
            ("Limit{a:1,b:-2}", "Limit { a: 1, b: -2 }"),
        ] {
            assert_eq!(text(source.parse().expect("tokens")), written);
        }
    }

    #[test]
    fn a_comma_at_the_end_is_no_argument() {
        for (source, written) in [
            ("Role::Admin,", "Role::Admin"),
            ("Limit { a: 1, },", "Limit { a: 1 }"),
            ("least(1, 2,), &[3, 4,], (5, 6,)", "least(1, 2), &[3, 4], (5, 6)"),
            ("two::<u8, 7,>(8,)", "two::<u8, 7>(8)"),
            ("concat!(\"a\", \"b\",)", "concat!(\"a\", \"b\")"),
            ("(1,),", "(1,)"),
            ("\"a,\",", "\"a,\""),
        ] {
            assert_eq!(text(source.parse().expect("tokens")), written);
        }
    }
}
