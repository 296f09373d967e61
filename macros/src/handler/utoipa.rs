//! `#[utoipa::path(…)]` below `#[secured]` or `#[public]`. The requirement of the handler is added
//! to the operation as an extension, because utoipa's own `security` takes only literals.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{Attribute, Meta, Path, parse_quote};

use crate::function::Function;

/// Returns a handler's function, which `function` writes with other attributes. In a build with
/// utoipa, its operation has the extension. A handler without `#[utoipa::path]` below our attribute
/// is checked not to have an operation at all. `first` is the first marker of its plan.
pub(crate) fn documented(
    krate: &Path,
    handler: &Function,
    first: &Ident,
    function: impl Fn(&[Attribute]) -> TokenStream,
) -> TokenStream {
    let attrs = &handler.attrs;
    let written = function(attrs);
    if !attrs.iter().any(is_path) {
        let name = &handler.signature.ident;
        let documented = format_ident!("__path_{}", name.unraw(), span = name.span());
        let undocumented = quote_spanned!(name.span()=> #krate::__undocumented! { #documented });
        return quote!(#written #undocumented);
    }
    let extension = quote!(("x-doorward" = json!(#krate::__rt::extension::<#first>())));
    let attrs: Vec<_> = attrs
        .iter()
        .map(|attr| if is_path(attr) { extended(attr.clone(), &extension) } else { attr.clone() })
        .collect();
    let documented = function(&attrs);
    quote!(#krate::__documented! { { #documented } { #written } })
}

/// Returns `true` if an attribute is `#[utoipa::path]`.
fn is_path(attr: &Attribute) -> bool {
    let mut segments = attr.path().segments.iter().rev();
    segments.next().is_some_and(|last| last.ident == "path")
        && segments.next().is_none_or(|krate| krate.ident == "utoipa")
}

/// Returns the attribute with the extension.
fn extended(mut attr: Attribute, extension: &TokenStream) -> Attribute {
    // Next to a framework's attribute, `#[utoipa::path]` needs no list.
    if let Meta::Path(path) = &attr.meta {
        attr.meta = parse_quote!(#path());
    }
    if let Meta::List(list) = &mut attr.meta {
        list.tokens = with_extension(list.tokens.clone(), extension);
    }
    attr
}

/// Adds the extension to the existing list, because utoipa keeps only the last one. If there is no
/// list, adds one.
fn with_extension(tokens: TokenStream, extension: &TokenStream) -> TokenStream {
    let mut is_added = false;
    let mut after_extensions = false;
    let mut written: TokenStream = tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) if after_extensions => {
                (after_extensions, is_added) = (false, true);
                let others = group.stream();
                let mut regrouped = Group::new(group.delimiter(), quote!(#extension, #others));
                regrouped.set_span(group.span());
                TokenTree::Group(regrouped)
            }
            token => {
                after_extensions =
                    matches!(&token, TokenTree::Ident(ident) if ident == "extensions");
                token
            }
        })
        .collect();
    if !is_added {
        let comma = match written.clone().into_iter().last() {
            Some(TokenTree::Punct(punct)) if punct.as_char() == ',' => None,
            Some(_) => Some(quote!(,)),
            None => None,
        };
        written.extend(quote!(#comma extensions(#extension)));
    }
    written
}
