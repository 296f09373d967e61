//! The code of a dependency whose value is kept for the rest of a request.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;

use super::checks::item_of;
use super::family::Family;

/// The parts of an impl that keeps its value. Each is empty for an impl that does not.
#[derive(Default)]
pub(crate) struct Cached {
    /// Returns the kept value, if there is one.
    pub(crate) recall: TokenStream,
    pub(crate) remember: TokenStream,
}

impl Cached {
    /// Returns the parts for a value of type `ty`. `output` is the variable with the value.
    ///
    /// The impl has no bound on `ty`, so a type that cannot be kept is an error of the check alone.
    pub(crate) fn new(
        krate: &Path,
        family: Family,
        ty: &impl ToTokens,
        [context, cx, at, output]: [&Ident; 4],
    ) -> Self {
        let [keep, not_kept] = ["Keep", "NotKept"].map(|name| family.item(name));
        Self {
            recall: quote! {
                use #krate::__rt::#not_kept as _;
                if let ::core::option::Option::Some(#output) = <#krate::__rt::#keep<#ty>>::recall::<Self, #context>(#cx, #at) {
                    return #krate::__rt::cast(#cx, #output);
                }
            },
            remember: quote!(<#krate::__rt::#keep<#ty>>::remember::<Self, #context>(#cx, #at, &#output);),
        }
    }
}

/// Returns the check that a value can be kept.
pub(crate) fn check(krate: &Path, is_local: bool, ty: &impl ToTokens, at: Span) -> TokenStream {
    let family = if is_local { Family::Local } else { Family::Send };
    let bound = family.item("Cached");
    let kept = item_of(ty, &quote!(#krate::bounds::#bound), "kept", at);
    quote!(let _ = #kept;)
}
