//! The settings of a verifier, as a configuration has them.

use core::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::fetch::Fetch;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::builder::TokenVerifierBuilder;
use crate::jwt::verifier::TokenVerifier;
use crate::texts::{secrets, set, set_if, texts};

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
    /// Whether tokens are taken whatever issuer they name.
    pub any_issuer: bool,
    /// Whether tokens are taken that name neither an audience nor a client.
    pub without_audience: bool,
    /// Whether tokens without an audience are taken, whatever client they name.
    pub any_client: bool,
    /// Whether tokens are taken whatever audience they name.
    pub any_audience: bool,
    /// Whether tokens are taken that never expire.
    pub without_expiry: bool,
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
    /// The shared secrets that may be too short.
    #[serde(deserialize_with = "secrets")]
    pub weak_secret: Vec<SecretString>,
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
        type Builder<C> = TokenVerifierBuilder<C>;
        let VerifierSettings {
            issuer,
            without_issuer,
            any_issuer,
            without_audience,
            any_client,
            any_audience,
            without_expiry,
            audience,
            client_id,
            jwks_url,
            allow_http_hosts,
            jwks,
            pem,
            secret,
            weak_secret,
            token_type,
            algorithms,
            leeway,
            scopes_in,
            max_bytes,
            cool_down,
            stale_if_error,
            remember,
        } = settings;
        let seconds = Duration::from_secs;
        let has_keys =
            jwks.is_some() || !pem.is_empty() || !secret.is_empty() || !weak_secret.is_empty();
        let mut builder = match jwks_url {
            Some(url) => Self::jwks_url(issuer, url, fetch),
            None if has_keys => Builder::of_no_keys(issuer),
            None => Self::discover(issuer, fetch),
        };
        builder = set(builder, jwks, Builder::accept_jwks);
        builder = set(builder, pem, Builder::accept_pem);
        builder =
            set(builder, secret, |builder, secret| builder.accept_secret(secret.expose_secret()));
        builder = set(builder, weak_secret, |builder, secret| {
            builder.weak_secret(secret.expose_secret())
        });
        builder = set(builder, Some(allow_http_hosts), Builder::allow_http_hosts);
        builder = set_if(builder, without_issuer, Builder::without_issuer);
        builder = set_if(builder, any_issuer, Builder::any_issuer);
        builder = set_if(builder, without_audience, Builder::without_audience);
        builder = set_if(builder, any_client, Builder::any_client);
        builder = set_if(builder, any_audience, Builder::any_audience);
        builder = set_if(builder, without_expiry, Builder::without_expiry);
        builder = set(builder, audience, Builder::audience);
        builder = set(builder, client_id, Builder::client_id);
        builder = set(builder, scopes_in, Builder::scopes_in);
        builder = set(builder, Some(token_type), with_types);
        builder = set(builder, Some(algorithms), with_algorithms);
        builder = set(builder, leeway.map(seconds), Builder::leeway);
        builder = set(builder, max_bytes, Builder::max_bytes);
        builder = set(builder, cool_down.map(seconds), Builder::cool_down);
        builder = set(builder, stale_if_error.map(seconds), Builder::stale_if_error);
        set(builder, remember, Builder::remember)
    }
}

/// Sets the types, or that any is allowed.
fn with_types<C: DeserializeOwned + Send + Sync>(
    builder: TokenVerifierBuilder<C>,
    types: Vec<String>,
) -> TokenVerifierBuilder<C> {
    match &*types {
        [] => builder,
        [any] if any == ANY => builder.any_token_type(),
        types if types.iter().any(|one| one == ANY) => builder.with_problem(
            "`any` stands alone as `token_type`, because every other type is one of any",
        ),
        _ => builder.token_types(types),
    }
}

/// Sets the algorithms with these names.
fn with_algorithms<C: DeserializeOwned + Send + Sync>(
    builder: TokenVerifierBuilder<C>,
    names: Vec<String>,
) -> TokenVerifierBuilder<C> {
    let unknown = names.iter().filter(|name| Algorithm::named(name).is_none());
    let builder = set(builder, unknown, |builder, unknown| {
        let mut all = Algorithm::ALL.into_iter();
        let write = match all.find(|own| own.name().eq_ignore_ascii_case(unknown)) {
            Some(meant) => format!("`{}`", meant.name()),
            None => "one such as `ES256`".to_owned(),
        };
        let unknown = unknown.escape_debug();
        let problem = format!("`{unknown}` is not an algorithm of signatures; write {write}");
        builder.with_problem(problem)
    });
    let known: Option<Vec<_>> = names.iter().map(|name| Algorithm::named(name)).collect();
    set(builder, known.filter(|known| !known.is_empty()), TokenVerifierBuilder::algorithms)
}
