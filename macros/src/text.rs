//! Texts in attributes: a string literal, or a constant that is checked once its value is known.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitStr, Path};

use crate::checks::check;
use crate::errors::Errors;
use crate::params::ungrouped;

/// A `&'static str`.
#[derive(Clone)]
pub(crate) enum Text {
    /// A literal, which the macro checks.
    Literal(LitStr),
    /// A path or a macro call such as `concat!`, which the compiler checks.
    Constant(Box<Expr>),
}

impl Text {
    pub(crate) fn from_expr(expr: &Expr) -> Option<Self> {
        match ungrouped(expr) {
            Expr::Lit(ExprLit {
                lit: Lit::Str(literal),
                ..
            }) => Some(Self::Literal(literal.clone())),
            constant @ (Expr::Path(_) | Expr::Macro(_)) => {
                Some(Self::Constant(Box::new(constant.clone())))
            }
            _ => None,
        }
    }

    /// A literal that the user did not write.
    pub(crate) fn literal(text: &str, span: Span) -> Self {
        Self::Literal(LitStr::new(text, span))
    }
}

impl ToTokens for Text {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Literal(literal) => literal.to_tokens(tokens),
            Self::Constant(expr) => expr.to_tokens(tokens),
        }
    }
}

/// What a text has to be. The runtime holds a constant to the same rule.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    Url,
    SchemeName,
}

impl Rule {
    /// Reports a literal that breaks the rule. Returns the check of a constant, `value` is where it stands in the
    /// generated code, so that its type is checked only once.
    pub(crate) fn check(
        self,
        text: &Text,
        value: &TokenStream,
        krate: &Path,
        errors: &mut Errors,
    ) -> Option<TokenStream> {
        match text {
            Text::Literal(literal) => {
                if let Some(sentence) = self.broken_by(&literal.value()) {
                    errors.push(literal, sentence);
                }
                None
            }
            Text::Constant(expr) => {
                let name = match self {
                    Self::Url => "check_url",
                    Self::SchemeName => "check_scheme_name",
                };
                Some(check(krate, name, value, expr.span()))
            }
        }
    }

    fn broken_by(self, text: &str) -> Option<String> {
        match self {
            Self::Url if text.is_empty() => {
                Some("a URL must not be empty; write `\"token\"` for one beside the API".into())
            }
            Self::Url if text.chars().any(char::is_control) => {
                Some("a URL must not have control characters; escape them with `%`".into())
            }
            Self::SchemeName if !is_scheme_name(text) => Some(format!(
                "`{}` is not a scheme name: those are made of ASCII letters, digits, `.`, `-` and `_`; give one with \
                 `scheme_name = \"…\"`",
                text.escape_debug()
            )),
            _ => None,
        }
    }
}

/// The keys of OpenAPI's Components Object match `^[a-zA-Z0-9\.\-_]+$`.
fn is_scheme_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}
