//! The metadata of an authorization server
//! ([RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)).

use crate::metadata::members::{Member, Members, document, texts};
use crate::scheme::setting::SettingError;
use crate::scheme::setting::rule::Rule;
use crate::scheme::setting::text_or_setting::TextOrSetting;
use crate::scheme::{Scheme, SchemeConfig};
use crate::syntax::url::split_after_host;
use crate::syntax::url::well_known::{AUTHORIZATION_SERVER, metadata_path};

/// The metadata document of an authorization server, which tells clients and services where its
/// endpoints and its keys are ([RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)). It is the
/// sibling of [`ResourceMetadata`](crate::metadata::ResourceMetadata), and served by the same line.
///
/// The URLs, the grants and the scopes are what a scheme declares:
///
/// ```
/// use doorward::oauth2_bearer;
/// use doorward::metadata::AuthorizationServerMetadata;
///
/// #[oauth2_bearer(
///     flows(password(token_url = "/token", refresh_url = "/token")),
///     scopes("items" = "Read items.")
/// )]
/// struct Login;
///
/// let metadata = AuthorizationServerMetadata::of::<Login>("https://id.example.com")?
///     .with_jwks_uri("https://id.example.com/jwks.json");
/// assert_eq!(metadata.path(), "/.well-known/oauth-authorization-server");
/// assert_eq!(
///     metadata.to_json(),
///     concat!(
///         r#"{"issuer":"https://id.example.com","response_types_supported":[],"#,
///         r#""token_endpoint":"https://id.example.com/token","#,
///         r#""grant_types_supported":["password","refresh_token"],"#,
///         r#""scopes_supported":["items"],"jwks_uri":"https://id.example.com/jwks.json"}"#,
///     )
/// );
/// # Ok::<(), doorward::scheme::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizationServerMetadata(Members);

impl AuthorizationServerMetadata {
    /// Creates the metadata of an issuer that a scheme declares. A URL of the scheme that is not
    /// absolute is below the issuer's host, or below the issuer if it begins without `/`.
    ///
    /// # Errors
    ///
    /// Returns an error if the issuer cannot be one
    /// ([RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2)), or a URL of the scheme is a
    /// [`Setting`](crate::scheme::Setting) that is not set.
    pub fn of<S: Scheme>(issuer: impl Into<String>) -> Result<Self, SettingError> {
        let issuer = issuer.into();
        SettingError::check("issuer", &issuer, Rule::Issuer)?;
        let path = metadata_path(AUTHORIZATION_SERVER, &issuer);
        let declared = Declared::of(&S::CONFIG, &issuer)?;
        let members = Members::new(AUTHORIZATION_SERVER, path)
            .with("issuer", Member::Text(issuer))
            .with("response_types_supported", Member::RequiredList(declared.response_types));
        let endpoints = [
            ("authorization_endpoint", declared.authorization_endpoint),
            ("token_endpoint", declared.token_endpoint),
        ];
        let members = endpoints.into_iter().fold(members, |members, (name, url)| match url {
            Some(url) => members.with(name, Member::Text(url)),
            None => members,
        });
        Ok(Self(members)
            .with_grant_types_supported(declared.grant_types)
            .with_scopes_supported(declared.scopes))
    }
}

/// The facts about an authorization server that the flows of a scheme declare.
#[derive(Default)]
struct Declared {
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    response_types: Vec<String>,
    grant_types: Vec<&'static str>,
    scopes: Vec<&'static str>,
}

impl Declared {
    fn of(config: &SchemeConfig, issuer: &str) -> Result<Self, SettingError> {
        let flows = config.flows();
        let mut declared = Self::default();
        let kinds = [
            (flows.authorization_code(), "authorization_code", Some("code")),
            (flows.implicit(), "implicit", Some("token")),
            (flows.password(), "password", None),
            (flows.client_credentials(), "client_credentials", None),
        ];
        let mut refreshes = false;
        for (flow, grant_type, response_type) in kinds {
            let Some(flow) = flow else { continue };
            declared.grant_types.push(grant_type);
            declared.response_types.extend(response_type.map(str::to_owned));
            refreshes |= flow.refresh_url().is_some();
            for (url, endpoint) in [
                (flow.authorization_url(), &mut declared.authorization_endpoint),
                (flow.token_url(), &mut declared.token_endpoint),
            ] {
                if let (Some(url), None) = (url, &endpoint) {
                    *endpoint = Some(resolved(issuer, url)?);
                }
            }
        }
        declared.grant_types.extend(refreshes.then_some("refresh_token"));
        declared.scopes = config.declared_scopes().names();
        Ok(declared)
    }
}

/// Returns a URL of a scheme as an absolute one.
fn resolved(issuer: &str, url: TextOrSetting) -> Result<String, SettingError> {
    let url = url.usable(Rule::Url)?;
    Ok(if url.contains("://") {
        url.to_owned()
    } else if url.starts_with('/') {
        let (origin, _) = split_after_host(issuer);
        [origin, url].concat()
    } else {
        [issuer.trim_end_matches('/'), "/", url].concat()
    })
}

document! {
    /// Returns the path of the document, where the service serves it: that of the issuer, below the
    /// well-known path ([RFC 8414, 3.1](https://www.rfc-editor.org/rfc/rfc8414#section-3.1)).
    AuthorizationServerMetadata

    /// Sets the URL of the authorization endpoint, instead of that of the scheme.
    with_authorization_endpoint("authorization_endpoint"): Text(url: impl Into<String>) url.into();
    /// Sets the URL of the token endpoint, instead of that of the scheme.
    with_token_endpoint("token_endpoint"): Text(url: impl Into<String>) url.into();
    /// Sets the URL of the keys, a JWK Set.
    with_jwks_uri("jwks_uri"): Text(url: impl Into<String>) url.into();
    /// Sets the URL at which clients register
    /// ([RFC 7591](https://www.rfc-editor.org/rfc/rfc7591)).
    with_registration_endpoint("registration_endpoint"): Text(url: impl Into<String>) url.into();
    /// Sets the URL at which tokens are revoked
    /// ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)).
    with_revocation_endpoint("revocation_endpoint"): Text(url: impl Into<String>) url.into();
    /// Sets the URL at which tokens are introspected
    /// ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662)).
    with_introspection_endpoint("introspection_endpoint"): Text(url: impl Into<String>) url.into();
    /// Sets the scopes that clients may ask for, instead of all that the scheme declares.
    with_scopes_supported("scopes_supported"): List(scopes: impl IntoIterator<Item: Into<String>>) texts(scopes);
    /// Sets the response types of the authorization endpoint, instead of those of the flows.
    with_response_types_supported("response_types_supported"): RequiredList(types: impl IntoIterator<Item: Into<String>>) texts(types);
    /// Sets the ways in which the authorization endpoint answers.
    with_response_modes_supported("response_modes_supported"): List(modes: impl IntoIterator<Item: Into<String>>) texts(modes);
    /// Sets the grants of the token endpoint, instead of those of the flows.
    with_grant_types_supported("grant_types_supported"): List(types: impl IntoIterator<Item: Into<String>>) texts(types);
    /// Sets how clients authenticate at the token endpoint: `client_secret_basic`, `none`, ….
    with_token_endpoint_auth_methods_supported("token_endpoint_auth_methods_supported"): List(methods: impl IntoIterator<Item: Into<String>>) texts(methods);
    /// Sets the methods of PKCE ([RFC 7636, 6.2.2](https://www.rfc-editor.org/rfc/rfc7636#section-6.2.2)):
    /// `S256`.
    with_code_challenge_methods_supported("code_challenge_methods_supported"): List(methods: impl IntoIterator<Item: Into<String>>) texts(methods);
    /// Sets the algorithms of DPoP proofs that the token endpoint accepts
    /// ([RFC 9449, 5.1](https://www.rfc-editor.org/rfc/rfc9449#section-5.1)).
    with_dpop_signing_alg_values_supported("dpop_signing_alg_values_supported"): List(algorithms: impl IntoIterator<Item: Into<String>>) texts(algorithms);
    /// Sets whether answers of the authorization endpoint name the issuer
    /// ([RFC 9207, 3](https://www.rfc-editor.org/rfc/rfc9207#section-3)).
    with_authorization_response_iss_parameter_supported("authorization_response_iss_parameter_supported"): Flag(is_supported: bool) is_supported;
    /// Sets the URL of a page for developers.
    with_service_documentation("service_documentation"): Text(url: impl Into<String>) url.into();
    /// Sets the URL of a page about what clients may do with the data.
    with_op_policy_uri("op_policy_uri"): Text(url: impl Into<String>) url.into();
    /// Sets the URL of the terms of service.
    with_op_tos_uri("op_tos_uri"): Text(url: impl Into<String>) url.into();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::Setting;

    #[test]
    fn a_url_that_is_not_absolute_is_below_the_issuer() {
        let at = |issuer, url| resolved(issuer, TextOrSetting::Text(url)).unwrap();
        let issuer = "https://id.example.com/realms/main";
        assert_eq!(at(issuer, "https://a.example/token"), "https://a.example/token");
        assert_eq!(at(issuer, "/token"), "https://id.example.com/token");
        assert_eq!(at(issuer, "token"), "https://id.example.com/realms/main/token");
        assert_eq!(at("https://id.example.com/", "token"), "https://id.example.com/token");
        static TOKEN_URL: Setting = Setting::url("TOKEN_URL");
        assert!(resolved(issuer, TextOrSetting::Setting(&TOKEN_URL)).is_err());
    }
}
