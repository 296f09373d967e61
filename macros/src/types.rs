//! Properties of a type that its tokens show.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{GenericArgument, Lifetime, Path, PathArguments, Type, TypeParamBound};

/// Returns `true` if the last segment of a path is this name.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|ident| ident == name)
}

/// Returns `true` if a type is a path, but not a qualified one such as `<T as Trait>::Type`.
pub(crate) fn is_path(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.qself.is_none(),
        Type::Group(group) => is_path(&group.elem),
        Type::Paren(paren) => is_path(&paren.elem),
        _ => false,
    }
}

/// Returns `true` if a type is a path without generic arguments, such as an alias of
/// `SecurityScopes`.
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

/// Returns `true` if a type cannot be one of the user's crate: it is built into the language, or
/// its path begins in another crate. A name alone may be of any crate, unless everybody knows it.
pub(crate) fn is_foreign(ty: &Type) -> bool {
    const CRATES: [&str; 4] = ["alloc", "core", "std", "doorward"];
    const NAMES: [&str; 28] = [
        "Arc", "BTreeMap", "BTreeSet", "Cow", "HashMap", "HashSet", "Option", "Rc", "Result",
        "String", "Vec", "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize",
        "str", "u128", "u16", "u32", "u64", "u8", "usize",
    ];
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            let (path, mut segments) = (&path.path, path.path.segments.iter());
            let first = segments.next().map(|segment| segment.ident.to_string());
            let known: &[&str] = match segments.next() {
                Some(_) => &CRATES,
                None => &NAMES,
            };
            path.leading_colon.is_some() || first.is_some_and(|first| known.contains(&&*first))
        }
        Type::Group(group) => is_foreign(&group.elem),
        Type::Paren(paren) => is_foreign(&paren.elem),
        Type::Reference(reference) => is_foreign(&reference.elem),
        Type::Array(_)
        | Type::FnPtr(_)
        | Type::Never(_)
        | Type::Ptr(_)
        | Type::Slice(_)
        | Type::Tuple(_) => true,
        _ => false,
    }
}

/// Returns the type inside an `Option`.
pub(crate) fn in_option(ty: &Type) -> Option<&Type> {
    let path = match ty {
        Type::Path(path) => path,
        Type::Group(group) => return in_option(&group.elem),
        Type::Paren(paren) => return in_option(&paren.elem),
        _ => return None,
    };
    let last = path.path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(list) if last.ident == "Option" => match list.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the first type among the arguments of a path's last segment.
pub(crate) fn first_argument(ty: &Type) -> Option<&Type> {
    let path = match ty {
        Type::Path(path) => path,
        Type::Group(group) => return first_argument(&group.elem),
        Type::Paren(paren) => return first_argument(&paren.elem),
        _ => return None,
    };
    match &path.path.segments.last()?.arguments {
        PathArguments::AngleBracketed(list) => {
            list.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
        }
        _ => None,
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

/// Returns the span of the first elided lifetime in a type, outside function signatures.
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

/// Returns `true` if a type means the same wherever it is written: it has no lifetimes, and no
/// place where one could be elided.
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

/// Returns `true` if a name occurs anywhere in a type.
pub(crate) fn mentions(ty: &Type, name: &Ident) -> bool {
    is_in(ty.to_token_stream(), name)
}

/// Returns `true` if a name occurs anywhere in tokens.
pub(crate) fn is_in(tokens: TokenStream, name: &Ident) -> bool {
    find(tokens, name).is_some()
}

/// Returns the first place of a name in tokens.
pub(crate) fn find(tokens: TokenStream, name: &Ident) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => find(group.stream(), name),
        TokenTree::Ident(ident) => (ident == *name).then_some(ident),
        _ => None,
    })
}

/// Returns a type with a name for every elided lifetime, because a `where` clause must name
/// lifetimes. In a function signature, as in `fn(&str)` or `dyn Fn(&str)`, the caller chooses an
/// elided lifetime, so it stays elided.
pub(crate) fn with_lifetime(ty: &Type, lifetime: &Lifetime) -> Type {
    let mut ty = ty.clone();
    name_lifetimes(&mut ty, lifetime);
    ty
}

fn name_lifetimes(ty: &mut Type, name: &Lifetime) {
    match ty {
        Type::Reference(reference) => {
            match &mut reference.lifetime {
                Some(lifetime) => name_elided(lifetime, name),
                none => *none = Some(name.clone()),
            }
            name_lifetimes(&mut reference.elem, name);
        }
        Type::Path(path) => {
            if let Some(qself) = &mut path.qself {
                name_lifetimes(&mut qself.ty, name);
            }
            name_in_path(&mut path.path, name);
        }
        Type::TraitObject(object) => object.bounds.iter_mut().for_each(|bound| match bound {
            TypeParamBound::Trait(bound) => name_in_path(&mut bound.path, name),
            TypeParamBound::Lifetime(lifetime) => name_elided(lifetime, name),
            _ => {}
        }),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|elem| name_lifetimes(elem, name)),
        Type::Array(array) => name_lifetimes(&mut array.elem, name),
        Type::Slice(slice) => name_lifetimes(&mut slice.elem, name),
        Type::Ptr(ptr) => name_lifetimes(&mut ptr.elem, name),
        Type::Group(group) => name_lifetimes(&mut group.elem, name),
        Type::Paren(paren) => name_lifetimes(&mut paren.elem, name),
        _ => {}
    }
}

fn name_in_path(path: &mut Path, name: &Lifetime) {
    for segment in &mut path.segments {
        if let PathArguments::AngleBracketed(list) = &mut segment.arguments {
            list.args.iter_mut().for_each(|argument| match argument {
                GenericArgument::Lifetime(lifetime) => name_elided(lifetime, name),
                GenericArgument::Type(ty) => name_lifetimes(ty, name),
                GenericArgument::AssocType(assoc) => name_lifetimes(&mut assoc.ty, name),
                _ => {}
            });
        }
    }
}

fn name_elided(lifetime: &mut Lifetime, name: &Lifetime) {
    if lifetime.ident == "_" {
        *lifetime = name.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_another_crate_is_known_as_such() {
        let is_foreign = |ty| is_foreign(&syn::parse_str(ty).expect("a type"));
        for ty in [
            "String",
            "u32",
            "Option<User>",
            "Vec<User>",
            "Arc<User>",
            "(User, u32)",
            "()",
            "[u8; 2]",
            "&'static str",
            "(String)",
            "std::sync::Arc<User>",
            "doorward::verify::Verified<Claims>",
            "::uuid::Uuid",
        ] {
            assert!(is_foreign(ty), "{ty}");
        }
        for ty in [
            "User",
            "User<String>",
            "crate::User",
            "users::String",
            "&'static User",
            "Box<User>",
            "<User as Trait>::Type",
        ] {
            assert!(!is_foreign(ty), "{ty}");
        }
    }

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
            ("&dyn Fn(&u8) -> &u8", "& 'r dyn Fn (& u8) -> & u8"),
            ("Option<fn(&str)>", "Option < fn (& str) >"),
            ("&dyn Iterator<Item = &u8>", "& 'r dyn Iterator < Item = & 'r u8 >"),
            ("<&T as A<'_>>::B", "< & 'r T as A < 'r > > :: B"),
            ("[u8; SIZE & 7]", "[u8 ; SIZE & 7]"),
            ("[u8; (1) & 7]", "[u8 ; (1) & 7]"),
        ] {
            let ty: Type = syn::parse_str(ty).expect("a type");
            let lifetime = Lifetime::new("'r", proc_macro2::Span::call_site());
            assert_eq!(with_lifetime(&ty, &lifetime).to_token_stream().to_string(), named);
        }
    }
}
