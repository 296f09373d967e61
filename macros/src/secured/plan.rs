//! The plan of a handler, and the impls that fill its parameters for a request.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Lifetime, Path};

use super::{Handler, Provided};
use crate::emit::checks::check;
use crate::emit::family::Family;

/// The plan, and an impl for each parameter and family of contexts.
pub(super) struct Plan<'h> {
    handler: &'h Handler,
    provided: Vec<Provided<'h>>,
    /// The types that represent the parameters.
    markers: Vec<Ident>,
}

impl<'h> Plan<'h> {
    pub(super) fn new(handler: &'h Handler) -> Self {
        let provided: Vec<_> = handler.provided().collect();
        let markers = (0..provided.len()).map(|number| handler.marker(number));
        Self {
            markers: markers.collect(),
            provided,
            handler,
        }
    }

    /// Returns the check that the plan is not too large to compile.
    pub(super) fn check(&self) -> TokenStream {
        let (krate, name) = (&self.handler.krate, &self.handler.function.signature.ident);
        self.markers.first().map_or_else(TokenStream::new, |first| {
            let root = quote!(&<#first as #krate::__rt::HasPlan>::ROOT);
            check(krate, "check_size", &root, name.span())
        })
    }

    /// Returns the impls that fill the parameters for a request, in one family of contexts.
    fn parameters(&self, first: &Ident, family: Family) -> TokenStream {
        let krate = &self.handler.krate;
        let [context, cx] = ["__C", "cx"].map(|name| Ident::new(name, Span::mixed_site()));
        let request = Lifetime::new("'__r", Span::mixed_site());
        let [parameter, resolve_trait, resolve, guarded] =
            ["SecuredParameter", "Resolve", "resolve", "guarded"].map(|name| family.item(name));
        let family_name = family.context();
        let send = family.send_bound();
        let parameters = self.provided.iter().zip(&self.markers).enumerate();
        let parameters = parameters.map(|(number, (provided, marker))| {
            let (path, mut output) = (provided.path(krate), self.output(provided));
            let bound = quote!(#krate::__rt::#resolve_trait<#request, #context, #output>);
            let mut resolved = quote! {
                <#path as #bound>::#resolve(#cx, <Self::Position as #krate::__rt::PlanPosition>::CURSOR)
            };
            if matches!(provided, Provided::Guard(_)) {
                (resolved, output) = (quote!(#krate::__rt::#guarded(#resolved)), quote!(()));
            }
            quote! {
                #[automatically_derived]
                impl<#request, #context> #krate::__rt::#parameter<#request, #context, #output> for #marker
                where
                    #context: #krate::__rt::#family_name,
                    #path: #bound,
                {
                    type Position = #krate::__rt::CursorOf<#first, #number>;
                    fn #resolve(
                        #cx: &mut #context,
                    ) -> impl ::core::future::Future<Output = ::core::result::Result<#output, #context::Rejection>> #send {
                        #resolved
                    }
                }
            }
        });
        parameters.collect()
    }

    /// Returns the type of a value. The type of a parameter is used as written, unless it contains
    /// a generic parameter of the handler, which has no meaning here.
    fn output(&self, provided: &Provided<'_>) -> TokenStream {
        let krate = &self.handler.krate;
        match provided {
            Provided::Dependency(requirement, ty) if !self.handler.function.is_generic(ty) => {
                requirement.output_as(ty, krate)
            }
            Provided::Guard(requirement) | Provided::Dependency(requirement, _) => {
                requirement.output(krate)
            }
            Provided::Broken(ty) => ty.to_token_stream(),
        }
    }
}

impl ToTokens for Plan<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            handler, markers, ..
        } = self;
        let (krate, vis) = (&handler.krate, &handler.function.vis);
        let Some(first) = markers.first() else { return };
        let edges = self.provided.iter().map(|provided| provided.edge(krate));
        let send = self.parameters(first, Family::Send);
        let local = self.parameters(first, Family::Local);
        tokens.extend(quote! {
            #(#[doc(hidden)] #[allow(non_camel_case_types, unreachable_pub)] #vis struct #markers;)*
            #[automatically_derived]
            impl #krate::__rt::HasPlan for #first {
                const ROOT: #krate::__rt::Node = #krate::__rt::Node::function("", &[#(#edges),*]);
            }
            #send
            #krate::__local! { #local }
        });
    }
}

impl Provided<'_> {
    fn path(&self, krate: &Path) -> TokenStream {
        match self {
            Self::Guard(requirement) | Self::Dependency(requirement, _) => {
                requirement.path.to_token_stream()
            }
            Self::Broken(ty) => quote!(#krate::__rt::Broken<#ty>),
        }
    }

    fn edge(&self, krate: &Path) -> TokenStream {
        if let Self::Guard(requirement) | Self::Dependency(requirement, _) = self {
            return requirement.edge(krate);
        }
        let path = self.path(krate);
        quote!(#krate::__rt::Edge::new(<#path as #krate::Dependency>::NODE, &[]))
    }
}
