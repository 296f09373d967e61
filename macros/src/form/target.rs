//! The type that becomes a form, and its impls.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Generics, Lifetime, LitStr, Path};

/// A type whose only generic parameter, if any, is the lifetime of the body.
pub(crate) struct FormTarget<'i> {
    pub(crate) krate: &'i Path,
    pub(crate) ident: &'i Ident,
    pub(crate) generics: &'i Generics,
}

impl FormTarget<'_> {
    fn own_lifetime(&self) -> Option<&Lifetime> {
        let mut lifetimes = self.generics.lifetimes();
        lifetimes.next().map(|parameter| &parameter.lifetime)
    }

    /// Returns the lifetime of the body: that of the type, or another one.
    pub(crate) fn lifetime(&self) -> Lifetime {
        let own = self.own_lifetime().cloned();
        own.unwrap_or_else(|| Lifetime::new("'body", Span::mixed_site()))
    }

    /// Returns the type, for a check that concerns no body.
    pub(crate) fn with_static_lifetime(&self) -> TokenStream {
        let ident = self.ident;
        match self.own_lifetime() {
            Some(_) => quote!(#ident<'static>),
            None => quote!(#ident),
        }
    }

    fn arguments(&self) -> Option<TokenStream> {
        self.own_lifetime().map(|lifetime| quote!(<#lifetime>))
    }

    /// Returns the impl of the form. `constants` and `schema` are members of the trait, and
    /// `inline` and `decode` are of its function: `decode` gets the names of the body, the
    /// configuration and the purpose.
    pub(crate) fn form(
        &self,
        constants: &TokenStream,
        schema: &TokenStream,
        inline: Option<TokenStream>,
        decode: impl FnOnce([&Ident; 3]) -> TokenStream,
    ) -> TokenStream {
        let Self { krate, ident, generics } = self;
        let (where_clause, lifetime) = (&generics.where_clause, self.lifetime());
        let arguments = self.arguments();
        let names = ["__body", "__config", "Purpose"];
        let [body, config, purpose] = names.map(|name| Ident::new(name, Span::mixed_site()));
        let decode = decode([&body, &config, &purpose]);
        quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl<#lifetime> #krate::form::RequestForm<#lifetime> for #ident #arguments #where_clause {
                #constants
                #krate::__schema! { #schema }
                #inline
                fn from_body<#purpose: #krate::__rt::Purpose>(
                    #body: &#lifetime [::core::primitive::u8],
                    #config: #krate::form::FormConfig,
                ) -> ::core::result::Result<#purpose::Output<Self>, #krate::form::FormError> {
                    #decode
                }
            }
        }
    }

    /// Returns the impls that every form has besides: the schema, unless the user implements it,
    /// and the marker of a form that owns its fields.
    pub(crate) fn marks(&self, schema_name: Option<&LitStr>) -> TokenStream {
        let Self { krate, ident, generics } = self;
        let (where_clause, arguments) = (&generics.where_clause, self.arguments());
        let to_schema = schema_name.map(|name| {
            quote!(#krate::__to_schema! { [#arguments] #ident #arguments, #name, [#where_clause] })
        });
        let owned = self.own_lifetime().is_none().then(|| {
            quote! {
                #[automatically_derived]
                #[allow(deprecated)]
                impl #krate::form::OwnedForm for #ident #where_clause {}
            }
        });
        quote!(#to_schema #owned)
    }
}
