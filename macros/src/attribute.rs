//! The arguments of an attribute: `name = value`, `name(…)` or `name`, read with darling.

mod mistake;
mod near;
mod spelling;
mod text;
pub(crate) mod value;

use core::slice;
use std::collections::HashSet;

use darling::ast::NestedMeta;
use darling::error::Accumulator;
use darling::util::path_to_string;
use darling::{Error, FromMeta};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned as _;
use syn::{Expr, Meta, MetaNameValue, Path, Token, Type};

pub(crate) use self::mistake::{duplicate, error_at, reworded, unknown};
pub(crate) use self::near::{is_near, nearest};
pub(crate) use self::text::{Reason, SchemeName, Text, TextOrSetting, Url};
pub(crate) use self::value::{
    Constant, CratePath, Flag, Intermediate, Literal, Name, Number, Status, TypeName, Value, list,
    ungrouped, values,
};

/// The arguments of one attribute, or of one list inside it.
pub(crate) struct Arguments {
    items: Vec<NestedMeta>,
    /// `false` if an argument could not be parsed, so its name is unknown.
    is_parsed: bool,
}

impl Arguments {
    /// Splits arguments at their commas. Each is parsed on its own, so a mistake in one does not
    /// hide another.
    pub(crate) fn split(list: TokenStream, errors: &mut Accumulator) -> Self {
        let parsed = errors.handle(split.parse2(list).map_err(Error::from)).unwrap_or_default();
        let count = parsed.len();
        let items: Vec<_> = parsed
            .into_iter()
            .filter_map(|item| errors.handle(item.map_err(Error::from)))
            .map(with_any_value)
            .collect();
        Self { is_parsed: items.len() == count, items }
    }

    pub(crate) fn into_items(self) -> Vec<NestedMeta> {
        self.items
    }

    /// Reads the arguments. Those with a mistake are reported and left out, so the rest of the item
    /// is still known.
    pub(crate) fn read<A: FromMeta + Default>(&self, errors: &mut Accumulator) -> Read<A> {
        let mut arguments = A::default();
        let mut read = |items: &[NestedMeta]| {
            arguments = A::default();
            arguments = A::from_list(items)?;
            Ok(())
        };
        let is_complete = self.read_with(&mut read, errors);
        Read { arguments, is_complete }
    }

    /// Reads the arguments, and returns `true` if none is left out. A function without a type
    /// parameter, because the compiler would translate it for each attribute.
    fn read_with(&self, read: &mut ReadItems<'_>, errors: &mut Accumulator) -> bool {
        let (literals, items): (Vec<_>, Vec<_>) =
            self.items.iter().cloned().partition(|item| matches!(item, NestedMeta::Lit(_)));
        for literal in &literals {
            if let NestedMeta::Lit(value) = literal {
                let sentence = spelling::of_value(value, &mut |name| is_known(name, read));
                errors.push(error_at(value.span(), sentence));
            }
        }
        let Err(error) = read(&items) else {
            return self.is_parsed && literals.is_empty();
        };
        errors.extend(error.flatten().into_iter().map(|error| self.reworded(error, read)));
        let mut names = HashSet::new();
        let mut is_good =
            |item: &NestedMeta| read(slice::from_ref(item)).is_ok() && names.insert(name(item));
        let good: Vec<_> = items.into_iter().filter(|item| is_good(item)).collect();
        // Each can be read, so all of them can.
        let _ = read(&good);
        false
    }

    /// Rewords an error about these arguments.
    fn reworded(&self, error: Error, read: &mut ReadItems<'_>) -> Error {
        let error = reworded(error);
        let sentence = mistake::unknown_name(&error).and_then(|found| {
            let mut items = self.items.iter();
            let item = items.find(|item| name(item).is_some_and(|name| name == found))?;
            spelling::of_name(&found, item, &mut |name| is_known(name, read))
        });
        match sentence {
            Some(sentence) => error_at(error.span(), sentence),
            None => error,
        }
    }

    /// Returns `true` if none of these arguments is written, not even misspelt or without its name,
    /// which is reported as such.
    pub(crate) fn has_none_of(&self, names: &[&str]) -> bool {
        let is_meant = |item: &NestedMeta| match name(item) {
            Some(found) => {
                let meant = spelling::meant(&found);
                names
                    .iter()
                    .any(|name| is_near(&found, name) || meant.iter().any(|meant| meant == name))
            }
            None => true,
        };
        self.is_parsed && !self.items.iter().any(is_meant)
    }

    /// Returns the place of an argument.
    pub(crate) fn span_of(&self, wanted: &str) -> Option<Span> {
        let item = self.items.iter().find(|item| name(item).is_some_and(|name| name == wanted))?;
        Some(item.span())
    }

    /// Returns the value of an argument `name = value`.
    pub(crate) fn value_of(&self, name: &str) -> Option<&Expr> {
        self.items.iter().find_map(|item| match item {
            NestedMeta::Meta(Meta::NameValue(pair)) if pair.path.is_ident(name) => {
                Some(&pair.value)
            }
            _ => None,
        })
    }

    /// Reports a missing argument.
    pub(crate) fn require(&self, name: &str, at: Span, example: &str, errors: &mut Accumulator) {
        if self.has_none_of(&[name]) {
            let sentence = format!("`{name}` is missing; write `{example}`");
            errors.push(error_at(at, sentence));
        }
    }
}

/// The arguments that could be read.
pub(crate) struct Read<A> {
    pub(crate) arguments: A,
    /// `false` if an argument was left out because of a mistake.
    pub(crate) is_complete: bool,
}

/// Reads arguments, or returns their mistakes.
type ReadItems<'r> = dyn FnMut(&[NestedMeta]) -> darling::Result<()> + 'r;

/// Returns `true` if there is an argument of this name.
fn is_known(name: &str, read: &mut ReadItems<'_>) -> bool {
    let item = NestedMeta::Meta(Meta::Path(Ident::new(name, Span::call_site()).into()));
    match read(&[item]) {
        Ok(()) => true,
        Err(error) => mistake::unknown_name(&reworded(error)).is_none(),
    }
}

/// Keeps a value that is not an expression as `Expr::Verbatim`, which the type of the argument
/// rejects.
fn with_any_value(item: NestedMeta) -> NestedMeta {
    match item {
        NestedMeta::NameValueInvalidExpr(pair) => {
            NestedMeta::Meta(Meta::NameValue(MetaNameValue {
                path: pair.path,
                eq_token: pair.eq_token,
                value: Expr::Verbatim(pair.value),
            }))
        }
        item => item,
    }
}

/// Returns the name of an argument.
pub(crate) fn name(item: &NestedMeta) -> Option<String> {
    let path = match item {
        NestedMeta::Meta(meta) => meta.path(),
        NestedMeta::NameValueInvalidExpr(pair) => &pair.path,
        NestedMeta::Lit(_) => return None,
    };
    Some(path_to_string(path))
}

fn split(input: ParseStream<'_>) -> syn::Result<Vec<syn::Result<NestedMeta>>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        let item = match of_type(input) {
            Some(item) => Ok(item),
            None => input.parse::<NestedMeta>(),
        };
        let item =
            item.and_then(
                |item| {
                    if is_end(input) { Ok(item) } else { Err(input.error("expected `,`")) }
                },
            );
        items.push(item);
        while !is_end(input) {
            input.parse::<TokenTree>()?;
        }
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(items)
}

fn is_end(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,])
}

/// Reads an argument whose value is a type and no expression, such as `verified = Pair<A, B>`.
/// Otherwise, it would end at the first comma of the type, even inside the invisible group around a
/// type that comes from a `macro_rules!` macro.
fn of_type(input: ParseStream<'_>) -> Option<NestedMeta> {
    let ahead = input.fork();
    let path = ahead.call(Path::parse_mod_style).ok()?;
    let eq_token = ahead.parse().ok()?;
    let value = ahead.parse::<Type>().ok()?.into_token_stream();
    if !is_end(&ahead) || syn::parse2::<Expr>(value.clone()).is_ok() {
        return None;
    }
    input.advance_to(&ahead);
    let value = Expr::Verbatim(value);
    Some(NestedMeta::Meta(Meta::NameValue(MetaNameValue { path, eq_token, value })))
}
