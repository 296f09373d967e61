//! The function that `#[dependency]` and `#[secured]` stand on, and where its parameters come from.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Error, GenericParam, Meta, Path, ReturnType, Type, Visibility};

use crate::checks::{check, whether};
use crate::errors::Errors;
use crate::requirement::Requirement;
use crate::signature::{Argument, Input, Item, Signature};
use crate::types::{is_bare_path, is_named, mentions};

/// A function with its parameters apart.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) signature: Signature,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Group,
}

/// A parameter, without its `#[security]` attribute.
pub(crate) struct Parameter {
    pub(crate) argument: Argument,
    pub(crate) source: Source,
}

/// Where a parameter comes from.
pub(crate) enum Source {
    /// A scheme or another dependency.
    Dependency(Requirement),
    /// The scopes of the chain.
    Scopes,
    /// An extractor of the framework.
    Extractor,
    /// What a mistake keeps from being known.
    Broken,
}

/// Expands an attribute of a function: what `expand` makes of it, or the item as it is where it is no function, then every
/// mistake.
pub(crate) fn expand(
    attribute: &str,
    item: &TokenStream,
    expand: impl FnOnce(Function, &mut Errors) -> TokenStream,
) -> TokenStream {
    let mut errors = Errors::default();
    let function = Function::take(attribute, item, &mut errors);
    let expansion = function.map_or_else(|| item.clone(), |function| expand(function, &mut errors));
    quote!(#expansion #errors)
}

impl Function {
    /// Reads the function that `attribute` stands on; there is none where the item is something else.
    fn take(attribute: &str, item: &TokenStream, errors: &mut Errors) -> Option<Self> {
        let Ok(Item {
            attrs,
            vis,
            signature,
            inputs,
            body,
        }) = syn::parse2(item.clone())
        else {
            let sentence =
                format!("`#[{attribute}]` belongs on a function; write `async fn name(…) {{ … }}`");
            errors.push(item, sentence);
            return None;
        };
        let mut parameters = Vec::new();
        for input in inputs {
            match input {
                Input::Argument(argument) => parameters.push(Parameter::take(*argument, errors)),
                Input::Receiver(receiver) => {
                    let name = &signature.ident;
                    let sentence = format!(
                        "`#[{attribute}]` belongs on a free function; write `async fn {name}(…)` outside the `impl`, and \
                         take what `self` holds as a parameter"
                    );
                    errors.push(&receiver, sentence);
                    return None;
                }
            }
        }
        Some(Self {
            attrs,
            vis,
            signature,
            parameters,
            body,
        })
    }

    /// The function as it was written, without the attributes of its parameters.
    pub(crate) fn original(&self) -> TokenStream {
        let arguments = self.parameters.iter();
        let arguments: Vec<_> = arguments
            .map(|parameter| parameter.argument.clone())
            .collect();
        self.with(&arguments, &self.body.to_token_stream())
    }

    /// The function with other parameters and another body.
    pub(crate) fn with(&self, arguments: &[Argument], body: &TokenStream) -> TokenStream {
        let Self { attrs, vis, .. } = self;
        let function = self.signature.function(arguments, body);
        quote!(#(#attrs)* #vis #function)
    }

    /// The body with statements before it, but after its own inner attributes.
    pub(crate) fn body_after(&self, statements: &TokenStream) -> TokenStream {
        let mut attrs = TokenStream::new();
        let mut body = self.body.stream().into_iter().peekable();
        while let Some(hash) = body.next_if(|token| is_punct(token, '#')) {
            let Some(bang) = body.next_if(|token| is_punct(token, '!')) else {
                return quote!({ #attrs #statements #hash #(#body)* });
            };
            attrs.extend([Some(hash), Some(bang), body.next()].into_iter().flatten());
        }
        quote!({ #attrs #statements #(#body)* })
    }

    /// The checks of the parameters: the scopes that they require, and that no extractor is `SecurityScopes` by another name.
    pub(crate) fn checks(&self, krate: &Path) -> TokenStream {
        let checks = self
            .parameters
            .iter()
            .map(|parameter| match &parameter.source {
                Source::Dependency(requirement) => requirement.scope_checks(krate),
                Source::Extractor if !parameter.argument.attrs.iter().any(is_cfg) => {
                    self.check_extractor(krate, &parameter.argument.ty)
                }
                Source::Extractor | Source::Scopes | Source::Broken => TokenStream::new(),
            });
        checks.collect()
    }

    /// An attribute by which an extractor may be left out.
    pub(crate) fn cfg(&self) -> Option<&Attribute> {
        let extractors = self
            .parameters
            .iter()
            .filter(|parameter| matches!(parameter.source, Source::Extractor));
        extractors
            .flat_map(|parameter| &parameter.argument.attrs)
            .find(|attr| is_cfg(attr))
    }

    /// Tells whether a type names a parameter of the function, or is one, which no item beside the function knows.
    pub(crate) fn is_generic(&self, ty: &Type) -> bool {
        let names = self
            .signature
            .generics
            .params
            .iter()
            .map(|parameter| match parameter {
                GenericParam::Lifetime(parameter) => &parameter.lifetime.ident,
                GenericParam::Type(parameter) => &parameter.ident,
                GenericParam::Const(parameter) => &parameter.ident,
            });
        let is_impl = matches!(ty, Type::ImplTrait(_));
        is_impl || names.into_iter().any(|name| mentions(ty, name))
    }

    fn check_extractor(&self, krate: &Path, ty: &Type) -> TokenStream {
        // An alias of `SecurityScopes` is a path without arguments.
        if !is_bare_path(ty) || self.is_generic(ty) {
            return TokenStream::new();
        }
        let is_scopes = whether(krate, "IsScopes", "IsNotScopes", ty);
        check(krate, "check_extractor", &is_scopes, ty.span())
    }

    /// The type that it returns.
    pub(crate) fn output(&self) -> Type {
        match &self.signature.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        }
    }
}

impl Parameter {
    fn take(mut argument: Argument, errors: &mut Errors) -> Self {
        let (security, attrs) = std::mem::take(&mut argument.attrs)
            .into_iter()
            .partition::<Vec<_>, _>(|attr| attr.path().is_ident("security"));
        argument.attrs = attrs;
        let mut requirements = security
            .iter()
            .filter_map(|attr| errors.handle(requirement(attr)));
        let requirement = requirements.next();
        let _ = requirements.count();
        if let Some(again) = security.get(1) {
            let sentence =
                "a parameter comes from one dependency; give the other one a parameter of its own";
            errors.push(again.path(), sentence);
        }
        if !security.is_empty() && !argument.is_named() {
            let sentence = "`#[security]` belongs on a parameter with a name; write `user: User`, and take it apart in the body";
            errors.push(&argument.pattern, sentence);
        }
        let source = match requirement {
            Some(requirement) => Source::Dependency(requirement),
            None if !security.is_empty() => Source::Broken,
            None if is_named(&argument.ty, "SecurityScopes") => Source::Scopes,
            None => Source::Extractor,
        };
        if let Some(cfg) = argument.attrs.iter().find(|attr| is_cfg(attr))
            && !matches!(source, Source::Extractor)
        {
            let sentence = "a parameter that may be left out would change the plan; put `#[cfg]` on the whole function";
            errors.push(cfg, sentence);
        }
        Self { argument, source }
    }
}

fn requirement(attr: &Attribute) -> syn::Result<Requirement> {
    match &attr.meta {
        Meta::List(list) => Ok(syn::parse2(list.tokens.clone()).map_err(|error| {
            // The end of an empty list has no place of its own.
            if list.tokens.is_empty() {
                Error::new(list.span(), error)
            } else {
                error
            }
        })?),
        meta => {
            let sentence = "name a scheme or a dependency; write `#[security(OAuth2)]`";
            Err(Error::new(meta.span(), sentence))
        }
    }
}

fn is_punct(token: &TokenTree, punct: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == punct)
}

fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")
}
