//! The fields of a form: standard fields, known by their names, and custom fields.

use darling::error::Accumulator;
use darling::{Error, FromField, Result};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Data, DataStruct, DeriveInput, Fields, LitStr, Path, Type};

use super::FormKind;
use crate::attribute::{Flag, Intermediate, Literal, error_at, reworded};
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
    #[darling(multiple)]
    alias: Vec<Literal>,
    #[darling(default)]
    keep_empty: Flag,
}

/// A field and the parameter that it reads.
struct Field {
    ident: Ident,
    ty: Type,
    reads: Reads,
    /// Other names on the wire.
    aliases: Vec<LitStr>,
    /// `true` if an empty value counts as one.
    keeps_empty: bool,
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
        fields.check_aliases(&mut errors);
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
        let WrittenField { ident, ty, from, rename, alias, keep_empty } = written;
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
        let aliases = alias.into_iter().map(|Literal(alias)| alias).collect();
        Ok(Field { ident, ty, reads, aliases, keeps_empty: keep_empty.0 })
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

    /// Checks that no alias is empty, and that no other field reads it, in any case.
    fn check_aliases(&self, errors: &mut Accumulator) {
        for (index, field) in self.0.iter().enumerate() {
            for (number, alias) in field.aliases.iter().enumerate() {
                let name = alias.value();
                let is = |other: &str| other.eq_ignore_ascii_case(&name);
                let mut others = self.0.iter().enumerate().filter(|(other, _)| *other != index);
                let before = field.aliases.iter().take(number);
                let standard = STANDARD.into_iter().find(|(wire, ..)| is(wire));
                let sentence = if name.is_empty() {
                    "`alias` must not be empty; write another name of the parameter".to_owned()
                } else if before.map(LitStr::value).any(|other| is(&other)) {
                    format!(
                        "the alias `{name}` is written twice, because the case does not count; remove one"
                    )
                } else if let Some((_, of, _)) = standard.filter(|_| !is(&field.wire_name())) {
                    format!("`{name}` is a standard parameter; read it with the field `{of}`")
                } else if others.any(|(_, other)| other.names().any(|other| is(&other))) {
                    format!("`{name}` is read by two fields; remove one")
                } else {
                    continue;
                };
                errors.push(error_at(alias.span(), sentence));
            }
        }
    }

    /// Returns the call that sets the aliases, and the fields whose empty value counts, if there are
    /// any.
    pub(super) fn call(&self) -> Option<TokenStream> {
        let aliases = self.0.iter().flat_map(|field| {
            let number = field.number();
            field.aliases.iter().map(move |alias| quote!((#number, #alias)))
        });
        let aliases = Vec::from_iter(aliases);
        let keep_empty = self.0.iter().filter(|field| field.keeps_empty);
        let keep_empty = Vec::from_iter(keep_empty.map(Field::number));
        (!(aliases.is_empty() && keep_empty.is_empty()))
            .then(|| quote!(.with_fields(&[#(#aliases),*], &[#(#keep_empty),*])))
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
    /// Returns the place of a standard parameter in [`STANDARD`].
    fn standard(&self) -> Option<usize> {
        let of = match &self.reads {
            Reads::Standard { variant, .. } => *variant,
            Reads::Scopes => "Scope",
            Reads::Own { .. } => return None,
        };
        STANDARD.into_iter().position(|(_, _, variant)| variant == of)
    }

    /// Returns the number of the field in the runtime: that of a standard parameter, or one above
    /// them.
    fn number(&self) -> usize {
        match (&self.reads, self.standard()) {
            (Reads::Own { index, .. }, _) => STANDARD.len() + index,
            (_, number) => number.unwrap_or_default(),
        }
    }

    fn wire_name(&self) -> String {
        match (&self.reads, self.standard().and_then(|number| STANDARD.get(number))) {
            (Reads::Own { name, .. }, _) => name.value(),
            (_, standard) => standard.map_or("", |(wire, ..)| wire).to_owned(),
        }
    }

    /// Returns the names on the wire.
    fn names(&self) -> impl Iterator<Item = String> {
        self.aliases.iter().map(LitStr::value).chain([self.wire_name()])
    }

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
