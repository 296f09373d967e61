//! The code of a dependency whose value is kept for the rest of a request.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;

use super::checks::item_of;
use super::family::Names;

/// The parts of an impl that keeps its value. Each is empty for an impl that does not.
#[derive(Default)]
pub(crate) struct Cached {
    /// Returns the kept value, if there is one.
    pub(crate) recall: TokenStream,
    pub(crate) remember: TokenStream,
}

impl Cached {
    /// Returns the parts for a value of type `ty`.
    ///
    /// The impl has no bound on `ty`, so only the check reports a type that cannot be kept.
    pub(crate) fn new(
        krate: &Path,
        ty: &impl ToTokens,
        Names { context, cx, at, output, .. }: &Names,
    ) -> Self {
        Self {
            recall: quote! {
                use #krate::__rt::NotKept as _;
                if let ::core::option::Option::Some(#output) = <__family::Keep<#ty>>::recall::<Self, #context>(#cx, #at) {
                    return #krate::__rt::cast(#cx, #output);
                }
            },
            remember: quote!(<__family::Keep<#ty>>::remember::<Self, #context>(#cx, #at, &#output);),
        }
    }
}

/// Returns the check that a value can be kept.
pub(crate) fn check(krate: &Path, is_local: bool, ty: &impl ToTokens, at: Span) -> TokenStream {
    let bound = if is_local { quote!(LocalCached) } else { quote!(Cached) };
    let kept = item_of(ty, &quote!(#krate::bounds::#bound), "kept", at);
    quote!(let _ = #kept;)
}
