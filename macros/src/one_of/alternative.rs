//! A variant with a dependency: `#[security(user)] User(User)`.

use darling::error::Accumulator;
use darling::{Error, Result};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Attribute, Field, Fields, Ident, Lifetime, Meta, Path, Type, Variant};

use crate::attribute::error_at;
use crate::emit::checks::{check, is_type};
use crate::function::is_security;
use crate::requirement::{Required, Requirement, Site};
use crate::types::{elided_lifetime, with_lifetime};

/// An alternative.
pub(super) struct Alternative {
    pub(super) variant: Ident,
    pub(super) requirement: Requirement,
    pub(super) ty: Type,
}

impl Alternative {
    /// Reads a variant of `list`, and removes its `#[security(…)]`. Returns `None` for one without
    /// a dependency and a value.
    pub(super) fn read(variant: &mut Variant, list: &Ident) -> Result<Option<Self>> {
        let mut errors = Error::accumulator();
        let cfg = variant.attrs.iter().find(|attr| attr.path().is_ident("cfg"));
        if let Some(cfg) = cfg {
            let sentence =
                "a `#[cfg]` on a variant would change the alternatives; put it on the whole enum";
            errors.push(error_at(cfg.span(), sentence));
        }
        let attributes: Vec<_> = variant.attrs.extract_if(.., |attr| is_security(attr)).collect();
        if let Some(second) = attributes.get(1) {
            let sentence = "a variant has one dependency; write another variant for the second one, or a `#[dependency]` that takes both";
            errors.push(error_at(second.path().span(), sentence));
        }
        let alternative = match attributes.first() {
            Some(attribute) => Self::of(attribute, variant, list, &mut errors),
            None => {
                if !variant.fields.is_empty() {
                    let sentence = "nothing says where this value comes from; write `#[security(current_user)]` above the variant";
                    errors.push(error_at(variant.ident.span(), sentence));
                }
                None
            }
        };
        errors.finish_with(alternative)
    }

    /// Reads a variant with a dependency.
    fn of(
        attribute: &Attribute,
        variant: &mut Variant,
        list: &Ident,
        errors: &mut Accumulator,
    ) -> Option<Self> {
        let arguments = match &attribute.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let required = Required::read(arguments, Site::Variant, errors);
        if !required.is_written {
            let sentence = "name a dependency; write `#[security(current_user)]`";
            errors.push(error_at(attribute.path().span(), sentence));
        }
        if let Some(requirement) = &required.requirement
            && (requirement.path.is_ident(list) || requirement.path.is_ident("Self"))
        {
            let sentence = "an enum cannot be its own alternative; name another dependency";
            errors.push(error_at(requirement.path.span(), sentence));
        }
        let name = &variant.ident;
        let ty = match &mut variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first_mut(),
            _ => None,
        };
        let Some(Field { ty, .. }) = ty else {
            let sentence = format!(
                "a variant holds exactly one value, that of its dependency; write `{name}(…)` with the type of that value"
            );
            errors.push(error_at(name.span(), sentence));
            return None;
        };
        if let Some(at) = elided_lifetime(ty) {
            let sentence = "a variant cannot hold a borrowed value; write an owned type, such as `String`, or a `'static` reference";
            errors.push(error_at(at, sentence));
            // So the compiler does not report it again.
            *ty = with_lifetime(ty, &Lifetime::new("'static", Span::mixed_site()));
        }
        Some(Self { variant: name.clone(), requirement: required.requirement?, ty: ty.clone() })
    }

    /// Returns the checks of the alternative. `place` is the node of the enum and the alternative's
    /// number.
    pub(super) fn checks(&self, place: &TokenStream, krate: &Path) -> TokenStream {
        let (requirement, ty) = (&self.requirement, &self.ty);
        let of_requirement = requirement.checks(krate);
        let alternative = check(krate, "check_alternative", place, requirement.path.span());
        let is_type = is_type(krate, &requirement.output(krate), ty);
        quote!(#is_type #of_requirement #alternative)
    }
}
