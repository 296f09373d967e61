//! Checks that only the compiler can make, because they need the value of a constant or the type behind a path.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Path;

/// Returns a statement that calls a check of the runtime, with its error at the user's token.
pub(crate) fn check(krate: &Path, check: &str, arguments: &TokenStream, at: Span) -> TokenStream {
    let check = format_ident!("{check}");
    let call = respanned(quote!(#krate::__rt::#check), at);
    quote_spanned!(at=> #call(#arguments);)
}

/// Expands to the kind of a type, behind any alias: a constant of the runtime's `…Of<T>`. It has an inherent one for each type that it
/// knows, which wins over that of the trait `Any…`, which it has for every type.
pub(crate) fn kind_of(krate: &Path, role: &str, ty: &impl ToTokens) -> TokenStream {
    let (kind_of, any) = (format_ident!("{role}Of"), format_ident!("Any{role}"));
    quote!({
        use #krate::__rt::#any as _;
        <#krate::__rt::#kind_of<#ty>>::KIND
    })
}

/// Returns the item with all checks of an item. It is one, because each costs the compiler as much as a function, and a free const,
/// because `cargo check` evaluates no other.
pub(crate) fn all(checks: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let checks: TokenStream = checks.into_iter().collect();
    if checks.is_empty() {
        return TokenStream::new();
    }
    quote!(const _: () = { #checks };)
}

/// Moves tokens to the user's, where errors about them are shown. Their names are still resolved as before.
pub(crate) fn respanned(tokens: TokenStream, at: Span) -> TokenStream {
    let respanned = tokens.into_iter().map(|mut token| {
        token.set_span(at.resolved_at(token.span()));
        token
    });
    respanned.collect()
}
