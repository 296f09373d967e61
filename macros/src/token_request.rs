//! `#[derive(TokenRequest)]`

mod variant;

use darling::{Error, FromDeriveInput};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Generics, Lifetime};

use self::variant::{Variant, Variants};
use crate::arguments::{CratePath, Flag, Literal};
use crate::emit::checks::{self, check};
use crate::request_form::{
    at_name, check_schema_name, only_lifetime, schema_name, stub, with_static_lifetime,
};

/// Expands the derive to a form that is one of several, or to a stub and every mistake.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let item = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Error::accumulator();
    let grants = Grants::from_derive_input(&item).map_err(|error| at_name(error, &item.ident));
    let grants = errors.handle(grants);
    if let Some(Grants {
        ident, schema_name, ..
    }) = &grants
    {
        let name = crate::request_form::schema_name(schema_name.as_ref(), ident);
        errors.handle(check_schema_name(&name));
    }
    errors.handle(only_lifetime(&item.generics));
    match (errors.finish(), grants) {
        (Ok(()), grants) => grants.into_token_stream(),
        (Err(errors), _) => {
            let (stub, errors) = (stub(&item), errors.write_errors());
            let method = grant_type(&item.ident, &item.generics, &quote!(""));
            quote!(#stub #method #errors)
        }
    }
}

/// The grants of an enum.
#[derive(FromDeriveInput)]
#[darling(attributes(token_request))]
struct Grants {
    ident: Ident,
    generics: Generics,
    data: Variants,
    to_schema: Option<Flag>,
    /// The name of the schema in the API description. The schemas of the grants' forms begin with
    /// it.
    schema_name: Option<Literal>,
    #[darling(default, rename = "crate")]
    krate: CratePath,
}

impl Grants {
    /// Returns the checks of the grants' names, each at its form.
    fn checks(&self) -> TokenStream {
        let Self {
            ident,
            krate: CratePath(krate),
            ..
        } = self;
        let ty = with_static_lifetime(ident, &self.generics);
        let grants = quote!(<#ty as #krate::RequestForm<'static>>::GRANTS);
        let variants = self.data.0.iter().enumerate();
        let checks = variants.map(|(number, variant)| {
            let arguments = quote!(#grants, #number);
            check(krate, "check_grant", &arguments, variant.form.span())
        });
        checks::all([checks::each(checks)])
    }
}

impl ToTokens for Grants {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            ident,
            generics,
            data: Variants(variants),
            krate: CratePath(krate),
            ..
        } = self;
        let where_clause = &generics.where_clause;
        let own_lifetime = generics.lifetimes().next();
        let own_lifetime = own_lifetime.map(|parameter| &parameter.lifetime);
        let lifetime = own_lifetime.cloned();
        let lifetime = lifetime.unwrap_or_else(|| Lifetime::new("'body", Span::mixed_site()));
        let arguments = own_lifetime.map(|lifetime| quote!(<#lifetime>));
        let variables = ["__body", "__config", "Purpose"];
        let [body, config, purpose] = variables.map(|name| Ident::new(name, Span::mixed_site()));
        let form = |variant: &Variant| {
            let form = &variant.form;
            quote!(<#form as #krate::RequestForm<#lifetime>>)
        };
        let forms: Vec<_> = variants.iter().map(form).collect();
        let written = variants.iter().map(|variant| match &variant.grant_type {
            Some(grant_type) => quote!(::core::option::Option::Some(#grant_type)),
            None => quote!(::core::option::Option::None),
        });
        let schema_name = schema_name(self.schema_name.as_ref(), ident);
        let schema_names = variants.iter().map(|variant| {
            let name = variant.ident.unraw();
            // A name that no type of Rust has, so that it is no other schema's.
            format!("{}.{name}", schema_name.value())
        });
        let numbers = 0..variants.len();
        let idents: Vec<_> = variants.iter().map(|variant| &variant.ident).collect();
        let grants = quote!(<Self as #krate::RequestForm<#lifetime>>::GRANTS);
        let names = numbers
            .clone()
            .map(|number| quote!(#krate::__rt::grant_type(#grants, #number)));
        let arms = numbers
            .zip(&forms)
            .zip(&idents)
            .map(|((number, form), ident)| {
                // The number is that of a grant, so the last one needs no pattern of its own.
                let pattern = match number.checked_add(1) == Some(variants.len()) {
                    true => quote!(_),
                    false => quote!(#number),
                };
                quote! {
                    #pattern => #krate::__rt::granted::<_, _, #purpose>(
                        #body,
                        #form::from_body::<#krate::__rt::Unrecorded<#purpose>>(
                            #body,
                            #form::CONFIG.grant_type(#krate::__rt::grant_type(#grants, #number)),
                        ),
                        Self::#ident,
                    ),
                }
            });
        tokens.extend(quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl<#lifetime> #krate::RequestForm<#lifetime> for #ident #arguments #where_clause {
                const CONFIG: #krate::FormConfig =
                    #krate::FormConfig::new().max_bytes(#krate::__rt::longest(&[#(#forms::CONFIG),*]));
                const GRANTS: &'static [#krate::__rt::GrantName] =
                    &[#(#krate::__rt::GrantName { written: #written, of_form: #forms::CONFIG.grant_type, is_enum: !#forms::GRANTS.is_empty() }),*];
                #krate::__schema! {
                    #krate::__rt::FormSchema::one_of([#((#names, #schema_names, #forms::schema())),*])
                }
                fn from_body<#purpose: #krate::__rt::Purpose>(
                    #body: &#lifetime [::core::primitive::u8],
                    #config: #krate::FormConfig,
                ) -> ::core::result::Result<#purpose::Output<Self>, #krate::FormError> {
                    match #krate::__rt::choose(#body, #config.max_bytes, #grants)? {
                        #(#arms)*
                    }
                }
            }
        });
        let methods = variants.iter().enumerate().map(|(number, Variant { ident, .. })| {
            quote!(Self::#ident(_) => #krate::__rt::grant_type(<Self as #krate::RequestForm<'_>>::GRANTS, #number),)
        });
        let body = quote!(match self { #(#methods)* });
        tokens.extend(grant_type(ident, generics, &body));
        if self.to_schema.is_none_or(|Flag(to_schema)| to_schema) {
            tokens.extend(quote! {
                #krate::__to_schema! { [#arguments] #ident #arguments, #schema_name, [#where_clause] }
            });
        }
        if own_lifetime.is_none() {
            tokens.extend(quote! {
                #[automatically_derived]
                #[allow(deprecated)]
                impl #krate::OwnedForm for #ident #where_clause {}
            });
        }
        tokens.extend(self.checks());
    }
}

/// Returns the method that names the grant of a request.
fn grant_type(ident: &Ident, generics: &Generics, body: &TokenStream) -> TokenStream {
    let (parameters, arguments, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(dead_code, deprecated, unreachable_pub)]
        impl #parameters #ident #arguments #where_clause {
            /// Returns the grant type of the request, such as `refresh_token`.
            #[must_use]
            pub const fn grant_type(&self) -> &'static ::core::primitive::str {
                #body
            }
        }
    }
}
