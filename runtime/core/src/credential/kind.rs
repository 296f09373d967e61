//! The kinds of schemes.

use crate::scheme::setting::rule::Rule;
use crate::scheme::setting::text_or_setting::TextOrSetting;

/// The kind of a scheme
/// ([Security Scheme Object](https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemeKind {
    /// OAuth2 ([RFC 6749](https://www.rfc-editor.org/rfc/rfc6749)), with any `Authorization`
    /// header.
    OAuth2,
    /// OAuth2 with bearer tokens ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750)).
    OAuth2Bearer,
    /// OpenID Connect.
    OpenIdConnect {
        /// The URL of the [discovery
        /// document](https://openid.net/specs/openid-connect-discovery-1_0.html).
        url: TextOrSetting,
    },
    /// A bearer token of any origin ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750)).
    HttpBearer {
        /// The format of the token, for people: `"JWT"`.
        format: Option<&'static str>,
    },
    /// HTTP Basic ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)).
    HttpBasic,
    /// Any other HTTP authentication scheme, by its
    /// [registered name](https://www.iana.org/assignments/http-authschemes).
    Http {
        /// The name of the authentication scheme.
        scheme: &'static str,
    },
    /// An API key.
    ApiKey(ApiKeyLocation),
}

impl SchemeKind {
    /// Returns `true` if a description lists scopes of schemes of this kind, and no roles
    /// ([Security Requirement Object](https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object)).
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn lists_scopes_alone(self) -> bool {
        matches!(self, Self::OAuth2 | Self::OAuth2Bearer | Self::OpenIdConnect { .. })
    }

    /// Returns `true` if a scheme of this kind takes bearer tokens.
    #[cfg(feature = "rmcp3")]
    pub(crate) const fn takes_bearer_tokens(self) -> bool {
        matches!(self, Self::OAuth2Bearer | Self::OpenIdConnect { .. } | Self::HttpBearer { .. })
    }

    /// Returns the name of the type of credential that a scheme of this kind yields.
    pub(crate) const fn credential(self) -> &'static str {
        match self {
            Self::OAuth2 => "AuthorizationValue",
            Self::OAuth2Bearer | Self::OpenIdConnect { .. } | Self::HttpBearer { .. } => {
                "BearerToken"
            }
            Self::HttpBasic => "BasicCredentials",
            Self::Http { .. } => "HttpCredentials",
            Self::ApiKey(_) => "ApiKey",
        }
    }
}

/// The place of an API key in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApiKeyLocation {
    /// The header of this name.
    Header(&'static str),
    /// The parameter of this name in the query.
    ///
    /// A key in a URL is a key in every log, every browser history and every `Referer`. Use it only
    /// for clients that cannot send a header.
    Query(&'static str),
    /// The cookie of this name.
    Cookie {
        /// The name.
        name: &'static str,
        /// `true` if a request that another site has caused is taken too. A browser adds its
        /// cookies to such a request by itself.
        cross_site: bool,
        /// `true` if the first of several cookies of this name is taken, which is the one with the
        /// longest path ([RFC 6265, 5.4](https://www.rfc-editor.org/rfc/rfc6265#section-5.4)).
        /// Otherwise, such a request is refused.
        takes_first: bool,
    },
}

impl ApiKeyLocation {
    /// Returns the name of the header, parameter or cookie.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header(name) | Self::Query(name) | Self::Cookie { name, .. } => name,
        }
    }

    /// Returns the rule for the name.
    pub(crate) const fn rule(self) -> Rule {
        match self {
            Self::Header(_) => Rule::HeaderName,
            Self::Query(_) => Rule::ParameterName,
            Self::Cookie { .. } => Rule::CookieName,
        }
    }
}
