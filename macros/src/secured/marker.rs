//! The types that represent the parameters of a handler in its plan.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;

use crate::function::Parameter;

const PREFIX: &str = "__secured_";

/// Returns the marker of a parameter, named after the handler and the parameter's number.
pub(crate) fn marker(handler: &Ident, number: usize) -> Ident {
    format_ident!(
        "{PREFIX}{}_{number}",
        handler.unraw(),
        span = handler.span()
    )
}

/// Returns `true` if a parameter is one that `#[secured]` or `#[public]` has written.
pub(crate) fn is_extractor(parameter: &Parameter) -> bool {
    fn has_marker(ty: TokenStream) -> bool {
        ty.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident.to_string().starts_with(PREFIX),
            TokenTree::Group(group) => has_marker(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    has_marker(parameter.written.ty.to_token_stream())
}
