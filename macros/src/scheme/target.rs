//! The struct that declares a scheme.

use darling::error::Accumulator;
use proc_macro2::{Ident, TokenStream};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DataStruct, DeriveInput, Fields};

use crate::attribute::error_at;

/// The attributes that declare a scheme.
const ATTRIBUTES: [&str; 10] = [
    "oauth2",
    "oauth2_password_bearer",
    "oauth2_authorization_code_bearer",
    "oauth2_bearer",
    "open_id_connect",
    "http_bearer",
    "http_basic",
    "http_digest",
    "http",
    "api_key",
];

/// The type below a scheme attribute.
pub(super) struct SchemeTarget {
    pub(super) ident: Ident,
    pub(super) attrs: Vec<Attribute>,
}

impl SchemeTarget {
    /// Returns the type if it can declare a scheme. A type that is not a unit struct is reported
    /// but still returned, so its other mistakes are reported too.
    pub(super) fn take(
        attribute: &str,
        item: &TokenStream,
        errors: &mut Accumulator,
    ) -> Option<Self> {
        let Ok(DeriveInput { ident, attrs, generics, data, .. }) = syn::parse2(item.clone()) else {
            let sentence =
                format!("`#[{attribute}]` belongs on a unit struct; write `struct OAuth2;`");
            errors.push(error_at(item.span(), sentence));
            return None;
        };
        let is_unit_struct = matches!(data, Data::Struct(DataStruct { fields: Fields::Unit, .. }));
        if !is_unit_struct {
            let sentence =
                format!("`#[{attribute}]` belongs on a unit struct; write `struct {ident};`");
            errors.push(error_at(ident.span(), sentence));
        }
        if let Some(other) = attrs.iter().find(|attr| is_scheme(attr)) {
            let sentence =
                "a struct declares only one scheme; declare the other one on another struct";
            errors.push(error_at(other.path().span(), sentence));
            return None;
        }
        if !generics.params.is_empty() {
            let sentence = "a scheme cannot be generic, because its configuration is one constant; remove the parameters";
            errors.push(error_at(generics.span(), sentence));
            return None;
        }
        Some(Self { ident, attrs })
    }
}

fn is_scheme(attribute: &Attribute) -> bool {
    attribute
        .path()
        .segments
        .last()
        .is_some_and(|last| ATTRIBUTES.iter().any(|name| last.ident == name))
}
