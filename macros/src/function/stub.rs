//! Removes our attributes from a function that cannot have them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, FnArg, PatType};

use super::argument::is_argument;
use super::parameter::is_security;
use super::signature::Item;

/// Returns such a function without the sources of its parameters, so it causes no further errors:
/// the compiler does not know the attributes of its parameters, and the code that calls a tool does
/// not know its secured parameters. An item other than a function stays as it is.
pub(super) fn without_sources(item: TokenStream) -> TokenStream {
    let Ok(Item { attrs, vis, mut signature, body }) = syn::parse2(item.clone()) else {
        return item;
    };
    let is_tool = attrs.iter().any(is_tool);
    let mut statements = TokenStream::new();
    let inputs = core::mem::take(&mut signature.inputs).into_iter();
    signature.inputs = inputs
        .filter_map(|mut input| {
            if let FnArg::Typed(PatType { attrs, pat, ty, .. }) = &mut input {
                let secured = attrs.extract_if(.., |attr| is_security(attr) || is_argument(attr));
                if secured.count() > 0 && is_tool {
                    let none = quote!(::core::option::Option::<#ty>::None);
                    statements.extend(quote!(let #pat: #ty = #none.unwrap();));
                    return None;
                }
            }
            Some(input)
        })
        .collect();
    quote!(#(#attrs)* #vis #signature { #statements #body })
}

/// Returns `true` for an attribute of rmcp that makes a method a tool or a prompt.
fn is_tool(attr: &Attribute) -> bool {
    let last = attr.path().segments.last();
    last.is_some_and(|last| last.ident == "tool" || last.ident == "prompt")
}
