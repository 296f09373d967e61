//! The configuration of a scheme.

use crate::credential::Credential;
use crate::credential::kind::{ApiKeyLocation, SchemeKind};
use crate::credential::reason::RejectionReason;
use crate::refusal::own_error::data::OwnErrorData;
use crate::refusal::rejection::Rejection;
use crate::scheme::flow::Flows;
use crate::scheme::scope::{DeclaredScopes, Scope};
use crate::scheme::setting::SettingError;
use crate::scheme::setting::rule::{Rule, RuleFault};
use crate::scheme::setting::text_or_setting::TextOrSetting;
use crate::syntax::const_str::{self, fail};
use crate::{notice, trace};

/// The configuration of a scheme, as const data. The values of a
/// [`Setting`](crate::scheme::Setting) are set when the service starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemeConfig {
    pub(crate) scheme_name: &'static str,
    pub(crate) description: Option<&'static str>,
    pub(crate) kind: SchemeKind,
    pub(crate) scopes: &'static [Scope],
    pub(crate) flows: Flows,
    pub(crate) auto_error: bool,
    pub(crate) strict: bool,
    pub(crate) websocket: bool,
    pub(crate) dpop: bool,
    pub(crate) has_challenge: bool,
    pub(super) has_charset: bool,
    pub(crate) realm: Option<TextOrSetting>,
    pub(crate) resource: Option<TextOrSetting>,
    pub(crate) authorization_servers: &'static [TextOrSetting],
    pub(super) rejection: Option<Rejection>,
    pub(super) rejections: &'static [(RejectionReason, Rejection)],
    /// The error type of the service that answers instead of the scheme.
    pub(crate) own_error: Option<OwnErrorData>,
    /// The first mistake in a value. A `const fn` does not know whether it runs at compile time, so
    /// a setter does not panic: it notes the mistake, and makes the configuration harmless.
    pub(super) fault: Option<RuleFault>,
}

impl SchemeConfig {
    /// Creates the configuration of a scheme that yields `C`, with this name in the API description
    /// and no flows. The kind is one that yields a `C`.
    #[must_use]
    pub const fn new<C: Credential>(scheme_name: &'static str) -> Self {
        Self {
            scheme_name,
            description: None,
            kind: C::KIND,
            scopes: &[],
            flows: Flows::new(),
            auto_error: C::AUTO_ERROR,
            strict: false,
            websocket: false,
            dpop: false,
            has_challenge: true,
            has_charset: false,
            realm: None,
            resource: None,
            authorization_servers: &[],
            rejection: None,
            rejections: &[],
            own_error: None,
            fault: None,
        }
    }

    /// Sets the description for people (CommonMark).
    #[must_use]
    pub const fn with_description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets the kind. A scheme does not compile if its `Credential` is not one of this kind.
    #[must_use]
    pub const fn with_kind(mut self, kind: SchemeKind) -> Self {
        self.kind = kind;
        match kind {
            SchemeKind::OpenIdConnect { url } => self.checked(url, Rule::Url),
            SchemeKind::ApiKey(location) => {
                self.checked(TextOrSetting::Text(location.name()), location.rule())
            }
            _ => self,
        }
    }

    /// Sets the scopes that may be required of a scheme without flows. If there are none, any scope
    /// may be required, except of OpenID Connect.
    #[must_use]
    pub const fn with_scopes(mut self, scopes: &'static [Scope]) -> Self {
        self.scopes = scopes;
        self
    }

    /// Sets the flows that an OAuth2 scheme declares in the API description, with their scopes.
    #[must_use]
    pub const fn with_flows(mut self, flows: Flows) -> Self {
        self.flows = flows;
        if self.fault.is_none() {
            self.fault = flows.fault();
        }
        self
    }

    /// Sets whether a bearer scheme accepts only the grammar of
    /// [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    #[must_use]
    pub const fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets whether a bearer scheme also takes a token from `Sec-WebSocket-Protocol`, if the request
    /// opens a WebSocket and has no `Authorization`: `bearer, TOKEN`, `bearer.TOKEN`, or
    /// `base64url.bearer.authorization.k8s.io.` and the token in base64url. The token has the
    /// grammar of RFC 6750. The last form is decoded, so
    /// [`authenticate_ref`](crate::Scheme::authenticate_ref) refuses it.
    #[must_use]
    pub const fn with_websocket(mut self, websocket: bool) -> Self {
        self.websocket = websocket;
        self
    }

    /// Sets whether a bearer scheme also takes a token that is bound to a key of the client, in
    /// `Authorization: DPoP …` ([RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1)).
    /// Its verifier checks the proof: `verify::KeyBound`.
    #[must_use]
    pub const fn with_dpop(mut self, dpop: bool) -> Self {
        self.dpop = dpop;
        self
    }

    /// Sets whether refusals have the scheme's challenge: its own, and each `401` of a dependency
    /// above it. They do by default, because
    /// [RFC 9110, 15.5.2](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2) asks for one.
    /// Without it, a browser opens no dialog for `Basic`. A `rejection` is sent as it is.
    #[must_use]
    pub const fn with_challenge(mut self, has_challenge: bool) -> Self {
        self.has_challenge = has_challenge;
        self
    }

    /// Sets whether the challenge of HTTP Basic says that user names and passwords are UTF-8, by
    /// `charset="UTF-8"` after its realm
    /// ([RFC 7617, 2.1](https://www.rfc-editor.org/rfc/rfc7617#section-2.1)). Clients that send
    /// Latin-1 otherwise, such as aiohttp, then send UTF-8.
    #[must_use]
    pub const fn with_charset(mut self, has_charset: bool) -> Self {
        self.has_charset = has_charset;
        self
    }

    /// Sets the realm of the challenges
    /// ([RFC 9110, 11.5](https://www.rfc-editor.org/rfc/rfc9110#section-11.5)): visible ASCII and
    /// spaces, without `"` and `\`, so that a quoted string can contain it unescaped. A scheme with
    /// any other realm does not compile.
    #[must_use]
    pub const fn with_realm(mut self, realm: TextOrSetting) -> Self {
        self.realm = Some(realm);
        self.checked(realm, Rule::Realm)
    }

    /// Sets the identifier of the protected resource, whose metadata the challenges name
    /// ([RFC 9728, 1.2](https://www.rfc-editor.org/rfc/rfc9728#section-1.2)). A scheme does not
    /// compile if it is not a URL as for [`Setting::resource`](crate::scheme::Setting::resource).
    #[must_use]
    pub const fn with_resource(mut self, resource: TextOrSetting) -> Self {
        self.resource = Some(resource);
        self.checked(resource, Rule::Resource)
    }

    /// Sets the issuers of the authorization servers that the metadata of the resource lists
    /// ([RFC 9728, 2](https://www.rfc-editor.org/rfc/rfc9728#section-2)). A scheme does not compile
    /// if one of them is not a URL as for [`Setting::issuer`](crate::scheme::Setting::issuer).
    #[must_use]
    pub const fn with_authorization_servers(mut self, issuers: &'static [TextOrSetting]) -> Self {
        self.authorization_servers = issuers;
        let mut rest = issuers;
        while let [issuer, tail @ ..] = rest {
            self = self.checked(*issuer, Rule::Issuer);
            rest = tail;
        }
        self
    }

    /// Sets the response to every request that the scheme refuses, instead of the default ones.
    #[must_use]
    pub const fn with_rejection(mut self, rejection: Rejection) -> Self {
        self.rejection = Some(rejection);
        self
    }

    /// Sets the response for each of these reasons, so that its text is true: a key that is
    /// sent twice is not missing. For any other reason, the one of
    /// [`with_rejection`](Self::with_rejection) applies.
    ///
    /// ```
    /// use http::{HeaderMap, StatusCode};
    /// use doorward::{Rejection, Scheme, api_key};
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
    pub const fn with_rejections(
        mut self,
        rejections: &'static [(RejectionReason, Rejection)],
    ) -> Self {
        self.rejections = rejections;
        self
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __with_own_error(mut self, error: OwnErrorData) -> Self {
        self.own_error = Some(error);
        self
    }

    /// Notes the mistake in a value, unless there is an earlier one.
    const fn checked(mut self, value: TextOrSetting, rule: Rule) -> Self {
        if self.fault.is_none() {
            self.fault = value.fault(rule);
        }
        self
    }

    /// Returns the scheme's name in the API description. Attributes take the name of the struct by
    /// default.
    #[must_use]
    pub const fn scheme_name(&self) -> &'static str {
        self.scheme_name
    }

    /// Returns the description for people. Attributes take the doc comment of the struct by
    /// default.
    #[must_use]
    pub const fn description(&self) -> Option<&'static str> {
        self.description
    }

    /// Returns the kind, which says where the credential is in a request.
    #[must_use]
    pub const fn kind(&self) -> SchemeKind {
        self.kind
    }

    /// Returns the scopes that may be required of a scheme without flows.
    #[must_use]
    pub const fn scopes(&self) -> &'static [Scope] {
        self.scopes
    }

    /// Returns the flows.
    #[must_use]
    pub const fn flows(&self) -> Flows {
        self.flows
    }

    /// Returns `true` if a request without a credential is refused. Otherwise, the scheme yields an
    /// `Option`.
    #[must_use]
    pub const fn has_auto_error(&self) -> bool {
        self.auto_error
    }

    /// Returns `true` if a bearer scheme accepts only the grammar of RFC 6750.
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        self.strict
    }

    /// Returns `true` if a bearer scheme also takes a token from `Sec-WebSocket-Protocol`.
    #[must_use]
    pub const fn reads_websocket(&self) -> bool {
        self.websocket
    }

    /// Returns `true` if a bearer scheme also takes `Authorization: DPoP …`.
    #[must_use]
    pub const fn takes_dpop(&self) -> bool {
        self.dpop
    }

    /// Returns `true` if refusals have the scheme's challenge.
    #[must_use]
    pub const fn has_challenge(&self) -> bool {
        self.has_challenge
    }

    /// Returns the realm.
    #[must_use]
    pub const fn realm(&self) -> Option<TextOrSetting> {
        self.realm
    }

    /// Returns the identifier of the protected resource.
    #[must_use]
    pub const fn resource(&self) -> Option<TextOrSetting> {
        self.resource
    }

    /// Returns the issuers of the authorization servers.
    #[must_use]
    pub const fn authorization_servers(&self) -> &'static [TextOrSetting] {
        self.authorization_servers
    }

    /// Returns the response to every request that the scheme refuses, if one is set.
    #[must_use]
    pub const fn rejection(&self) -> Option<Rejection> {
        self.rejection
    }

    /// Returns `true` if the granted scopes contain this one, or one that implies it.
    ///
    /// Use it in an issuer, where a client may ask for less than it could have.
    /// [`SecurityScopes::check`](crate::SecurityScopes::check) does the same for a request.
    ///
    /// ```
    /// use doorward::{Scheme, oauth2_password_bearer};
    ///
    /// #[oauth2_password_bearer(
    ///     token_url = "token",
    ///     scopes("notes:write" implies("notes:read") = "Change notes.", "notes:read" = "Read notes.")
    /// )]
    /// struct Login;
    ///
    /// assert!(Login::CONFIG.grants(&["notes:write"], "notes:read"));
    /// assert!(!Login::CONFIG.grants(&["notes:read"], "notes:write"));
    /// ```
    #[must_use]
    pub fn grants<S: AsRef<str>>(&self, granted: &[S], scope: &str) -> bool {
        let mut implying = Vec::new();
        let mut sufficient = Some(scope);
        let mut next = 0_usize;
        while let Some(name) = sufficient {
            if granted.iter().any(|granted| granted.as_ref() == name) {
                return true;
            }
            self.add_implying(name, 0, &mut implying);
            sufficient = implying.get(next).copied();
            next = next.saturating_add(1);
        }
        false
    }

    /// Adds the scopes that imply one, unless they are there behind `start`.
    pub(crate) fn add_implying(&self, implied: &str, start: usize, to: &mut Vec<&'static str>) {
        for scope in self.declared_scopes().iter() {
            let is_new = || !to.iter().skip(start).any(|name| *name == scope.name);
            if scope.implies.contains(&implied) && is_new() {
                to.push(scope.name);
            }
        }
    }

    /// Returns `true` if the scheme refuses a request that another site may have caused.
    pub(crate) const fn refuses_cross_site(&self) -> bool {
        let kind = self.kind;
        matches!(kind, SchemeKind::ApiKey(ApiKeyLocation::Cookie { cross_site: false, .. }))
    }

    /// Returns the reasons for which the scheme may refuse a request.
    #[cfg(feature = "openapi")]
    pub(crate) fn reasons(&self) -> impl Iterator<Item = RejectionReason> {
        let always: &[_] = match self.kind {
            _ if self.refuses_cross_site() => &[RejectionReason::CrossSite],
            SchemeKind::HttpBasic => &[RejectionReason::Malformed],
            _ => &[],
        };
        let required: &[_] = match self.kind {
            _ if !self.auto_error => &[],
            SchemeKind::ApiKey(ApiKeyLocation::Cookie { takes_first: true, .. }) => {
                &[RejectionReason::Missing, RejectionReason::Malformed]
            }
            _ => &[RejectionReason::Missing, RejectionReason::Repeated, RejectionReason::Malformed],
        };
        required.iter().chain(always).copied()
    }

    /// Checks at compile time that no value has a mistake.
    #[track_caller]
    pub(crate) const fn assert_values(&self) {
        if let Some(fault) = self.fault {
            fault.panic();
        }
    }

    /// Checks at compile time that a scheme of this kind yields a `C`.
    #[track_caller]
    #[allow(clippy::panic, reason = "evaluated at compile time, where a panic is a compile error")]
    pub(crate) const fn assert_yields<C: Credential>(&self) {
        let (yielded, credential) = (self.kind.credential(), C::KIND.credential());
        if !const_str::eq(yielded, credential) {
            fail!(
                "`{}` has a kind that yields `{}`, but its `Credential` is `{}`; write `type Credential = {}`, or another kind",
                self.scheme_name,
                yielded,
                credential,
                yielded
            );
        }
        if self.auto_error != C::AUTO_ERROR {
            fail!(
                "`{}` has the configuration of another `Credential`; write `SchemeConfig::new::<Self::Credential>(…)`",
                self.scheme_name
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

    /// Returns `true` if the service has to set a value that the challenges contain.
    pub(crate) const fn has_settings(&self) -> bool {
        matches!(self.realm, Some(realm) if realm.is_setting())
            || matches!(self.resource, Some(resource) if resource.is_setting())
    }

    /// Refuses every request until the service has set what the challenges contain.
    pub(crate) fn require_settings(&self) -> Result<(), Rejection> {
        match self.usable_realm().and(self.usable_resource()) {
            Ok(_) => Ok(()),
            Err(error) => {
                trace::setting_not_usable(self.scheme_name, &error);
                notice::once(format_args!(
                    "`{}` answers every request with a 500: {error}",
                    self.scheme_name
                ));
                Err(Rejection::INTERNAL_SERVER_ERROR)
            }
        }
    }

    /// Returns the realm, if the scheme declares one.
    pub(crate) fn usable_realm(&self) -> Result<Option<&'static str>, SettingError> {
        let realm = self.realm.map(|realm| realm.usable(Rule::Realm));
        realm.transpose()
    }

    /// Returns the identifier of the resource, if the scheme declares one.
    pub(crate) fn usable_resource(&self) -> Result<Option<&'static str>, SettingError> {
        let resource = self.resource.map(|resource| resource.usable(Rule::Resource));
        resource.transpose()
    }

    /// Returns `true` if the scheme declares a scope.
    #[doc(hidden)]
    #[must_use]
    pub const fn declares_scope(&self, scope: &str) -> bool {
        self.declared_scopes().declares(scope)
    }

    /// Returns the scopes that the scheme declares.
    pub(crate) const fn declared_scopes(&self) -> DeclaredScopes {
        match self.scopes {
            [] => self.flows.scopes(),
            scopes => DeclaredScopes::of(scopes),
        }
    }

    /// Returns `true` if only scopes that the scheme declares can be required of it.
    pub(crate) const fn holds_scopes(&self) -> bool {
        matches!(self.kind, SchemeKind::OpenIdConnect { .. })
            || !self.scopes.is_empty()
            || !self.flows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credential::api_key::ApiKey;
    use crate::credential::bearer_token::BearerToken;
    use crate::credential::http_basic::BasicCredentials;

    const BASIC: SchemeConfig =
        SchemeConfig::new::<BearerToken>("Login").with_kind(SchemeKind::HttpBasic);

    #[test]
    fn a_kind_agrees_with_its_credential() {
        BASIC.assert_yields::<BasicCredentials>();
        for kind in [
            SchemeKind::OAuth2Bearer,
            SchemeKind::HttpBearer { format: None },
            SchemeKind::OpenIdConnect { url: TextOrSetting::Text("openid") },
        ] {
            let config = SchemeConfig::new::<Option<BearerToken>>("").with_kind(kind);
            config.assert_yields::<Option<BearerToken>>();
        }
    }

    #[test]
    #[should_panic(
        expected = "`Login` has a kind that yields `BasicCredentials`, but its `Credential` is `BearerToken`; write \
                    `type Credential = BasicCredentials`, or another kind"
    )]
    fn another_kind_is_reported() {
        BASIC.assert_yields::<BearerToken>();
    }

    #[test]
    #[should_panic(
        expected = "`Key` has the configuration of another `Credential`; write `SchemeConfig::new::<Self::Credential>(…)`"
    )]
    fn an_option_of_another_credential_is_reported() {
        SchemeConfig::new::<Option<ApiKey>>("Key").assert_yields::<ApiKey>();
    }

    #[test]
    #[should_panic(expected = "a realm must consist of visible ASCII and spaces")]
    fn the_first_mistake_in_a_value_is_reported() {
        let config = SchemeConfig::new::<BearerToken>("Login")
            .with_realm(TextOrSetting::Text("\""))
            .with_resource(TextOrSetting::Text("nowhere"));
        config.assert_values();
    }
}
