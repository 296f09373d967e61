//! Checks that only the compiler can do, because they need the value of a constant or the type
//! behind a path.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Path, Type};

use crate::types::{is_named, is_plain};

/// Returns an item of a type's impl of a trait. Errors about it are shown at the user's token,
/// because the brackets at both ends have its span. The names keep their own, because an editor
/// goes to the definition of each name that has the span of the user's.
pub(crate) fn item_of(
    ty: &impl ToTokens,
    of_trait: &TokenStream,
    name: &str,
    at: Span,
) -> TokenStream {
    let name = format_ident!("{name}");
    quote_spanned!(at=> <#ty as #of_trait>::#name::<>)
}

/// Returns a statement that calls a check of the runtime. Its error is shown at the user's token,
/// whose span the parentheses have.
pub(crate) fn check(krate: &Path, check: &str, arguments: &TokenStream, at: Span) -> TokenStream {
    let check = format_ident!("{check}");
    let call = quote!(#krate::__rt::#check);
    quote_spanned!(at=> (#call)(#arguments);)
}

/// Returns the check that the plan of a type is not too large to compile. It reads the edges where
/// they are: the compiler would look through a copy of them once more.
pub(crate) fn check_edges(krate: &Path, of: &Ident, at: Span) -> TokenStream {
    let edges = quote!(<#of as #krate::__rt::HasPlan>::EDGES);
    check(krate, "check_edges", &edges, at)
}

/// Returns a statement that checks that a value has the type that is written for it.
pub(crate) fn is_type(krate: &Path, yielded: &TokenStream, ty: &Type) -> TokenStream {
    let into_type = of_type(krate, ty, "into_type");
    if is_plain(ty) {
        quote_spanned!(ty.span()=> let _: fn(#yielded) -> #ty = #into_type;)
    } else {
        // In a closure, lifetimes are inferred.
        let value = Ident::new("value", Span::mixed_site());
        quote_spanned!(ty.span()=> let _ = |#value: #yielded| #into_type(#value);)
    }
}

/// Returns a statement that checks that a value can be taken as `Presented`, which is the type that
/// is written for it.
pub(crate) fn is_presented(krate: &Path, yielded: &TokenStream) -> TokenStream {
    quote! {{
        const fn is_presented<T: #krate::bounds::Presents>() {}
        is_presented::<#yielded>();
    }}
}

/// Returns the path of a function that takes a value of the type `ty`, or does not compile.
pub(crate) fn of_type(krate: &Path, ty: &Type, function: &str) -> TokenStream {
    let is_optional = is_named(ty, "Option") || is_named(ty, "Result");
    let is_type = format_ident!("{}", if is_optional { "IsOptional" } else { "IsType" });
    let of_trait = quote!(#krate::bounds::#is_type<#ty, _>);
    let inferred = quote_spanned!(ty.span()=> _);
    item_of(&inferred, &of_trait, function, ty.span())
}

/// Returns a statement that checks that an error is a response with a status.
pub(crate) fn is_error(krate: &Path, error: &Type) -> TokenStream {
    check(krate, "check_error", &error_kind(krate, &result_of(error)), error.span())
}

/// Returns a `Result` with an error.
pub(crate) fn result_of(error: &Type) -> TokenStream {
    quote!(::core::result::Result<(), #error>)
}

/// Returns the kind of the error in a `Result`, and whether it is a response.
pub(crate) fn error_kind(krate: &Path, result: &TokenStream) -> TokenStream {
    let kind = kind_of(krate, "Error", result);
    quote!(#kind, #krate::__is_response!(#result))
}

/// Returns an expression for the kind of a type, behind any alias: the constant `KIND` of the
/// runtime's `…Of<T>`. It is an inherent constant for each type that the runtime knows, and wins
/// over the constant of the trait `Any…`, which covers every type.
pub(crate) fn kind_of(krate: &Path, role: &str, ty: &impl ToTokens) -> TokenStream {
    let (kind_of, any) = (format_ident!("{role}Of"), format_ident!("Any{role}"));
    quote!({
        use #krate::__rt::#any as _;
        <#krate::__rt::#kind_of<#ty>>::KIND
    })
}

/// Combines all checks of an item into one constant, because each constant costs the compiler as
/// much as a function. It is a free constant, because `cargo check` evaluates no others. The impls
/// of the families are in it too.
pub(crate) fn all(checks: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let checks: TokenStream = checks.into_iter().collect();
    if checks.is_empty() {
        return TokenStream::new();
    }
    quote!(const _: () = { #checks };)
}

/// Returns checks that are all reported. The first mistake ends the evaluation of a constant, so
/// each further check gets its own.
pub(crate) fn each(checks: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let checks = checks.into_iter().enumerate();
    checks
        .map(|(number, check)| match number {
            0 => check,
            _ => quote!(const _: () = { #check };),
        })
        .collect()
}

/// Gives tokens the span of the user's code, so errors about them are shown there. Names in them
/// resolve as before.
pub(crate) fn respanned(tokens: TokenStream, at: Span) -> TokenStream {
    let respanned = tokens.into_iter().map(|mut token| {
        token.set_span(at.resolved_at(token.span()));
        token
    });
    respanned.collect()
}
