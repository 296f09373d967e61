//! The methods of a block that a client calls.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Meta, Token, Type, TypeParamBound};

use super::{Block, list_of};
use crate::function::{Item, WrittenParameter};
use crate::types::{is_named, last_segment};

/// The methods of `ServerHandler` that say what the server has, and do nothing. Any other method
/// with the context of a request is an entry point, so that one of a later version of rmcp is not
/// open without a word. So do those whose names begin with `list_`.
const OPEN: [&str; 3] = ["initialize", "discover", "ping"];

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Tool,
    Prompt,
    Resource,
    /// A method of a service of gRPC.
    Call,
}

impl Kind {
    /// Returns the word in the table of routes.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Tool => "TOOL",
            Self::Prompt => "PROMPT",
            Self::Resource => "RESOURCE",
            Self::Call => "RPC",
        }
    }

    /// Returns the attribute of rmcp that makes a method such an entry point.
    pub(super) fn is_made_by(self, attr: &Attribute) -> bool {
        let name = match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource | Self::Call => return false,
        };
        attr.path().segments.last().is_some_and(|last| last.ident == name)
    }
}

/// A method that a client calls.
pub(super) struct Entry {
    pub(super) kind: Kind,
    /// The name by which a client calls it.
    pub(super) name: String,
    /// `true` for a method of a trait, which fixes its signature.
    pub(super) is_of_trait: bool,
}

impl Entry {
    /// Returns `None` for a method that only others in the program call.
    pub(super) fn of(method: &Item, block: &Block) -> Option<Self> {
        let name = method.signature.ident.to_string();
        if block.service.is_some() {
            return Some(Self { kind: Kind::Call, name: method_name(&name), is_of_trait: true });
        }
        for kind in [Kind::Tool, Kind::Prompt] {
            if let Some(attr) = method.attrs.iter().find(|attr| kind.is_made_by(attr)) {
                let written =
                    argument(attr, "name").and_then(|text| syn::parse2::<LitStr>(text).ok());
                let name = written.map_or(name, |text| text.value());
                return Some(Self { kind, name, is_of_trait: false });
            }
        }
        (block.is_server_handler && is_called(method, &name)).then(|| {
            let kind = match &*name {
                _ if name.contains("tool") || name.contains("task") => Kind::Tool,
                _ if name.contains("prompt") => Kind::Prompt,
                _ => Kind::Resource,
            };
            Self { kind, name, is_of_trait: true }
        })
    }

    /// Returns `true` if a parameter has the head of the request.
    pub(super) fn is_request(&self, parameter: &WrittenParameter) -> bool {
        let name = if self.kind == Kind::Call { "Request" } else { "RequestContext" };
        is_named(&parameter.ty, name)
    }

    /// Returns the error message about a method that does not say who may call it.
    pub(super) fn undecided(&self) -> String {
        let noun = match self.kind {
            _ if self.is_of_trait => "method",
            Kind::Tool => "tool",
            Kind::Prompt => "prompt",
            Kind::Resource | Kind::Call => "method",
        };
        let generated = match &*self.name {
            "call_tool" if self.kind == Kind::Tool && self.is_of_trait => {
                "; if you have not written it, write `#[secured]` above `#[tool_handler]`"
            }
            "get_prompt" if self.kind == Kind::Prompt && self.is_of_trait => {
                "; if you have not written it, write `#[secured]` above `#[prompt_handler]`"
            }
            _ => "",
        };
        format!(
            "this {noun} is neither secured nor public; write `#[security(current_user)]` or `#[public(reason = \"…\")]` above it, or a \
             guard for all of the block: `#[secured(…)]` with a scheme or a dependency{generated}"
        )
    }
}

/// Returns the name of a method in its service, from that of its function: `GetNote` for `get_note`.
fn method_name(function: &str) -> String {
    let words = function.trim_start_matches("r#").split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
    });
    words.flatten().collect()
}

/// Returns `true` if a method of `ServerHandler` answers a request. Its context may be behind an
/// alias.
fn is_called(method: &Item, name: &str) -> bool {
    let has = |names: &[&str]| {
        let parameters = method.signature.inputs.iter();
        parameters.filter_map(type_of).any(|ty| names.iter().any(|name| is_named(ty, name)))
    };
    let is_open = OPEN.contains(&name) || name.starts_with("list_");
    let waits = method.signature.asyncness.is_some() || returns_future(method);
    let notified = has(&["NotificationContext", "SubscriptionContext"]);
    !is_open && (is_context_named(method) || waits && !notified)
}

fn is_context_named(method: &Item) -> bool {
    method.signature.inputs.iter().filter_map(type_of).any(|ty| is_named(ty, "RequestContext"))
}

fn type_of(input: &syn::FnArg) -> Option<&Type> {
    match input {
        syn::FnArg::Typed(parameter) => Some(&parameter.ty),
        syn::FnArg::Receiver(_) => None,
    }
}

/// Returns `true` if a method that is not `async` returns a future.
pub(super) fn returns_future(method: &Item) -> bool {
    let syn::ReturnType::Type(_, ty) = &method.signature.output else { return false };
    let is_future = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| last.ident == "Future")
        }
        _ => false,
    };
    method.signature.asyncness.is_none()
        && match &**ty {
            Type::ImplTrait(ty) => ty.bounds.iter().any(is_future),
            ty => last_segment(ty).is_some_and(|last| {
                ["Pin", "BoxFuture", "LocalBoxFuture"].iter().any(|name| last == name)
            }),
        }
}

/// Returns the value of an argument `name = value` of an attribute of rmcp.
pub(super) fn argument(attr: &Attribute, name: &str) -> Option<TokenStream> {
    let arguments = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list_of(attr)).ok()?;
    arguments.into_iter().find_map(|argument| match argument {
        Meta::NameValue(pair) if pair.path.is_ident(name) => Some(pair.value.into_token_stream()),
        _ => None,
    })
}
