//! What can be told of a type from its tokens.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{GenericArgument, Lifetime, PathArguments, Type};

/// Tells whether the last segment of a path is this name.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|ident| ident == name)
}

/// Tells whether a type is a path without arguments.
pub(crate) fn is_bare_path(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => {
            let mut segments = path.path.segments.iter();
            path.qself.is_none() && segments.all(|segment| segment.arguments.is_none())
        }
        Type::Group(group) => is_bare_path(&group.elem),
        Type::Paren(paren) => is_bare_path(&paren.elem),
        _ => false,
    }
}

/// Returns the last segment of a path.
pub(crate) fn last_segment(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| &segment.ident),
        Type::Group(group) => last_segment(&group.elem),
        Type::Paren(paren) => last_segment(&paren.elem),
        _ => None,
    }
}

/// Returns where a type has a lifetime without a name, outside signatures of functions.
pub(crate) fn elided_lifetime(ty: &Type) -> Option<Span> {
    let is_elided = |lifetime: &Lifetime| lifetime.ident == "_";
    match ty {
        Type::Reference(reference) if reference.lifetime.as_ref().is_none_or(is_elided) => {
            Some(reference.span())
        }
        Type::Reference(reference) => elided_lifetime(&reference.elem),
        Type::Group(group) => elided_lifetime(&group.elem),
        Type::Paren(paren) => elided_lifetime(&paren.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(elided_lifetime),
        Type::Path(path) => match &path.path.segments.last()?.arguments {
            PathArguments::AngleBracketed(list) => {
                list.args.iter().find_map(|argument| match argument {
                    GenericArgument::Type(ty) => elided_lifetime(ty),
                    GenericArgument::Lifetime(lifetime) if is_elided(lifetime) => {
                        Some(lifetime.span())
                    }
                    _ => None,
                })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Tells whether a type says all of itself wherever it stands: it has no lifetime, and no place where one could be left out.
pub(crate) fn is_plain(ty: &Type) -> bool {
    fn are_plain(tokens: TokenStream) -> bool {
        tokens.into_iter().all(|token| match token {
            TokenTree::Group(group) => {
                group.delimiter() != Delimiter::Parenthesis && are_plain(group.stream())
            }
            TokenTree::Punct(punct) => !matches!(punct.as_char(), '&' | '\''),
            TokenTree::Ident(ident) => ident != "impl",
            TokenTree::Literal(_) => true,
        })
    }
    are_plain(ty.to_token_stream())
}

/// Tells whether a name stands in a type.
pub(crate) fn mentions(ty: &Type, name: &Ident) -> bool {
    fn in_tokens(tokens: TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => in_tokens(group.stream(), name),
            TokenTree::Ident(ident) => ident == *name,
            _ => false,
        })
    }
    in_tokens(ty.to_token_stream(), name)
}

/// Returns a type with a name for every lifetime that it leaves out, since a `where` clause has to name them.
pub(crate) fn with_lifetime(ty: &Type, lifetime: &Lifetime) -> TokenStream {
    name_lifetimes(ty.to_token_stream(), lifetime)
}

fn name_lifetimes(tokens: TokenStream, lifetime: &Lifetime) -> TokenStream {
    let mut named = TokenStream::new();
    // Behind an operand, as in the length of an array, `&` is an operator.
    let mut is_after_operand = false;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_operand = match &token {
            TokenTree::Group(_) | TokenTree::Literal(_) => true,
            TokenTree::Ident(ident) => !["mut", "const", "dyn"]
                .iter()
                .any(|keyword| ident == keyword),
            TokenTree::Punct(_) => false,
        };
        match token {
            TokenTree::Group(group) => {
                let mut inner =
                    Group::new(group.delimiter(), name_lifetimes(group.stream(), lifetime));
                inner.set_span(group.span());
                named.extend([TokenTree::Group(inner)]);
            }
            TokenTree::Punct(quote) if quote.as_char() == '\'' => match tokens.next() {
                Some(TokenTree::Ident(name)) if name == "_" => lifetime.to_tokens(&mut named),
                name => named.extend([Some(TokenTree::Punct(quote)), name].into_iter().flatten()),
            },
            TokenTree::Punct(and) if and.as_char() == '&' && !is_after_operand => {
                let mut alone = Punct::new('&', Spacing::Alone);
                alone.set_span(and.span());
                named.extend([TokenTree::Punct(alone)]);
                let is_lifetime = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '\'');
                if !tokens.peek().is_some_and(is_lifetime) {
                    lifetime.to_tokens(&mut named);
                }
            }
            token => named.extend([token]),
        }
        is_after_operand = is_operand;
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lifetime_gets_a_name() {
        for (ty, named) in [
            ("String", "String"),
            ("&State<Db>", "& 'r State < Db >"),
            ("&mut T", "& 'r mut T"),
            ("&'static str", "& 'static str"),
            ("&'_ str", "& 'r str"),
            ("&&str", "& 'r & 'r str"),
            ("Cow<'_, str>", "Cow < 'r , str >"),
            ("(&u8, Option<&u8>)", "(& 'r u8 , Option < & 'r u8 >)"),
            ("*const &u8", "* const & 'r u8"),
            ("&dyn Fn(&u8) -> &u8", "& 'r dyn Fn (& 'r u8) -> & 'r u8"),
            ("[u8; SIZE & 7]", "[u8 ; SIZE & 7]"),
            ("[u8; (1) & 7]", "[u8 ; (1) & 7]"),
        ] {
            let ty: Type = syn::parse_str(ty).expect("a type");
            let lifetime = Lifetime::new("'r", proc_macro2::Span::call_site());
            assert_eq!(with_lifetime(&ty, &lifetime).to_string(), named);
        }
    }
}
