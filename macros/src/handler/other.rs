//! A second attribute that says who may call a handler.

use darling::error::Accumulator;
use proc_macro2::Span;
use syn::Attribute;
use syn::spanned::Spanned;

use super::marker::{Writer, writer};
use crate::attribute::error_at;
use crate::function::{Function, Host};

/// Removes each attribute from a handler that says something else of it than the one above, and
/// reports it. Returns `false` if there is one above, which has written the handler already.
pub(crate) fn take_others(function: &mut Function, errors: &mut Accumulator) -> bool {
    if let Some(writer) = writer(&function.parameters) {
        errors.push(error_at(Span::call_site(), above(writer, function.host)));
        return false;
    }
    let host = function.host;
    let others = function.attrs.extract_if(.., |attr| match host {
        Host::Public => is_ours(attr, "secured") || is_ours(attr, "public"),
        _ => is_ours(attr, "public"),
    });
    for attr in others {
        let sentence = match is_ours(&attr, "public") && host == Host::Public {
            true => "a handler is public once; remove one of the two attributes",
            false => "a handler is either secured or public; remove one of the two attributes",
        };
        errors.push(error_at(attr.path().span(), sentence));
    }
    true
}

/// Returns the error about an attribute above this one that is not known by its name.
const fn above(writer: Writer, host: Host) -> &'static str {
    match (writer, host) {
        (Writer::Public, _) => {
            "a `#[public]` under another name is above this one; a handler is either secured or public, so remove one of them"
        }
        (Writer::Secured, Host::Public) => {
            "a `#[secured]` under another name is above this one; a handler is either secured or public, so remove one of them"
        }
        (Writer::Secured, _) => {
            "a `#[secured]` under another name is above this one; write both with the same path, so that they are read together"
        }
    }
}

/// Returns `true` if an attribute is this one of doorward.
pub(crate) fn is_ours(attr: &Attribute, name: &str) -> bool {
    let mut segments = attr.path().segments.iter().rev();
    segments.next().is_some_and(|last| last.ident == name)
        && segments.next().is_none_or(|krate| krate.ident == "doorward")
}
