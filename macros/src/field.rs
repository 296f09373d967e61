//! A field of a form: a standard one, known by its name, or one of the user's own.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, FieldsNamed, Ident, LitStr, Meta, Path, Type, parse_quote};

use crate::errors::Errors;
use crate::params::Params;
use crate::types::last_segment;

/// The standard parameters on the wire, each with the field that reads it and its name in the runtime.
const STANDARD: [(&str, &str, &str); 6] = [
    ("grant_type", "grant_type", "GrantType"),
    ("username", "username", "Username"),
    ("password", "password", "Password"),
    ("scope", "scopes", "Scope"),
    ("client_id", "client_id", "ClientId"),
    ("client_secret", "client_secret", "ClientSecret"),
];

/// What a field reads.
enum Source {
    /// A standard parameter, made from another type where one is named.
    Standard {
        variant: &'static str,
        from: Option<Box<Type>>,
    },
    /// The list in `scope`.
    Scopes,
    /// A parameter of the user's own, by its place among them.
    Own { index: usize },
}

struct Field {
    ident: Ident,
    ty: Type,
    source: Source,
}

/// The fields of a form, and the names on the wire of those that are the user's own.
pub(crate) struct Fields {
    all: Vec<Field>,
    own: Vec<LitStr>,
}

impl Fields {
    pub(crate) fn take(fields: FieldsNamed, errors: &mut Errors) -> Self {
        let mut taken = Self {
            all: Vec::new(),
            own: Vec::new(),
        };
        for field in fields.named {
            let Some(ident) = field.ident else { continue };
            let source = taken.source(&ident, &field.attrs, errors);
            taken.all.push(Field {
                ident,
                ty: field.ty,
                source,
            });
        }
        taken
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.all.iter().any(|field| field.ident.unraw() == name)
    }

    fn source(&mut self, ident: &Ident, attrs: &[Attribute], errors: &mut Errors) -> Source {
        let name = ident.unraw().to_string();
        let standard = STANDARD.into_iter().find(|(_, field, _)| *field == name);
        let owner = if standard.is_some() {
            format!("`{name}`")
        } else {
            "a field of your own".to_owned()
        };
        let mut params = attribute(owner, attrs, errors);
        let source = match standard {
            Some(("scope", ..)) => Source::Scopes,
            Some((_, _, variant)) => Source::Standard {
                variant,
                from: params
                    .type_or("from", parse_quote!(::std::string::String))
                    .map(Box::new),
            },
            None => {
                let wire_name = params
                    .literal("rename")
                    .unwrap_or_else(|| LitStr::new(&name, ident.span()));
                self.check_own(&wire_name, params.errors);
                self.own.push(wire_name);
                Source::Own {
                    index: self.own.len() - 1,
                }
            }
        };
        params.finish();
        source
    }

    /// Reports a name on the wire that another field reads already.
    fn check_own(&self, wire_name: &LitStr, errors: &mut Errors) {
        let name = wire_name.value();
        let sentence = if name.is_empty() {
            "a name on the wire must not be empty; write the parameter's name".to_owned()
        } else if let Some((_, field, _)) = STANDARD.into_iter().find(|(wire, ..)| *wire == name) {
            format!("`{name}` is a standard parameter; read it with the field `{field}`")
        } else if self.own.iter().any(|own| own.value() == name) {
            format!("`{name}` is read by two fields; remove one")
        } else {
            return;
        };
        errors.push(wire_name, sentence);
    }

    /// The names on the wire of the user's own fields, as an array.
    pub(crate) fn own_names(&self) -> TokenStream {
        let names = &self.own;
        quote!([#(#names),*])
    }

    /// The name on the wire and the type in the schema of each of the user's own fields.
    pub(crate) fn own_types(&self, krate: &Path) -> TokenStream {
        let own = self
            .all
            .iter()
            .filter(|field| matches!(field.source, Source::Own { .. }));
        let types = own.zip(&self.own).map(|(field, name)| {
            let ty = &field.ty;
            quote!((#name, {
                use #krate::__rt::AnyValueType as _;
                <#krate::__rt::ValueTypeOf<#ty>>::TYPE
            }),)
        });
        types.collect()
    }

    /// The statements that take every field out of `fields`, and the form that is put together from them.
    pub(crate) fn read(&self, krate: &Path, fields: &Ident) -> TokenStream {
        let locals: Vec<_> = (0..self.all.len())
            .map(|index| format_ident!("field_{index}", span = fields.span()))
            .collect();
        let idents = self.all.iter().map(|field| &field.ident);
        let values = self.all.iter().map(|field| field.read(krate, fields));
        quote! {
            #(let #locals = #values;)*
            ::core::option::Option::Some(Self { #(#idents: #locals?),* })
        }
    }
}

impl Field {
    fn read(&self, krate: &Path, fields: &Ident) -> TokenStream {
        let ty = &self.ty;
        match &self.source {
            Source::Standard { variant, from } => {
                let variant = format_ident!("{variant}");
                let standard = quote!(#krate::__rt::Standard::#variant);
                match from {
                    Some(from) => {
                        let is_option = last_segment(ty).is_some_and(|name| name == "Option");
                        let via =
                            format_ident!("{}", if is_option { "InOption" } else { "Directly" });
                        let bound = quote!(#krate::bounds::FromIntermediate<'_, #from, #krate::bounds::#via>);
                        quote!(<#ty as #bound>::take(#fields, #standard))
                    }
                    None => quote!(<#ty as #krate::FromText<'_>>::take(#fields, #standard)),
                }
            }
            Source::Scopes => quote!(<#ty as #krate::FromScopes<'_>>::take(#fields)),
            Source::Own { index } => {
                quote!(<#ty as #krate::bounds::FromValue>::take(#fields, #index))
            }
        }
    }
}

/// Reads the parameters of every `#[password_form(…)]` on an item or a field as one list.
pub(crate) fn attribute<'e>(
    owner: String,
    attrs: &[Attribute],
    errors: &'e mut Errors,
) -> Params<'e> {
    let mut lists = Vec::new();
    for attr in attrs
        .iter()
        .filter(|attr| attr.path().is_ident("password_form"))
    {
        if let Meta::List(list) = &attr.meta {
            lists.push(list.tokens.clone());
        } else {
            let sentence = "`#[password_form]` has its parameters in parentheses; write `#[password_form(…)]`, or remove it";
            errors.push(&attr.meta, sentence);
        }
    }
    Params::parse(owner, lists, errors)
}
