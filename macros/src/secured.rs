//! `#[secured]`

use darling::Error;
use darling::error::Accumulator;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Ident, Meta, PatType, Path, parse_quote};

use crate::function::{Function, Parameter, Source};
use crate::requirement::{Arguments, Requirement};

const NAME: &str = "secured";

/// Expands `#[secured]`: the user's handler, whose secured parameters have become extractors, and its plan.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Error::accumulator();
    let expansion = Function::take(NAME, item, &mut errors).map(|function| {
        let handler = Handler::take(function, args, &mut errors);
        handler.check(&mut errors);
        handler.to_token_stream()
    });
    let mistakes = errors.finish().err().map(Error::write_errors);
    let expansion = expansion.unwrap_or_else(|| item.clone());
    quote!(#expansion #mistakes)
}

struct Handler {
    krate: Path,
    function: Function,
    guards: Vec<Requirement>,
}

impl Handler {
    fn take(mut function: Function, args: TokenStream, errors: &mut Accumulator) -> Self {
        // The first attribute of a handler takes all that stand below it.
        let (below, attrs): (Vec<_>, _) = std::mem::take(&mut function.attrs)
            .into_iter()
            .partition(is_secured);
        function.attrs = attrs;
        let lists = below.into_iter().map(|attr| match attr.meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        });
        let (mut krate, mut guards) = (None, Vec::new());
        for list in std::iter::once(args).chain(lists) {
            if let Some(arguments) =
                errors.handle(syn::parse2::<Arguments>(list).map_err(Error::from))
            {
                krate = krate.or(arguments.krate);
                guards.extend(arguments.requirement);
            }
        }
        Self {
            krate: krate.unwrap_or_else(|| parse_quote!(::tollgate)),
            function,
            guards,
        }
    }

    fn check(&self, errors: &mut Accumulator) {
        let is_secured = |parameter: &Parameter| matches!(parameter.source, Source::Dependency(_));
        if self.guards.is_empty() && !self.function.parameters.iter().any(is_secured) {
            let sentence = "nothing is required of a request; write `#[secured(OAuth2)]`, or mark a parameter with \
                            `#[security(OAuth2)]`";
            errors.push(Error::custom(sentence).with_span(&self.function.signature.ident));
        }
    }

    /// The type that stands for a parameter in the handler's plan, by its number.
    fn marker(&self) -> Ident {
        let name = self.function.signature.ident.unraw();
        format_ident!("__plan_{name}", span = name.span())
    }

    /// What each parameter that the macro owns depends on: guards first, then parameters as written.
    fn dependencies(&self) -> impl Iterator<Item = Option<&Requirement>> {
        let parameters =
            self.function
                .parameters
                .iter()
                .filter_map(|parameter| match &parameter.source {
                    Source::Dependency(requirement) => Some(Some(requirement)),
                    Source::Scopes => Some(None),
                    Source::Extractor => None,
                });
        self.guards.iter().map(Some).chain(parameters)
    }

    /// The user's function, whose secured parameters have become extractors.
    fn function(&self) -> TokenStream {
        let (krate, marker) = (&self.krate, self.marker());
        let guards = self.guards.iter().enumerate().map(|(number, guard)| {
            let (name, output) = (format_ident!("__guard_{number}"), guard.output(krate));
            parse_quote!(#name: #krate::Secured<#output, #marker<#number>>)
        });
        let mut number = self.guards.len();
        let mut statements = TokenStream::new();
        let parameters = self.function.parameters.iter().map(|parameter| {
            let argument = parameter.argument.clone();
            let name = parameter.name();
            let (Source::Dependency(_) | Source::Scopes, Some(name)) = (&parameter.source, name)
            else {
                return argument;
            };
            let PatType { attrs, pat, ty, .. } = argument;
            statements.extend(quote!(let #pat: #ty = #name.into_inner();));
            let extractor = quote!(#krate::Secured<#ty, #marker<#number>>);
            number += 1;
            parse_quote!(#(#attrs)* #name: #extractor)
        });
        let arguments: Vec<PatType> = guards.chain(parameters).collect();
        let body = self.function.body.stream();
        let function = self
            .function
            .with(arguments.into_iter(), &quote!({ #statements #body }));
        quote!(#[allow(private_interfaces)] #function)
    }

    /// The plan, and the place of each parameter in it.
    fn plan(&self) -> TokenStream {
        let (krate, marker) = (&self.krate, self.marker());
        let own_scopes: Path = parse_quote!(#krate::__rt::OwnScopes);
        let edges = self.dependencies().map(|requirement| match requirement {
            Some(requirement) => requirement.edge(krate),
            None => quote!(#krate::__rt::Edge::new(<#own_scopes as #krate::Dependency>::NODE, &[])),
        });
        let parameters = self
            .dependencies()
            .enumerate()
            .map(|(number, requirement)| {
                let dependency = requirement.map_or(&own_scopes, |requirement| &requirement.path);
                quote! {
                    #[automatically_derived]
                    impl #krate::__rt::Parameter for #marker<#number> {
                        type Dependency = #dependency;
                        const AT: #krate::__rt::Cursor = PLAN.child(#number);
                    }
                }
            });
        quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            struct #marker<const NUMBER: ::core::primitive::usize>;
            const _: () = {
                const PLAN: #krate::__rt::Cursor =
                    #krate::__plan!(#krate::__rt::Node::function(false, &[#(#edges),*]));
                #(#parameters)*
            };
        }
    }
}

impl ToTokens for Handler {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let guards = self.guards.iter().map(|guard| {
            let (scopes, guard) = (
                guard.scope_checks(&self.krate),
                guard.guard_check(&self.krate),
            );
            quote!(#scopes #guard)
        });
        tokens.extend([self.function(), self.plan()]);
        tokens.extend(guards);
        tokens.extend(self.function.checks(&self.krate));
    }
}

fn is_secured(attr: &Attribute) -> bool {
    attr.path()
        .segments
        .last()
        .is_some_and(|last| last.ident == NAME)
}
