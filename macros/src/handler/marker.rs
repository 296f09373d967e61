//! The types that represent the parameters of a handler in its plan.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;

use crate::function::Parameter;

const PREFIX: &str = "__secured_";

/// Returns the marker of a parameter, named after the handler and the parameter's number.
pub(crate) fn marker(handler: &Ident, number: usize) -> Ident {
    format_ident!("{PREFIX}{}_{number}", handler.unraw(), span = handler.span())
}

/// The attribute that has written a parameter.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Writer {
    Secured,
    Public,
}

/// Returns the attribute above, under another name, that has written a parameter of a handler.
pub(super) fn writer(parameters: &[Parameter]) -> Option<Writer> {
    parameters.iter().find_map(|parameter| {
        let ty = parameter.written.ty.to_token_stream();
        let has_marker = has_ident(ty.clone(), &|ident| ident.starts_with(PREFIX));
        has_marker.then(|| match has_ident(ty, &|ident| ident == "PublicParameter") {
            true => Writer::Public,
            false => Writer::Secured,
        })
    })
}

fn has_ident(tokens: TokenStream, is_it: &dyn Fn(&str) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_it(&ident.to_string()),
        TokenTree::Group(group) => has_ident(group.stream(), is_it),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
