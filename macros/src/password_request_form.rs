//! `#[derive(PasswordRequestForm)]`

use darling::Error;
use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Data, DeriveInput, Expr, ExprLit, GenericParam, Generics, Ident, Lifetime, Lit, LitStr, Path,
    WhereClause, parse_quote,
};

use crate::checks::check;
use crate::field::{self, Fields};

/// Expands the derive: the form, as far as it could be read, then every mistake.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Error::accumulator();
    let form = errors
        .handle_in(|| syn::parse2(item).map_err(Error::from))
        .and_then(|item| Form::take(item, &mut errors));
    let mistakes = errors.finish().err().map(Error::write_errors);
    quote!(#form #mistakes)
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
    fn take(item: DeriveInput, errors: &mut Accumulator) -> Option<Self> {
        let DeriveInput {
            ident,
            generics,
            attrs,
            data,
            ..
        } = item;
        let named = errors.handle_in(|| named_fields(&ident, data));
        let lifetime = errors.handle_in(|| only_lifetime(&generics));
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

    fn check(&self, errors: &mut Accumulator) {
        for (name, ty) in [("username", "String"), ("password", "SecretString")] {
            if !self.fields.has(name) {
                let sentence = format!("a form reads `{name}`; add the field `{name}: {ty}`");
                errors.push(Error::custom(sentence).with_span(&self.ident));
            }
        }
        if let Some(Expr::Lit(ExprLit {
            lit: Lit::Int(literal),
            ..
        })) = &self.max_bytes
            && literal.base10_parse::<u64>().is_ok_and(|bytes| bytes == 0)
        {
            let sentence = "a form of 0 bytes has no fields; write `max_bytes = 65536`, the default, or leave it out";
            errors.push(Error::custom(sentence).with_span(literal));
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
            tokens.extend(check(krate, "check_max_bytes", &value, max_bytes.span()));
        }
    }
}

fn named_fields(ident: &Ident, data: Data) -> darling::Result<syn::FieldsNamed> {
    match data {
        Data::Struct(syn::DataStruct {
            fields: syn::Fields::Named(fields),
            ..
        }) => Ok(fields),
        _ => {
            let sentence = "a form is a struct with named fields; write `struct Login { username: String, password: SecretString }`";
            Err(Error::custom(sentence).with_span(ident))
        }
    }
}

/// Returns the lifetime of a form that borrows.
fn only_lifetime(generics: &Generics) -> darling::Result<Option<Lifetime>> {
    let mut parameters = generics.params.iter();
    match (parameters.next(), parameters.next()) {
        (None, _) => Ok(None),
        (Some(GenericParam::Lifetime(parameter)), None) => Ok(Some(parameter.lifetime.clone())),
        _ => {
            let sentence =
                "a form has one lifetime at most, that of the body; remove the other parameters";
            Err(Error::custom(sentence).with_span(&generics.params))
        }
    }
}
