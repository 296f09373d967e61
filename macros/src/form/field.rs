//! The fields of a form: standard fields, known by their names, and custom fields.

use darling::{Error, FromField, Result};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Data, DataStruct, DeriveInput, Fields, LitStr, Path, Type};

use super::FormKind;
use crate::attribute::{Intermediate, Literal, error_at, reworded};
use crate::emit::checks::kind_of;

/// The standard parameters on the wire, each with the field that reads it and its variant in the
/// runtime.
const STANDARD: [(&str, &str, &str); 6] = [
    ("grant_type", "grant_type", "GrantType"),
    ("username", "username", "Username"),
    ("password", "password", "Password"),
    ("scope", "scopes", "Scope"),
    ("client_id", "client_id", "ClientId"),
    ("client_secret", "client_secret", "ClientSecret"),
];

/// A field as written.
#[derive(FromField)]
#[darling(attributes(password_form, request_form))]
struct WrittenField {
    ident: Option<Ident>,
    ty: Type,
    from: Option<Intermediate>,
    rename: Option<Literal>,
}

/// A field and the parameter that it reads.
struct Field {
    ident: Ident,
    ty: Type,
    reads: Reads,
}

enum Reads {
    /// A standard parameter. The field is made from the type `from`, if there is one.
    Standard { variant: &'static str, from: Option<Box<Type>> },
    /// The list in `scope`.
    Scopes,
    /// A custom parameter, with its name on the wire.
    Own { index: usize, name: LitStr },
}

/// The fields of a form, in the order of the struct.
pub(super) struct FormFields(Vec<Field>);

impl FormFields {
    pub(super) fn read(item: &DeriveInput, kind: FormKind) -> Result<Self> {
        let Data::Struct(DataStruct { fields: Fields::Named(named), .. }) = &item.data else {
            let sentence = "a form is a struct with named fields; write `struct Login { username: String, password: SecretString }`";
            return Err(Error::custom(sentence));
        };
        let mut errors = Error::accumulator();
        let mut fields = Self(Vec::new());
        for field in &named.named {
            if let Some(written) = errors.handle(WrittenField::from_field(field).map_err(reworded))
                && let Some(field) = errors.handle(fields.read_field(written))
            {
                fields.0.push(field);
            }
        }
        let required = match kind {
            FormKind::Any => &[][..],
            FormKind::Password => &[("username", "String"), ("password", "SecretString")],
        };
        for (name, ty) in required {
            let is_name = |field: &syn::Field| {
                let ident = field.ident.as_ref();
                ident.is_some_and(|ident| ident.unraw() == name)
            };
            if !named.named.iter().any(is_name) {
                let sentence = format!("`{name}` is missing; add the field `{name}: {ty}`");
                errors.push(Error::custom(sentence));
            }
        }
        errors.finish_with(fields)
    }

    /// Returns the name of the field that reads `grant_type`.
    pub(super) fn grant_type(&self) -> Option<&Ident> {
        let mut fields = self.0.iter();
        let field = fields.find(|field| field.ident.unraw() == "grant_type");
        field.map(|field| &field.ident)
    }

    /// Returns the standard parameters that the form reads.
    pub(super) fn standard(&self, krate: &Path) -> TokenStream {
        let variants = self.0.iter().filter_map(|field| match field.reads {
            Reads::Standard { variant, .. } => Some(variant),
            Reads::Scopes => Some("Scope"),
            Reads::Own { .. } => None,
        });
        let idents = variants.map(|variant| format_ident!("{variant}"));
        quote!(#(#krate::__rt::Standard::#idents),*)
    }

    fn own(&self) -> impl Iterator<Item = (&LitStr, &Type)> {
        self.0.iter().filter_map(|field| match &field.reads {
            Reads::Own { name, .. } => Some((name, &field.ty)),
            Reads::Standard { .. } | Reads::Scopes => None,
        })
    }

    fn read_field(&self, written: WrittenField) -> Result<Field> {
        let WrittenField { ident, ty, from, rename } = written;
        let ident = ident.ok_or_else(|| Error::custom("a form field must have a name"))?;
        let name = ident.unraw().to_string();
        let reads = match STANDARD.into_iter().find(|(_, field, _)| *field == name) {
            Some((wire_name, _, variant)) => {
                if let Some(Literal(rename)) = rename {
                    let sentence = format!(
                        "`{name}` reads the standard parameter `{wire_name}`; remove `rename`, or give the field another name"
                    );
                    return Err(error_at(rename.span(), sentence));
                }
                match (wire_name, from) {
                    ("scope", Some(from)) => {
                        let sentence = "`scopes` is a collection; remove `from`, and implement `FromScopes` for it or `FromText` for its items";
                        return Err(error_at(from.at, sentence));
                    }
                    ("scope", None) => Reads::Scopes,
                    (_, from) => {
                        Reads::Standard { variant, from: from.map(|from| Box::new(from.ty)) }
                    }
                }
            }
            None => {
                if let Some(from) = from {
                    let sentence = "`from` is for a standard field; remove it, and implement `FromText` or serde's `Deserialize` for the type of this field";
                    return Err(error_at(from.at, sentence));
                }
                let wire_name = match rename {
                    Some(Literal(name)) => name,
                    None => LitStr::new(&name, ident.span()),
                };
                self.check_own(&wire_name)?;
                Reads::Own { index: self.own().count(), name: wire_name }
            }
        };
        Ok(Field { ident, ty, reads })
    }

    /// Checks that a name on the wire is not empty and that no other field reads it.
    fn check_own(&self, wire_name: &LitStr) -> Result<()> {
        let name = wire_name.value();
        let sentence = if name.is_empty() {
            "`rename` must not be empty; write the parameter's name".to_owned()
        } else if let Some((_, field, _)) = STANDARD.into_iter().find(|(wire, ..)| *wire == name) {
            format!("`{name}` is a standard parameter; read it with the field `{field}`")
        } else if self.own().any(|(own, _)| own.value() == name) {
            format!("`{name}` is read by two fields; remove one")
        } else {
            return Ok(());
        };
        Err(error_at(wire_name.span(), sentence))
    }

    /// Returns the names of the custom fields on the wire, as an array.
    pub(super) fn own_names(&self, krate: &Path) -> TokenStream {
        let names = self.own().map(|(name, _)| name);
        quote!(const { [#(#krate::__rt::OwnName::new(#names)),*] })
    }

    /// Returns the name on the wire and the schema type of each custom field.
    pub(super) fn own_types(&self, krate: &Path) -> TokenStream {
        let types = self.own().map(|(name, ty)| {
            let kind = kind_of(krate, "Value", ty);
            quote!((#name, #kind),)
        });
        types.collect()
    }

    /// Returns the statements that take every field out of `fields`, and the form built from them.
    pub(super) fn read_all(&self, krate: &Path, fields: &Ident) -> TokenStream {
        let locals: Vec<_> = (0..self.0.len())
            .map(|index| format_ident!("__field_{index}", span = fields.span()))
            .collect();
        let idents = self.0.iter().map(|field| &field.ident);
        let values = self.0.iter().map(|field| field.read(krate, fields));
        quote! {
            #(let #locals = #values;)*
            ::core::option::Option::Some(Self { #(#idents: #locals?),* })
        }
    }
}

impl Field {
    fn read(&self, krate: &Path, fields: &Ident) -> TokenStream {
        let ty = &self.ty;
        match &self.reads {
            Reads::Standard { variant, from } => {
                let variant = format_ident!("{variant}");
                let standard = quote!(#krate::__rt::Standard::#variant);
                match from {
                    Some(from) => {
                        let way = quote! {{
                            use #krate::__rt::AnyField as _;
                            <#krate::__rt::FieldOf<#ty>>::way()
                        }};
                        quote!(<#ty as #krate::bounds::FromIntermediate<'_, #from, _>>::take(#way, #fields, #standard))
                    }
                    None => quote!(<#ty as #krate::form::FromText<'_>>::take(#fields, #standard)),
                }
            }
            Reads::Scopes => quote!(<#ty as #krate::form::FromScopes<'_>>::take(#fields)),
            Reads::Own { index, .. } => {
                let way = quote! {{
                    use #krate::__rt::FieldWay as _;
                    (&&&&&<#krate::__rt::CustomField<'_, #ty>>::NEW).way()
                }};
                quote!(<#ty as #krate::bounds::FromValue<'_, _>>::take(#way, #fields, #index))
            }
        }
    }
}
