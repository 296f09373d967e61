//! `#[one_of]`

mod alternative;
mod resolve;

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, ItemEnum, Path};

use self::alternative::Alternative;
use self::resolve::Resolve;
use crate::arguments::{Arguments, CratePath, Flag, error_at};
use crate::emit::checks::{self, check};
use crate::emit::family::Family;

/// Expands `#[one_of]` to the user's enum, and the impls that make it a dependency.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = darling::Error::accumulator();
    let arguments: OneOfArguments = Arguments::split(args, &mut errors)
        .read(&mut errors)
        .arguments;
    let Ok(mut item) = syn::parse2::<ItemEnum>(item.clone()) else {
        let sentence = "`#[one_of]` belongs on an enum; write one variant for each alternative";
        errors.push(error_at(item.span(), sentence));
        let errors = errors.finish().err().map(darling::Error::write_errors);
        return quote!(#item #errors);
    };
    let one_of = OneOf::read(&mut item, &arguments, &mut errors);
    let krate = &one_of.krate;
    let ident = &one_of.ident;
    match errors.finish() {
        Ok(()) => quote!(#item #one_of),
        Err(errors) => {
            let errors = errors.write_errors();
            quote!(#item #krate::__rejected!(#ident); #errors)
        }
    }
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct OneOfArguments {
    local: Flag,
    cached: Flag,
    #[darling(rename = "crate")]
    krate: CratePath,
}

/// The alternatives of an enum.
struct OneOf {
    krate: Path,
    ident: Ident,
    alternatives: Vec<Alternative>,
    /// The variant for a request without a credential.
    empty: Option<Ident>,
    local: bool,
    cached: bool,
}

impl OneOf {
    /// Reads the variants, and removes their `#[security(…)]`.
    fn read(item: &mut ItemEnum, arguments: &OneOfArguments, errors: &mut Accumulator) -> Self {
        if !item.generics.params.is_empty() {
            let sentence = "a list of alternatives cannot be generic, because `#[security(…)]` names it without arguments; write concrete types";
            errors.push(error_at(item.generics.span(), sentence));
        }
        let (mut alternatives, mut empty) = (Vec::new(), None);
        for variant in &mut item.variants {
            match Alternative::read(variant, errors) {
                Some(alternative) => alternatives.push(alternative),
                None if variant.fields.is_empty() && empty.is_some() => {
                    let sentence = "only one variant can be for a request without a credential; write `#[security(…)]` above the others";
                    errors.push(error_at(variant.ident.span(), sentence));
                }
                None => empty = Some(variant.ident.clone()),
            }
        }
        if alternatives.is_empty() {
            let sentence = "this enum has no alternative; write `#[security(current_user)] User(User)` for each";
            errors.push(error_at(item.ident.span(), sentence));
        }
        Self {
            krate: arguments.krate.0.clone(),
            ident: item.ident.clone(),
            alternatives,
            empty,
            local: arguments.local.0,
            cached: arguments.cached.0,
        }
    }

    /// Returns the impl that describes the alternatives as const data.
    fn description(&self) -> TokenStream {
        let Self { krate, ident, .. } = self;
        let name = ident.unraw().to_string();
        let edges = self
            .alternatives
            .iter()
            .map(|alternative| alternative.requirement.edge(krate));
        let has_empty = self.empty.is_some();
        quote! {
            #[automatically_derived]
            impl #krate::Dependency for #ident {
                type Output = Self;
                const NODE: &'static #krate::__rt::Node =
                    &#krate::__rt::Node::one_of(#name, &[#(#edges),*], #has_empty);
            }
        }
    }

    fn checks(&self) -> TokenStream {
        let Self { krate, ident, .. } = self;
        let node = quote!(<#ident as #krate::Dependency>::NODE);
        let alternatives = self.alternatives.iter().enumerate();
        let alternatives = alternatives
            .map(|(number, alternative)| alternative.checks(&quote!(#node, #number), krate));
        let alternatives = checks::each(alternatives);
        let whole = check(krate, "check_dependency", &node, ident.span());
        checks::all([alternatives, whole])
    }
}

impl ToTokens for OneOf {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let krate = &self.krate;
        let (description, checks) = (self.description(), self.checks());
        let local = Resolve::new(self, Family::Local);
        let resolves = if self.local {
            quote!(#local)
        } else {
            let send = Resolve::new(self, Family::Send);
            quote!(#send #krate::__local! { #local })
        };
        tokens.extend(quote!(#description #resolves #checks));
    }
}
