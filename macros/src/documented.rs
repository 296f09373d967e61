//! `#[utoipa::path(…)]` below `#[secured]`: what the handler requires goes into the operation as an extension, since utoipa's own
//! `security` takes literals alone.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Meta, parse_quote};

/// Puts an extension into each `#[utoipa::path(…)]`, also into one that a `cfg_attr` holds; tells whether there is one.
pub(crate) fn document(attrs: &mut [Attribute], extension: &TokenStream) -> bool {
    let mut is_documented = false;
    for attr in attrs {
        let is_path = attr
            .path()
            .segments
            .last()
            .is_some_and(|last| last.ident == "path");
        let is_cfg_attr = attr.path().is_ident("cfg_attr");
        // utoipa takes the rest from a framework's attribute where it stands without a list.
        if is_path && let Meta::Path(path) = &attr.meta {
            attr.meta = parse_quote!(#path());
        }
        if let Meta::List(list) = &mut attr.meta {
            if is_path {
                list.tokens = with_extension(list.tokens.clone(), extension);
                is_documented = true;
            } else if is_cfg_attr {
                list.tokens = within(list.tokens.clone(), extension, &mut is_documented);
            }
        }
    }
    is_documented
}

/// Puts the extension into each `path(…)` among the attributes of a `cfg_attr`.
fn within(tokens: TokenStream, extension: &TokenStream, is_documented: &mut bool) -> TokenStream {
    let mut after_path = false;
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if after_path && group.delimiter() == Delimiter::Parenthesis => {
            (after_path, *is_documented) = (false, true);
            regrouped(&group, with_extension(group.stream(), extension))
        }
        token => {
            after_path = matches!(&token, TokenTree::Ident(ident) if ident == "path");
            token
        }
    });
    tokens.collect()
}

/// Adds the extension to those that are written, or a list of it alone: utoipa keeps the last list only.
fn with_extension(tokens: TokenStream, extension: &TokenStream) -> TokenStream {
    let mut is_added = false;
    let mut after_extensions = false;
    let mut written: TokenStream = tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) if after_extensions => {
                (after_extensions, is_added) = (false, true);
                let others = group.stream();
                regrouped(&group, quote!(#extension, #others))
            }
            token => {
                after_extensions =
                    matches!(&token, TokenTree::Ident(ident) if ident == "extensions");
                token
            }
        })
        .collect();
    if !is_added {
        let comma = match written.clone().into_iter().last() {
            Some(TokenTree::Punct(punct)) if punct.as_char() == ',' => None,
            Some(_) => Some(quote!(,)),
            None => None,
        };
        written.extend(quote!(#comma extensions(#extension)));
    }
    written
}

fn regrouped(group: &Group, tokens: TokenStream) -> TokenTree {
    let mut regrouped = Group::new(group.delimiter(), tokens);
    regrouped.set_span(group.span());
    TokenTree::Group(regrouped)
}
