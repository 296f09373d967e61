//! The two families of request contexts: one with futures that can move between threads, and one
//! with futures that stay on their thread.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Lifetime, Path};

/// The names in a generated impl that resolves a dependency. The user's code cannot see them.
pub(crate) struct Names {
    pub(crate) context: Ident,
    pub(crate) cx: Ident,
    pub(crate) at: Ident,
    pub(crate) output: Ident,
    /// The type as which the value is taken. It is the type of the value, unless a check reports
    /// that it is not.
    pub(crate) taken: Ident,
    pub(crate) request: Lifetime,
}

impl Names {
    pub(crate) fn new() -> Self {
        let [context, cx, at, output, taken] =
            ["__C", "cx", "at", "output", "__T"].map(|name| Ident::new(name, Span::mixed_site()));
        let request = Lifetime::new("'__r", Span::mixed_site());
        Self { context, cx, at, output, taken, request }
    }
}

/// Returns a statement with impls that are compiled for each family of the build, or only for the
/// local one. They name the traits of the family through `__family`.
pub(crate) fn in_families(krate: &Path, is_local: bool, impls: &impl ToTokens) -> TokenStream {
    let families = match is_local {
        true => quote!(__local_family),
        false => quote!(__families),
    };
    quote!(#krate::#families! { #impls })
}
