//! `#[tracing::instrument(fields(…))]` below `#[secured]`, where the name of a secured parameter is
//! that of its extractor.

use darling::Error;
use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

use crate::attribute::error_at;
use crate::function::{Parameter, Source};

/// Returns `true` if a field of `#[instrument]` uses a secured parameter.
pub(super) fn takes_values(attr: &Attribute, parameters: &[Parameter]) -> bool {
    let Meta::List(list) = &attr.meta else {
        return false;
    };
    let last = list.path.segments.last();
    let is_instrument = last.is_some_and(|last| last.ident == "instrument");
    let secured =
        parameters.iter().filter(|parameter| !matches!(parameter.source, Source::Extractor));
    let mut names = secured.filter_map(|parameter| parameter.written.name());
    is_instrument
        && names.any(|name| {
            fields(list.tokens.clone()).is_some_and(|fields| uses(fields, &name.to_string()))
        })
}

/// Returns the error about an `#[instrument]` below `#[secured]` that uses such a parameter.
pub(super) fn misplaced(attr: &Attribute) -> Error {
    let sentence = "write this attribute above `#[secured]`, with `skip_all` for what cannot be printed; below it, the parameters are extractors";
    error_at(attr.path().span(), sentence)
}

/// Returns the tokens inside `fields(…)`.
fn fields(list: TokenStream) -> Option<TokenStream> {
    let mut tokens = list.into_iter();
    tokens.find(|token| matches!(token, TokenTree::Ident(ident) if ident == "fields"))?;
    match tokens.next() {
        Some(TokenTree::Group(group)) => Some(group.stream()),
        _ => None,
    }
}

/// Returns `true` if a name is used as a value. A name before `=` is only the name of a field.
fn uses(tokens: TokenStream, name: &str) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_assigned =
            matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '=');
        let is_used = match token {
            TokenTree::Ident(ident) => ident == name && !is_assigned,
            TokenTree::Group(group) => uses(group.stream(), name),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        if is_used {
            return true;
        }
    }
    false
}
