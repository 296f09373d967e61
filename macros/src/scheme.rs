//! What the three scheme attributes share: the struct that they stand on, the common parameters, and the generated impl.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Data, DataStruct, DeriveInput, Expr, Fields, Ident, Path, parse_quote};

use crate::checks::{self, check};
use crate::doc_comment::doc_comment;
use crate::errors::Errors;
use crate::flow::Flow;
use crate::params::Params;
use crate::text::{Rule, Text};

/// The attributes that declare a scheme.
const ATTRIBUTES: [&str; 3] = [
    "oauth2",
    "oauth2_password_bearer",
    "oauth2_authorization_code_bearer",
];

/// What a scheme's own attribute adds to the common parameters.
pub(crate) struct Own {
    pub(crate) credential: Credential,
    pub(crate) flows: Vec<Flow>,
    pub(crate) strict: bool,
}

/// What a scheme hands over.
#[derive(Clone, Copy)]
pub(crate) enum Credential {
    AuthorizationValue,
    BearerToken,
}

/// Expands a scheme attribute: the user's item as it is, then the scheme that it declares, then every mistake.
pub(crate) fn expand(
    attribute: &str,
    args: TokenStream,
    item: &TokenStream,
    take_own: impl FnOnce(&Ident, &mut Params<'_>) -> Own,
) -> TokenStream {
    let mut errors = Errors::default();
    let scheme = Target::take(attribute, item, &mut errors).map(|target| {
        let mut params = Params::parse(format!("`#[{attribute}]`"), [args], &mut errors);
        let scheme = Scheme::take(target, &mut params, take_own);
        params.finish();
        let checks = checks::all(scheme.check(&mut errors));
        quote!(#scheme #checks)
    });
    quote!(#item #scheme #errors)
}

/// The type that an attribute stands on.
struct Target {
    ident: Ident,
    attrs: Vec<Attribute>,
}

impl Target {
    /// Returns the type when it can bear a scheme, if only to report further mistakes.
    fn take(attribute: &str, item: &TokenStream, errors: &mut Errors) -> Option<Self> {
        let Ok(DeriveInput {
            ident,
            attrs,
            generics,
            data,
            ..
        }) = syn::parse2(item.clone())
        else {
            let sentence =
                format!("`#[{attribute}]` belongs on a unit struct; write `struct OAuth2;`");
            errors.push(item, sentence);
            return None;
        };
        let is_unit_struct = matches!(
            data,
            Data::Struct(DataStruct {
                fields: Fields::Unit,
                ..
            })
        );
        if !is_unit_struct {
            let sentence =
                format!("`#[{attribute}]` belongs on a unit struct; write `struct {ident};`");
            errors.push(&ident, sentence);
        }
        if let Some(other) = attrs.iter().find(|attr| is_scheme(attr)) {
            let sentence = "a struct is one scheme; declare the other one on a struct of its own";
            errors.push(other.path(), sentence);
            return None;
        }
        if !generics.params.is_empty() {
            let sentence =
                "a scheme has no parameters, since its configuration is one constant; remove them";
            errors.push(&generics, sentence);
            return None;
        }
        Some(Self { ident, attrs })
    }
}

fn is_scheme(attribute: &Attribute) -> bool {
    attribute
        .path()
        .segments
        .last()
        .is_some_and(|last| ATTRIBUTES.iter().any(|name| last.ident == name))
}

/// A scheme, as far as it could be read.
struct Scheme {
    krate: Path,
    ident: Ident,
    name: Text,
    description: Option<Text>,
    rejection: Option<Expr>,
    auto_error: bool,
    own: Own,
}

impl Scheme {
    fn take(
        Target { ident, attrs }: Target,
        params: &mut Params<'_>,
        take_own: impl FnOnce(&Ident, &mut Params<'_>) -> Own,
    ) -> Self {
        let own = take_own(&ident, params);
        Self {
            name: params
                .text("scheme_name")
                .unwrap_or_else(|| Text::literal(&ident.unraw().to_string(), ident.span())),
            description: params.text("description").or_else(|| doc_comment(&attrs)),
            auto_error: params.flag("auto_error").unwrap_or(true),
            rejection: params.constant("rejection", "Rejection::new(StatusCode::NOT_FOUND)"),
            krate: params
                .path("crate")
                .unwrap_or_else(|| parse_quote!(::tollgate)),
            ident,
            own,
        }
    }

    /// Checks the texts; returns the checks of what is a constant, read from the generated configuration.
    fn check(&self, errors: &mut Errors) -> Vec<TokenStream> {
        let Self { krate, ident, .. } = self;
        let config = quote!(<#ident as #krate::Scheme>::CONFIG);
        let mut checks = Vec::from_iter(Rule::SchemeName.check(
            &self.name,
            &quote!(#config.scheme_name),
            krate,
            errors,
        ));
        checks.extend(
            self.own
                .flows
                .iter()
                .flat_map(|flow| flow.check(&config, krate, errors)),
        );
        let rejection = self.rejection.iter();
        checks.extend(rejection.map(|rejection| {
            check(
                krate,
                "check_rejection",
                &quote!(#config.rejection),
                rejection.span(),
            )
        }));
        checks
    }
}

impl ToTokens for Scheme {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            krate,
            ident,
            name,
            own,
            ..
        } = self;
        let credential = match own.credential {
            Credential::AuthorizationValue => quote!(#krate::AuthorizationValue),
            Credential::BearerToken => quote!(#krate::BearerToken),
        };
        let yields = if self.auto_error {
            credential
        } else {
            quote!(::core::option::Option<#credential>)
        };
        let description = self
            .description
            .iter()
            .map(|text| quote!(.description(#text)));
        let flows = own.flows.iter().map(|flow| flow.tokens(krate));
        let strict = own.strict.then(|| quote!(.strict(true)));
        let rejection = self
            .rejection
            .iter()
            .map(|rejection| quote!(.rejection(#rejection)));
        let constants: TokenStream = own.flows.iter().map(Flow::constants).collect();
        if !constants.is_empty() {
            tokens.extend(quote!(impl #ident { #constants }));
        }
        tokens.extend(quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #krate::Scheme for #ident {
                type Yield = #yields;
                const CONFIG: #krate::SchemeConfig = #krate::SchemeConfig::new::<<Self as #krate::Scheme>::Yield>(#name)
                    #(#description)*
                    .flows(#krate::Flows::NONE #(#flows)*)
                    #strict
                    #(#rejection)*;
            }
            #krate::__dependency!(#ident);
        });
    }
}
