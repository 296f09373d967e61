//! `#[derive(Grant)]`

mod variant;

use darling::{Error, FromDeriveInput};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DeriveInput, Generics};

use self::variant::{GrantVariant, GrantVariants};
use crate::attribute::{CratePath, Flag, Literal};
use crate::emit::checks::{self, check};
use crate::form::{self, FormTarget, at_name, check_schema_name, only_lifetime, schema_name, stub};

/// Expands the derive to a form that is one of several, or to a stub and every mistake.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let item = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Error::accumulator();
    let grants = errors
        .handle(Grants::from_derive_input(&item).map_err(|error| at_name(error, &item.ident)));
    if let Some(Grants { ident, schema_name, .. }) = &grants {
        let name = form::schema_name(schema_name.as_ref(), ident);
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
#[darling(attributes(grant))]
struct Grants {
    ident: Ident,
    generics: Generics,
    data: GrantVariants,
    to_schema: Option<Flag>,
    /// The name of the schema in the API description. The schemas of the grants' forms begin with
    /// it.
    schema_name: Option<Literal>,
    #[darling(default, rename = "crate")]
    krate: CratePath,
}

impl Grants {
    fn target(&self) -> FormTarget<'_> {
        FormTarget { krate: &self.krate.0, ident: &self.ident, generics: &self.generics }
    }

    /// Returns the checks of the grants' names, each at its form.
    fn checks(&self) -> TokenStream {
        let CratePath(krate) = &self.krate;
        let ty = self.target().with_static_lifetime();
        let grants = quote!(<#ty as #krate::form::RequestForm<'static>>::GRANTS);
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
            ident, generics, data: GrantVariants(variants), krate: CratePath(krate), ..
        } = self;
        let target = self.target();
        let lifetime = target.lifetime();
        let form = |variant: &GrantVariant| {
            let form = &variant.form;
            quote!(<#form as #krate::form::RequestForm<#lifetime>>)
        };
        let forms: Vec<_> = variants.iter().map(form).collect();
        let written = variants.iter().map(|variant| match &variant.grant_type {
            Some(grant_type) => quote!(::core::option::Option::Some(#grant_type)),
            None => quote!(::core::option::Option::None),
        });
        let constants = quote! {
            const CONFIG: #krate::form::FormConfig =
                #krate::form::FormConfig::new().with_max_bytes(#krate::__rt::longest(&[#(#forms::CONFIG),*]));
            const GRANTS: &'static [#krate::__rt::GrantName] =
                &[#(#krate::__rt::GrantName { written: #written, of_form: #forms::CONFIG.grant_type(), is_enum: !#forms::GRANTS.is_empty() }),*];
        };
        let grants = quote!(<Self as #krate::form::RequestForm<#lifetime>>::GRANTS);
        let numbers = 0..variants.len();
        let name_of = |number| quote!(#krate::__rt::grant_type(#grants, #number));
        let names: Vec<_> = numbers.clone().map(name_of).collect();
        let schema_name = schema_name(self.schema_name.as_ref(), ident);
        let schema_names = variants.iter().map(|variant| {
            let name = variant.ident.unraw();
            // No Rust type has such a name, so no other schema does either.
            format!("{}.{name}", schema_name.value())
        });
        let idents: Vec<_> = variants.iter().map(|variant| &variant.ident).collect();
        let patterns = numbers.map(|number| {
            // The number is that of a grant, so `_` is the last one.
            match number.checked_add(1) == Some(variants.len()) {
                true => quote!(_),
                false => quote!(#number),
            }
        });
        tokens.extend(target.form(
            &constants,
            &quote!(#krate::__rt::FormSchema::one_of([#((#names, #schema_names, #forms::schema())),*])),
            None,
            |[body, config, purpose]| {
                quote! {
                    match #krate::__rt::choose(#body, #config.max_bytes(), #grants)? {
                        #(#patterns => #krate::__rt::granted::<_, _, #purpose>(
                            #body,
                            #forms::from_body::<#krate::__rt::Unrecorded<#purpose>>(
                                #body,
                                #forms::CONFIG.with_grant_type(#names).with_strict(true),
                            ),
                            Self::#idents,
                        ),)*
                    }
                }
            },
        ));
        let grants = quote!(<Self as #krate::form::RequestForm<'_>>::GRANTS);
        let numbers = 0..variants.len();
        let body = quote! {
            match self { #(Self::#idents(_) => #krate::__rt::grant_type(#grants, #numbers),)* }
        };
        tokens.extend(grant_type(ident, generics, &body));
        let has_schema = self.to_schema.is_none_or(|Flag(to_schema)| to_schema);
        tokens.extend(target.marks(has_schema.then_some(&schema_name)));
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
