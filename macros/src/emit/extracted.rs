//! `extract`: the value of a dependency as an extractor of the framework.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

use crate::emit::checks;

/// Returns the impls that make a type an extractor, with the dependency that yields it. A parameter
/// of the type declares its handler, if the dependency needs a credential.
pub(crate) fn impls(
    krate: &Path,
    local: bool,
    dependency: &impl ToTokens,
    value: &impl ToTokens,
    at: Span,
) -> TokenStream {
    let extract = match local {
        true => quote!(#krate::__extract_local!),
        false => quote!(#krate::__extract!),
    };
    let extract = checks::respanned(extract, at);
    let declares = checks::respanned(quote!(#krate::__declares!), at);
    quote_spanned!(at=> #declares(#dependency, #value); #extract(#dependency, #value);)
}

/// Returns the checks that the plan of the extractor is not too large to compile, and that the
/// dependency can refuse a credential, if it needs one.
pub(crate) fn check(krate: &Path, dependency: &impl ToTokens, at: Span) -> TokenStream {
    let extracted = quote!(#krate::__rt::Extracted<#dependency>);
    let edges = quote!(<#extracted as #krate::__rt::HasPlan>::EDGES);
    let node = quote!(<#dependency as #krate::Dependency>::NODE);
    let is_small = checks::check(krate, "check_edges", &edges, at);
    let verifies = checks::check(krate, "check_extracted", &node, at);
    quote!(#is_small #verifies)
}
