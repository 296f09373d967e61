//! The function below `#[dependency]` or `#[secured]`.

mod outcome;
mod parameter;
mod signature;
pub(crate) mod types;

use darling::Error;
use darling::error::Accumulator;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, GenericParam, Path, ReturnType, Signature, Type, Visibility};

pub(crate) use self::outcome::Outcome;
use self::parameter::is_cfg;
pub(crate) use self::parameter::{Parameter, Source};
use self::signature::Item;
pub(crate) use self::signature::Written;
use crate::arguments::error_at;
use crate::emit::checks::{check, kind_of};
use crate::function::types::mentions;

/// The attribute that a function is below.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Host {
    Dependency,
    Secured,
}

impl Host {
    const fn name(self) -> &'static str {
        match self {
            Self::Dependency => "dependency",
            Self::Secured => "secured",
        }
    }
}

/// A function with its parameters apart.
pub(crate) struct Function {
    host: Host,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) signature: Signature,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Group,
}

/// Expands an attribute of a function with `expand`, or leaves the item as it is if it is not a function; then come the mistakes.
pub(crate) fn expand(
    host: Host,
    item: &TokenStream,
    expand: impl FnOnce(Function, &mut Accumulator) -> TokenStream,
) -> TokenStream {
    let mut errors = Error::accumulator();
    let function = errors.handle(Function::read(host, item));
    let expansion = match function {
        Some(mut function) => {
            for parameter in &mut function.parameters {
                parameter.read_source(host, &function.signature.ident, &mut errors);
            }
            expand(function, &mut errors)
        }
        None => item.clone(),
    };
    let errors = errors.finish().err().map(Error::write_errors);
    quote!(#expansion #errors)
}

impl Function {
    /// Reads a function; it is an error if the item is something else.
    fn read(host: Host, item: &TokenStream) -> darling::Result<Self> {
        let name_of_host = host.name();
        let Ok(Item {
            attrs,
            vis,
            signature,
            body,
        }) = syn::parse2(item.clone())
        else {
            let sentence = format!(
                "`#[{name_of_host}]` belongs on a function; write `async fn name(…) {{ … }}`"
            );
            return Err(error_at(item.span(), sentence));
        };
        let parameters = signature::parameters(&signature).map_err(|receiver| {
            let name = &signature.ident;
            let sentence = format!(
                "`#[{name_of_host}]` belongs on a free function; write `async fn {name}(…)` outside the `impl`, with the data of `self` as \
                 a parameter"
            );
            error_at(receiver.span(), sentence)
        })?;
        Ok(Self {
            host,
            parameters: parameters.into_iter().map(Parameter::new).collect(),
            attrs,
            vis,
            signature,
            body,
        })
    }

    /// The function as it was written, without the attributes of its parameters.
    pub(crate) fn original(&self) -> TokenStream {
        let parameters = self.parameters.iter();
        let parameters: Vec<_> = parameters
            .map(|parameter| parameter.written.clone())
            .collect();
        self.with(&self.attrs, &parameters, &self.body.to_token_stream())
    }

    /// The function with other attributes, parameters and body.
    pub(crate) fn with(
        &self,
        attrs: &[Attribute],
        parameters: &[Written],
        body: &TokenStream,
    ) -> TokenStream {
        let vis = &self.vis;
        let function = signature::function(&self.signature, parameters, body);
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

    /// The checks of the parameters: of the scopes that they require, and of the types of extractors.
    pub(crate) fn checks(&self, krate: &Path) -> TokenStream {
        let checks = self
            .parameters
            .iter()
            .map(|parameter| match &parameter.source {
                Source::Dependency(requirement) => requirement.scope_checks(krate),
                Source::Extractor if !parameter.written.attrs.iter().any(is_cfg) => {
                    self.extractor_check(krate, &parameter.written.ty)
                }
                Source::Extractor | Source::Scopes | Source::Broken => TokenStream::new(),
            });
        checks.collect()
    }

    /// The check that the type of an extractor is not one that a macro knows by name, under an alias; a dependency may not read the body
    /// either, which takes a closer look.
    fn extractor_check(&self, krate: &Path, ty: &Type) -> TokenStream {
        let (check_name, may_be_known) = match self.host {
            Host::Dependency => ("check_extractor", types::is_path(ty)),
            Host::Secured => ("check_handler_extractor", types::is_bare_path(ty)),
        };
        if !may_be_known || self.is_generic(ty) {
            return TokenStream::new();
        }
        let kind = kind_of(krate, "Parameter", ty);
        check(krate, check_name, &kind, ty.span())
    }

    /// An attribute that may leave out an extractor.
    pub(crate) fn cfg(&self) -> Option<&Attribute> {
        let extractors = self
            .parameters
            .iter()
            .filter(|parameter| matches!(parameter.source, Source::Extractor));
        extractors
            .flat_map(|parameter| &parameter.written.attrs)
            .find(|attr| is_cfg(attr))
    }

    /// Returns `true` if a type names a generic parameter of the function or is one, so that it means nothing outside the function.
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

    /// The return type.
    pub(crate) fn output(&self) -> Type {
        match &self.signature.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        }
    }
}

fn is_punct(token: &TokenTree, punct: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == punct)
}
