//! `operation!(own_items)`

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

use crate::handler::marker;
use crate::requirement::{Requirement, Site, expand_one};

pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    expand_one(
        Site::Operation,
        "name a secured handler; write `operation!(own_items)`",
        arguments,
        operation,
    )
}

/// Returns the requirement of a handler, which the first marker of its plan identifies.
fn operation(krate: &Path, requirement: &Requirement) -> TokenStream {
    let mut path = requirement.path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.ident = marker(&last.ident, 0);
    }
    quote!(#krate::__rt::operation::<#path>())
}
