//! The arguments of a dependency where it is named: `role(Role::Admin)`.

use darling::{Error, Result};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::{Expr, ExprCall, MacroDelimiter, MetaList, Path, Token};

use crate::arguments::error_at;

/// The arguments of a dependency, which are constant expressions.
pub(crate) struct Call {
    arguments: Punctuated<Expr, Token![,]>,
    parentheses: Paren,
}

impl Call {
    /// Reads the arguments in `role(Role::Admin)`.
    pub(super) fn read(list: &MetaList) -> Result<Self> {
        let arguments = Punctuated::parse_terminated.parse2(list.tokens.clone())?;
        let parentheses = match list.delimiter {
            MacroDelimiter::Paren(parentheses) => parentheses,
            _ => Paren::default(),
        };
        Self::of(arguments, parentheses, &list.path)
    }

    /// Reads the arguments of a call, as in `layer = role(Role::Admin)`.
    pub(super) fn of_expression(call: &ExprCall) -> Result<Self> {
        Self::of(call.args.clone(), call.paren_token, &call.func)
    }

    /// A list without any arguments is a mistake, whatever the dependency takes.
    fn of(
        arguments: Punctuated<Expr, Token![,]>,
        parentheses: Paren,
        at: &impl Spanned,
    ) -> Result<Self> {
        if arguments.is_empty() {
            let sentence = "a scheme or a dependency is named, not called; write its path without `()`, or its arguments in them";
            return Err(error_at(at.span(), sentence));
        }
        Ok(Self { arguments, parentheses })
    }

    /// Returns the error about an argument that is one of these parameters. Behind a dot or a path,
    /// or before parentheses, a word is the name of something else.
    pub(super) fn mistake(&self, parameters: &[&Ident]) -> Option<Error> {
        let used = used_as_value(self.arguments.to_token_stream(), parameters)?;
        let sentence = format!(
            "`{used}` is a parameter, and an argument is a constant; write a variant, a literal or a constant, or let the dependency \
             take the value itself"
        );
        Some(error_at(used.span(), sentence))
    }

    /// Returns the part of an edge that has the arguments. The compiler checks them against the
    /// parameters of the dependency, and evaluates them, where they are written.
    pub(super) fn with(&self, path: &Path, is_of_layer: bool, krate: &Path) -> TokenStream {
        let Self { arguments, parentheses } = self;
        let text = format!("({})", text(arguments.to_token_stream()));
        // In angle brackets, a path that is not a type is the same error as everywhere else.
        let mut call = quote_spanned!(path.span()=> <#path>::arguments);
        parentheses.surround(&mut call, |inside| arguments.to_tokens(inside));
        let new = match is_of_layer {
            true => quote!(comparable),
            false => quote!(new),
        };
        // The import in the span of the macro, so that the compiler does not call it unused.
        let constant = quote!(const {
            use #krate::bounds::NoArguments as _;
            #call
        });
        let make = quote_spanned!(path.span()=> &((|| #constant) as fn() -> _));
        quote!(.with(&#krate::__rt::Arguments::#new(#make, #text)))
    }
}

/// Returns the first of these names that is used as a value.
fn used_as_value(tokens: TokenStream, names: &[&Ident]) -> Option<Ident> {
    let mut tokens = tokens.into_iter().peekable();
    let mut is_path = false;
    while let Some(token) = tokens.next() {
        let goes_on = match tokens.peek() {
            Some(TokenTree::Punct(next)) => matches!(next.as_char(), ':' | '!'),
            Some(TokenTree::Group(next)) => next.delimiter() == Delimiter::Parenthesis,
            _ => false,
        };
        let used = match &token {
            TokenTree::Ident(word) => {
                let is_value = !is_path && !goes_on && names.contains(&word);
                is_value.then(|| word.clone())
            }
            TokenTree::Group(group) => used_as_value(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        };
        if used.is_some() {
            return used;
        }
        is_path = matches!(&token, TokenTree::Punct(punct) if matches!(punct.as_char(), ':' | '.'));
    }
    None
}

/// Returns tokens as rustfmt would write them on one line.
fn text(tokens: TokenStream) -> String {
    let mut text = String::new();
    write(tokens, &mut text);
    text
}

fn write(tokens: TokenStream, text: &mut String) {
    // The operator before the next token, and whether it has an operand before itself.
    let (mut operator, mut is_binary) = (String::new(), false);
    let mut has_operand = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) => {
                let is_first = operator.is_empty();
                operator.push(punct.as_char());
                if is_first {
                    is_binary = has_operand;
                }
                let goes_on = punct.spacing() == proc_macro2::Spacing::Joint
                    && matches!(tokens.peek(), Some(TokenTree::Punct(_)));
                if goes_on {
                    continue;
                }
                match &*operator {
                    "::" | "." | "?" | "'" | ".." | "..=" | "!" | "#" => text.push_str(&operator),
                    "," | ";" | ":" => {
                        text.push_str(&operator);
                        if tokens.peek().is_some() {
                            text.push(' ');
                        }
                    }
                    operator if is_binary => {
                        text.push(' ');
                        text.push_str(operator);
                        text.push(' ');
                    }
                    operator => text.push_str(operator),
                }
                has_operand = matches!(&*operator, "?" | ".");
                operator.clear();
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace if group.stream().is_empty() => (" {", "}"),
                    Delimiter::Brace => (" { ", " }"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(if text.is_empty() { open.trim_start() } else { open });
                write(group.stream(), text);
                text.push_str(close);
                has_operand = true;
            }
            word => {
                if text.ends_with(|last: char| last.is_alphanumeric() || "_\"'})]".contains(last)) {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
                has_operand = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_written_on_one_line() {
        for written in [
            "Action::Change",
            "Role::Admin, 3",
            "LIMIT + 1, -5",
            "\"a, b\", 'c', b\"d\"",
            "&[\"read\", \"write\"]",
            "least(2)",
            "Names::none(), crate::auth::LIMIT",
            "Limit { per_minute: 60, burst: 2 * 5 }",
            "!true, 1 << 3, *A && B != C",
            "size_of(X) as u64",
            "concat!(\"a\", \"b\")",
            "(1, 2), ()",
            "A.0, A.b",
            "1..=5, 0.5",
            "r#type, 1_000u32",
        ] {
            let tokens: TokenStream = written.parse().expect("tokens");
            assert_eq!(text(tokens), written);
        }
        let spread = "Role\n  :: Admin , 1+2,".parse().expect("tokens");
        assert_eq!(text(spread), "Role::Admin, 1 + 2,");
    }
}
