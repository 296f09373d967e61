//! The impl that resolves a dependency for a request, in the families of contexts that it is for.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::Dependency;
use crate::emit::cached::Cached;
use crate::emit::family::{Names, in_families};
use crate::function::{Parameter, Source};
use crate::requirement::Requirement;
use crate::types::with_lifetime;

/// The impl.
pub(super) struct Resolution<'d> {
    dependency: &'d Dependency,
    names: Names,
}

/// The value of a parameter, and the bound that it needs.
struct ParameterValue {
    bound: Option<TokenStream>,
    value: TokenStream,
}

impl<'d> Resolution<'d> {
    pub(super) fn new(dependency: &'d Dependency) -> Self {
        Self { dependency, names: Names::new() }
    }

    /// Returns the values of the parameters, in order: `None` for an argument.
    fn values(&self) -> Vec<Option<ParameterValue>> {
        let mut children = 0..;
        let parameters = self.dependency.function.parameters.iter();
        let values = parameters.map(|parameter| {
            Some(match &parameter.source {
                Source::Dependency(requirement) => {
                    let child = children.next().unwrap_or_default();
                    self.resolved(parameter, requirement, child)
                }
                Source::Scopes => self.scopes(parameter),
                Source::Argument(_) => return None,
                Source::Extractor => self.extracted(parameter),
                Source::Live | Source::Broken => self.broken(parameter),
            })
        });
        values.collect()
    }

    /// Returns the value of a dependency, which is the given child of this one in the plan.
    fn resolved(
        &self,
        parameter: &Parameter,
        requirement: &Requirement,
        child: usize,
    ) -> ParameterValue {
        let (krate, path) = (&self.dependency.krate, &requirement.path);
        let Names { context, cx, at, request, .. } = &self.names;
        let is_presented = parameter.is_presented();
        let yielded = if is_presented {
            requirement.output(krate)
        } else {
            requirement.output_as(&parameter.written.ty, krate)
        };
        let resolves = quote!(__family::Resolve<#request, #context, #yielded>);
        let value = found(
            &quote!(<#path as #resolves>::resolve(#cx, #at.child(#child))),
            Ident::to_token_stream,
        );
        if is_presented {
            let presents = quote!(#krate::bounds::Presents<#context>);
            return ParameterValue {
                value: quote!({
                    let value = #value;
                    <#yielded as #presents>::presented(value, #cx)
                }),
                bound: Some(quote!(#path: #resolves, #yielded: #presents)),
            };
        }
        ParameterValue { value, bound: Some(quote!(#path: #resolves)) }
    }

    fn scopes(&self, parameter: &Parameter) -> ParameterValue {
        // Written with a type, so a type of another crate with this name is an error there.
        let (krate, ty, at) = (&self.dependency.krate, &parameter.written.ty, &self.names.at);
        let scopes = Ident::new("scopes", Span::mixed_site());
        let call = quote!(#krate::__rt::Cursor::scopes);
        ParameterValue {
            value: quote_spanned!(ty.span()=> { let #scopes: #ty = (#call)(#at); #scopes }),
            bound: None,
        }
    }

    fn extracted(&self, parameter: &Parameter) -> ParameterValue {
        let krate = &self.dependency.krate;
        let Names { context, cx, at, request, .. } = &self.names;
        let ty = with_lifetime(&parameter.written.ty, request);
        let name = parameter.written.name();
        let name = name.map(|name| name.unraw().to_string()).unwrap_or_default();
        let future = quote!(__family::Extract::<#ty>::extract(#cx, #name));
        ParameterValue {
            value: found(
                &future,
                |refusal| quote!(#krate::__rt::extractor_refused::<Self, _>(#cx, #at, #name, #refusal)),
            ),
            bound: Some(quote!(#context: __family::Extract<#ty>)),
        }
    }

    /// Returns the statement that reads the arguments, if there are any. It comes after the values
    /// of the others, so that an argument does not have to be `Send`.
    fn arguments<'a>(
        &self,
        parameters: impl Iterator<Item = (&'a Ident, &'a Option<ParameterValue>)>,
    ) -> Option<TokenStream> {
        let krate = &self.dependency.krate;
        let Names { cx, at, .. } = &self.names;
        let locals = parameters.filter(|(_, value)| value.is_none());
        let locals = Vec::from_iter(locals.map(|(local, _)| local));
        let [arguments, refusal] =
            ["arguments", "refusal"].map(|name| Ident::new(name, Span::mixed_site()));
        (!locals.is_empty()).then(|| {
            quote! {
                let (#(#locals,)*) = match #krate::__rt::arguments::<Self, _>(#cx, #at) {
                    ::core::result::Result::Ok(#arguments) => #arguments,
                    ::core::result::Result::Err(#refusal) => {
                        return ::core::result::Result::Err(#refusal);
                    }
                };
            }
        })
    }

    fn broken(&self, parameter: &Parameter) -> ParameterValue {
        let krate = &self.dependency.krate;
        let ty = with_lifetime(&parameter.written.ty, &self.names.request);
        ParameterValue { value: quote!(#krate::__rt::broken::<#ty>()), bound: None }
    }

    /// Returns the value of `call`, the call to the user's function. If that fails, the generated
    /// code returns the error as the context's rejection.
    fn outcome(&self, call: TokenStream) -> TokenStream {
        let (krate, outcome) = (&self.dependency.krate, &self.dependency.outcome);
        let Names { cx, at, output, .. } = &self.names;
        let error = Ident::new("error", Span::mixed_site());
        if !outcome.can_fail() {
            return call;
        }
        let result = outcome.result(&call);
        let refusal = match outcome.doubtful_error() {
            None => error.to_token_stream(),
            Some(_) => quote!(#krate::__rt::answer_of::<Self, _>(#error)),
        };
        quote! {
            match #result {
                ::core::result::Result::Ok(#output) => #output,
                ::core::result::Result::Err(#error) => {
                    return ::core::result::Result::Err(
                        #krate::__rt::reject::<Self, _, _>(#cx, #at, #refusal)
                    );
                }
            }
        }
    }

    /// Returns the parts that keep the value, if the dependency is cached.
    fn cache(&self, yielded: &TokenStream) -> Cached {
        if self.dependency.cached.is_none() {
            return Cached::default();
        }
        Cached::new(&self.dependency.krate, yielded, &self.names)
    }

    /// Returns the statement that notes when a verified token expires. Only a dependency of others
    /// has one.
    fn note(&self, yielded: &impl ToTokens) -> TokenStream {
        let parameters = &self.dependency.function.parameters;
        if !parameters.iter().any(|parameter| matches!(parameter.source, Source::Dependency(_))) {
            return TokenStream::new();
        }
        let (krate, Names { cx, output, .. }) = (&self.dependency.krate, &self.names);
        quote!(#krate::__live! {{
            use #krate::__rt::NoExpiry as _;
            <#krate::__rt::ExpiryOf<#yielded>>::note(#cx, &#output);
        }})
    }

    /// Returns the type of the cursor. It is named through the paths of the dependencies, so a path
    /// that is not a type gives one error instead of several.
    fn cursor(&self) -> TokenStream {
        let krate = &self.dependency.krate;
        let parameters = self.dependency.function.parameters.iter();
        let paths = parameters.filter_map(|parameter| match &parameter.source {
            Source::Dependency(requirement) => Some(&requirement.path),
            _ => None,
        });
        let paths: Vec<_> = paths.collect();
        match paths[..] {
            [] => quote!(#krate::__rt::Cursor),
            _ => quote!(<(#(#paths,)*) as #krate::bounds::Named>::Cursor),
        }
    }
}

impl ToTokens for Resolution<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Dependency { krate, function, marker, outcome, .. } = self.dependency;
        let Names { context, cx, at, output, taken, request, .. } = &self.names;
        let values = self.values();
        let bounds = values.iter().flatten();
        let bounds = bounds.filter_map(|value| value.bound.as_ref());
        let locals: Vec<_> = (0..function.parameters.len())
            .map(|index| format_ident!("parameter_{index}", span = Span::mixed_site()))
            .collect();
        let statements = locals.iter().zip(&values).filter_map(|(local, value)| {
            let ParameterValue { value, .. } = value.as_ref()?;
            Some(quote!(let #local = #value;))
        });
        let arguments = self.arguments(locals.iter().zip(&values));
        let (name, dot_await) =
            (&function.signature.ident, function.signature.asyncness.map(|_| quote!(.await)));
        let value = self.outcome(quote!(#name(#(#locals),*) #dot_await));
        let yielded = outcome.value();
        let rejects = outcome.error().map(|error| {
            let answer = match outcome.doubtful_error() {
                None => error,
                Some(_) => quote!(#krate::__rt::AnswerOf<Self, #error>),
            };
            quote!(#context: #krate::__rt::Reject<#answer>,)
        });
        let Cached { recall, remember } = self.cache(&yielded);
        let cursor = self.cursor();
        let note = self.note(&yielded);
        let resolve = quote! {
            #[automatically_derived]
            impl<#request, #context, #taken> __family::Resolve<#request, #context, #taken> for #marker
            where
                #taken: 'static,
                #context: __family::Context,
                #rejects
                #(#bounds,)*
            {
                fn resolve(
                    #cx: &mut #context,
                    #at: #cursor,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#taken, #context::Rejection>> + __family::MaybeSend {
                    __family::write_dependency_local_unless_send(async move {
                        #krate::__overridden!(#cx, #at);
                        #recall
                        #(#statements)*
                        #arguments
                        let #output: #yielded = #value;
                        #note
                        #remember
                        #krate::__rt::cast(#cx, #output)
                    })
                }
            }
        };
        tokens.extend(in_families(krate, self.dependency.local, &resolve));
    }
}

/// Returns an expression that awaits a future. On a refusal it returns from the function with what
/// `refused` makes of it. This is `?` without the conversion, which would cost the compiler three
/// traits.
fn found(future: &TokenStream, refused: impl FnOnce(&Ident) -> TokenStream) -> TokenStream {
    let [value, refusal] = ["value", "refusal"].map(|name| Ident::new(name, Span::mixed_site()));
    let refused = refused(&refusal);
    quote! {
        match #future.await {
            ::core::result::Result::Ok(#value) => #value,
            ::core::result::Result::Err(#refusal) => {
                return ::core::result::Result::Err(#refused);
            }
        }
    }
}
