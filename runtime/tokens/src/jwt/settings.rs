//! The settings of a verifier, as a configuration has them.

use core::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::fetch::Fetch;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::builder::TokenVerifierBuilder;
use crate::jwt::verifier::TokenVerifier;
use crate::settings::{secrets, set, texts};

/// The settings of a [`TokenVerifier`], from the environment or a file: `figment`, `config` or any
/// other format of serde reads them. Each has the name of a method of [`TokenVerifierBuilder`],
/// times are in whole seconds, and sizes in bytes.
///
/// ```
/// use doorward::jwt::{TokenVerifier, VerifierSettings};
/// # use serde_json::Value as Claims;
/// # async fn get(_: String) -> Result<doorward::verify::Fetched, doorward::verify::FetchError> { Err(doorward::verify::FetchError::new("no answer")) }
///
/// let settings: VerifierSettings = serde_json::from_str(
///     r#"{
///         "issuer": "https://id.example.com/realms/main",
///         "audience": "https://api.example.com",
///         "algorithms": ["RS256", "ES256"],
///         "leeway": 30
///     }"#,
/// )?;
/// let tokens = TokenVerifier::<Claims>::from_settings(settings, get);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// The keys are at `jwks_url`, or they are the `jwks`, the `pem` and the `secret`, of which there
/// may be several. Without any of these, the metadata of the issuer says where they are. A list may
/// be a single text.
///
/// A setting that is not known is an error. What the values say is checked by
/// [`build`](TokenVerifierBuilder::build), whose error lists all mistakes.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct VerifierSettings {
    /// The issuer, exactly as it writes itself.
    pub issuer: String,
    /// The accepted audiences.
    #[serde(deserialize_with = "texts")]
    pub audience: Vec<String>,
    /// Whether tokens without an issuer are taken.
    pub without_issuer: bool,
    /// Whether tokens are taken that name neither an audience nor a client.
    pub without_audience: bool,
    /// The clients whose tokens are taken, instead of an audience.
    #[serde(deserialize_with = "texts")]
    pub client_id: Vec<String>,
    /// The URL of the keys.
    pub jwks_url: Option<String>,
    /// The hosts that may be asked by `http`.
    #[serde(deserialize_with = "texts")]
    pub allow_http_hosts: Vec<String>,
    /// The keys themselves, a JWK Set.
    pub jwks: Option<String>,
    /// The public keys, in PEM.
    #[serde(deserialize_with = "texts")]
    pub pem: Vec<String>,
    /// The shared secrets.
    #[serde(deserialize_with = "secrets")]
    pub secret: Vec<SecretString>,
    /// The `typ` of the tokens, or `any`.
    #[serde(alias = "token_types", deserialize_with = "texts")]
    pub token_type: Vec<String>,
    /// The algorithms of signatures, such as `ES256`.
    #[serde(deserialize_with = "texts")]
    pub algorithms: Vec<String>,
    /// How far two clocks may differ, in seconds.
    pub leeway: Option<u64>,
    /// The claims with the scopes.
    #[serde(deserialize_with = "texts")]
    pub scopes_in: Vec<String>,
    /// The maximum length of a token, in bytes.
    pub max_bytes: Option<usize>,
    /// The minimum interval between fetches of the keys, in seconds.
    pub cool_down: Option<u64>,
    /// How long keys are used that cannot be fetched anew, in seconds.
    pub stale_if_error: Option<u64>,
    /// How many bytes of verified tokens are remembered.
    pub remember: Option<usize>,
}

/// The `token_type` that allows any.
const ANY: &str = "any";

impl<C: DeserializeOwned + Send + Sync> TokenVerifier<C> {
    /// Verifies tokens as settings say. `fetch` asks the issuer, if the keys are not among the
    /// settings.
    pub fn from_settings(settings: VerifierSettings, fetch: impl Fetch) -> TokenVerifierBuilder<C> {
        let VerifierSettings {
            issuer,
            without_issuer,
            without_audience,
            audience,
            client_id,
            jwks_url,
            allow_http_hosts,
            jwks,
            pem,
            secret,
            token_type,
            algorithms,
            leeway,
            scopes_in,
            max_bytes,
            cool_down,
            stale_if_error,
            remember,
        } = settings;
        let has_keys = jwks.is_some() || !pem.is_empty() || !secret.is_empty();
        let mut builder = match jwks_url {
            Some(url) => Self::jwks_url(issuer, url, fetch),
            None if has_keys => TokenVerifierBuilder::of_no_keys(issuer),
            None => Self::discover(issuer, fetch),
        };
        builder = set(builder, jwks, TokenVerifierBuilder::accept_jwks);
        builder = pem.into_iter().fold(builder, TokenVerifierBuilder::accept_pem);
        for secret in &secret {
            builder = builder.accept_secret(secret.expose_secret());
        }
        builder = builder.allow_http_hosts(allow_http_hosts);
        if without_issuer {
            builder = builder.without_issuer();
        }
        if without_audience {
            builder = builder.without_audience();
        }
        builder = audience.into_iter().fold(builder, TokenVerifierBuilder::audience);
        builder = client_id.into_iter().fold(builder, TokenVerifierBuilder::client_id);
        builder = scopes_in.into_iter().fold(builder, TokenVerifierBuilder::scopes_in);
        builder = match &*token_type {
            [] => builder,
            [any] if any == ANY => builder.any_token_type(),
            types if types.iter().any(|one| one == ANY) => builder.with_problem(
                "`any` stands alone as `token_type`, because every other type is one of any"
                    .to_owned(),
            ),
            _ => builder.token_types(token_type),
        };
        for unknown in algorithms.iter().filter(|name| Algorithm::named(name).is_none()) {
            let mut all = Algorithm::ALL.into_iter();
            let write = match all.find(|own| own.name().eq_ignore_ascii_case(unknown)) {
                Some(meant) => format!("`{}`", meant.name()),
                None => "one such as `ES256`".to_owned(),
            };
            builder = builder.with_problem(format!(
                "`{}` is not an algorithm of signatures; write {write}",
                unknown.escape_debug()
            ));
        }
        let known: Option<Vec<_>> = algorithms.iter().map(|name| Algorithm::named(name)).collect();
        let known = known.filter(|known| !known.is_empty());
        let seconds = |setting: Option<u64>| setting.map(Duration::from_secs);
        builder = set(builder, known, TokenVerifierBuilder::algorithms);
        builder = set(builder, seconds(leeway), TokenVerifierBuilder::leeway);
        builder = set(builder, max_bytes, TokenVerifierBuilder::max_bytes);
        builder = set(builder, seconds(cool_down), TokenVerifierBuilder::cool_down);
        builder = set(builder, seconds(stale_if_error), TokenVerifierBuilder::stale_if_error);
        set(builder, remember, TokenVerifierBuilder::remember)
    }
}
