//! The configuration of a scheme.

use super::api_key::ApiKeyLocation;
use super::credential::Credential;
use super::flow::Flows;
use super::quoted::is_realm;
use super::reason::RejectionReason;
use super::rejection::Rejection;
use super::resource::Resource;
use super::scope::{DeclaredScopes, Scope};
use crate::trace;

/// The configuration of a scheme, known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemeConfig {
    /// The scheme's name in the API description. Defaults to the name of the struct.
    pub scheme_name: &'static str,
    /// The scheme's description for people (CommonMark). Defaults to the doc comment of the struct.
    pub description: Option<&'static str>,
    /// The kind of scheme, which says where the credential is in a request.
    pub kind: SchemeKind,
    /// The scopes that may be required of a scheme without flows. If there are none, any scope may
    /// be, but not of OpenID Connect.
    pub scopes: &'static [Scope],
    /// The flows that an OAuth2 scheme declares in the API description, with their scopes.
    pub flows: Flows,
    /// If `true`, a request without a credential is refused; otherwise, the scheme yields an
    /// `Option`.
    pub auto_error: bool,
    /// If `true`, a bearer scheme accepts only the grammar of
    /// [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    pub strict: bool,
    /// The realm of the challenges
    /// ([RFC 9110, 11.5](https://www.rfc-editor.org/rfc/rfc9110#section-11.5)).
    pub realm: Option<&'static str>,
    /// The protected resource, whose metadata the challenges name
    /// ([RFC 9728](https://www.rfc-editor.org/rfc/rfc9728)).
    pub resource: Option<Resource>,
    /// The issuers of the authorization servers that the metadata lists.
    pub authorization_servers: &'static [&'static str],
    /// The response to every request that the scheme refuses. If `None`, the default responses are
    /// sent.
    pub rejection: Option<Rejection>,
    /// The responses by reason. For any other reason, `rejection` counts.
    pub rejections: &'static [(RejectionReason, Rejection)],
}

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
        url: &'static str,
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

impl SchemeConfig {
    /// Creates the configuration of a scheme that yields `C`, with this name and no flows. The kind
    /// is one that yields a `C`.
    #[must_use]
    pub const fn new<C: Credential>(scheme_name: &'static str) -> Self {
        Self {
            scheme_name,
            description: None,
            kind: C::KIND,
            scopes: &[],
            flows: Flows::NONE,
            auto_error: C::AUTO_ERROR,
            strict: false,
            realm: None,
            resource: None,
            authorization_servers: &[],
            rejection: None,
            rejections: &[],
        }
    }

    /// Sets the description.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets the kind.
    #[must_use]
    pub const fn kind(mut self, kind: SchemeKind) -> Self {
        self.kind = kind;
        self
    }

    /// Sets the scopes that may be required of a scheme without flows.
    #[must_use]
    pub const fn scopes(mut self, scopes: &'static [Scope]) -> Self {
        self.scopes = scopes;
        self
    }

    /// Sets the flows.
    #[must_use]
    pub const fn flows(mut self, flows: Flows) -> Self {
        self.flows = flows;
        self
    }

    /// Sets whether a bearer scheme accepts only the grammar of RFC 6750.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets the realm: visible ASCII and spaces, without `"` and `\`, so that a quoted string can
    /// contain it unescaped. A scheme with any other realm does not compile.
    #[must_use]
    pub const fn realm(mut self, realm: &'static str) -> Self {
        self.realm = Some(realm);
        self
    }

    /// Sets the protected resource.
    #[must_use]
    pub const fn resource(mut self, resource: Resource) -> Self {
        self.resource = Some(resource);
        self
    }

    /// Sets the issuers of the authorization servers.
    #[must_use]
    pub const fn authorization_servers(mut self, issuers: &'static [&'static str]) -> Self {
        self.authorization_servers = issuers;
        self
    }

    /// Returns the response to a request that the scheme refuses for this reason. It is a `500` if
    /// the realm cannot be in a challenge.
    #[must_use]
    pub const fn rejection_of(&'static self, reason: RejectionReason) -> Rejection {
        let mut rejections = self.rejections;
        while let [(of, rejection), others @ ..] = rejections {
            if *of as u8 == reason as u8 {
                return rejection.because(reason);
            }
            rejections = others;
        }
        let rejection = match (self.rejection, self.realm) {
            (Some(rejection), _) => rejection,
            (None, Some(realm)) if !is_realm(realm) => Rejection::INTERNAL_SERVER_ERROR,
            (None, _) => Rejection::of(reason, self),
        };
        rejection.because(reason)
    }

    /// Sets the response to every request that the scheme refuses.
    #[must_use]
    pub const fn rejection(mut self, rejection: Rejection) -> Self {
        self.rejection = Some(rejection);
        self
    }

    /// Sets the response for each of these reasons, so that what it says is true: a key that is
    /// sent twice is not missing.
    ///
    /// ```
    /// use http::HeaderMap;
    /// use tollgate::{Rejection, Scheme, api_key};
    ///
    /// #[api_key(
    ///     header = "X-API-Key",
    ///     rejection(
    ///         missing = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Missing API key"),
    ///         repeated = Rejection::new(StatusCode::BAD_REQUEST).with_detail("More than one API key"),
    ///     )
    /// )]
    /// struct Key;
    ///
    /// let mut headers = HeaderMap::new();
    /// assert_eq!(Key::authenticate(&headers).unwrap_err().status(), 401);
    /// for key in ["a", "b"] {
    ///     headers.append("x-api-key", http::HeaderValue::from_static(key));
    /// }
    /// assert_eq!(Key::authenticate(&headers).unwrap_err().status(), 400);
    /// ```
    #[must_use]
    pub const fn rejections(mut self, rejections: &'static [(RejectionReason, Rejection)]) -> Self {
        self.rejections = rejections;
        self
    }

    /// Returns the reasons for which the scheme may refuse a request.
    #[cfg(feature = "openapi")]
    pub(crate) fn reasons(&self) -> impl Iterator<Item = RejectionReason> {
        let always: &[_] = match self.kind {
            SchemeKind::ApiKey(ApiKeyLocation::Cookie {
                cross_site: false, ..
            }) => &[RejectionReason::CrossSite],
            SchemeKind::HttpBasic => &[RejectionReason::Malformed],
            _ => &[],
        };
        let required: &[_] = if self.auto_error {
            &[
                RejectionReason::Missing,
                RejectionReason::Repeated,
                RejectionReason::Malformed,
            ]
        } else {
            &[]
        };
        required.iter().chain(always).copied()
    }

    /// Checks at compile time that a quoted string can contain the realm.
    #[track_caller]
    pub(crate) const fn assert_realm(&self) {
        if let Some(realm) = self.realm {
            assert!(
                is_realm(realm),
                "a realm must consist of visible ASCII and spaces, without `\"` and `\\`"
            );
        }
    }

    /// Returns `true` if the scheme has `Bearer` challenges.
    pub(crate) const fn has_bearer_challenge(&self) -> bool {
        matches!(
            self.kind,
            SchemeKind::OAuth2
                | SchemeKind::OAuth2Bearer
                | SchemeKind::OpenIdConnect { .. }
                | SchemeKind::HttpBearer { .. }
        )
    }

    /// Returns `true` if the scheme declares a protection space, a realm or a resource, and has
    /// `Bearer` challenges. They are complete then.
    pub(crate) const fn has_space(&self) -> bool {
        (self.realm.is_some() || self.resource.is_some()) && self.has_bearer_challenge()
    }

    /// Returns `true` if the service has to set the resource when it starts.
    pub(crate) const fn has_late_resource(&self) -> bool {
        matches!(self.resource, Some(resource) if resource.is_late())
    }

    /// Refuses every request until the service has set the resource.
    pub(crate) fn require_resource(&self) -> Result<(), Rejection> {
        match self.resource {
            Some(resource) if resource.url().is_none() => {
                trace::resource_not_set(self.scheme_name);
                Err(Rejection::INTERNAL_SERVER_ERROR)
            }
            _ => Ok(()),
        }
    }

    /// Returns the scopes that the scheme declares.
    pub(crate) const fn declared_scopes(&self) -> DeclaredScopes {
        if self.scopes.is_empty() {
            self.flows.scopes()
        } else {
            DeclaredScopes::of(self.scopes)
        }
    }

    /// Returns `true` if only scopes that the scheme declares can be required of it.
    pub(crate) const fn holds_scopes(&self) -> bool {
        matches!(self.kind, SchemeKind::OpenIdConnect { .. })
            || !self.scopes.is_empty()
            || !self.flows.is_empty()
    }
}
