//! Checks that only the compiler can make, since they need the value of a constant or the type behind a path.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

/// Returns a statement that calls a check of the runtime, with its error at the user's token.
pub(crate) fn check(krate: &Path, check: &str, arguments: &TokenStream, at: Span) -> TokenStream {
    let check = Ident::new(check, Span::call_site());
    let call = respanned(quote!(#krate::__rt::#check), at);
    quote_spanned!(at=> #call(#arguments);)
}

/// Whether a type is what `answer` of the runtime looks for, whatever its name: the inherent constant of that type comes before the one
/// that the trait `other` gives any type.
pub(crate) fn whether(krate: &Path, answer: &str, other: &str, ty: &impl ToTokens) -> TokenStream {
    let [answer, other] = [answer, other].map(|name| Ident::new(name, Span::call_site()));
    quote!({
        use #krate::__rt::#other as _;
        <#krate::__rt::#answer<#ty>>::YES
    })
}

/// Whether a type is a `Result`.
pub(crate) fn is_result(krate: &Path, ty: &impl ToTokens) -> TokenStream {
    whether(krate, "IsResult", "IsNoResult", ty)
}

/// Returns the item that has an item's checks made: one for all, since each costs the compiler as much as a function. Only a free
/// const is evaluated by `cargo check`.
pub(crate) fn all(checks: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let checks: TokenStream = checks.into_iter().collect();
    if checks.is_empty() {
        return TokenStream::new();
    }
    quote!(const _: () = { #checks };)
}

/// Moves tokens to the user's, where errors about them are shown. Their names are still looked up as before.
pub(crate) fn respanned(tokens: TokenStream, at: Span) -> TokenStream {
    let respanned = tokens.into_iter().map(|mut token| {
        token.set_span(at.resolved_at(token.span()));
        token
    });
    respanned.collect()
}
