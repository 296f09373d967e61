//! The arguments of an attribute: `name = value`, `name(…)` or `name`, read with darling.

pub(crate) mod requirement;
mod text;
pub(crate) mod value;

use std::collections::HashSet;

use darling::ast::NestedMeta;
use darling::error::Accumulator;
use darling::util::path_to_string;
use darling::{Error, FromMeta};
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, Meta, MetaNameValue, Token};

pub(crate) use self::text::{SchemeName, Text, TextOrSetting, Url};
pub(crate) use self::value::{
    Constant, CratePath, Flag, Intermediate, Literal, Name, Number, Status, Value, list, ungrouped,
    values,
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
        let parsed = errors.handle(split.parse2(list).map_err(Error::from));
        let parsed = parsed.unwrap_or_default();
        let count = parsed.len();
        let items = parsed
            .into_iter()
            .filter_map(|item| errors.handle(item.map_err(Error::from)));
        let items: Vec<_> = items.map(with_any_value).collect();
        Self {
            is_parsed: items.len() == count,
            items,
        }
    }

    pub(crate) fn into_items(self) -> Vec<NestedMeta> {
        self.items
    }

    /// Reads the arguments. Those with a mistake are reported and left out, so the rest of the item
    /// is still known.
    pub(crate) fn read<A: FromMeta + Default>(&self, errors: &mut Accumulator) -> Read<A> {
        let (literals, items): (Vec<_>, Vec<_>) = self
            .items
            .iter()
            .cloned()
            .partition(|item| matches!(item, NestedMeta::Lit(_)));
        for literal in &literals {
            let sentence = "expected `name = value`";
            errors.push(error_at(literal.span(), sentence));
        }
        match A::from_list(&items) {
            Ok(arguments) => Read {
                arguments,
                is_complete: self.is_parsed && literals.is_empty(),
            },
            Err(error) => {
                errors.push(error);
                let mut names = HashSet::new();
                let is_good = |item: &&NestedMeta| {
                    A::from_list(core::slice::from_ref(*item)).is_ok() && names.insert(name(item))
                };
                let good: Vec<_> = items.iter().filter(is_good).cloned().collect();
                Read {
                    arguments: A::from_list(&good).unwrap_or_default(),
                    is_complete: false,
                }
            }
        }
    }

    /// Returns `true` if none of these arguments is written, not even misspelt, which is reported
    /// as such.
    pub(crate) fn has_none_of(&self, names: &[&str]) -> bool {
        let is_meant = |found: &str| {
            let mut names = names.iter();
            names.any(|name| strsim::jaro_winkler(found, name) > 0.8)
        };
        let mut found = self.items.iter().filter_map(name);
        self.is_parsed && !found.any(|found| is_meant(&found))
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

/// Returns an error at a span.
pub(crate) fn error_at(at: Span, sentence: impl core::fmt::Display) -> Error {
    Error::from(syn::Error::new(at, sentence))
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
        let item = input.parse::<NestedMeta>().and_then(|item| {
            if input.is_empty() || input.peek(Token![,]) {
                Ok(item)
            } else {
                Err(input.error("expected `,`"))
            }
        });
        items.push(item);
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<TokenTree>()?;
        }
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(items)
}
