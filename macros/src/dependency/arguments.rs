//! `#[argument]`: the parameters whose values are written where the dependency is named.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Ident, Lifetime, Type};

use super::Dependency;
use crate::function::Source;
use crate::types::with_lifetime;

impl Dependency {
    /// Returns the names of the arguments, each with its type.
    fn named_arguments(&self) -> Vec<(Ident, Type)> {
        let parameters = self.function.parameters.iter();
        let arguments = parameters.filter(|parameter| matches!(parameter.source, Source::Argument));
        let named = arguments.enumerate().map(|(number, argument)| {
            let name = argument.written.name().cloned();
            let lifetime = Lifetime::new("'static", Span::mixed_site());
            (
                name.unwrap_or_else(|| format_ident!("argument_{number}")),
                with_lifetime(&argument.written.ty, &lifetime),
            )
        });
        named.collect()
    }

    pub(super) fn has_arguments(&self) -> bool {
        self.has(|source| matches!(source, Source::Argument))
    }

    /// Returns the names as the errors print them.
    pub(super) fn argument_names(&self) -> Option<String> {
        let names = self.named_arguments().into_iter();
        let names = Vec::from_iter(names.map(|(name, _)| name.unraw().to_string()));
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Returns the mistake of a dependency that cannot have arguments, and its place.
    pub(super) fn argument_mistake(&self) -> Option<(Span, &'static str)> {
        if !self.has_arguments() {
            return None;
        }
        let cached = self.cached.map(|at| {
            (
                at,
                "a dependency with arguments decides anew at each place; keep what it reads instead, in a `#[dependency(cached)]` \
                 without arguments that this one takes",
            )
        });
        cached.or(self.extract.map(|at| {
            (
                at,
                "an extractor is taken by its type, which has no place for arguments; require the dependency with \
                 `#[security(…)]`, and remove `extract`",
            )
        }))
    }

    /// Returns the function for a dependency with a mistake, so code that names it with arguments
    /// causes no further errors.
    pub(super) fn stub_arguments(&self) -> Option<TokenStream> {
        let (names, types): (Vec<_>, Vec<_>) = self.named_arguments().into_iter().unzip();
        let (marker, vis) = (&self.marker, &self.function.vis);
        (!names.is_empty()).then(|| {
            quote! {
                #[allow(dead_code, unused_variables)]
                impl #marker {
                    #[doc(hidden)]
                    #vis const fn arguments(#(#names: #types),*) {
                        loop {}
                    }
                }
            }
        })
    }

    /// Returns the function that checks and returns the arguments where the dependency is named.
    pub(super) fn arguments(&self) -> Option<TokenStream> {
        let arguments = self.named_arguments();
        if arguments.is_empty() {
            return None;
        }
        let (krate, marker, vis) = (&self.krate, &self.marker, &self.function.vis);
        let (names, types): (Vec<_>, Vec<_>) = arguments.into_iter().unzip();
        Some(quote! {
            #[allow(dead_code)]
            impl #marker {
                #[doc(hidden)]
                #vis const fn arguments(#(#names: #types),*) -> (#(#types,)*) {
                    (#(#names,)*)
                }
            }
            #[automatically_derived]
            impl #krate::bounds::TakesArguments for #marker {
                type Arguments = (#(#types,)*);
            }
        })
    }
}
