//! How a verifier is set up.

use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;
use std::borrow::Cow;
use std::sync::Arc;

use doorward_core::verify::Verified;
use serde::de::DeserializeOwned;

use crate::build_error::BuildError;
use crate::claims::rules::common_settings;
use crate::clock::{Date, since_1970};
use crate::fetch::Fetch;
use crate::fetch::documents::AnyFetch;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::backend;
use crate::jwt::key_setup::{KeySetup, Remote};
use crate::jwt::keys::KeySet;
use crate::jwt::remote::Times;
use crate::jwt::rules::Rules;
use crate::jwt::verifier::TokenVerifier;
use crate::memory::{Memory, USUAL_BYTES};
use crate::refuse_if::{IsRefused, Refusal};

/// The set-up of a [`TokenVerifier`].
#[must_use = "`build` creates the verifier"]
pub struct TokenVerifierBuilder<C> {
    rules: Rules,
    keys: KeySetup,
    /// The algorithms that the service allows, if it names any.
    algorithms: Option<Vec<Algorithm>>,
    /// Until when secrets that are too short are accepted, in seconds since 1970.
    short_secrets_until: Option<f64>,
    times: Times,
    /// The memory for verified tokens, in bytes.
    remember: usize,
    refusals: Vec<Refusal<C>>,
    /// The mistakes in settings that no other field records.
    problems: Vec<String>,
    claims: PhantomData<fn() -> C>,
}

/// The minimum interval between fetches, unless a service sets another one.
pub(crate) const COOL_DOWN: Duration = Duration::from_secs(30);

impl<C: DeserializeOwned + Send + Sync> TokenVerifier<C> {
    /// Verifies the tokens of an issuer whose keys are found by its metadata
    /// ([OpenID Connect Discovery](https://openid.net/specs/openid-connect-discovery-1_0.html),
    /// [RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)). The metadata must name the same
    /// issuer.
    pub fn discover(issuer: impl Into<String>, fetch: impl Fetch) -> TokenVerifierBuilder<C> {
        TokenVerifierBuilder::new(issuer, KeySetup::fetched(Remote::Discovery(Arc::new(fetch))))
    }

    /// Verifies the tokens of an issuer whose keys are at a URL
    /// ([RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5)).
    pub fn jwks_url(
        issuer: impl Into<String>,
        url: impl Into<String>,
        fetch: impl Fetch,
    ) -> TokenVerifierBuilder<C> {
        TokenVerifierBuilder::new(
            issuer,
            KeySetup::fetched(Remote::Url(url.into(), Arc::new(fetch))),
        )
    }

    /// Verifies the tokens of an issuer whose keys are in this JWK Set, which never changes.
    pub fn jwks(issuer: impl Into<String>, jwks: impl Into<Vec<u8>>) -> TokenVerifierBuilder<C> {
        TokenVerifierBuilder::of_no_keys(issuer).accept_jwks(jwks)
    }

    /// Verifies the tokens of an issuer with this public key, in PEM. The text may have several,
    /// one below the other.
    pub fn pem(issuer: impl Into<String>, pem: impl Into<Vec<u8>>) -> TokenVerifierBuilder<C> {
        TokenVerifierBuilder::of_no_keys(issuer).accept_pem(pem)
    }

    /// Verifies tokens that are signed with this shared secret, of at least 32 bytes. Any service
    /// that can verify a token can then also create one.
    pub fn secret(
        issuer: impl Into<String>,
        secret: impl Into<Vec<u8>>,
    ) -> TokenVerifierBuilder<C> {
        TokenVerifierBuilder::of_no_keys(issuer).accept_secret(secret)
    }

    /// Verifies tokens that are signed with this shared secret, even if it is too short: see
    /// [`TokenVerifierBuilder::weak_secret`].
    pub fn weak_secret(
        issuer: impl Into<String>,
        secret: impl Into<Vec<u8>>,
    ) -> TokenVerifierBuilder<C> {
        TokenVerifierBuilder::of_no_keys(issuer).weak_secret(secret)
    }
}

impl<C: DeserializeOwned + Send + Sync> TokenVerifierBuilder<C> {
    /// Verifies the tokens of an issuer whose keys are given here.
    pub(crate) fn of_keys(issuer: impl Into<String>, keys: &KeySet) -> Self {
        Self::new(issuer, KeySetup::default().with_keys(keys))
    }

    /// Verifies the tokens of an issuer whose keys are added later.
    pub(crate) fn of_no_keys(issuer: impl Into<String>) -> Self {
        Self::new(issuer, KeySetup::default())
    }

    fn new(issuer: impl Into<String>, keys: KeySetup) -> Self {
        Self {
            rules: Rules::new(issuer.into()),
            keys,
            algorithms: None,
            short_secrets_until: None,
            times: Times {
                cool_down: COOL_DOWN,
                stale_if_error: Duration::from_secs(24 * 60 * 60),
            },
            remember: USUAL_BYTES,
            refusals: Vec::new(),
            problems: Vec::new(),
            claims: PhantomData,
        }
    }

    /// Sets the `typ` of the tokens, for an issuer that does not send `at+jwt`
    /// ([RFC 9068, 2.1](https://www.rfc-editor.org/rfc/rfc9068#section-2.1)): `"JWT"`.
    ///
    /// An ID token may have the same type. Then only the audience tells it from an access token: an
    /// ID token is for the client.
    pub fn token_type(mut self, token_type: impl Into<Cow<'static, str>>) -> Self {
        self.rules.token_types = Some(vec![token_type.into()]);
        self
    }

    /// Sets several accepted `typ`, for an issuer that changes from one to another:
    /// `["at+jwt", "JWT"]`. The warning of [`token_type`](Self::token_type) applies here as well.
    pub fn token_types(
        mut self,
        token_types: impl IntoIterator<Item: Into<Cow<'static, str>>>,
    ) -> Self {
        self.rules.token_types = Some(token_types.into_iter().map(Into::into).collect());
        self
    }

    /// Accepts tokens of any `typ`, or of none. However, the warning of
    /// [`token_type`](Self::token_type) applies here as well.
    pub fn any_token_type(mut self) -> Self {
        self.rules.token_types = None;
        self
    }

    /// Accepts tokens that have no `iss`, such as those of Laravel Passport. Only the key says who
    /// has issued them. So this is for keys that are given, and not for
    /// [`discover`](TokenVerifier::discover). A token that has an `iss` still needs the right one.
    ///
    /// If such a token has an `aud`, it must name an audience of the verifier. One that has none is
    /// accepted if [`audience`](Self::audience) was called. Its type may also be `JWT`, or absent.
    ///
    /// **Nothing else tells such tokens apart.** If the same key signs refresh tokens, or those for
    /// another service, routes accept them too. Refuse them by their claims:
    /// [`refuse_if`](Self::refuse_if).
    pub const fn without_issuer(mut self) -> Self {
        self.rules.without_issuer = true;
        self
    }

    /// Accepts tokens whatever `iss` they name, and those that name none, as
    /// [`without_issuer`](Self::without_issuer) does: for tokens that the users of a service sign
    /// themselves, with a key that it has given to them. So this is for keys that are given, and not
    /// for those that are fetched.
    ///
    /// **Only the key says who has issued a token then.** If the same key signs tokens for another
    /// service, routes accept them, too.
    pub const fn any_issuer(mut self) -> Self {
        self.rules.any_issuer = true;
        self.without_issuer()
    }

    /// Also accepts tokens without an audience and without a client, with no `aud`, `client_id` and
    /// `azp`. A token that names one still needs the right one.
    ///
    /// **Every such token of the issuer is accepted**, even one for another service or client
    /// ([RFC 8725, 3.9](https://www.rfc-editor.org/rfc/rfc8725#section-3.9)). So this is for an
    /// issuer that serves only this service. If the issuer can write an audience, let it.
    pub const fn without_audience(mut self) -> Self {
        self.rules.common.without_audience = true;
        self
    }

    /// Also accepts tokens without an audience, whatever client they name as `client_id` or `azp`, and
    /// those that name none, as [`without_audience`](Self::without_audience) does: for tokens of a
    /// service whose clients name themselves. A token that has an `aud` still needs the right one.
    ///
    /// **The client says nothing about a token then**: every one of the issuer without an audience is
    /// accepted, even if it was issued to a client of another service.
    pub const fn any_client(mut self) -> Self {
        self.rules.common.any_client = true;
        self.without_audience()
    }

    /// Accepts tokens whatever `aud` they name, and those that name none, as
    /// [`any_client`](Self::any_client) does. So this is for keys that are given, and not for those
    /// that are fetched.
    ///
    /// **A token that says that it is for another service is accepted**, although
    /// [RFC 7519, 4.1.3](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.3) asks to reject it. If
    /// another service has the same key, it can use the tokens of its users here, and the other way
    /// round.
    pub const fn any_audience(mut self) -> Self {
        self.rules.common.any_audience = true;
        self.any_client()
    }

    /// Also accepts tokens that have no `exp`, such as keys for programs that a service has signed. An
    /// `exp` that is there still counts.
    ///
    /// **Such a token is valid for ever**, and so is one that was stolen: only another key, or
    /// [`refuse_if`](Self::refuse_if), ends it.
    pub const fn without_expiry(mut self) -> Self {
        self.rules.without_expiry = true;
        self
    }

    /// Also accepts tokens of these keys, a JWK Set.
    pub fn accept_jwks(mut self, jwks: impl Into<Vec<u8>>) -> Self {
        self.keys = self.keys.with_jwks(&jwks.into());
        self
    }

    /// Also accepts tokens of this public key, in PEM.
    pub fn accept_pem(mut self, pem: impl Into<Vec<u8>>) -> Self {
        self.keys = self.keys.with_pem(&pem.into());
        self
    }

    /// Also accepts tokens that are signed with this shared secret: the old one while a secret
    /// changes, or the one that an issuer had before its key pairs. A secret is never used as a
    /// public key, and a public key never as a secret.
    pub fn accept_secret(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.keys = self.keys.with_secret(&secret.into());
        self
    }

    /// Also accepts tokens of this shared secret, even if it is shorter than their algorithm asks for
    /// ([RFC 7518, 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)), such as the password with
    /// which users have set up a service. When the verifier is built, a `WARN` says how many bytes a
    /// secret has that is too short for one of the [`algorithms`](Self::algorithms). With
    /// [`accept_short_secret_until`](Self::accept_short_secret_until), its tokens end at that date.
    ///
    /// **Any holder of a token can guess a short secret, and sign others**, for any user. So let the
    /// service ask for a longer one, and allow the one algorithm that the tokens have:
    /// [`algorithms`](Self::algorithms).
    pub fn weak_secret(mut self, secret: impl Into<Vec<u8>>) -> Self {
        self.keys = self.keys.with_weak_secret(&secret.into());
        self
    }

    /// Takes tokens of shared secrets until this date that are shorter than their algorithm asks for
    /// ([RFC 7518, 3.2](https://www.rfc-editor.org/rfc/rfc7518#section-3.2)). Users whose tokens
    /// a service signed by HS384 or HS512 with a secret of 32 bytes or more do not have to log in
    /// again. The date applies to every secret of this verifier, even of an authority, and no new
    /// token is signed so. When the verifier is built, a `WARN` reports the date.
    ///
    /// After the date, these tokens are refused, and the log says why. Pass the time of the change
    /// and the longest lifetime of such a token.
    ///
    /// **Any holder of a token can guess a short secret, and sign others.** Text is easier to guess
    /// than random bytes, so let the date be near.
    ///
    /// ```
    /// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))] {
    /// use std::time::{Duration, SystemTime};
    /// use doorward::jwt::TokenVerifier;
    ///
    /// let day = Duration::from_secs(24 * 60 * 60);
    /// let service = "https://notes.example.com";
    /// let tokens = TokenVerifier::<serde_json::Value>::secret(service, "s".repeat(40))
    ///     .audience(service)
    ///     .accept_short_secret_until(SystemTime::now() + day);
    /// # assert!(futures_util::future::FutureExt::now_or_never(tokens.build()).unwrap().is_ok());
    /// # }
    /// ```
    pub fn accept_short_secret_until(mut self, date: impl Into<Date>) -> Self {
        self.short_secrets_until = Some(since_1970(date.into()).as_secs_f64());
        self
    }

    /// Sets the allowed algorithms of signatures. By default, these are all that the type of a key
    /// allows.
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = Some(algorithms.into_iter().collect());
        self
    }

    /// Sets the minimum interval between fetches of the keys while they are fresh. The default is 30
    /// seconds.
    ///
    /// A token of an unknown key causes a fetch: the issuer may have a new key. But callers cannot
    /// cause more fetches than this allows. While there are no keys, or only stale ones, the interval
    /// is a minute at most, because otherwise one failure would refuse all tokens for so long.
    pub fn cool_down(mut self, cool_down: Duration) -> Self {
        self.times.cool_down = cool_down;
        self
    }

    /// Lets the scheme decide about the audience, unless it is set.
    pub(crate) const fn with_audience_of_scheme(mut self) -> Self {
        self.rules.common.audience_of_scheme = true;
        self
    }

    /// Replaces the fetcher, if there is one.
    pub(crate) fn fetched_by(
        mut self,
        wrap: impl FnOnce(Arc<dyn AnyFetch>) -> Arc<dyn AnyFetch>,
    ) -> Self {
        self.keys.fetched_by(wrap);
        self
    }

    /// Returns the minimum interval between fetches.
    pub(crate) const fn usual_cool_down(&self) -> Duration {
        self.times.cool_down
    }

    /// Sets how long stale keys from a URL are used while no new ones can be fetched
    /// ([RFC 5861, 4](https://www.rfc-editor.org/rfc/rfc5861#section-4)). The default is a
    /// day. After that time, the answer is `503` until the keys can be fetched again.
    ///
    /// In the meantime, the service cannot know whether the issuer has withdrawn a key.
    pub fn stale_if_error(mut self, stale_if_error: Duration) -> Self {
        self.times.stale_if_error = stale_if_error;
        self
    }

    /// Sets how many bytes of verified tokens are remembered, each until it expires or the keys
    /// change. It saves the check of the signature. The default is 32 MiB (1 MiB in WebAssembly), which
    /// is more than 10,000 usual tokens: a limit, of which less than half a MiB is taken at once. For
    /// 100,000 tokens, set 300 MiB. 0 remembers none.
    ///
    /// The bytes of a token are its text, its claims as a `serde_json::Value` and half a KiB, by an
    /// estimate that is rather too high. A token of more than 64 KiB is not remembered.
    /// [`remembered`](TokenVerifier::remembered) says how many tokens are found, and how many were
    /// dropped because the memory was full.
    ///
    /// **Revocation**: no issuer can take a signed token back before it expires, remembered or
    /// not. [`refuse_if`](Self::refuse_if) is asked at each request.
    pub fn remember(mut self, bytes: usize) -> Self {
        self.remember = bytes;
        self
    }

    /// Creates the verifier. With [`discover`](TokenVerifier::discover), it fetches the metadata of
    /// the issuer. Keys at a URL are fetched with the first token.
    ///
    /// # Errors
    ///
    /// Returns an error if no backend for signatures is enabled, a key cannot be read, or the issuer
    /// of [`discover`](TokenVerifier::discover) is not a URL, or its metadata cannot be fetched or is
    /// another issuer's. It lists all mistakes that are found without asking the issuer.
    pub async fn build(self) -> Result<TokenVerifier<C>, BuildError> {
        backend::check()?;
        let Self { mut rules, mut keys, mut problems, .. } = self;
        if let Some(until) = self.short_secrets_until {
            keys.take_short_secrets(until);
        }
        if keys.is_discovered() {
            problems.extend(keys.fault(&rules.issuer).map(|fault| format!("an issuer {fault}")));
            if rules.without_issuer && !rules.any_issuer {
                let problem = "`without_issuer` is for keys that are given; call `jwks_url` instead of `discover`";
                problems.push(problem.to_owned());
            }
        } else if rules.issuer.is_empty() && !rules.without_issuer {
            problems.push("the issuer is empty; write the `iss` of the tokens".to_owned());
        }
        let for_given_keys =
            [("any_issuer", rules.any_issuer), ("any_audience", rules.common.any_audience)];
        for (word, is_set) in for_given_keys {
            if is_set && keys.are_fetched() {
                let problem = "is for keys that are given; an issuer whose keys are fetched may serve other services, too";
                problems.push(format!("`{word}` {problem}"));
            }
        }
        problems.extend(rules.common.problems());
        rules.algorithms = self.algorithms.unwrap_or_else(|| keys.algorithms());
        keys.warn_of_weak_secrets(&rules.algorithms);
        problems.extend(keys.problems(&rules.algorithms));
        if !problems.is_empty() {
            return Err(BuildError::of(problems));
        }
        Ok(TokenVerifier {
            keys: keys.sources(&rules.issuer, self.times).await?,
            memory: Memory::new(self.remember),
            refusals: self.refusals,
            rules,
            purpose: PhantomData,
        })
    }
}

common_settings!(
    [C: DeserializeOwned + Send + Sync] TokenVerifierBuilder<C>,
    rules: rules.common,
    http_hosts: keys.http_hosts
);

impl<C> fmt::Debug for TokenVerifierBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenVerifierBuilder").field("rules", &self.rules).finish_non_exhaustive()
    }
}
