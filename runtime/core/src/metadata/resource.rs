//! The metadata of a protected resource
//! ([RFC 9728](https://www.rfc-editor.org/rfc/rfc9728)).

use crate::metadata::members::{Member, Members, document, texts};
use crate::scheme::Scheme;
use crate::scheme::scope::OFFLINE_ACCESS;
use crate::scheme::setting::SettingError;
use crate::scheme::setting::rule::Rule;
use crate::scheme::setting::text_or_setting::TextOrSetting;
use crate::syntax::url::well_known::{PROTECTED_RESOURCE, metadata_path};

/// A scheme that declares its protected resource: `resource = "https://api.example.com"`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` declares no resource",
    label = "no `resource`",
    note = "write `resource = \"https://api.example.com\"` in the attribute of the scheme"
)]
pub trait ProtectedResource: Scheme {}

/// The metadata document of a protected resource, which tells clients where to get a token and for
/// which scopes ([RFC 9728](https://www.rfc-editor.org/rfc/rfc9728)). The challenges of the scheme
/// name its URL.
///
/// `resource`, `authorization_servers` and `scopes_supported` are what the scheme declares, without
/// the scope `offline_access`. Serve the document at [`path`](Self::path), outside of every layer
/// that requires a token:
///
/// | framework | one line |
/// |---|---|
/// | axum | `.route_service(metadata.path(), metadata.clone())` |
/// | actix-web | `.service(metadata.clone())` |
/// | poem | `.at(metadata.path(), metadata.clone())` |
/// | rocket | `.mount("/", metadata)` |
/// | salvo | `.push(doorward::salvo1::metadata(metadata))` |
/// | warp | `doorward::warp04::metadata(metadata).or(routes)` |
/// | hyper, or any other | `if let Some(response) = metadata.respond(method, path) { return response }` |
///
/// ```
/// use doorward::metadata::ResourceMetadata;
/// use doorward::oauth2_bearer;
///
/// #[oauth2_bearer(
///     flows(client_credentials(token_url = "https://id.example.com/token")),
///     scopes("items" = "Read items."),
///     resource = "https://api.example.com/v1",
///     authorization_servers("https://id.example.com"),
/// )]
/// struct Api;
///
/// let metadata = ResourceMetadata::of::<Api>()?.with_resource_name("Items");
/// assert_eq!(metadata.path(), "/.well-known/oauth-protected-resource/v1");
/// assert_eq!(
///     metadata.to_json(),
///     concat!(
///         r#"{"resource":"https://api.example.com/v1","authorization_servers":["https://id.example.com"],"#,
///         r#""scopes_supported":["items"],"bearer_methods_supported":["header"],"resource_name":"Items"}"#,
///     )
/// );
/// # Ok::<(), doorward::scheme::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceMetadata(Members);

impl ResourceMetadata {
    /// Creates the metadata that a scheme declares.
    ///
    /// # Errors
    ///
    /// Returns an error if the resource or an issuer is a [`Setting`](crate::scheme::Setting) that
    /// is not set, or whose value cannot be one.
    pub fn of<S: ProtectedResource>() -> Result<Self, SettingError> {
        let config = S::CONFIG;
        let resource = const { resource_of::<S>() }.usable(Rule::Resource)?;
        let issuers: Vec<_> = config
            .authorization_servers
            .iter()
            .map(|issuer| issuer.usable(Rule::Issuer))
            .collect::<Result<_, _>>()?;
        let mut scopes = config.declared_scopes().names();
        scopes.retain(|scope| *scope != OFFLINE_ACCESS);
        let path = metadata_path(PROTECTED_RESOURCE, resource);
        let members = Members::new(PROTECTED_RESOURCE, path);
        let members = members.with("resource", Member::Text(resource.to_owned()));
        let mut metadata =
            Self(members).with_authorization_servers(issuers).with_scopes_supported(scopes);
        let methods = Member::List(texts(["header"]));
        metadata.0 = metadata.0.with("bearer_methods_supported", methods);
        Ok(metadata)
    }
}

/// Returns the resource of a scheme, whose configuration is checked.
#[allow(clippy::panic, reason = "evaluated at compile time, where a panic is a compile error")]
const fn resource_of<S: ProtectedResource>() -> TextOrSetting {
    S::CONFIG.assert_values();
    match S::CONFIG.resource {
        Some(resource) => resource,
        None => panic!("a `ProtectedResource` must have a resource in its configuration"),
    }
}

document! {
    /// Returns the path of the document, where the service serves it: that of the resource, below
    /// the well-known path ([RFC 9728, 3.1](https://www.rfc-editor.org/rfc/rfc9728#section-3.1)).
    ResourceMetadata

    /// Sets the issuers of the authorization servers, instead of the ones that the scheme declares.
    with_authorization_servers("authorization_servers"): List(issuers: impl IntoIterator<Item: Into<String>>) texts(issuers);
    /// Sets the scopes that clients may ask for, instead of all that the scheme declares.
    with_scopes_supported("scopes_supported"): List(scopes: impl IntoIterator<Item: Into<String>>) texts(scopes);
    /// Sets the name of the resource, for people.
    with_resource_name("resource_name"): Text(name: impl Into<String>) name.into();
    /// Sets the URL of a page for developers.
    with_resource_documentation("resource_documentation"): Text(url: impl Into<String>) url.into();
    /// Sets the URL of a page about what clients may do with the data.
    with_resource_policy_uri("resource_policy_uri"): Text(url: impl Into<String>) url.into();
    /// Sets the URL of the terms of service.
    with_resource_tos_uri("resource_tos_uri"): Text(url: impl Into<String>) url.into();
    /// Sets the signed metadata, a JSON Web Token
    /// ([RFC 9728, 2.2](https://www.rfc-editor.org/rfc/rfc9728#section-2.2)).
    with_signed_metadata("signed_metadata"): Text(token: impl Into<String>) token.into();
    /// Sets the URL of the resource's own keys.
    with_jwks_uri("jwks_uri"): Text(url: impl Into<String>) url.into();
    /// Sets the algorithms with which the resource signs its responses.
    with_resource_signing_alg_values_supported("resource_signing_alg_values_supported"): List(algorithms: impl IntoIterator<Item: Into<String>>) texts(algorithms);
    /// Sets whether the resource supports tokens that are bound to a client's certificate
    /// ([RFC 8705](https://www.rfc-editor.org/rfc/rfc8705)).
    with_tls_client_certificate_bound_access_tokens("tls_client_certificate_bound_access_tokens"): Flag(is_supported: bool) is_supported;
    /// Sets the types of authorization details that the resource knows
    /// ([RFC 9396](https://www.rfc-editor.org/rfc/rfc9396)).
    with_authorization_details_types_supported("authorization_details_types_supported"): List(types: impl IntoIterator<Item: Into<String>>) texts(types);
    /// Sets the algorithms of DPoP proofs that the resource accepts
    /// ([RFC 9449](https://www.rfc-editor.org/rfc/rfc9449)).
    with_dpop_signing_alg_values_supported("dpop_signing_alg_values_supported"): List(algorithms: impl IntoIterator<Item: Into<String>>) texts(algorithms);
    /// Sets whether the resource accepts only tokens with a DPoP proof.
    with_dpop_bound_access_tokens_required("dpop_bound_access_tokens_required"): Flag(is_required: bool) is_required;
}
