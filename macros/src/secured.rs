//! `#[secured]`

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Lifetime, Meta, Path, Type, parse_quote};

use crate::checks::{self, respanned};
use crate::dependency::found;
use crate::documented::document;
use crate::errors::Errors;
use crate::function::{self, Function, Parameter, Source};
use crate::requirement::{Arguments, Requirement};
use crate::signature::Argument;

const NAME: &str = "secured";

/// Expands `#[secured]`: the user's handler, whose secured parameters have become extractors, and its plan.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    function::expand(NAME, item, |function, errors| {
        let handler = Handler::take(function, args, errors);
        handler.check(errors);
        handler.to_token_stream()
    })
}

struct Handler {
    krate: Path,
    function: Function,
    guards: Vec<Requirement>,
    /// Whether a guard was written, right or wrong.
    has_guards: bool,
    /// Whether the function is an operation of utoipa.
    is_documented: bool,
}

impl Handler {
    fn take(mut function: Function, args: TokenStream, errors: &mut Errors) -> Self {
        // The first attribute of a handler takes all that stand below it.
        let (below, attrs): (Vec<_>, _) = std::mem::take(&mut function.attrs)
            .into_iter()
            .partition(is_secured);
        function.attrs = attrs;
        let lists = below.into_iter().map(|attr| match attr.meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        });
        let (mut krate, mut guards, mut has_guards) = (None, Vec::new(), false);
        for list in std::iter::once(args).chain(lists) {
            let arguments = errors.handle(syn::parse2::<Arguments>(list));
            has_guards |= arguments
                .as_ref()
                .is_none_or(|arguments| arguments.requirement.is_some());
            if let Some(arguments) = arguments {
                krate = krate.or(arguments.krate);
                guards.extend(arguments.requirement);
            }
        }
        let mut handler = Self {
            krate: krate.unwrap_or_else(|| parse_quote!(::tollgate)),
            function,
            guards,
            has_guards,
            is_documented: false,
        };
        let (krate, first) = (&handler.krate, handler.marker(0));
        let extension = quote!(("x-tollgate" = json!(#krate::__rt::extension::<#first>())));
        handler.is_documented = document(&mut handler.function.attrs, &extension);
        handler
    }

    fn check(&self, errors: &mut Errors) {
        let is_secured = |parameter: &Parameter| {
            matches!(parameter.source, Source::Dependency(_) | Source::Broken)
        };
        if !self.has_guards && !self.function.parameters.iter().any(is_secured) {
            let sentence = "nothing is required of a request; write `#[secured(OAuth2)]`, or mark a parameter with \
                            `#[security(OAuth2)]`";
            errors.push(&self.function.signature.ident, sentence);
        }
    }

    /// What it yields. The handler's own type parameters are not known outside of it.
    fn output(&self, dependency: &Owned<'_>) -> TokenStream {
        let krate = &self.krate;
        match dependency {
            Owned::Dependency(requirement, ty) if !self.function.is_generic(ty) => {
                requirement.output_as(ty, krate)
            }
            Owned::Guard(requirement) | Owned::Dependency(requirement, _) => {
                requirement.output(krate)
            }
            Owned::Scopes => quote!(#krate::SecurityScopes),
            Owned::Broken(ty) => ty.to_token_stream(),
        }
    }

    /// The type that stands for a parameter in the handler's plan, by its number.
    fn marker(&self, number: usize) -> Ident {
        marker(&self.function.signature.ident, number)
    }

    /// What each parameter that the macro owns depends on: guards first, then parameters as written.
    fn dependencies(&self) -> impl Iterator<Item = Owned<'_>> {
        let parameters =
            self.function
                .parameters
                .iter()
                .filter_map(|parameter| match &parameter.source {
                    Source::Dependency(requirement) => {
                        Some(Owned::Dependency(requirement, &parameter.argument.ty))
                    }
                    Source::Scopes => Some(Owned::Scopes),
                    Source::Broken => Some(Owned::Broken(&parameter.argument.ty)),
                    Source::Extractor => None,
                });
        self.guards.iter().map(Owned::Guard).chain(parameters)
    }

    /// The user's function, whose secured parameters have become extractors.
    fn function(&self) -> TokenStream {
        let guards = self.guards.iter().enumerate().map(|(number, guard)| {
            let (name, marker) = (format_ident!("__guard_{number}"), self.marker(number));
            Argument {
                attrs: Vec::new(),
                pattern: name.into_token_stream(),
                ty: self.extractor(&parse_quote!(()), &marker, guard.path.span()),
            }
        });
        let mut number = self.guards.len();
        let mut statements = TokenStream::new();
        let parameters = self.function.parameters.iter().map(|parameter| {
            let argument = parameter.argument.clone();
            if matches!(parameter.source, Source::Extractor) {
                return argument;
            }
            let Argument { attrs, pattern, ty } = argument.clone();
            let name = argument
                .name()
                .unwrap_or_else(|| format_ident!("__parameter_{number}"));
            let taken = self.taken(parameter, &name);
            statements.extend(quote!(#(#attrs)* let #pattern: #ty = #taken;));
            let marker = self.marker(number);
            number += 1;
            Argument {
                pattern: name.into_token_stream(),
                ty: self.extractor(&ty, &marker, ty.span()),
                ..argument
            }
        });
        let arguments: Vec<_> = guards.chain(parameters).collect();
        let body = self.function.body_after(&statements);
        self.function.with(&arguments, &body)
    }

    /// The extractor that a parameter becomes, with the framework's errors about it at the user's type or path.
    fn extractor(&self, ty: &Type, marker: &Ident, at: Span) -> Type {
        let secured = respanned(self.krate.to_token_stream(), at);
        let marker = Ident::new(&marker.to_string(), at.resolved_at(marker.span()));
        Type::Verbatim(quote_spanned!(at=> #secured::Secured<#ty, #marker>))
    }

    /// The value of a parameter, held to the type that its dependency yields, with the error at the type as it is written.
    fn taken(&self, parameter: &Parameter, name: &Ident) -> TokenStream {
        let (krate, ty) = (&self.krate, &parameter.argument.ty);
        let output = match &parameter.source {
            Source::Dependency(requirement) => requirement.output(krate),
            Source::Scopes => quote!(#krate::SecurityScopes),
            Source::Broken | Source::Extractor => quote!(#ty),
        };
        let taken = respanned(quote!(<_ as #krate::bounds::Is<#ty>>::taken), ty.span());
        quote_spanned!(ty.span()=> #taken(#name, #krate::__rt::yielded::<#output>()))
    }

    /// The plan, and the place of each parameter in it.
    fn plan(&self) -> TokenStream {
        let krate = &self.krate;
        let edges = self.dependencies().map(|dependency| dependency.edge(krate));
        let markers: Vec<_> = (0..self.dependencies().count())
            .map(|number| self.marker(number))
            .collect();
        let Some(first) = markers.first() else {
            return TokenStream::new();
        };
        let (c, cx) = (
            Ident::new("__C", Span::mixed_site()),
            Ident::new("cx", Span::mixed_site()),
        );
        let request = Lifetime::new("'__r", Span::mixed_site());
        let parameters = self.dependencies().zip(&markers).enumerate().map(|(number, (dependency, marker))| {
            let (path, mut output) = (dependency.path(krate), self.output(&dependency));
            let bound = quote!(#krate::__rt::Resolve<#request, #c, #output>);
            let mut resolved = quote! {
                <#path as #bound>::resolve(#cx, <#krate::__rt::At<#first, #number>>::CURSOR)
            };
            if matches!(dependency, Owned::Guard(_)) {
                (resolved, output) = (quote!(#krate::__rt::guarded(#resolved)), quote!(()));
            }
            quote! {
                #[automatically_derived]
                impl<#request, #c> #krate::__rt::Parameter<#request, #c, #output> for #marker
                where
                    #c: #krate::__rt::SendContext,
                    #path: #bound,
                {
                    fn resolve(
                        #cx: &mut #c,
                    ) -> impl ::core::future::Future<Output = ::core::result::Result<#output, #c::Rejection>>
                        + ::core::marker::Send {
                        #resolved
                    }
                }
            }
        });
        let local = self.local(&markers);
        let (vis, name) = (&self.function.vis, &self.function.signature.ident);
        let order = (!self.is_documented).then(|| {
            let documented = format_ident!("__path_{}", name.unraw(), span = name.span());
            quote_spanned!(name.span()=> #krate::__undocumented! { #documented })
        });
        quote! {
            #(#[doc(hidden)] #[allow(non_camel_case_types, unreachable_pub)] #vis struct #markers;)*
            #[automatically_derived]
            impl #krate::__rt::Planned for #first {
                const ROOT: #krate::__rt::Node = #krate::__rt::Node::function(false, false, &[#(#edges),*]);
            }
            #order
            #(#parameters)*
            #krate::__local! { #local }
        }
    }

    /// The same in contexts whose extractors run at once: the first parameter resolves for all.
    fn local(&self, markers: &[Ident]) -> TokenStream {
        let krate = &self.krate;
        let [c, cx, outputs] =
            ["__C", "cx", "outputs"].map(|name| Ident::new(name, Span::mixed_site()));
        let request = Lifetime::new("'__r", Span::mixed_site());
        let bounds: Vec<_> = self
            .dependencies()
            .map(|dependency| {
                let output = self.output(&dependency);
                quote!(#krate::__rt::ResolveLocal<#request, #c, #output>)
            })
            .collect();
        let paths = self.dependencies().map(|dependency| dependency.path(krate));
        let first = markers.first();
        let resolved =
            self.dependencies()
                .zip(&bounds)
                .enumerate()
                .map(|(number, (dependency, bound))| {
                    let path = dependency.path(krate);
                    let output = found(&quote! {
                        <#path as #bound>::resolve_local(
                            #cx,
                            <#krate::__rt::At<#first, #number>>::CURSOR,
                        )
                    });
                    match dependency {
                        Owned::Guard(_) => quote!(::core::mem::drop(#output)),
                        _ => output,
                    }
                });
        let numbers = 0..markers.len();
        quote! {
            #[automatically_derived]
            impl<#request, #c> #krate::__rt::LocalHandler<#request, #c> for #first
            where
                #c: #krate::__rt::LocalContext,
                #(#paths: #bounds,)*
            {
                fn resolve_all(
                    #cx: &mut #c,
                ) -> impl ::core::future::Future<Output = ::core::result::Result<#krate::__rt::Outputs, #c::Rejection>> {
                    async move {
                        let mut #outputs = #krate::__rt::Outputs::new();
                        #(#outputs.push(#resolved);)*
                        ::core::result::Result::Ok(#outputs)
                    }
                }
            }
            #(
                #[automatically_derived]
                impl #krate::__rt::LocalParameter for #markers {
                    type First = #first;
                    const NUMBER: ::core::primitive::usize = #numbers;
                }
            )*
        }
    }
}

/// What a parameter that the macro owns depends on.
enum Owned<'h> {
    Guard(&'h Requirement),
    Dependency(&'h Requirement, &'h Type),
    Scopes,
    Broken(&'h Type),
}

impl Owned<'_> {
    fn path(&self, krate: &Path) -> TokenStream {
        match self {
            Self::Guard(requirement) | Self::Dependency(requirement, _) => {
                requirement.path.to_token_stream()
            }
            Self::Scopes => quote!(#krate::__rt::OwnScopes),
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
        tokens.extend(checks::all(
            guards.chain([self.function.checks(&self.krate)]),
        ));
    }
}

/// The type that stands for a parameter in the plan of a handler of this name.
pub(crate) fn marker(name: &Ident, number: usize) -> Ident {
    format_ident!("__secured_{}_{number}", name.unraw(), span = name.span())
}

fn is_secured(attr: &Attribute) -> bool {
    attr.path()
        .segments
        .last()
        .is_some_and(|last| last.ident == NAME)
}
