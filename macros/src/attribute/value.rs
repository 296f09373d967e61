//! The kinds of values that arguments take. The error about a value of another kind says what to
//! write.

use darling::util::{SpannedValue, path_to_string};
use darling::{FromMeta, Result};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitInt, LitStr, Meta, MetaNameValue, Path, Type, parse_quote};

use super::error_at;

/// The value of an argument `name = value`.
pub(crate) trait Value: Sized {
    /// The kind of value, as named in an error message.
    const KIND: &'static str;
    const EXAMPLE: &'static str;

    fn read(expr: &Expr) -> Option<Self>;

    /// Returns the value that an error suggests instead of one of another kind.
    fn example(_found: &Meta) -> &'static str {
        Self::EXAMPLE
    }

    /// Returns the value of an argument without `= value`.
    fn of_name_alone() -> Option<Self> {
        None
    }
}

/// Reads a value, or returns an error that says what to write.
pub(crate) fn read<V: Value>(meta: &Meta) -> Result<V> {
    let found = match meta {
        Meta::Path(_) => V::of_name_alone(),
        Meta::NameValue(pair) => V::read(ungrouped(&pair.value)),
        Meta::List(_) => None,
    };
    found.ok_or_else(|| {
        let (name, kind, example) = (path_to_string(meta.path()), V::KIND, V::example(meta));
        let sentence = format!("`{name}` must be {kind}; write `{name} = {example}`");
        error_at(value_span(meta), sentence)
    })
}

/// Implements `FromMeta` for values.
macro_rules! values {
    ($($ty:ty),*) => {$(
        impl darling::FromMeta for $ty {
            fn from_meta(meta: &syn::Meta) -> darling::Result<Self> {
                $crate::attribute::value::read(meta)
            }
        }
    )*};
}

pub(crate) use values;

values!(Flag, Name, TypeName, Literal, CratePath, Number, Status, Constant);

/// `name`, `name = true` or `name = false`
#[derive(Clone, Copy, Default)]
pub(crate) struct Flag(pub(crate) bool);

impl Flag {
    /// Returns the place of the argument, if it is written and on.
    pub(crate) fn place(written: Option<SpannedValue<Self>>) -> Option<Span> {
        let written = written.filter(|flag| flag.0);
        written.map(|flag| flag.span())
    }
}

impl Value for Flag {
    const KIND: &'static str = "`true` or `false`";
    const EXAMPLE: &'static str = "true";

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. }) => Some(Self(flag.value)),
            _ => None,
        }
    }

    fn example(found: &Meta) -> &'static str {
        match found {
            Meta::NameValue(pair) if is_false_of_python(&pair.value) => "false",
            _ => Self::EXAMPLE,
        }
    }

    fn of_name_alone() -> Option<Self> {
        Some(Self(true))
    }
}

fn is_false_of_python(value: &Expr) -> bool {
    matches!(value, Expr::Path(path) if path.path.is_ident("False"))
}

/// `name = Identifier`
pub(crate) struct Name(pub(crate) Ident);

impl Value for Name {
    const KIND: &'static str = "an identifier";
    const EXAMPLE: &'static str = "CurrentUser";

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Path(path) => path.path.get_ident().cloned().map(Self),
            _ => None,
        }
    }
}

/// `name = Type`
pub(crate) struct TypeName(pub(crate) Type);

impl Value for TypeName {
    const KIND: &'static str = "a type";
    const EXAMPLE: &'static str = "Claims";

    fn example(found: &Meta) -> &'static str {
        match found.path().is_ident("error") {
            true => "ApiError",
            false => Self::EXAMPLE,
        }
    }

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Macro(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Repeat(_)
            | Expr::Tuple(_)
            | Expr::Verbatim(_) => syn::parse2(expr.to_token_stream()).ok().map(Self),
            _ => None,
        }
    }
}

/// `name = "…"`
pub(crate) struct Literal(pub(crate) LitStr);

impl Value for Literal {
    const KIND: &'static str = "a string literal";
    const EXAMPLE: &'static str = "\"…\"";

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) => Some(Self(literal.clone())),
            _ => None,
        }
    }
}

/// The path of the runtime crate, `crate = path`.
#[derive(Clone)]
pub(crate) struct CratePath(pub(crate) Path);

impl Default for CratePath {
    fn default() -> Self {
        Self(parse_quote!(::doorward))
    }
}

impl Value for CratePath {
    const KIND: &'static str = "a path";
    const EXAMPLE: &'static str = "path::to::doorward";

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Path(path) => Some(Self(path.path.clone())),
            _ => None,
        }
    }
}

/// `name = 65536`, or a constant
pub(crate) struct Number(pub(crate) Expr);

impl Value for Number {
    const KIND: &'static str = "a number";
    const EXAMPLE: &'static str = "65536";

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Verbatim(_) => None,
            Expr::Lit(ExprLit { lit, .. }) if !matches!(lit, Lit::Int(_)) => None,
            _ => Some(Self(expr.clone())),
        }
    }
}

/// `name = 404`, the status of a refusal
pub(crate) struct Status(pub(crate) LitInt);

impl Value for Status {
    const KIND: &'static str = "a status between 400 and 599";
    const EXAMPLE: &'static str = "401";

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Int(status), .. })
                if status.base10_parse().is_ok_and(|status: u16| (400..600).contains(&status)) =>
            {
                Some(Self(status.clone()))
            }
            _ => None,
        }
    }
}

/// `name = CONSTANT`, or any other constant expression that is not a literal
pub(crate) struct Constant(pub(crate) Expr);

impl Value for Constant {
    const KIND: &'static str = "a constant";
    const EXAMPLE: &'static str = "Rejection::new(StatusCode::NOT_FOUND)";

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Lit(_) | Expr::Verbatim(_) => None,
            _ => Some(Self(expr.clone())),
        }
    }
}

/// `name` or `name(Type)`; the type is `String` by default
pub(crate) struct Intermediate {
    pub(crate) ty: Type,
    /// The span of the argument's name.
    pub(crate) at: Span,
}

impl FromMeta for Intermediate {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let ty = match meta {
            Meta::Path(_) => Some(parse_quote!(::std::string::String)),
            Meta::List(list) => syn::parse2(list.tokens.clone()).ok(),
            Meta::NameValue(_) => None,
        };
        let at = meta.path().span();
        ty.map(|ty| Self { ty, at }).ok_or_else(|| {
            let name = path_to_string(meta.path());
            let sentence = format!("`{name}` takes a type; write `{name}` or `{name}(String)`");
            error_at(value_span(meta), sentence)
        })
    }
}

/// Returns the tokens inside `name(…)`.
pub(crate) fn list<'m>(meta: &'m Meta, example: &str) -> Result<&'m TokenStream> {
    match meta {
        Meta::List(list) => Ok(&list.tokens),
        _ => {
            let name = path_to_string(meta.path());
            let sentence = format!("`{name}` is a list; write `{name}({example})`");
            Err(error_at(value_span(meta), sentence))
        }
    }
}

/// Returns the span of a value, or of the name if no value is written.
fn value_span(meta: &Meta) -> Span {
    match meta {
        Meta::NameValue(MetaNameValue { value: Expr::Verbatim(tokens), path, .. })
            if tokens.is_empty() =>
        {
            path.span()
        }
        Meta::NameValue(pair) => pair.value.span(),
        meta => meta.path().span(),
    }
}

/// Unwraps the invisible group around an expression that comes from a `macro_rules!` macro.
pub(crate) fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        _ => expr,
    }
}
