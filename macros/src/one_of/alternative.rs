//! A variant with a dependency: `#[security(user)] User(User)`.

use darling::error::Accumulator;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Fields, Ident, Meta, Path, Type, Variant};

use crate::arguments::error_at;
use crate::arguments::requirement::{Place, Required, Requirement};
use crate::emit::checks::{check, respanned};

/// An alternative.
pub(super) struct Alternative {
    pub(super) variant: Ident,
    pub(super) requirement: Requirement,
    pub(super) ty: Type,
}

impl Alternative {
    /// Reads a variant, and removes its `#[security(…)]`. Returns `None` for one without a
    /// dependency.
    pub(super) fn read(variant: &mut Variant, errors: &mut Accumulator) -> Option<Self> {
        if let Some(cfg) = variant
            .attrs
            .iter()
            .find(|attr| attr.path().is_ident("cfg"))
        {
            let sentence =
                "a `#[cfg]` on a variant would change the alternatives; put it on the whole enum";
            errors.push(error_at(cfg.span(), sentence));
        }
        let is_security = |attr: &mut Attribute| attr.path().is_ident("security");
        let attributes: Vec<_> = variant.attrs.extract_if(.., is_security).collect();
        let [attribute] = &attributes[..] else {
            let (at, sentence) = match (attributes.get(1), &variant.fields) {
                (Some(second), _) => (
                    second.span(),
                    "a variant has one dependency; write a `#[dependency]` that takes both",
                ),
                (None, Fields::Unit) => return None,
                (None, _) => (
                    variant.ident.span(),
                    "nothing says where this value comes from; write `#[security(current_user)]` above the variant",
                ),
            };
            errors.push(error_at(at, sentence));
            return None;
        };
        let list = match &attribute.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let required = Required::read(list, Place::Variant, errors);
        if !required.is_written {
            let sentence = "name a dependency; write `#[security(current_user)]`";
            errors.push(error_at(attribute.span(), sentence));
        }
        let requirement = required.requirement?;
        let mut fields = variant.fields.iter();
        match (&variant.fields, fields.next(), fields.next()) {
            (Fields::Unnamed(_), Some(field), None) => Some(Self {
                variant: variant.ident.clone(),
                requirement,
                ty: field.ty.clone(),
            }),
            _ => {
                let sentence = format!(
                    "a variant has the value of its dependency, and nothing else; write `{}(…)` with its type",
                    variant.ident
                );
                errors.push(error_at(variant.ident.span(), sentence));
                None
            }
        }
    }

    /// Returns the checks of the alternative. `place` is the node of the enum and the alternative's
    /// number.
    pub(super) fn checks(&self, place: &TokenStream, krate: &Path) -> TokenStream {
        let (requirement, ty) = (&self.requirement, &self.ty);
        let scopes = requirement.scope_checks(krate);
        let alternative = check(krate, "check_alternative", place, requirement.path.span());
        let yielded = requirement.output(krate);
        let into_type = respanned(
            quote!(<_ as #krate::bounds::IsType<#ty, _>>::into_type),
            ty.span(),
        );
        let is_type = quote_spanned!(ty.span()=> let _: fn(#yielded) -> #ty = #into_type;);
        quote!(#is_type #scopes #alternative)
    }
}
