//! `#[argument]`: the parameters whose values are written where the dependency is named.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, Index, Lifetime, Type};

use super::Dependency;
use crate::function::{Argument, Source};
use crate::types::{mentions, with_lifetime};

/// A parameter that is an argument.
struct Named<'d> {
    name: Ident,
    /// The type, whose lifetimes are `'static`.
    ty: Type,
    argument: &'d Argument,
}

impl Dependency {
    /// Returns the arguments with their names.
    fn named_arguments(&self) -> Vec<Named<'_>> {
        let parameters = self.function.parameters.iter();
        let arguments = parameters.filter_map(|parameter| match &parameter.source {
            Source::Argument(argument) => Some((&parameter.written, argument)),
            _ => None,
        });
        let named = arguments.enumerate().map(|(number, (written, argument))| {
            let name = written.name().cloned();
            let lifetime = Lifetime::new("'static", Span::mixed_site());
            Named {
                name: name.unwrap_or_else(|| format_ident!("argument_{number}")),
                ty: with_lifetime(&written.ty, &lifetime),
                argument,
            }
        });
        named.collect()
    }

    /// Returns the names as the errors print them.
    pub(super) fn argument_names(&self) -> Option<String> {
        let names = self.named_arguments().into_iter();
        let names = Vec::from_iter(names.map(|Named { name, .. }| name.unraw().to_string()));
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Returns the mistakes of a dependency that cannot have these arguments, and their places.
    pub(super) fn argument_mistakes(&self) -> Vec<(Span, &'static str)> {
        let arguments = self.named_arguments();
        if arguments.is_empty() {
            return Vec::new();
        }
        let cached = self.cached.map(|at| {
            (
                at,
                "a dependency with arguments decides anew at each place; keep what it reads instead, in a `#[dependency(cached)]` \
                 without arguments that this one takes",
            )
        });
        let kept_or_extracted = cached.or(self.extract.map(|at| {
            (
                at,
                "an extractor is taken by its type, which has no place for arguments; require the dependency with \
                 `#[security(…)]`, and remove `extract`",
            )
        }));
        let with_roles = arguments.iter().filter_map(|Named { argument, .. }| argument.roles());
        let second = with_roles.skip(1).map(|at| {
            (
                at,
                "a caller needs one of the roles, so one argument has them all; remove `roles` here, and write another dependency for \
                 those that a caller needs too",
            )
        });
        let word = Ident::new("impl", Span::call_site());
        let generic = arguments.iter().filter(|Named { ty, .. }| mentions(ty, &word));
        let generic = generic.map(|Named { ty, .. }| {
            (
                ty.span(),
                "an argument cannot be an `impl Trait`, because the dependency is compiled once; write a concrete type",
            )
        });
        kept_or_extracted.into_iter().chain(second).chain(generic).collect()
    }

    /// Returns the function for a dependency with a mistake, so code that names it with arguments
    /// causes no further errors.
    pub(super) fn stub_arguments(&self) -> Option<TokenStream> {
        let arguments = self.named_arguments();
        let (names, types) = names_and_types(&arguments);
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
        let (names, types) = names_and_types(&arguments);
        let (values, option) =
            (Ident::new("values", Span::mixed_site()), quote!(::core::option::Option));
        let texts = arguments.iter().enumerate().map(|(number, Named { argument, .. })| {
            let number = Index::from(number);
            match argument.as_written() {
                Some(_) => quote!(#option::None),
                None => quote!(#krate::__rt::ArgumentOf(&#values.#number).text()),
            }
        });
        let roles =
            arguments.iter().enumerate().find_map(|(number, Named { ty, argument, .. })| {
                argument.roles()?;
                Some(self.roles(&values, &Index::from(number), ty))
            });
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
                fn texts(#values: &Self::Arguments) -> #krate::__rt::Texts {
                    use #krate::__rt::AnyArgument as _;
                    ::std::vec![#(#texts),*]
                }
                #roles
            }
        })
    }

    /// Returns the function that names the roles of one of the values. The type without names is an
    /// error at that type.
    fn roles(&self, values: &Ident, number: &Index, ty: &Type) -> TokenStream {
        let krate = &self.krate;
        let names = format_ident!("names");
        let of = quote!(&&&&&#krate::__rt::RolesOf::<#ty>::NEW);
        let named = quote_spanned!(ty.span()=> (#of).#names({ #values.#number }));
        quote! {
            #[allow(unused_braces)]
            fn roles(#values: Self::Arguments) -> ::std::vec::Vec<::std::string::String> {
                use #krate::__rt::{EachAsRef as _, EachDisplay as _, Nameless as _, OneAsRef as _, OneDisplay as _};
                #named
            }
        }
    }
}

fn names_and_types<'a>(arguments: &'a [Named<'_>]) -> (Vec<&'a Ident>, Vec<&'a Type>) {
    arguments.iter().map(|Named { name, ty, .. }| (name, ty)).unzip()
}
