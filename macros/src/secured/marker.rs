//! The types that represent the parameters of a handler in its plan.

use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;

/// Returns the marker of a parameter, named after the handler and the parameter's number.
pub(crate) fn marker(handler: &Ident, number: usize) -> Ident {
    format_ident!(
        "__secured_{}_{number}",
        handler.unraw(),
        span = handler.span()
    )
}
