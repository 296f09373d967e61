//! `#[derive(PasswordRequestForm)]`

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Error, Expr, ExprLit, GenericParam, Generics, Ident, Lifetime, Lit, LitStr,
    Path, WhereClause, parse_quote,
};

use crate::checks::{self, check};
use crate::errors::Errors;
use crate::field::{self, Fields};

/// Expands the derive: the form, as far as it could be read, then every mistake.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let form = errors
        .handle(syn::parse2(item))
        .and_then(|item| Form::take(item, &mut errors));
    quote!(#form #errors)
}

/// A form, as far as it could be read.
struct Form {
    krate: Path,
    ident: Ident,
    lifetime: Option<Lifetime>,
    where_clause: Option<WhereClause>,
    strict: bool,
    max_bytes: Option<Expr>,
    /// Its name among the schemas of a description, where it is one.
    schema_name: Option<LitStr>,
    fields: Fields,
}

impl Form {
    /// Reads a form; there is none where the item has not the shape of one.
    fn take(item: DeriveInput, errors: &mut Errors) -> Option<Self> {
        let DeriveInput {
            ident,
            generics,
            attrs,
            data,
            ..
        } = item;
        let named = errors.handle(named_fields(&ident, data));
        let lifetime = errors.handle(only_lifetime(&generics));
        let mut params = field::attribute("`#[password_form]`".to_owned(), &attrs, errors);
        let strict = params.flag("strict").unwrap_or(false);
        let max_bytes = params.number("max_bytes");
        let to_schema = params.flag("to_schema").unwrap_or(true);
        let schema_name = params
            .literal("schema_name")
            .unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()));
        let krate = params
            .path("crate")
            .unwrap_or_else(|| parse_quote!(::tollgate));
        params.finish();
        let fields = Fields::take(named?, errors);
        let form = Self {
            krate,
            ident,
            lifetime: lifetime?,
            where_clause: generics.where_clause,
            strict,
            max_bytes,
            schema_name: to_schema.then_some(schema_name),
            fields,
        };
        form.check(errors);
        Some(form)
    }

    fn check(&self, errors: &mut Errors) {
        for (name, ty) in [("username", "String"), ("password", "SecretString")] {
            if !self.fields.has(name) {
                let sentence = format!("a form reads `{name}`; add the field `{name}: {ty}`");
                errors.push(&self.ident, sentence);
            }
        }
        if let Some(Expr::Lit(ExprLit {
            lit: Lit::Int(literal),
            ..
        })) = &self.max_bytes
            && literal.base10_parse::<u64>().is_ok_and(|bytes| bytes == 0)
        {
            let sentence = "a form of 0 bytes has no fields; write `max_bytes = 65536`, the default, or leave it out";
            errors.push(literal, sentence);
        }
    }
}

impl ToTokens for Form {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            krate,
            ident,
            lifetime: own_lifetime,
            where_clause,
            strict,
            max_bytes,
            schema_name,
            fields,
        } = self;
        let lifetime = own_lifetime
            .clone()
            .unwrap_or_else(|| Lifetime::new("'body", Span::mixed_site()));
        let generics = own_lifetime.iter().map(|lifetime| quote!(<#lifetime>));
        let max_bytes_option = max_bytes
            .iter()
            .map(|max_bytes| quote!(.max_bytes(#max_bytes)));
        let [body, local] = ["body", "fields"].map(|name| Ident::new(name, Span::mixed_site()));
        let (own_names, read) = (fields.own_names(), fields.read(krate, &local));
        let own_types = fields.own_types(krate);
        tokens.extend(quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl<#lifetime> #krate::PasswordRequestForm<#lifetime> for #ident #(#generics)* #where_clause {
                const CONFIG: #krate::FormConfig = #krate::FormConfig::new().strict(#strict) #(#max_bytes_option)*;
                fn schema() -> #krate::openapi::FormSchema {
                    #krate::openapi::FormSchema::of::<Self>(&[#own_types])
                }
                fn decode(#body: &#lifetime [::core::primitive::u8]) -> ::core::result::Result<Self, #krate::FormError> {
                    #krate::__rt::decode(#body, <Self as #krate::PasswordRequestForm<#lifetime>>::CONFIG, #own_names, |#local| {
                        #read
                    })
                }
            }
        });
        if let Some(name) = schema_name {
            let generics = own_lifetime.as_ref().map(|lifetime| quote!(<#lifetime>));
            tokens.extend(quote! {
                #krate::__to_schema! { [#generics] #ident #generics, #name, [#where_clause] }
            });
        }
        if own_lifetime.is_none() {
            tokens.extend(quote! {
                #[automatically_derived]
                #[allow(deprecated)]
                impl #krate::OwnedForm for #ident #where_clause {}
            });
        }
        if let Some(max_bytes) = max_bytes
            && !matches!(max_bytes, Expr::Lit(_))
        {
            let value = quote!(<#ident as #krate::PasswordRequestForm<'static>>::CONFIG.max_bytes);
            let check = check(krate, "check_max_bytes", &value, max_bytes.span());
            tokens.extend(checks::all([check]));
        }
    }
}

fn named_fields(ident: &Ident, data: Data) -> syn::Result<syn::FieldsNamed> {
    match data {
        Data::Struct(syn::DataStruct {
            fields: syn::Fields::Named(fields),
            ..
        }) => Ok(fields),
        _ => {
            let sentence = "a form is a struct with named fields; write `struct Login { username: String, password: SecretString }`";
            Err(Error::new(ident.span(), sentence))
        }
    }
}

/// Returns the lifetime of a form that borrows.
fn only_lifetime(generics: &Generics) -> syn::Result<Option<Lifetime>> {
    let mut parameters = generics.params.iter();
    match (parameters.next(), parameters.next()) {
        (None, _) => Ok(None),
        (Some(GenericParam::Lifetime(parameter)), None) => Ok(Some(parameter.lifetime.clone())),
        _ => {
            let sentence =
                "a form has one lifetime at most, that of the body; remove the other parameters";
            Err(Error::new(generics.params.span(), sentence))
        }
    }
}
