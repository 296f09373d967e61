//! The impl that resolves the first alternative whose credential a request has.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::OneOf;
use super::alternative::Alternative;
use crate::emit::cached::Cached;
use crate::emit::family::{Names, in_families};

/// The impl.
pub(super) struct Choice<'o> {
    one_of: &'o OneOf,
    names: Names,
}

impl<'o> Choice<'o> {
    pub(super) fn new(one_of: &'o OneOf) -> Self {
        Self { one_of, names: Names::new() }
    }

    /// Returns the trait that resolves an alternative.
    fn resolves(&self, alternative: &Alternative) -> TokenStream {
        let Names { context, request, .. } = &self.names;
        // The variant's own type, so a wrong one is an error of that variant only.
        let ty = &alternative.ty;
        quote!(__family::Resolve<#request, #context, #ty>)
    }

    /// Returns the statement that breaks with the value of an alternative, if a request has its
    /// credential. The alternative is the given child of the list in the plan.
    fn branch(&self, child: usize, alternative: &Alternative) -> TokenStream {
        let OneOf { krate, strict, .. } = self.one_of;
        let Names { context, cx, at, output, .. } = &self.names;
        let Alternative { requirement, variant, .. } = alternative;
        let (path, node) = (&requirement.path, requirement.node(krate));
        let resolves = self.resolves(alternative);
        let is_meant = match strict {
            true => quote!(is_meant),
            false => quote!(is_present),
        };
        let refused = match requirement.is_lenient {
            true => quote!(#krate::__rt::unless_lenient::<#context>(#cx, #node, #output)?),
            false => quote!(return ::core::result::Result::Err(#output)),
        };
        quote! {
            // In parentheses, so a function of this name is not taken for a constant.
            if #krate::__rt::#is_meant::<(#path), #context>(#cx, #node) {
                match <#path as #resolves>::resolve(#cx, #at.child(#child)).await {
                    ::core::result::Result::Ok(#output) => break '__chosen Self::#variant(#output),
                    ::core::result::Result::Err(#output) => #refused,
                }
            }
        }
    }

    /// Returns the statement that refuses a request which has the credential of no alternative.
    fn refuse(&self) -> TokenStream {
        let OneOf { krate, ident, own_error, .. } = self.one_of;
        let Names { context, cx, at, .. } = &self.names;
        let refusal = match own_error {
            None => quote!(#krate::__rt::refuse_absent::<Self, #context>(#cx, #at)),
            Some(error) => {
                let arguments = error.arguments(ident, krate);
                quote!({
                    use #krate::__rt::NoOwnError as _;
                    <#krate::__rt::OwnError<#arguments>>::refuse_absent::<Self, #context>(#cx, #at).await
                })
            }
        };
        quote!(return ::core::result::Result::Err(#refusal))
    }

    /// Returns what follows the branches: the variant without a value, or the refusal.
    fn otherwise(&self) -> TokenStream {
        let OneOf { krate, empty, strict, .. } = self.one_of;
        let Names { context, cx, .. } = &self.names;
        let Some(variant) = empty else { return self.refuse() };
        let refuse = strict.then(|| {
            let refuse = self.refuse();
            quote!(if #krate::__rt::has_authorization::<#context>(#cx) { #refuse })
        });
        quote!(#refuse Self::#variant {})
    }

    /// Returns the parts that keep the value, if the list is cached.
    fn cache(&self) -> Cached {
        if !self.one_of.cached {
            return Cached::default();
        }
        Cached::new(&self.one_of.krate, &quote!(Self), &self.names)
    }
}

impl ToTokens for Choice<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let OneOf { krate, ident, alternatives, own_error, local, .. } = self.one_of;
        let Names { context, cx, at, output, taken, request } = &self.names;
        let paths = alternatives.iter().map(|alternative| &alternative.requirement.path);
        let paths: Vec<_> = paths.collect();
        let bounds = alternatives.iter().map(|alternative| self.resolves(alternative));
        let rejects = own_error.iter().map(|error| {
            let answer = error.answer(ident, krate);
            quote!(#krate::__rt::Reject<#answer>)
        });
        let branches = alternatives.iter().enumerate();
        let branches = branches.map(|(child, alternative)| self.branch(child, alternative));
        let otherwise = self.otherwise();
        let Cached { recall, remember } = self.cache();
        let resolve = quote! {
            #[automatically_derived]
            impl<#request, #context, #taken> __family::Resolve<#request, #context, #taken> for #ident
            where
                #taken: 'static,
                #context: __family::Context #(+ #rejects)*,
                #(#paths: #bounds,)*
            {
                fn resolve(
                    #cx: &mut #context,
                    #at: <(#(#paths,)*) as #krate::bounds::Named>::Cursor,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#taken, #context::Rejection>> + __family::MaybeSend {
                    async move {
                        #krate::__overridden!(#cx, #at);
                        #recall
                        let #output: Self = '__chosen: {
                            #(#branches)*
                            #otherwise
                        };
                        #remember
                        #krate::__rt::cast(#cx, #output)
                    }
                }
            }
        };
        tokens.extend(in_families(krate, *local, &resolve));
    }
}
