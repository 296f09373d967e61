//! One parameter of an attribute: `name`, `name = value` or `name(…)`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::{Expr, Token, parenthesized};

/// A parameter, whatever it is called and takes.
pub(crate) struct Parameter {
    /// Its name, which is empty where there is none.
    pub(crate) name: String,
    /// Where its name stands, or should stand.
    pub(crate) key: Span,
    pub(crate) value: Value,
}

/// What a parameter holds.
pub(crate) enum Value {
    Nothing,
    List(TokenStream),
    Expr(Expr),
    /// What is none of them, such as a value that is not yet written, without its `=`.
    Other(TokenStream),
}

impl Parameter {
    /// Where to report a mistake in the value.
    pub(crate) fn value_span(&self) -> Span {
        match &self.value {
            Value::Expr(expr) => expr.span(),
            Value::Other(tokens) if !tokens.is_empty() => tokens.span(),
            Value::Nothing | Value::List(_) | Value::Other(_) => self.key,
        }
    }
}

impl Parse for Parameter {
    /// Reads up to the next comma, so that a mistake in one parameter hides no other.
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let start = input.span();
        let mut path = TokenStream::new();
        loop {
            if input.peek(Ident::peek_any) {
                path.extend([TokenTree::Ident(Ident::parse_any(input)?)]);
            } else if input.peek(Token![::]) {
                let colons = input.parse::<Token![::]>()?;
                path.extend(quote!(#colons));
            } else {
                break;
            }
        }
        let ahead = input.fork();
        let value = if let Ok(value) = ahead.parse() {
            input.advance_to(&ahead);
            value
        } else {
            let equals = input.parse::<Option<Token![=]>>()?;
            let tokens = until_comma(input)?;
            if equals.is_some() && !tokens.is_empty() {
                // One that syn reads with its feature `full` alone, which takes long to compile.
                Value::Expr(Expr::Verbatim(tokens))
            } else {
                Value::Other(tokens)
            }
        };
        Ok(Self {
            name: path.to_string().replace(' ', ""),
            key: if path.is_empty() { start } else { path.span() },
            value,
        })
    }
}

impl Parse for Value {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() || input.peek(Token![,]) {
            return Ok(Self::Nothing);
        }
        if input.peek(Paren) {
            let list;
            parenthesized!(list in input);
            return Ok(Self::List(list.parse()?));
        }
        input.parse::<Token![=]>()?;
        Ok(Self::Expr(input.parse()?))
    }
}

fn until_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}
