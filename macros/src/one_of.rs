//! `#[one_of]`

mod alternative;
mod choice;

use darling::error::Accumulator;
use darling::util::SpannedValue;
use darling::{Error, FromMeta};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Generics, Ident, ItemEnum, ItemStruct, Path};

use self::alternative::Alternative;
use self::choice::Choice;
use crate::attribute::{Arguments, CratePath, Flag, TypeName, error_at};
use crate::emit::cached;
use crate::emit::checks::{self, check};
use crate::emit::extracted;
use crate::function::is_security;
use crate::scheme::own_error::OwnError;

/// Expands `#[one_of]` to the user's enum, and the impls that make it a dependency.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Error::accumulator();
    let arguments = Arguments::split(args, &mut errors);
    OwnError::require(&arguments, &mut errors);
    let arguments: OneOfArguments = arguments.read(&mut errors).arguments;
    let krate = &arguments.krate.0.clone();
    let Ok(mut item) = syn::parse2::<ItemEnum>(item.clone()) else {
        let (at, item) = misplaced(item, krate);
        let sentence = "`#[one_of]` belongs on an enum; write one variant for each alternative";
        errors.push(error_at(at, sentence));
        let errors = errors.finish().err().map(Error::write_errors);
        return quote!(#item #errors);
    };
    let one_of = OneOf::read(&mut item, arguments, &mut errors);
    match errors.finish() {
        Ok(()) => quote!(#item #one_of),
        Err(errors) => {
            let errors = errors.write_errors();
            let rejected = rejected(&item.ident, &item.generics, krate);
            let stub = rejected.as_ref().and_then(|_| {
                let ident = &item.ident;
                one_of.extractor(&quote!(#krate::__rt::Broken<#ident>))
            });
            quote!(#item #rejected #stub #errors)
        }
    }
}

/// Returns the place of the error about an item that is not an enum, and the item. A struct is a
/// dependency anyway.
fn misplaced(item: &TokenStream, krate: &Path) -> (Span, TokenStream) {
    let Ok(mut item) = syn::parse2::<ItemStruct>(item.clone()) else {
        return (item.span(), item.clone());
    };
    for field in &mut item.fields {
        field.attrs.retain(|attr| !is_security(attr));
    }
    let rejected = rejected(&item.ident, &item.generics, krate);
    (item.ident.span(), quote!(#item #rejected))
}

/// Returns the impls of a rejected type, so code that names it causes no further errors. A generic
/// type can have none, because such code names it without arguments.
fn rejected(ident: &Ident, generics: &Generics, krate: &Path) -> Option<TokenStream> {
    let is_generic = !generics.params.is_empty();
    (!is_generic).then(|| quote!(#krate::__rejected!(#ident);))
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct OneOfArguments {
    local: Flag,
    cached: Flag,
    extract: Option<SpannedValue<Flag>>,
    strict: Flag,
    error: Option<TypeName>,
    challenge: Option<Flag>,
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
    /// The place of `extract`, if the enum is an extractor of the framework.
    extract: Option<Span>,
    /// `true` if a request with an `Authorization` header means an alternative that reads it.
    strict: bool,
    /// The error type of the service that answers a request without a credential.
    own_error: Option<OwnError>,
}

impl OneOf {
    /// Reads the variants, and removes their `#[security(…)]`.
    fn read(item: &mut ItemEnum, arguments: OneOfArguments, errors: &mut Accumulator) -> Self {
        if !item.generics.params.is_empty() {
            let sentence = "an enum of alternatives cannot be generic, because `#[security(…)]` names it without arguments; write concrete types";
            errors.push(error_at(item.generics.span(), sentence));
        }
        let (mut alternatives, mut empty) = (Vec::new(), None);
        let mut is_complete = true;
        for variant in &mut item.variants {
            match errors.handle(Alternative::read(variant, &item.ident)) {
                Some(Some(alternative)) => alternatives.push(alternative),
                Some(None) if empty.is_some() => {
                    let sentence = "only one variant can be for a request without a credential; remove this one, or write its \
                                    `#[security(current_user)]` and its value";
                    errors.push(error_at(variant.ident.span(), sentence));
                }
                Some(None) => empty = Some(variant.ident.clone()),
                None => is_complete = false,
            }
        }
        if is_complete && alternatives.is_empty() {
            let sentence = "this enum has no alternative; write a variant for each: `#[security(current_user)] User(User)`";
            errors.push(error_at(item.ident.span(), sentence));
        }
        let own_error = OwnError::read(arguments.error, arguments.challenge);
        if let (Some(error), Some(empty), false) = (&own_error, &empty, arguments.strict.0) {
            let sentence = format!(
                "a request without a credential is let in as `{empty}`, so this type answers nothing; remove the argument"
            );
            errors.push(error_at(error.span(), sentence));
        }
        Self {
            krate: arguments.krate.0,
            ident: item.ident.clone(),
            alternatives,
            empty,
            local: arguments.local.0,
            cached: arguments.cached.0,
            extract: Flag::place(arguments.extract),
            strict: arguments.strict.0,
            own_error,
        }
    }

    /// Returns the impl that describes the alternatives as const data.
    fn description(&self) -> TokenStream {
        let Self { krate, ident, .. } = self;
        let name = ident.unraw().to_string();
        let edges = self.alternatives.iter().map(|alternative| alternative.requirement.edge(krate));
        let has_empty = self.empty.is_some();
        let strict = self.strict.then(|| quote!(.strict()));
        let own_error = self.own_error.iter();
        let own_error = own_error.map(|_| quote!(.answers_with_own_error()));
        quote! {
            #[automatically_derived]
            impl #krate::Dependency for #ident {
                type Output = Self;
                const NODE: &'static #krate::__rt::Node =
                    &#krate::__rt::OneOf::new(#name, #has_empty) #strict #(#own_error)* .node(&[#(#edges),*]);
            }
        }
    }

    /// Returns the impls that make the enum an extractor, with the dependency that yields it.
    fn extractor(&self, dependency: &impl ToTokens) -> Option<TokenStream> {
        self.extract
            .map(|at| extracted::impls(&self.krate, self.local, dependency, &self.ident, at))
    }

    fn checks(&self) -> TokenStream {
        let Self { krate, ident, .. } = self;
        let node = quote!(<#ident as #krate::Dependency>::NODE);
        let alternatives = self.alternatives.iter().enumerate();
        let each = checks::each(
            alternatives
                .map(|(number, alternative)| alternative.checks(&quote!(#node, #number), krate)),
        );
        let whole = check(krate, "check_dependency", &node, ident.span());
        let cached = self.cached.then(|| cached::check(krate, self.local, ident, ident.span()));
        let own_error = self.own_error.as_ref();
        let own_error = own_error.map(|error| error.checks(krate));
        let extracted = self.extract.map(|at| extracted::check(krate, ident, at));
        checks::all([
            Choice::new(self).to_token_stream(),
            each,
            whole,
            cached.unwrap_or_default(),
            own_error.unwrap_or_default(),
            extracted.unwrap_or_default(),
        ])
    }
}

impl ToTokens for OneOf {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (description, checks) = (self.description(), self.checks());
        let extractor = self.extractor(&self.ident);
        let fails = self.own_error.as_ref().map(|error| error.fails(&self.ident, &self.krate));
        tokens.extend(quote!(#description #fails #extractor #checks));
    }
}
