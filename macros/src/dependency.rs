//! `#[dependency]`

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, Lifetime, Path, Type, parse_quote};

use crate::checks::{self, check, respanned};
use crate::errors::Errors;
use crate::function::{self, Function, Source};
use crate::params::Params;
use crate::types::{last_segment, with_lifetime};

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
        Self {
            krate: params
                .path("crate")
                .unwrap_or_else(|| parse_quote!(::tollgate)),
            marker: marker.unwrap_or_else(|| function.signature.ident.clone()),
            local: params.flag("local").unwrap_or(false),
            cached: params.flag("cached").unwrap_or(false),
            function,
        }
    }

    /// Tells whether the function can be a dependency.
    fn check(&self, errors: &mut Errors) -> bool {
        let (function, signature) = (&self.function, &self.function.signature);
        let output = self.function.output();
        let (sentence, at) = if !signature.generics.params.is_empty() {
            let sentence = "a dependency has no type or lifetime parameters, since it stands in a path; write the types out";
            (sentence, signature.generics.span())
        } else if matches!(output, Type::ImplTrait(_)) {
            (
                "a dependency names what it yields; write the type, or a `Box<dyn …>`",
                output.span(),
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
        let checks = checks::all([function.checks(krate), self.check_output()]);
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

    /// The check that what the dependency yields is no `Result`, whose error nobody would look at, under another name.
    fn check_output(&self) -> TokenStream {
        if self.is_fallible() {
            return TokenStream::new();
        }
        let (krate, output) = (&self.krate, self.function.output());
        let is_result = quote!({
            use #krate::__rt::IsNoResult as _;
            <#krate::__rt::IsResult<#output>>::YES
        });
        check(krate, "check_output", &is_result, output.span())
    }

    fn is_fallible(&self) -> bool {
        last_segment(&self.function.output())
            .is_some_and(|name| name.to_string().ends_with("Result"))
    }

    /// What the dependency is, without a context.
    fn description(&self) -> TokenStream {
        let Self {
            krate,
            function,
            marker,
            ..
        } = self;
        let returned = function.output();
        let output = if self.is_fallible() {
            quote_spanned!(returned.span()=> <#returned as #krate::__rt::Fallible>::Output)
        } else {
            quote!(#returned)
        };
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
        let can_fail = self.is_fallible();
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
        let c = Ident::new("C", Span::mixed_site());
        let request = Lifetime::new("'r", Span::mixed_site());
        let is_send = family == Family::Send;
        let [
            context,
            resolve_trait,
            extract_trait,
            resolve,
            extract,
            recall,
            remember,
        ] = if is_send {
            [
                "SendContext",
                "Resolve",
                "Extract",
                "resolve",
                "extract",
                "recall",
                "remember",
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
            ]
        }
        .map(|name| format_ident!("{name}"));

        let mut bounds = vec![quote!(#c: #krate::__rt::#context)];
        let mut values = Vec::new();
        let mut children = 0usize;
        for parameter in &function.parameters {
            let ty = with_lifetime(&parameter.argument.ty, &request);
            let at_type = parameter.argument.ty.span();
            values.push(match &parameter.source {
                Source::Dependency(requirement) => {
                    let path = &requirement.path;
                    bounds.push(quote!(#path: #krate::__rt::#resolve_trait<#request, #c>));
                    let child = children;
                    children += 1;
                    let value = found(&quote!(
                        <#path as #krate::__rt::#resolve_trait<#request, #c>>::#resolve(#cx, #at.child(#child))
                    ));
                    same(krate, &value, &ty, at_type)
                }
                Source::Scopes => same(krate, &quote!(#at.scopes()), &ty, at_type),
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
        if self.is_fallible() {
            let returned = function.output();
            bounds.push(
                quote!(#c: #krate::__rt::Reject<<#returned as #krate::__rt::Fallible>::Error>),
            );
            call = quote! {
                match #krate::__rt::Fallible::into_result(#call) {
                    ::core::result::Result::Ok(#output) => #output,
                    ::core::result::Result::Err(#error) => {
                        return ::core::result::Result::Err(#krate::__rt::Reject::reject(#cx, #error));
                    }
                }
            };
        }
        let recall_at_output = respanned(
            quote!(#krate::__rt::#recall::<Self>),
            function.output().span(),
        );
        let (recalled, remembered) = if self.cached {
            (
                Some(quote! {
                    if let ::core::option::Option::Some(#output) = #recall_at_output(#cx, #at) {
                        return ::core::result::Result::Ok(#output);
                    }
                }),
                Some(quote!(#krate::__rt::#remember::<Self>(#cx, #at, &#output);)),
            )
        } else {
            (None, None)
        };
        let send = is_send.then(|| quote!(+ ::core::marker::Send));
        quote! {
            #[automatically_derived]
            impl<#request, #c> #krate::__rt::#resolve_trait<#request, #c> for #marker
            where
                #(#bounds,)*
            {
                fn #resolve(
                    #cx: &mut #c,
                    #at: #krate::__rt::Cursor,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<Self::Output, #c::Rejection>> #send {
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

/// Takes a value as the type of its parameter, with the error at that type when it is another one.
fn same(krate: &Path, value: &TokenStream, ty: &TokenStream, at: Span) -> TokenStream {
    let function = respanned(quote!(#krate::__rt::same::<_, #ty>), at);
    quote_spanned!(at=> #function(#value))
}
