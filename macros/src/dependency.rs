//! `#[dependency]`

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, Lifetime, Path, parse_quote};

use crate::checks::{self, check, is_result, respanned};
use crate::errors::Errors;
use crate::function::{self, Function, Parameter, Source};
use crate::outcome::Outcome;
use crate::params::Params;
use crate::types::{elided_lifetime, is_plain, mentions, with_lifetime};

const NAME: &str = "dependency";

/// Expands `#[dependency]`: the user's function as it is, its marker, and how a request resolves it.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    function::expand(NAME, item, |function, errors| {
        let mut params = Params::parse("`#[dependency]`", [args], errors);
        let dependency = Dependency::take(function, &mut params);
        params.finish();
        if dependency.check(errors) {
            dependency.expand()
        } else {
            dependency.function.original()
        }
    })
}

struct Dependency {
    krate: Path,
    outcome: Outcome,
    function: Function,
    /// The marker, which bears the function's name in the namespace of types.
    marker: Ident,
    local: bool,
    cached: bool,
}

/// The two families of contexts: those whose futures move between threads, and those whose futures stay.
#[derive(Clone, Copy, PartialEq)]
enum Family {
    Send,
    Local,
}

impl Dependency {
    fn take(function: Function, params: &mut Params<'_>) -> Self {
        let marker = params.ident("name");
        let marker = marker.unwrap_or_else(|| function.signature.ident.clone());
        let krate = params.path("crate");
        let krate = krate.unwrap_or_else(|| parse_quote!(::tollgate));
        Self {
            outcome: Outcome::of(function.output(), &krate),
            krate,
            marker,
            local: params.flag("local").unwrap_or(false),
            cached: params.flag("cached").unwrap_or(false),
            function,
        }
    }

    /// Tells whether the function can be a dependency.
    fn check(&self, errors: &mut Errors) -> bool {
        let (function, signature) = (&self.function, &self.function.signature);
        let output = self.outcome.returned();
        let (sentence, at) = if !signature.generics.params.is_empty() {
            let sentence = "a dependency has no type or lifetime parameters, since it stands in a path; write the types out";
            (sentence, signature.generics.span())
        } else if mentions(output, &Ident::new("impl", Span::call_site())) {
            (
                "a dependency names what it yields; write the type, or a `Box<dyn …>`",
                output.span(),
            )
        } else if let Some(at) = elided_lifetime(output) {
            (
                "a dependency owns what it yields; write an owned type, such as `String`, or a `'static` reference",
                at,
            )
        } else if let Some(cfg) = function.cfg() {
            (
                "a parameter that may be left out would change what the dependency extracts; put `#[cfg]` on the whole function",
                cfg.span(),
            )
        } else {
            return true;
        };
        errors.push(&at, sentence);
        false
    }

    fn expand(&self) -> TokenStream {
        let Self {
            krate,
            function,
            marker,
            ..
        } = self;
        let original = function.original();
        let vis = &function.vis;
        let description = self.description();
        let checks = checks::all([
            function.checks(krate),
            self.check_parameters(),
            self.check_output(),
        ]);
        let local = self.resolve(Family::Local);
        let resolves = if self.local {
            local
        } else {
            let send = self.resolve(Family::Send);
            quote!(#send #krate::__local! { #local })
        };
        quote! {
            // What a parameter is depends on what yields it, not on what the body does with it.
            #[allow(clippy::needless_pass_by_value)]
            #original
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            #vis struct #marker {}
            #description
            #resolves
            #checks
        }
    }

    /// The checks that each parameter has the type that its dependency yields.
    fn check_parameters(&self) -> TokenStream {
        let krate = &self.krate;
        let value = Ident::new("value", Span::mixed_site());
        let parameters = self.function.parameters.iter();
        let checks = parameters.filter_map(|parameter| {
            let (yielded, ty) = (self.yielded(parameter)?, &parameter.argument.ty);
            let it = respanned(quote!(<_ as #krate::bounds::Is<#ty>>::it), ty.span());
            Some(if is_plain(ty) {
                quote_spanned!(ty.span()=> let _: fn(#yielded) -> #ty = #it;)
            } else {
                // In a closure, lifetimes are found out.
                quote_spanned!(ty.span()=> let _ = |#value: #yielded| #it(#value);)
            })
        });
        checks.collect()
    }

    /// The type of what the plan yields for a parameter.
    fn yielded(&self, parameter: &Parameter) -> Option<TokenStream> {
        let krate = &self.krate;
        match &parameter.source {
            Source::Dependency(requirement) => Some(requirement.output(krate)),
            Source::Scopes => Some(quote!(#krate::SecurityScopes)),
            Source::Broken | Source::Extractor => None,
        }
    }

    /// The checks that what the dependency yields is no `Result`, whose error nobody would look at, under another name, and that it
    /// can be kept, if it is.
    fn check_output(&self) -> TokenStream {
        let (krate, output) = (&self.krate, self.outcome.value());
        let at = self.outcome.returned().span();
        let kept = self.cached.then(|| {
            let bound = format_ident!("{}", if self.local { "CachedLocal" } else { "Cached" });
            quote_spanned!(at=> let _ = <#output as #krate::bounds::#bound>::kept;)
        });
        if self.outcome.can_fail() {
            return kept.unwrap_or_default();
        }
        let is_no_result = check(krate, "check_output", &is_result(krate, &output), at);
        quote!(#kept #is_no_result)
    }

    /// What the dependency is, without a context.
    fn description(&self) -> TokenStream {
        let Self {
            krate,
            function,
            marker,
            ..
        } = self;
        let output = self.outcome.value();
        let asks_scopes = function
            .parameters
            .iter()
            .any(|parameter| matches!(parameter.source, Source::Scopes));
        let edges = function
            .parameters
            .iter()
            .filter_map(|parameter| match &parameter.source {
                Source::Dependency(requirement) => Some(requirement.edge(krate)),
                _ => None,
            });
        let can_fail = self.outcome.can_fail();
        let node = quote_spanned! {function.signature.ident.span()=>
            const NODE: &'static #krate::__rt::Node = &#krate::__rt::Node::function(#asks_scopes, #can_fail, &[#(#edges),*]);
        };
        quote! {
            #[automatically_derived]
            impl #krate::Dependency for #marker {
                type Output = #output;
                #node
            }
        }
    }

    /// How a request resolves the dependency, in one family of contexts.
    fn resolve(&self, family: Family) -> TokenStream {
        let Self {
            krate,
            function,
            marker,
            ..
        } = self;
        let [cx, at, output, error] =
            ["cx", "at", "output", "error"].map(|name| Ident::new(name, Span::mixed_site()));
        let c = Ident::new("__C", Span::mixed_site());
        let request = Lifetime::new("'__r", Span::mixed_site());
        let is_send = family == Family::Send;
        let [
            context,
            resolve_trait,
            extract_trait,
            resolve,
            extract,
            recall,
            remember,
            cached,
        ] = if is_send {
            [
                "SendContext",
                "Resolve",
                "Extract",
                "resolve",
                "extract",
                "recall",
                "remember",
                "Cached",
            ]
        } else {
            [
                "LocalContext",
                "ResolveLocal",
                "LocalExtract",
                "resolve_local",
                "extract_local",
                "recall_local",
                "remember_local",
                "CachedLocal",
            ]
        }
        .map(|name| format_ident!("{name}"));

        let mut bounds = vec![quote!(#c: #krate::__rt::#context)];
        let mut values = Vec::new();
        let mut names = Vec::new();
        let mut children = 0usize;
        for parameter in &function.parameters {
            let ty = with_lifetime(&parameter.argument.ty, &request);
            values.push(match &parameter.source {
                Source::Dependency(requirement) => {
                    let path = &requirement.path;
                    let yielded = requirement.output_as(&parameter.argument.ty, krate);
                    let resolved = quote!(#krate::__rt::#resolve_trait<#request, #c, #yielded>);
                    bounds.push(quote!(#path: #resolved));
                    names.push(path);
                    let child = children;
                    children += 1;
                    found(&quote!(<#path as #resolved>::#resolve(#cx, #at.child(#child))))
                }
                Source::Scopes => {
                    bounds.push(quote!(#krate::SecurityScopes: #krate::bounds::Is<#ty, #c>));
                    quote!(#krate::bounds::Is::<#ty, #c>::it(#at.scopes()))
                }
                Source::Broken => quote!(#krate::__rt::broken::<#ty>()),
                Source::Extractor => {
                    bounds.push(quote!(#c: #krate::__rt::#extract_trait<#ty>));
                    let name = parameter
                        .argument
                        .name()
                        .map(|name| name.unraw().to_string())
                        .unwrap_or_default();
                    found(&quote!(#krate::__rt::#extract_trait::<#ty>::#extract(#cx, #name)))
                }
            });
        }
        let locals: Vec<_> = (0..values.len())
            .map(|index| format_ident!("parameter_{index}", span = Span::mixed_site()))
            .collect();
        let name = &function.signature.ident;
        let dot_await = function.signature.is_async.then(|| quote!(.await));
        let mut call = quote!(#name(#(#locals),*) #dot_await);
        let yielded = self.outcome.value();
        if let Some(refusal) = self.outcome.error() {
            bounds.push(quote!(#c: #krate::__rt::Reject<#refusal>));
            let result = self.outcome.result(&call);
            call = quote! {
                match #result {
                    ::core::result::Result::Ok(#output) => #output,
                    ::core::result::Result::Err(#error) => {
                        return ::core::result::Result::Err(#krate::__rt::Reject::reject(#cx, #error));
                    }
                }
            };
        }
        let (recalled, remembered) = if self.cached {
            bounds.push(quote!(#yielded: #krate::bounds::#cached<#c>));
            (
                Some(quote! {
                    if let ::core::option::Option::Some(#output) = #krate::__rt::#recall::<Self, #yielded, #c>(#cx, #at) {
                        return ::core::result::Result::Ok(#output);
                    }
                }),
                Some(quote!(#krate::__rt::#remember::<Self, #yielded, #c>(#cx, #at, &#output);)),
            )
        } else {
            (None, None)
        };
        let cursor = match names[..] {
            [] => quote!(#krate::__rt::Cursor),
            _ => quote!(<(#(#names,)*) as #krate::bounds::Named>::Cursor),
        };
        let send = is_send.then(|| quote!(+ ::core::marker::Send));
        quote! {
            #[automatically_derived]
            impl<#request, #c> #krate::__rt::#resolve_trait<#request, #c, #yielded> for #marker
            where
                #(#bounds,)*
            {
                fn #resolve(
                    #cx: &mut #c,
                    #at: #cursor,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#yielded, #c::Rejection>> #send {
                    async move {
                        #krate::__overridden!(#cx);
                        #recalled
                        #(let #locals = #values;)*
                        let #output = #call;
                        #remembered
                        ::core::result::Result::Ok(#output)
                    }
                }
            }
        }
    }
}

/// What a future finds, or a return with its refusal: a `?` without the conversion, which would take the compiler three traits.
pub(crate) fn found(future: &TokenStream) -> TokenStream {
    let [value, refusal] = ["value", "refusal"].map(|name| Ident::new(name, Span::mixed_site()));
    quote! {
        match #future.await {
            ::core::result::Result::Ok(#value) => #value,
            ::core::result::Result::Err(#refusal) => return ::core::result::Result::Err(#refusal),
        }
    }
}
