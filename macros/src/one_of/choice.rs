//! The impl that resolves the first alternative whose credential a request has, in one family of
//! contexts.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Lifetime;

use super::OneOf;
use crate::emit::cached::Cached;
use crate::emit::family::Family;

/// The impl of one family.
pub(super) struct Choice<'o> {
    one_of: &'o OneOf,
    family: Family,
}

impl<'o> Choice<'o> {
    pub(super) const fn new(one_of: &'o OneOf, family: Family) -> Self {
        Self { one_of, family }
    }
}

impl ToTokens for Choice<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let OneOf { krate, ident, alternatives, empty, cached, own_error, strict, .. } =
            self.one_of;
        let [context, cx, at, output, taken] =
            ["__C", "cx", "at", "output", "__T"].map(|name| Ident::new(name, Span::mixed_site()));
        let request = Lifetime::new("'__r", Span::mixed_site());
        let [resolve_trait, resolve] = ["Resolve", "resolve"].map(|name| self.family.item(name));
        let (family, send) = (self.family.context(), self.family.send_bound());
        let paths: Vec<_> =
            alternatives.iter().map(|alternative| &alternative.requirement.path).collect();
        let bounds: Vec<_> = alternatives
            .iter()
            .map(|alternative| {
                // The variant's own type, so a wrong one is an error of that variant alone.
                let ty = &alternative.ty;
                quote!(#krate::__rt::#resolve_trait<#request, #context, #ty>)
            })
            .collect();
        let is_meant = match strict {
            true => quote!(is_meant),
            false => quote!(is_present),
        };
        let branches = alternatives.iter().zip(&bounds).enumerate().map(|(number, (alternative, bound))| {
            let (path, variant) = (&alternative.requirement.path, &alternative.variant);
            let node = alternative.requirement.node(krate);
            let refused = match alternative.requirement.is_lenient {
                true => quote!(#krate::__rt::unless_lenient::<#context>(#cx, #node, #output)?),
                false => quote!(return ::core::result::Result::Err(#output)),
            };
            quote! {
                // In parentheses, so a function of this name is not taken for a constant.
                if #krate::__rt::#is_meant::<(#path), #context>(#cx, #node) {
                    match <#path as #bound>::#resolve(#cx, #at.child(#number)).await {
                        ::core::result::Result::Ok(#output) => break '__chosen Self::#variant(#output),
                        ::core::result::Result::Err(#output) => #refused,
                    }
                }
            }
        });
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
        let refuse = quote!(return ::core::result::Result::Err(#refusal));
        let otherwise = match empty {
            Some(variant) if *strict => quote! {
                if #krate::__rt::has_authorization::<#context>(#cx) {
                    #refuse
                }
                Self::#variant {}
            },
            Some(variant) => quote!(Self::#variant {}),
            None => refuse,
        };
        let rejects = own_error.iter().map(|error| {
            let answer = error.answer(ident, krate);
            quote!(#krate::__rt::Reject<#answer>)
        });
        let Cached { recall, remember } = if *cached {
            let value = quote!(Self);
            Cached::new(krate, self.family, &value, [&context, &cx, &at, &output])
        } else {
            Cached::default()
        };
        tokens.extend(quote! {
            #[automatically_derived]
            impl<#request, #context, #taken> #krate::__rt::#resolve_trait<#request, #context, #taken> for #ident
            where
                #taken: 'static,
                #context: #krate::__rt::#family #(+ #rejects)*,
                #(#paths: #bounds,)*
            {
                fn #resolve(
                    #cx: &mut #context,
                    #at: <(#(#paths,)*) as #krate::bounds::Named>::Cursor,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#taken, #context::Rejection>> #send {
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
        });
    }
}
