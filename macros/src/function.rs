//! The function below `#[dependency]`, `#[secured]` or `#[public]`.

mod argument;
mod outcome;
mod parameter;
mod signature;
mod stub;

use darling::error::Accumulator;
use darling::{Error, Result};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Attribute, GenericParam, Path, ReturnType, Signature, Type, Visibility, parse_quote};

pub(crate) use self::argument::Argument;
pub(crate) use self::outcome::Outcome;
pub(crate) use self::parameter::{Parameter, Source, is_cfg, is_security};
pub(crate) use self::signature::{Item, WrittenParameter};
use crate::attribute::error_at;
use crate::emit::checks::{check, kind_of};
use crate::types::{find, is_bare_path, is_path, mentions};

/// The attribute above a function.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Host {
    Dependency,
    Secured,
    Public,
}

impl Host {
    const fn name(self) -> &'static str {
        match self {
            Self::Dependency => "dependency",
            Self::Secured => "secured",
            Self::Public => "public",
        }
    }

    /// Returns the error message about a function in an `impl`. The code that calls a tool or an
    /// `#[oai]` method is generated in the `impl`, so no free function exists there to secure.
    fn misplaced(self, function: &Ident, takes_self: bool) -> String {
        let name = self.name();
        let rule = match takes_self {
            true => format!("`#[{name}]` belongs on a free function"),
            false => {
                format!("this function is in an `impl`, and `#[{name}]` belongs on a free one")
            }
        };
        let instead = if takes_self { ", with a parameter instead of `self`" } else { "" };
        let sentence =
            format!("{rule}; write `async fn {function}(…)` outside the `impl`{instead}");
        let of_entry_point = match self {
            Self::Secured => {
                "it above the `impl`, and an `#[oai]` method takes the value of a `#[dependency(extract)]`"
            }
            Self::Public => "`#[secured]` above the `impl`",
            Self::Dependency => return sentence,
        };
        format!(
            "{sentence}; for a tool, a prompt, a resource or a call of gRPC, write {of_entry_point}"
        )
    }
}

/// A function and its parameters.
pub(crate) struct Function {
    pub(crate) host: Host,
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) signature: Signature,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Group,
    /// The names that have a meaning only in the `impl` around a method.
    names_of_block: Vec<Ident>,
}

/// Expands an attribute of a function with `expand`, followed by the mistakes. An item that is not
/// a function stays as it is.
pub(crate) fn expand(
    host: Host,
    item: &TokenStream,
    expand: impl FnOnce(Function, &mut Accumulator) -> TokenStream,
) -> TokenStream {
    let mut errors = Error::accumulator();
    let function = errors.handle(Function::read(host, item));
    let expansion = match function {
        Some(mut function) => {
            function.read_sources(&mut errors);
            expand(function, &mut errors)
        }
        None => stub::without_sources(item.clone()),
    };
    let errors = errors.finish().err().map(Error::write_errors);
    quote!(#expansion #errors)
}

impl Function {
    /// Reads a function, or returns an error if the item is something else.
    fn read(host: Host, item: &TokenStream) -> Result<Self> {
        let name_of_host = host.name();
        let Ok(Item { attrs, vis, signature, body }) = syn::parse2(item.clone()) else {
            let sentence = format!(
                "`#[{name_of_host}]` belongs on a function; write `async fn name(…) {{ … }}`"
            );
            return Err(error_at(item.span(), sentence));
        };
        let parameters = signature::parameters(&signature).map_err(|receiver| {
            error_at(receiver.span(), host.misplaced(&signature.ident, true))
        })?;
        // Only the compiler knows where a function is, but a free one has no `Self`.
        if let Some(name) = find(signature.to_token_stream(), &format_ident!("Self")) {
            return Err(error_at(name.span(), host.misplaced(&signature.ident, false)));
        }
        Ok(Self {
            host,
            parameters: parameters.into_iter().map(Parameter::new).collect(),
            attrs,
            vis,
            signature,
            body,
            names_of_block: Vec::new(),
        })
    }

    /// Reads a method of a block with `#[secured]`. Its receiver is no parameter.
    pub(crate) fn of_method(
        Item { attrs, vis, signature, body }: Item,
        names_of_block: Vec<Ident>,
        errors: &mut Accumulator,
    ) -> Self {
        let parameters = signature::without_receiver(&signature);
        let parameters = parameters.map(Parameter::new).collect();
        let host = Host::Secured;
        let mut method = Self { host, parameters, attrs, vis, signature, body, names_of_block };
        method.read_sources(errors);
        method
    }

    /// Reads the sources of the parameters.
    fn read_sources(&mut self, errors: &mut Accumulator) {
        for parameter in &mut self.parameters {
            parameter.read_source(self.host, &self.signature.ident, errors);
        }
        let names = self.parameter_names();
        for parameter in &mut self.parameters {
            if let Source::Dependency(requirement) = &mut parameter.source {
                requirement.refuse_parameters(&Vec::from_iter(&names), errors);
            }
        }
    }

    /// Returns the function as written, without the `#[security]` attributes of its parameters.
    pub(crate) fn original(&self) -> TokenStream {
        self.with_body(&self.body.to_token_stream())
    }

    /// Like [`original`](Self::original), with statements added at the start of its body.
    pub(crate) fn beginning_with(&self, statements: &TokenStream) -> TokenStream {
        self.with_body(&self.body_after(statements))
    }

    fn with_body(&self, body: &TokenStream) -> TokenStream {
        let parameters: Vec<_> =
            self.parameters.iter().map(|parameter| parameter.written.clone()).collect();
        self.with(&self.attrs, &parameters, body)
    }

    /// Returns the function with other attributes, parameters and body.
    pub(crate) fn with(
        &self,
        attrs: &[Attribute],
        parameters: &[WrittenParameter],
        body: &TokenStream,
    ) -> TokenStream {
        let vis = &self.vis;
        let function = signature::function(&self.signature, parameters, body);
        quote!(#(#attrs)* #vis #function)
    }

    /// Returns the body with statements added at its start, after its inner attributes.
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

    /// Returns the names of the parameters.
    pub(crate) fn parameter_names(&self) -> Vec<Ident> {
        let parameters = self.parameters.iter();
        parameters.filter_map(|parameter| parameter.written.name().cloned()).collect()
    }

    /// Returns the checks of the parameters: what they require, and the types of extractors.
    pub(crate) fn checks(&self, krate: &Path) -> TokenStream {
        let checks = self.parameters.iter().map(|parameter| match &parameter.source {
            Source::Dependency(requirement) => requirement.checks(krate),
            Source::Extractor if !parameter.written.attrs.iter().any(is_cfg) => {
                self.extractor_check(krate, &parameter.written.ty)
            }
            Source::Extractor
            | Source::Scopes
            | Source::Live
            | Source::Argument(_)
            | Source::Broken => TokenStream::new(),
        });
        checks.collect()
    }

    /// Returns the check that the type of an extractor is not an alias of a type that the macros
    /// know by name. A dependency must not read the body either, so its check includes types with
    /// generic arguments.
    fn extractor_check(&self, krate: &Path, ty: &Type) -> TokenStream {
        let (check_name, may_be_known) = match self.host {
            Host::Dependency => ("check_extractor", is_path(ty)),
            Host::Secured | Host::Public => ("check_handler_extractor", is_bare_path(ty)),
        };
        if !may_be_known || self.is_generic(ty) {
            return TokenStream::new();
        }
        let kind = kind_of(krate, "Parameter", ty);
        check(krate, check_name, &kind, ty.span())
    }

    /// Returns the first `#[cfg]` or `#[cfg_attr]` on an extractor, which may remove it.
    pub(crate) fn cfg(&self) -> Option<&Attribute> {
        let extractors = self
            .parameters
            .iter()
            .filter(|parameter| matches!(parameter.source, Source::Extractor));
        extractors.flat_map(|parameter| &parameter.written.attrs).find(|attr| is_cfg(attr))
    }

    /// Returns `true` if a type contains a generic parameter of the function or of its block, or is
    /// an `impl Trait`. Such a type has no meaning outside the function.
    pub(crate) fn is_generic(&self, ty: &Type) -> bool {
        let names = self.signature.generics.params.iter().map(|parameter| match parameter {
            GenericParam::Lifetime(parameter) => &parameter.lifetime.ident,
            GenericParam::Type(parameter) => &parameter.ident,
            GenericParam::Const(parameter) => &parameter.ident,
        });
        let is_impl = matches!(ty, Type::ImplTrait(_));
        is_impl || names.chain(&self.names_of_block).any(|name| mentions(ty, name))
    }

    /// Returns the return type.
    pub(crate) fn output(&self) -> Type {
        match &self.signature.output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        }
    }
}

fn is_punct(token: &TokenTree, punct: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == punct)
}
