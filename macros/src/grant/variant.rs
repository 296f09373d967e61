//! A variant with the form of its grant: `#[grant("urn:example:otp")] OneTime(OneTimeForm)`.

use darling::{Error, Result};
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DataEnum, Fields, LitStr, Type, Variant};

use crate::attribute::error_at;

/// A grant.
pub(super) struct GrantVariant {
    pub(super) ident: Ident,
    pub(super) form: Type,
    /// The grant type, if the variant has a `#[grant("…")]`.
    pub(super) grant_type: Option<LitStr>,
}

/// The variants of an enum.
pub(super) struct GrantVariants(pub(super) Vec<GrantVariant>);

impl TryFrom<&Data> for GrantVariants {
    type Error = Error;

    fn try_from(data: &Data) -> Result<Self> {
        let Data::Enum(DataEnum { variants, .. }) = data else {
            let sentence = "`Grant` is derived on an enum with a variant for each grant; for the form of one grant, derive `RequestForm`";
            return Err(Error::custom(sentence));
        };
        if variants.is_empty() {
            let sentence = "this enum has no grant; write a variant for each: `RefreshToken(RefreshTokenGrant)`";
            return Err(Error::custom(sentence));
        }
        let mut errors = Error::accumulator();
        let variants = variants
            .iter()
            .filter_map(|variant| errors.handle(GrantVariant::read(variant)))
            .collect();
        errors.finish_with(Self(variants))
    }
}

impl GrantVariant {
    fn read(variant: &Variant) -> Result<Self> {
        let mut errors = Error::accumulator();
        let ident = variant.ident.clone();
        let mut attributes =
            variant.attrs.iter().filter(|attribute| attribute.path().is_ident("grant"));
        let grant_type =
            attributes.next().and_then(|attribute| errors.handle(grant_type(attribute)));
        if let Some(second) = attributes.next() {
            let sentence = "a variant has one grant type; write another variant for the second one";
            errors.push(error_at(second.path().span(), sentence));
        }
        let field = match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first(),
            _ => None,
        };
        let form = field.map(|field| field.ty.clone()).ok_or_else(|| {
            let sentence = format!(
                "a variant holds exactly one value, the form of its grant; write `{ident}(…)` with the type of that form"
            );
            error_at(ident.span(), sentence)
        });
        match errors.handle(form) {
            Some(form) => errors.finish_with(Self { ident, form, grant_type }),
            None => errors.finish().and(Err(Error::custom("a variant without a form"))),
        }
    }
}

/// Reads the grant type in `#[grant("…")]`.
fn grant_type(attribute: &Attribute) -> Result<LitStr> {
    let sentence = "`grant` must have one string literal; write `#[grant(\"urn:example:otp\")]`";
    let grant_type: LitStr =
        attribute.parse_args().map_err(|_| error_at(attribute.path().span(), sentence))?;
    if grant_type.value().is_empty() {
        return Err(error_at(grant_type.span(), sentence));
    }
    Ok(grant_type)
}
