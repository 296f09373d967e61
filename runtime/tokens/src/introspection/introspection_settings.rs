//! The settings of a verifier of opaque tokens, as a configuration has them.

use core::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Introspection;
use super::builder::IntrospectionBuilder;
use super::endpoint::Place;
use super::login::ClientLogin;
use crate::texts::{set, texts};

/// The settings of an [`Introspection`], from the environment or a file: `figment`, `config` or any
/// other format of serde reads them. Each has the name of a method of [`IntrospectionBuilder`], times
/// are in whole seconds, and sizes in bytes.
///
/// ```
/// use doorward::verify::{Introspection, IntrospectionSettings};
/// # use serde_json::Value as Claims;
///
/// let settings: IntrospectionSettings = serde_json::from_str(
///     r#"{
///         "url": "https://id.example.com/introspect",
///         "login": { "basic": { "id": "items-api", "secret": "s3cret" } },
///         "audience": "https://api.example.com"
///     }"#,
/// )?;
/// let tokens = Introspection::<Claims>::from_settings(settings);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// The endpoint is at `url`, or without it, the metadata of the `issuer` say where. A list may be a
/// single text. A setting that is not known is an error. What the values say is checked by
/// [`build`](IntrospectionBuilder::build), whose error lists all mistakes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct IntrospectionSettings {
    /// The login of the service at the issuer.
    pub login: ClientLogin,
    /// The URL of the introspection endpoint.
    #[serde(default)]
    pub url: Option<String>,
    /// The issuer, exactly as it writes itself.
    #[serde(default)]
    pub issuer: Option<String>,
    /// The accepted audiences.
    #[serde(default, deserialize_with = "texts")]
    pub audience: Vec<String>,
    /// The clients whose tokens are taken, instead of an audience.
    #[serde(default, deserialize_with = "texts")]
    pub client_id: Vec<String>,
    /// The members of the answer with the scopes.
    #[serde(default, deserialize_with = "texts")]
    pub scopes_in: Vec<String>,
    /// The hosts that may be asked by `http`.
    #[serde(default, deserialize_with = "texts")]
    pub allow_http_hosts: Vec<String>,
    /// How far two clocks may differ, in seconds.
    #[serde(default)]
    pub leeway: Option<u64>,
    /// The maximum length of a token, in bytes.
    #[serde(default)]
    pub max_bytes: Option<usize>,
    /// How many bytes of tokens are remembered. It needs `remember_for`.
    #[serde(default)]
    pub remember: Option<usize>,
    /// How long tokens are remembered, in seconds. It needs `remember`.
    #[serde(default)]
    pub remember_for: Option<u64>,
}

impl<C: DeserializeOwned + Send + Sync + 'static> Introspection<C> {
    /// Verifies tokens as settings say.
    pub fn from_settings(settings: IntrospectionSettings) -> IntrospectionBuilder<C> {
        type Builder<C> = IntrospectionBuilder<C>;
        let IntrospectionSettings {
            login,
            url,
            issuer,
            audience,
            client_id,
            scopes_in,
            allow_http_hosts,
            leeway,
            max_bytes,
            remember,
            remember_for,
        } = settings;
        let (place, problem) = match (url, issuer) {
            (Some(url), None) => (Place::Url(url), None),
            (None, Some(issuer)) => (Place::Issuer(issuer), None),
            (url, _) => {
                (Place::Url(url.unwrap_or_default()), Some("set one of `url` and `issuer`"))
            }
        };
        let mut builder = Builder::new(place, login);
        builder = set(builder, problem, Builder::with_problem);
        builder = set(builder, audience, Builder::audience);
        builder = set(builder, client_id, Builder::client_id);
        builder = set(builder, scopes_in, Builder::scopes_in);
        builder = set(builder, Some(allow_http_hosts), Builder::allow_http_hosts);
        builder = set(builder, leeway.map(Duration::from_secs), Builder::leeway);
        builder = set(builder, max_bytes, Builder::max_bytes);
        match (remember, remember_for.map(Duration::from_secs)) {
            (Some(bytes), Some(duration)) => builder.remember(bytes, duration),
            (None, None) => builder,
            _ => builder.with_problem("set both `remember` and `remember_for`, or neither"),
        }
    }
}
