//! The plan of a handler, and the impls that fill its parameters for a request.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Lifetime, Path};

use super::{Handler, Provided};
use crate::emit::checks::check_edges;
use crate::emit::family::in_families;

/// The plan.
pub(super) struct Plan<'h> {
    handler: &'h Handler,
    provided: Vec<Provided<'h>>,
    /// The types that represent the parameters.
    markers: Vec<Ident>,
    /// The path of the handler, or the name by which a client calls the method.
    name: TokenStream,
    /// The type that represents a `Live`.
    live: Option<Ident>,
}

impl<'h> Plan<'h> {
    pub(super) fn new(handler: &'h Handler) -> Self {
        let provided: Vec<_> = handler.provided().collect();
        let markers = (0..provided.len()).map(|number| handler.marker(number));
        let live = handler.live().next().map(|_| handler.live_marker());
        let name = handler.function.signature.ident.unraw().to_string();
        let name = quote!(::core::concat!(::core::module_path!(), "::", #name));
        Self { markers: markers.collect(), live, provided, handler, name }
    }

    /// Returns the plan of a method, which resolves its parameters itself: the first marker is enough.
    pub(super) fn of_method(handler: &'h Handler, name: &str) -> Self {
        let mut plan = Self::new(handler);
        plan.markers.truncate(1);
        Self { name: name.to_token_stream(), live: None, ..plan }
    }

    /// Returns the check that the plan is not too large to compile.
    pub(super) fn check(&self) -> TokenStream {
        let (krate, name) = (&self.handler.krate, &self.handler.function.signature.ident);
        let first = self.markers.first();
        first.map_or_else(TokenStream::new, |first| check_edges(krate, first, name.span()))
    }

    /// Returns the edges of the root, as const data.
    fn edges(&self) -> impl Iterator<Item = TokenStream> {
        let krate = &self.handler.krate;
        self.provided.iter().map(|provided| provided.edge(krate))
    }

    /// Returns the impls that fill the parameters for a request.
    pub(super) fn parameters(&self) -> TokenStream {
        let krate = &self.handler.krate;
        let Some(first) = self.markers.first() else { return TokenStream::new() };
        let context = Ident::new("__C", Span::mixed_site());
        let request = Lifetime::new("'__r", Span::mixed_site());
        // A public handler may use a private dependency, which may not be an associated type of its
        // impls, but may be the value of a parameter of theirs. The tuple keeps a path that is not
        // a type one error.
        let named = Ident::new("__D", Span::mixed_site());
        let provided = self.provided.iter().zip(&self.markers).enumerate();
        let parameters = provided.map(|(number, (provided, marker))| {
            let path = provided.path(krate);
            let value = match provided {
                Provided::Guard(_) => quote!(()),
                Provided::Dependency(..) | Provided::Broken(_) => self.output(provided),
            };
            let filled = provided.filled(&named.to_token_stream(), krate);
            quote! {
                #[automatically_derived]
                impl<#request, #context, #named> __family::SecuredParameter<#request, #context, #value> for #marker
                where
                    #context: __family::Context,
                    (#path,): #krate::bounds::Named<Itself = (#named,)>,
                    #filled: __family::Resolve<#request, #context, #value>,
                {
                    type Position = #krate::__rt::CursorOf<#first, #number>;
                    type Dependency = #filled;
                }
            }
        });
        let parameters = in_families(krate, false, &parameters.collect::<TokenStream>());
        let live = self.live();
        quote!(#parameters #live)
    }

    /// Returns the impl that fills a `Live` with what the handler requires.
    fn live(&self) -> TokenStream {
        let (Some(live), Some(marker)) = (self.handler.live().next(), &self.live) else {
            return TokenStream::new();
        };
        let (krate, ty) = (&self.handler.krate, &live.written.ty);
        let [context, named] = ["__C", "__D"].map(|name| Ident::new(name, Span::mixed_site()));
        let request = Lifetime::new("'__r", Span::mixed_site());
        let requirement = self.requirement();
        let impls = quote! {
            #[automatically_derived]
            impl<#request, #context, #named: 'static> __family::SecuredParameter<#request, #context, #ty> for #marker
            where
                #context: __family::Context,
                (#requirement,): #krate::bounds::Named<Itself = (#named,)>,
                #krate::__rt::AskedAgain<#named>: __family::Resolve<#request, #context, #ty>,
            {
                type Position = #krate::__rt::AskedAgain<#named>;
                type Dependency = #krate::__rt::AskedAgain<#named>;
            }
        };
        let impls = in_families(krate, false, &impls);
        quote!(#krate::__live! { #impls })
    }

    /// Returns the type that asks again about all of the plan.
    pub(super) fn again(&self) -> TokenStream {
        let (krate, requirement) = (&self.handler.krate, self.requirement());
        quote!(#krate::__rt::AskedAgain<#requirement>)
    }

    /// Returns the dependencies of the plan, each with its position.
    fn requirement(&self) -> TokenStream {
        let (krate, first) = (&self.handler.krate, self.handler.marker(0));
        let provided = self.provided.iter().enumerate().rev();
        provided.fold(quote!(()), |others, (number, provided)| {
            let path = provided.path(krate);
            quote!((#path, #krate::__rt::CursorOf<#first, #number>, #others))
        })
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
        let Self { handler, markers, live, name, .. } = self;
        let (krate, vis) = (&handler.krate, &handler.function.vis);
        let Some(first) = markers.first() else { return };
        let edges = self.edges();
        let passes = self.provided.iter().all(Provided::is_of_layer);
        let passes = passes.then(|| quote! { const DECIDES: ::core::primitive::bool = false; });
        let markers = markers.iter().chain(live);
        let aliases = &handler.aliases;
        tokens.extend(quote! {
            #aliases
            #(#[doc(hidden)] #[allow(non_camel_case_types, unreachable_pub)] #vis enum #markers {})*
            #[automatically_derived]
            impl #krate::__rt::HasPlan for #first {
                const EDGES: &'static [#krate::__rt::Edge] = &[#(#edges),*];
                const NAME: &'static ::core::primitive::str = #name;
                #passes
            }
        });
    }
}

impl Provided<'_> {
    fn is_of_layer(&self) -> bool {
        matches!(self, Self::Guard(guard) if guard.is_of_layer)
    }

    /// Returns the type that resolves a dependency.
    pub(super) fn filled(&self, dependency: &TokenStream, krate: &Path) -> TokenStream {
        match self {
            Self::Guard(guard) => {
                let guard = match guard.is_of_layer {
                    true => quote!(BelowLayer),
                    false => quote!(Guard),
                };
                quote!(#krate::__rt::#guard<#dependency>)
            }
            Self::Dependency(..) | Self::Broken(_) => dependency.clone(),
        }
    }

    pub(super) fn path(&self, krate: &Path) -> TokenStream {
        match self {
            Self::Guard(requirement) | Self::Dependency(requirement, _) => {
                requirement.path.to_token_stream()
            }
            Self::Broken(ty) => quote!(#krate::__rt::Broken<#ty>),
        }
    }

    fn edge(&self, krate: &Path) -> TokenStream {
        match self {
            Self::Guard(requirement) => {
                let edge = requirement.edge(krate);
                quote!(#edge.guard())
            }
            Self::Dependency(requirement, _) => requirement.edge(krate),
            Self::Broken(_) => {
                let path = self.path(krate);
                quote!(#krate::__rt::Edge::new(<#path as #krate::Dependency>::NODE, &[]))
            }
        }
    }
}
