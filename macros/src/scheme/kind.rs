//! The kind of a scheme, which says where its credential is in a request.

use darling::{FromMeta, Result};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, ExprLit, Lit, LitStr, Meta, Path};

use crate::attribute::{Literal, Text, TextOrSetting, Url, Value, error_at, values};

#[derive(Default)]
pub(crate) enum SchemeKind {
    #[default]
    OAuth2,
    OpenIdConnect {
        url: Option<Url>,
    },
    HttpBearer {
        format: Option<LitStr>,
    },
    HttpBasic,
    Http {
        /// `None` because of a mistake.
        scheme: Option<LitStr>,
    },
    ApiKey {
        location: KeyLocation,
        name: Text,
        cross_site: bool,
        takes_first: bool,
    },
    /// An API key whose location is unknown because of a mistake.
    Misplaced,
}

/// The location of an API key.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum KeyLocation {
    Header,
    Query,
    Cookie,
}

impl SchemeKind {
    /// Returns the check of a URL or of a key's name that is a constant, read back from `config`.
    pub(super) fn constant_check(&self, config: &TokenStream, krate: &Path) -> Option<TokenStream> {
        match self {
            Self::OpenIdConnect { url: Some(url) } => {
                url.constant_check(&quote!(#krate::__rt::discovery_url(#config.kind())), krate)
            }
            Self::ApiKey { name, .. } => {
                name.constant_check("check_key_name", &quote!(#config.kind()), krate)
            }
            _ => None,
        }
    }

    /// Returns the method call that sets the kind of a `SchemeConfig`. `scheme` is the struct that
    /// declares it.
    pub(super) fn tokens(&self, scheme: &Ident, krate: &Path) -> TokenStream {
        let kind = match self {
            Self::OAuth2 => return TokenStream::new(),
            Self::OpenIdConnect { url } => {
                let url = match url {
                    Some(Url(url)) => url.tokens(krate),
                    None => quote!(#krate::scheme::TextOrSetting::Text("")),
                };
                quote!(OpenIdConnect { url: #url })
            }
            Self::HttpBearer { format } => {
                let format = match format {
                    Some(format) => quote!(::core::option::Option::Some(#format)),
                    None => quote!(::core::option::Option::None),
                };
                quote!(HttpBearer { format: #format })
            }
            Self::HttpBasic => quote!(HttpBasic),
            Self::Http { scheme: name } => {
                // A name that no other scheme has, as below.
                let name = name.as_ref().map_or_else(|| scheme.to_string(), LitStr::value);
                quote!(Http { scheme: #name })
            }
            Self::ApiKey { location, name, cross_site, takes_first } => {
                let location = match location {
                    KeyLocation::Header => quote!(Header(#name)),
                    KeyLocation::Query => quote!(Query(#name)),
                    KeyLocation::Cookie => {
                        quote!(Cookie { name: #name, cross_site: #cross_site, takes_first: #takes_first })
                    }
                };
                quote!(ApiKey(#krate::scheme::ApiKeyLocation::#location))
            }
            // A location that no other scheme has, so it causes no further errors in a `#[one_of]`.
            Self::Misplaced => {
                let name = scheme.to_string();
                quote!(ApiKey(#krate::scheme::ApiKeyLocation::Query(#name)))
            }
        };
        quote!(.with_kind(#krate::scheme::SchemeKind::#kind))
    }
}

/// Defines arguments that are the names of keys, each with its rule for a literal. The runtime
/// checks a constant by the same rule.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident: $fault:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name(pub(crate) Text);

        impl FromMeta for $name {
            fn from_meta(meta: &Meta) -> Result<Self> {
                let fault: fn(&str) -> Option<String> = $fault;
                Text::from_meta(meta)?.checked(fault).map(Self)
            }
        }
    )*};
}

names! {
    /// The name of a header with an API key.
    HeaderName: |name| match &*name.to_ascii_lowercase() {
        "cookie" => Some("`cookie` is a location, not a header name; write `#[api_key(cookie = \"…\")]` with the name of the cookie".into()),
        "" => Some("a header name must not be empty; write `header = \"x-api-key\"`".into()),
        lower if lower.len() > 128 => Some("a header name has at most 128 characters; write a shorter one".into()),
        lower if !is_token(lower) => Some(format!("`{}` is not a header name; use letters, digits and `-`", name.escape_debug())),
        _ => None,
    };
    /// The name of a parameter in the query.
    ParameterName: |name| name.is_empty().then(|| "the name of a parameter must not be empty; write `query = \"key\"`".into());
    /// The name of a cookie.
    CookieName: |name| match name {
        "" => Some("a cookie name must not be empty; write `cookie = \"session\"`".into()),
        name if !is_token(name) => Some(format!("`{}` is not a cookie name; use letters, digits, `-` and `_`", name.escape_debug())),
        _ => None,
    };
}

/// The name of an HTTP authentication scheme, a literal.
pub(crate) struct AuthScheme(pub(crate) LitStr);

impl FromMeta for AuthScheme {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let Literal(literal) = Literal::from_meta(meta)?;
        let name = literal.value();
        let sentence = match &*name.to_ascii_lowercase() {
            "bearer" => "`Bearer` has its own attribute; write `#[http_bearer]`".into(),
            "basic" => "`Basic` has its own attribute; write `#[http_basic]`".into(),
            lower if !is_token(lower) => format!(
                "`{}` is not the name of an authentication scheme; write a registered one, such as `\"Digest\"`",
                name.escape_debug()
            ),
            _ => return Ok(Self(literal)),
        };
        Err(error_at(literal.span(), sentence))
    }
}

/// Which of several cookies of one name is taken: `repeated = "first"`.
pub(crate) struct Repeated;

impl Value for Repeated {
    const KIND: &'static str = "`\"first\"`, which takes the first of several cookies";
    const EXAMPLE: &'static str = "\"first\"";

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) if text.value() == "first" => Some(Self),
            _ => None,
        }
    }
}

values!(Repeated);

/// The realm of a challenge. The runtime checks a constant by the same rule.
pub(crate) struct Realm(pub(crate) TextOrSetting);

impl FromMeta for Realm {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let is_allowed = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        let checked = TextOrSetting::from_meta(meta)?.checked(|realm| {
            (!realm.bytes().all(is_allowed)).then(|| {
                "a realm is visible ASCII and spaces, without `\"` and `\\`; write one like `\"admin\"`".into()
            })
        });
        checked.map(Self)
    }
}

/// Returns `true` for a [`token`](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
fn is_token(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_allowed)
}
