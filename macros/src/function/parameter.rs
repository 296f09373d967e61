//! A parameter of a function, and the source of its value.

use darling::error::Accumulator;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Type};

use super::Host;
use super::argument::{Argument, is_argument};
use super::signature::WrittenParameter;
use crate::attribute::error_at;
use crate::requirement::{Required, Requirement, Site};
use crate::types::{in_option, is_named};

/// A parameter, without its `#[security]` attribute.
pub(crate) struct Parameter {
    pub(crate) written: WrittenParameter,
    pub(crate) source: Source,
}

/// The source of a parameter's value.
pub(crate) enum Source {
    /// A scheme or another dependency.
    Dependency(Requirement),
    /// A constant that is written where the dependency is named.
    Argument(Argument),
    /// The scopes that the chain requires.
    Scopes,
    /// What the handler requires, to be asked again.
    Live,
    /// An extractor of the framework.
    Extractor,
    /// Unknown because of a mistake.
    Broken,
}

impl Parameter {
    pub(super) fn new(written: WrittenParameter) -> Self {
        Self { written, source: Source::Extractor }
    }

    /// Returns `true` if the parameter takes a token together with its request.
    pub(crate) fn is_presented(&self) -> bool {
        is_named(&self.written.ty, "Presented")
    }

    /// Removes the `#[security]` attributes and reads the source of the value.
    pub(super) fn read_source(&mut self, host: Host, function: &Ident, errors: &mut Accumulator) {
        let attrs = core::mem::take(&mut self.written.attrs).into_iter();
        let (security, attrs) = attrs.partition::<Vec<_>, _>(is_security);
        let (argument, attrs) = attrs.into_iter().partition::<Vec<_>, _>(is_argument);
        self.written.attrs = attrs;
        let read = security.iter().map(|attr| requirement(attr, errors));
        let requirement = read.collect::<Vec<_>>().into_iter().flatten().next();
        if let Some(again) = security.get(1) {
            let sentence = "a parameter takes its value from one dependency; add another parameter for the second one";
            errors.push(error_at(again.path().span(), sentence));
        }
        if !security.is_empty() && !self.written.is_name() {
            let sentence = "`#[security]` belongs on a parameter with a name; write `user: User`, and destructure it in the body";
            errors.push(error_at(self.written.pattern.span(), sentence));
        }
        self.source = match requirement {
            Some(requirement)
                if host == Host::Dependency && requirement.path.is_ident(function) =>
            {
                let sentence = "a dependency cannot depend on itself; name another one";
                errors.push(error_at(requirement.path.span(), sentence));
                Source::Broken
            }
            Some(requirement) => Source::Dependency(requirement),
            None if !security.is_empty() => Source::Broken,
            None if !argument.is_empty() => match argument.first() {
                Some(attr) if host == Host::Dependency => {
                    Source::Argument(Argument::read(attr, errors))
                }
                _ => Source::Broken,
            },
            None if is_named(&self.written.ty, "SecurityScopes") => Source::Scopes,
            None if is_live(&self.written.ty) => match host {
                Host::Secured => Source::Live,
                Host::Dependency | Host::Public => {
                    let sentence = "`Live` asks again what a handler requires, so it belongs on a parameter of a handler with `#[secured]`";
                    errors.push(error_at(self.written.ty.span(), sentence));
                    Source::Broken
                }
            },
            None => match self.mistake(host) {
                Some(sentence) => {
                    errors.push(error_at(self.written.ty.span(), sentence));
                    Source::Broken
                }
                None => Source::Extractor,
            },
        };
        let has_value = !security.is_empty();
        for (number, attr) in argument.iter().enumerate() {
            if let Some(sentence) = self.argument_mistake(host, attr, number > 0, has_value) {
                errors.push(error_at(attr.span(), sentence));
            }
        }
        if let Some(cfg) = self.written.attrs.iter().find(|attr| is_cfg(attr))
            && !matches!(self.source, Source::Extractor)
        {
            let sentence =
                "a `#[cfg]` on this parameter would change the plan; put it on the whole function";
            errors.push(error_at(cfg.span(), sentence));
        }
    }

    /// Returns the error message about an `#[argument]`.
    fn argument_mistake(
        &self,
        host: Host,
        attr: &Attribute,
        is_again: bool,
        has_value: bool,
    ) -> Option<&'static str> {
        Some(match attr.meta {
            _ if host != Host::Dependency => {
                "`#[argument]` belongs on a parameter of a `#[dependency]`, which a handler names with a value: \
                 `#[secured(role(Role::Admin))]`"
            }
            _ if has_value => {
                "a parameter takes its value from a dependency or is an argument; remove one of the two attributes"
            }
            _ if is_again => "`#[argument]` is written twice; remove one",
            _ => return None,
        })
    }

    /// Returns the error message about a type that cannot be an extractor here.
    fn mistake(&self, host: Host) -> Option<String> {
        let ty = &self.written.ty;
        let credential = in_option(ty).unwrap_or(ty);
        let name = match self.written.name() {
            Some(name) => name.to_string(),
            None => "token".to_owned(),
        };
        if let Some((_, rule, scheme)) =
            CREDENTIALS.iter().find(|(known, ..)| is_ours(credential, known))
        {
            let ty = ty.to_token_stream().to_string().replace(' ', "");
            Some(format!("{rule}: `#[security({scheme})] {name}: {ty}`"))
        } else if matches!(ty, Type::Reference(reference) if is_named(&reference.elem, "SecurityScopes"))
        {
            Some(format!("`SecurityScopes` is `Copy`; take it by value: `{name}: SecurityScopes`"))
        } else if host == Host::Dependency && is_named(credential, "Json") {
            Some("a dependency cannot read the body, which is for the handler; take `Json` in the handler".to_owned())
        } else {
            None
        }
    }
}

/// The credentials of schemes: the type, what is wrong without `#[security]`, and a scheme.
const CREDENTIALS: [(&str, &str, &str); 5] = [
    ("BearerToken", "a credential comes from a scheme; name it", "OAuth2"),
    ("AuthorizationValue", "a credential comes from a scheme; name it", "OAuth2"),
    ("ApiKey", "an API key comes from a scheme; name the struct with `#[api_key(…)]`", "Key"),
    (
        "BasicCredentials",
        "a user name and password come from a scheme; name the struct with `#[http_basic]`",
        "Login",
    ),
    (
        "HttpCredentials",
        "these credentials come from a scheme; name the struct with `#[http(…)]` or `#[http_digest]`",
        "Digest",
    ),
];

/// Returns `true` if a type's path shows it to be this type of the runtime crate.
fn is_ours(ty: &Type, name: &str) -> bool {
    is_in(ty, name, &["doorward"])
}

/// Returns `true` if a type's path shows it to be `Live`, of the runtime crate or for actix-web.
fn is_live(ty: &Type) -> bool {
    is_in(ty, "Live", &["doorward", "live", "actix_web4"])
}

/// Returns `true` if a type's path is this name, or ends with it in one of these modules.
fn is_in(ty: &Type, name: &str, modules: &[&str]) -> bool {
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            let mut segments = path.path.segments.iter().rev();
            segments.next().is_some_and(|last| last.ident == name)
                && segments.next().is_none_or(|of| modules.iter().any(|module| of.ident == module))
        }
        Type::Group(group) => is_in(&group.elem, name, modules),
        Type::Paren(paren) => is_in(&paren.elem, name, modules),
        _ => false,
    }
}

pub(crate) fn is_security(attr: &Attribute) -> bool {
    let mut segments = attr.path().segments.iter().rev();
    segments.next().is_some_and(|last| last.ident == "security")
        && segments.next().is_none_or(|krate| krate.ident == "doorward")
}

pub(crate) fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")
}

fn requirement(attr: &Attribute, errors: &mut Accumulator) -> Option<Requirement> {
    let list = match &attr.meta {
        Meta::List(list) if !list.tokens.is_empty() => list.tokens.clone(),
        meta => {
            let sentence = "name a scheme or a dependency; write `#[security(OAuth2)]`";
            errors.push(error_at(meta.span(), sentence));
            return None;
        }
    };
    Required::read(list, Site::Parameter, errors).requirement
}
