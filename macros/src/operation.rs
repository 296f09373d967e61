//! `operation!(own_items)`

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, parse_quote};

use crate::requirement::Arguments;
use crate::secured::marker;

/// What the handler requires, by the first marker of its plan.
pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    match syn::parse2(arguments) {
        Ok(Arguments {
            krate,
            requirement: Some(requirement),
        }) => {
            let krate: Path = krate.unwrap_or_else(|| parse_quote!(::tollgate));
            let mut path = requirement.path;
            if let Some(last) = path.segments.last_mut() {
                last.ident = marker(&last.ident, 0);
            }
            quote!(#krate::__rt::operation::<#path>())
        }
        Ok(Arguments { .. }) => quote!(::core::compile_error!(
            "name a secured handler; write `operation!(own_items)`"
        )),
        Err(error) => error.into_compile_error(),
    }
}
