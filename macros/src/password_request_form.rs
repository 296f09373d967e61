//! `#[derive(PasswordRequestForm)]`

mod field;

use darling::{Error, FromDeriveInput, FromMeta, Result};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    DeriveInput, Expr, ExprLit, GenericParam, Generics, Lifetime, Lit, LitStr, Meta, parse_quote,
};

use self::field::Fields;
use crate::arguments::{CratePath, Flag, Literal, Number, error_at};
use crate::emit::checks::{self, check};

/// Expands the derive to the form, or to a stub and every mistake. With the stub, code that uses
/// the form has no errors of its own.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let item = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Error::accumulator();
    let form = Form::from_derive_input(&item).map_err(|error| at_name(error, &item.ident));
    let form = errors.handle(form);
    errors.handle(only_lifetime(&item.generics));
    match (errors.finish(), form) {
        (Ok(()), form) => form.into_token_stream(),
        (Err(errors), _) => {
            let (stub, errors) = (stub(&item), errors.write_errors());
            quote!(#stub #errors)
        }
    }
}

/// Shows errors without a span at the name of the struct.
fn at_name(error: Error, name: &Ident) -> Error {
    Error::multiple(
        error
            .flatten()
            .into_iter()
            .map(|error| error.with_span(name))
            .collect(),
    )
}

/// A form.
#[derive(FromDeriveInput)]
#[darling(attributes(password_form))]
struct Form {
    ident: Ident,
    generics: Generics,
    data: Fields,
    #[darling(default)]
    strict: Flag,
    max_bytes: Option<MaxBytes>,
    to_schema: Option<Flag>,
    /// The name of the form's schema in the API description.
    schema_name: Option<Literal>,
    #[darling(default, rename = "crate")]
    krate: CratePath,
}

impl ToTokens for Form {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            ident,
            generics,
            data: fields,
            strict: Flag(strict),
            max_bytes,
            ..
        } = self;
        let (krate, where_clause) = (&self.krate.0, &generics.where_clause);
        let own_lifetime = generics
            .lifetimes()
            .next()
            .map(|parameter| &parameter.lifetime);
        let lifetime = own_lifetime.cloned();
        let lifetime = lifetime.unwrap_or_else(|| Lifetime::new("'body", Span::mixed_site()));
        let arguments = own_lifetime.map(|lifetime| quote!(<#lifetime>));
        let max_bytes_call = max_bytes
            .iter()
            .map(|MaxBytes(max_bytes)| quote!(.max_bytes(#max_bytes)));
        let [body, local] = ["body", "fields"].map(|name| Ident::new(name, Span::mixed_site()));
        let (own_names, read) = (fields.own_names(), fields.read(krate, &local));
        let own_types = fields.own_types(krate);
        tokens.extend(quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl<#lifetime> #krate::PasswordRequestForm<#lifetime> for #ident #arguments #where_clause {
                const CONFIG: #krate::FormConfig = #krate::FormConfig::new().strict(#strict) #(#max_bytes_call)*;
                #krate::__schema! { [#own_types] }
                fn decode(#body: &#lifetime [::core::primitive::u8]) -> ::core::result::Result<Self, #krate::FormError> {
                    #krate::__rt::decode(#body, <Self as #krate::PasswordRequestForm<#lifetime>>::CONFIG, #own_names, |#local| {
                        #read
                    })
                }
            }
        });
        if self.to_schema.is_none_or(|Flag(to_schema)| to_schema) {
            let name = self.schema_name.as_ref().map(|Literal(name)| name.clone());
            let name =
                name.unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()));
            tokens.extend(quote! {
                #krate::__to_schema! { [#arguments] #ident #arguments, #name, [#where_clause] }
            });
        }
        if own_lifetime.is_none() {
            tokens.extend(quote! {
                #[automatically_derived]
                #[allow(deprecated)]
                impl #krate::OwnedForm for #ident #where_clause {}
            });
        }
        if let Some(MaxBytes(max_bytes)) = max_bytes
            && !matches!(max_bytes, Expr::Lit(_))
        {
            let value = quote!(<#ident as #krate::PasswordRequestForm<'static>>::CONFIG.max_bytes);
            let check = check(krate, "check_max_bytes", &value, max_bytes.span());
            tokens.extend(checks::all([check]));
        }
    }
}

/// `max_bytes = 65536`, or a constant
struct MaxBytes(Expr);

impl FromMeta for MaxBytes {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let Number(max_bytes) = Number::from_meta(meta)?;
        if let Expr::Lit(ExprLit {
            lit: Lit::Int(literal),
            ..
        }) = &max_bytes
            && literal.base10_parse::<u64>().is_ok_and(|bytes| bytes == 0)
        {
            let sentence =
                "`max_bytes` must be above 0; write `max_bytes = 65536`, the default, or remove it";
            return Err(error_at(literal.span(), sentence));
        }
        Ok(Self(max_bytes))
    }
}

/// Returns a form that decodes nothing, in place of one with a mistake.
fn stub(item: &DeriveInput) -> TokenStream {
    let (ident, mut generics) = (&item.ident, item.generics.clone());
    let krate = CratePath::default().0;
    let (_, arguments, where_clause) = item.generics.split_for_impl();
    let own_lifetime = item.generics.lifetimes().next();
    let lifetime = match own_lifetime {
        Some(parameter) => parameter.lifetime.clone(),
        None => {
            let body = Lifetime::new("'body", Span::mixed_site());
            generics.params.insert(0, parse_quote!(#body));
            body
        }
    };
    let (parameters, ..) = generics.split_for_impl();
    let owned = own_lifetime.is_none().then(|| {
        let (parameters, ..) = item.generics.split_for_impl();
        quote!(impl #parameters #krate::OwnedForm for #ident #arguments #where_clause {})
    });
    let name = ident.unraw().to_string();
    let (schema_parameters, ..) = item.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #krate::PasswordRequestForm<#lifetime> for #ident #arguments #where_clause {
            const CONFIG: #krate::FormConfig = #krate::FormConfig::new();
            fn decode(_: &#lifetime [::core::primitive::u8]) -> ::core::result::Result<Self, #krate::FormError> {
                ::core::result::Result::Err(#krate::FormError::incomplete())
            }
        }
        #owned
        #krate::__to_schema! { [#schema_parameters] #ident #arguments, #name, [#where_clause] }
    }
}

/// Checks that a form has no generic parameters except for the lifetime of the body.
fn only_lifetime(generics: &Generics) -> Result<()> {
    let mut parameters = generics.params.iter();
    match (parameters.next(), parameters.next()) {
        (None | Some(GenericParam::Lifetime(_)), None) => Ok(()),
        _ => {
            let sentence = "a form has at most one generic parameter, the lifetime of the body; remove the others";
            Err(error_at(generics.params.span(), sentence))
        }
    }
}
