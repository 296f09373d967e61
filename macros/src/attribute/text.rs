//! Strings in attributes: literals, which the macro checks, and constants, which the compiler
//! checks. Some may also be settings, which are checked when the service sets them.

use darling::{FromMeta, Result};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitStr, Meta, Path};

use super::error_at;
use super::value::{Value, ungrouped, values};
use crate::emit::checks::check;

/// A `&'static str`.
#[derive(Clone)]
pub(crate) enum Text {
    /// A literal.
    Literal(LitStr),
    /// A path, or a macro call such as `concat!`.
    Constant(Box<Expr>),
}

values!(Text);

impl Value for Text {
    const KIND: &'static str = "a string literal or a constant";
    const EXAMPLE: &'static str = "\"…\"";

    fn read(expr: &Expr) -> Option<Self> {
        Self::from_expression(expr)
    }
}

impl Text {
    pub(crate) fn from_expression(expr: &Expr) -> Option<Self> {
        match ungrouped(expr) {
            Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) => {
                Some(Self::Literal(literal.clone()))
            }
            constant @ (Expr::Path(_) | Expr::Macro(_)) => {
                Some(Self::Constant(Box::new(constant.clone())))
            }
            _ => None,
        }
    }

    /// Creates a literal that the user did not write.
    pub(crate) fn literal(text: &str, span: Span) -> Self {
        Self::Literal(LitStr::new(text, span))
    }

    /// Returns the compile-time check of a constant, a call to the runtime's function `check_name`.
    /// `value` reads the constant back from the generated code, so rustc types it once.
    pub(crate) fn constant_check(
        &self,
        check_name: &str,
        value: &TokenStream,
        krate: &Path,
    ) -> Option<TokenStream> {
        match self {
            Self::Literal(_) => None,
            Self::Constant(expr) => Some(check(krate, check_name, value, expr.span())),
        }
    }

    /// Checks a literal. `fault` returns the error message about an invalid one.
    pub(crate) fn checked(self, fault: impl FnOnce(&str) -> Option<String>) -> Result<Self> {
        if let Self::Literal(literal) = &self
            && let Some(sentence) = fault(&literal.value())
        {
            return Err(error_at(literal.span(), sentence));
        }
        Ok(self)
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

/// A string, or a reference to a `Setting`, which the service sets when it starts.
pub(crate) enum TextOrSetting {
    Text(Text),
    Setting(Box<Expr>),
}

values!(TextOrSetting);

impl Value for TextOrSetting {
    const KIND: &'static str = "a string literal, a constant, or a reference to a `Setting`";
    const EXAMPLE: &'static str = "\"…\"";

    fn read(expr: &Expr) -> Option<Self> {
        match ungrouped(expr) {
            setting @ Expr::Reference(_) => Some(Self::Setting(Box::new(setting.clone()))),
            text => Text::from_expression(text).map(Self::Text),
        }
    }
}

impl TextOrSetting {
    /// Returns the runtime's `TextOrSetting`.
    pub(crate) fn tokens(&self, krate: &Path) -> TokenStream {
        match self {
            Self::Text(text) => quote!(#krate::scheme::TextOrSetting::Text(#text)),
            Self::Setting(setting) => quote!(#krate::scheme::TextOrSetting::Setting(#setting)),
        }
    }

    /// Returns the text, unless it is a setting.
    pub(crate) fn text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            Self::Setting(_) => None,
        }
    }

    /// Returns the compile-time check of a constant, as for a [`Text`].
    pub(crate) fn constant_check(
        &self,
        check_name: &str,
        value: &TokenStream,
        krate: &Path,
    ) -> Option<TokenStream> {
        self.text()?.constant_check(check_name, value, krate)
    }

    /// Checks a literal, as for a [`Text`].
    pub(crate) fn checked(self, fault: impl FnOnce(&str) -> Option<String>) -> Result<Self> {
        match self {
            Self::Text(text) => text.checked(fault).map(Self::Text),
            setting @ Self::Setting(_) => Ok(setting),
        }
    }
}

/// A URL, absolute or relative. The runtime checks a constant by the same rule.
pub(crate) struct Url(pub(crate) TextOrSetting);

impl Url {
    pub(crate) fn constant_check(&self, value: &TokenStream, krate: &Path) -> Option<TokenStream> {
        self.0.constant_check("check_url", value, krate)
    }
}

impl FromMeta for Url {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let example =
            if meta.path().is_ident("url") { "/.well-known/openid-configuration" } else { "token" };
        let checked = TextOrSetting::from_meta(meta)?.checked(|url| {
            if url.is_empty() {
                Some(format!(
                    "a URL must not be empty; write `\"{example}\"` for one relative to the API"
                ))
            } else if url.chars().any(char::is_control) {
                Some("a URL must not have control characters; percent-encode them".into())
            } else {
                None
            }
        });
        checked.map(Self)
    }
}

/// The name of a scheme in the API description. The runtime checks a constant by the same rule.
pub(crate) struct SchemeName(pub(crate) Text);

impl SchemeName {
    /// Uses the name of the struct that declares the scheme.
    pub(crate) fn of_struct(name: &str, span: Span) -> Result<Self> {
        Self::checked(Text::literal(name, span))
    }

    pub(crate) fn constant_check(&self, value: &TokenStream, krate: &Path) -> Option<TokenStream> {
        self.0.constant_check("check_scheme_name", value, krate)
    }

    /// Checks a literal against `^[a-zA-Z0-9\.\-_]+$`, the pattern for keys of OpenAPI's Components
    /// Object.
    fn checked(name: Text) -> Result<Self> {
        let is_allowed =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        let checked = name.checked(|name| {
            let is_name = !name.is_empty() && name.bytes().all(is_allowed);
            (!is_name).then(|| {
                format!(
                    "`{}` is not a valid scheme name; write `scheme_name = \"…\"` with only ASCII letters, \
                     digits, `.`, `-` and `_`",
                    name.escape_debug()
                )
            })
        });
        checked.map(Self)
    }
}

impl FromMeta for SchemeName {
    fn from_meta(meta: &Meta) -> Result<Self> {
        Self::checked(Text::from_meta(meta)?)
    }
}

/// The reason why a handler is public. The runtime checks a constant by the same rule.
pub(crate) struct Reason(pub(crate) Text);

impl Reason {
    pub(crate) fn constant_check(&self, value: &TokenStream, krate: &Path) -> Option<TokenStream> {
        self.0.constant_check("check_reason", value, krate)
    }
}

impl FromMeta for Reason {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let checked = Text::from_meta(meta)?.checked(|reason| {
            let is_empty = reason.trim_ascii().is_empty();
            is_empty
                .then(|| "the reason must not be empty; write why anyone may call this".to_owned())
        });
        checked.map(Self)
    }
}
