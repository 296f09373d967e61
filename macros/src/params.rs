//! The parameters of an attribute, `name = value`, `name(…)` or `name`, taken by name.

use proc_macro2::{Span, TokenStream};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Path, Token, Type};

use crate::errors::Errors;
use crate::near;
use crate::parameter::{Parameter, Value};
use crate::text::Text;

/// The parameters of one attribute, or of one list inside it.
///
/// Each is taken once, by name; [`finish`](Self::finish) then reports those that nobody took. Mistakes go to `errors`, which
/// collects those of the whole item.
pub(crate) struct Params<'e> {
    owner: String,
    items: Vec<Parameter>,
    /// Whether some of them could not be read, so that nothing is known of what is missing.
    is_broken: bool,
    known: Vec<&'static str>,
    pub(crate) errors: &'e mut Errors,
}

impl<'e> Params<'e> {
    /// Reads the parameters of `owner`, which is named so in sentences, from each of its attributes.
    pub(crate) fn parse(
        owner: impl Into<String>,
        lists: impl IntoIterator<Item = TokenStream>,
        errors: &'e mut Errors,
    ) -> Self {
        let (mut items, mut is_broken) = (Vec::new(), false);
        for list in lists {
            let parsed = Punctuated::<Parameter, Token![,]>::parse_terminated.parse2(list);
            let parsed = errors.handle(parsed);
            is_broken |= parsed.is_none();
            items.extend(parsed.unwrap_or_default());
        }
        Self {
            owner: owner.into(),
            items,
            is_broken,
            known: Vec::new(),
            errors,
        }
    }

    /// Reports a parameter that is neither there nor mistyped, which `finish` reports.
    pub(crate) fn require(&mut self, name: &str, place: Span, example: &str) {
        let is_there = |item: &Parameter| near::nearest(&item.name, &[name]).is_some();
        if !self.is_broken && !self.items.iter().any(is_there) {
            let sentence = format!("`{name}` is missing; write `{example}`");
            self.errors.push(&place, sentence);
        }
    }

    /// Takes `name = "…"`, or a constant in place of the literal.
    pub(crate) fn text(&mut self, name: &'static str) -> Option<Text> {
        self.value(
            name,
            "a string literal or a constant",
            "\"…\"",
            Text::from_expr,
        )
    }

    /// Takes `name = "…"` with a literal.
    pub(crate) fn literal(&mut self, name: &'static str) -> Option<LitStr> {
        self.value(name, "a string literal", "\"…\"", |expr| match expr {
            Expr::Lit(ExprLit {
                lit: Lit::Str(literal),
                ..
            }) => Some(literal.clone()),
            _ => None,
        })
    }

    /// Takes `name`, `name = true` or `name = false`.
    pub(crate) fn flag(&mut self, name: &'static str) -> Option<bool> {
        let item = self.take(name)?;
        let found = match &item.value {
            Value::Nothing => Some(true),
            Value::Expr(expr) => match ungrouped(expr) {
                Expr::Lit(ExprLit {
                    lit: Lit::Bool(flag),
                    ..
                }) => Some(flag.value),
                _ => None,
            },
            _ => None,
        };
        self.expect(found, &item, || {
            format!("`{name}` is a flag; write `{name} = true` or `{name} = false`")
        })
    }

    /// Takes `name = …` with a path.
    pub(crate) fn path(&mut self, name: &'static str) -> Option<Path> {
        self.value(name, "a path", "path::to::it", |expr| match expr {
            Expr::Path(path) => Some(path.path.clone()),
            _ => None,
        })
    }

    /// Takes `name = …` with an identifier.
    pub(crate) fn ident(&mut self, name: &'static str) -> Option<Ident> {
        self.value(name, "an identifier", "CurrentUser", |expr| match expr {
            Expr::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        })
    }

    /// Takes `name = …` with a number, or a constant in place of the literal.
    pub(crate) fn number(&mut self, name: &'static str) -> Option<Expr> {
        self.value(name, "a number", "65536", |expr| match expr {
            Expr::Lit(ExprLit { lit, .. }) if !matches!(lit, Lit::Int(_)) => None,
            _ => Some(expr.clone()),
        })
    }

    /// Takes `name = …` with any constant.
    pub(crate) fn constant(&mut self, name: &'static str, example: &str) -> Option<Expr> {
        self.value(name, "a constant", example, |expr| match expr {
            Expr::Lit(_) => None,
            _ => Some(expr.clone()),
        })
    }

    /// Takes `name` or `name(…)` with a type, which is `default` where none is given.
    pub(crate) fn type_or(&mut self, name: &'static str, default: Type) -> Option<Type> {
        let item = self.take(name)?;
        let found = match &item.value {
            Value::Nothing => Some(default),
            Value::List(list) => syn::parse2(list.clone()).ok(),
            _ => None,
        };
        self.expect(found, &item, || {
            format!("`{name}` takes a type; write `{name}` or `{name}(String)`")
        })
    }

    /// Takes `name(…)`, to be read further; returns where its name stands, too.
    pub(crate) fn list(
        &mut self,
        name: &'static str,
        example: &str,
    ) -> Option<(Span, TokenStream)> {
        let item = self.take(name)?;
        let found = match &item.value {
            Value::List(list) => Some((item.key, list.clone())),
            _ => None,
        };
        self.expect(found, &item, || {
            format!("`{name}` is a list; write `{name}({example})`")
        })
    }

    /// Reports every parameter that was not taken.
    pub(crate) fn finish(self) {
        for Parameter { name, key, .. } in &self.items {
            let sentence = if name.is_empty() {
                "a parameter has a name; write `name = value`".to_owned()
            } else {
                let suggestion = near::suggestion(name, &self.owner, &self.known);
                format!("unknown parameter `{name}`; {suggestion}")
            };
            self.errors.push(key, sentence);
        }
    }

    fn value<T>(
        &mut self,
        name: &'static str,
        kind: &str,
        example: &str,
        read: impl FnOnce(&Expr) -> Option<T>,
    ) -> Option<T> {
        let item = self.take(name)?;
        let found = match &item.value {
            Value::Expr(expr) => read(ungrouped(expr)),
            _ => None,
        };
        self.expect(found, &item, || {
            format!("`{name}` is {kind}; write `{name} = {example}`")
        })
    }

    fn expect<T>(
        &mut self,
        found: Option<T>,
        item: &Parameter,
        sentence: impl FnOnce() -> String,
    ) -> Option<T> {
        if found.is_none() {
            self.errors.push(&item.value_span(), sentence());
        }
        found
    }

    /// Takes every item of this name: the first counts, the others are mistakes.
    fn take(&mut self, name: &'static str) -> Option<Parameter> {
        self.known.push(name);
        let mut taken = self.items.extract_if(.., |item| item.name == name);
        let first = taken.next();
        for again in taken {
            let sentence = format!("`{name}` is given twice; remove one");
            self.errors.push(&again.key, sentence);
        }
        first
    }
}

/// Looks through the invisible group around an expression that comes out of a `macro_rules!` macro.
pub(crate) fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        _ => expr,
    }
}
