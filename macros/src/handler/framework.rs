//! A framework's attribute below `#[secured]` or `#[public]`, which declares a type of the
//! handler's name.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Path};

use crate::function::Function;

/// The attributes of actix-web, poem, rocket and salvo, under their own names.
const ATTRIBUTES: [&str; 13] = [
    "connect", "delete", "endpoint", "get", "handler", "head", "options", "patch", "post", "put",
    "route", "routes", "trace",
];

/// Returns `true` if a framework's attribute declares a type of the handler's name.
pub(crate) fn is_named(handler: &Function) -> bool {
    handler.attrs.iter().any(is_framework)
}

/// Returns the impl of a handler that is known by its name. It is empty if no attribute of a
/// framework declares the type.
pub(crate) fn named(krate: &Path, handler: &Function) -> TokenStream {
    let name = &handler.signature.ident;
    match is_named(handler) {
        true => quote!(#krate::__named! { #name }),
        false => TokenStream::new(),
    }
}

fn is_framework(attr: &Attribute) -> bool {
    let last = attr.path().segments.last();
    last.is_some_and(|last| ATTRIBUTES.iter().any(|name| last.ident == name))
}
