//! The two families of request contexts: one with futures that can move between threads, and one
//! with futures that stay on their thread.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Path;

/// Returns a statement with impls that are compiled for each family of the build, or for the local
/// one alone. They name the traits of the family through `__family`.
pub(crate) fn in_families(krate: &Path, is_local: bool, impls: &impl ToTokens) -> TokenStream {
    let families = match is_local {
        true => quote!(__local_family),
        false => quote!(__families),
    };
    quote!(#krate::#families! { #impls })
}
