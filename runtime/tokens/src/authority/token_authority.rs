//! An issuer in the service itself.

use core::fmt;
use core::time::Duration;
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use doorward_core::scheme::SchemeConfig;
use doorward_core::{BearerToken, Scheme};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::authority::random;
use crate::authority::signer::Signer;
use crate::authority::signing_key::SigningKey;
use crate::build_error::BuildError;
use crate::clock;
use crate::jwt::backend;
use crate::jwt::builder::TokenVerifierBuilder;
use crate::jwt::keys::KeySet;
use crate::jwt::rules::ACCESS_TOKEN;

/// An issuer whose tokens the service signs itself: for a login, and for the routes that want its
/// tokens. One value signs and verifies, so the two cannot differ.
///
/// ```
/// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))]
/// # async fn start() -> Result<(), Box<dyn std::error::Error>> {
/// use serde::Deserialize;
/// use doorward::jwt::{Algorithm, SigningKey, TokenAuthority};
/// use doorward::security_scopes;
///
/// #[derive(Deserialize)]
/// struct Claims {
///     sub: String,
/// }
///
/// const SERVICE: &str = "https://notes.example.com";
///
/// let key = SigningKey::random(Algorithm::Es256)?;
/// let authority = TokenAuthority::builder(SERVICE, key).build()?;
/// let tokens = authority.verifier::<Claims>().build().await?;
///
/// let token = authority.token("johndoe").scopes(["me"]).sign()?;
/// let verified = tokens.verify(&token, security_scopes!["me"]).await?;
/// assert_eq!(verified.sub, "johndoe");
/// # Ok(())
/// # }
/// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))]
/// # futures_util::future::FutureExt::now_or_never(start()).unwrap().unwrap();
/// ```
///
/// A token has the type `at+jwt` and the claims of
/// [RFC 9068, 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2), without `client_id`: `iss`,
/// `aud`, `sub`, `iat`, `exp` and a random `jti`.
///
/// **One authority for each kind of token.** A refresh token that is signed with the same key needs
/// another [type](TokenAuthorityBuilder::token_type), so that no route takes it.
#[derive(Clone)]
pub struct TokenAuthority(Arc<Inner>);

struct Inner {
    common: Common,
    signer: Signer,
    keys: Arc<KeySet>,
    jwks: String,
}

/// The settings that the tokens of an authority have in common.
#[derive(Clone)]
struct Common {
    issuer: String,
    audience: String,
    without_issuer: bool,
    without_audience: bool,
    token_type: Cow<'static, str>,
    lifetime: Duration,
    /// The schemes whose routes take the tokens, as far as the service has named them.
    schemes: Vec<&'static SchemeConfig>,
}

impl TokenAuthority {
    /// Sets up an issuer with the key that signs. The issuer is compared and never called, so it may
    /// be any text ([RFC 7519, 4.1.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.1)): the URL
    /// of the service, or what a service has written as `iss` for years. Where metadata name it
    /// ([RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2)), it has to be a URL.
    pub fn builder(issuer: impl Into<String>, key: SigningKey) -> TokenAuthorityBuilder {
        let issuer = issuer.into();
        let common = Common {
            audience: issuer.clone(),
            issuer,
            without_issuer: false,
            without_audience: false,
            token_type: Cow::Borrowed(ACCESS_TOKEN),
            lifetime: Duration::from_secs(15 * 60),
            schemes: Vec::new(),
        };
        TokenAuthorityBuilder { common, keys: vec![key] }
    }

    /// Sets up a verifier of these tokens. `C` are the claims that the service needs.
    pub fn verifier<C: DeserializeOwned + Send + Sync>(&self) -> TokenVerifierBuilder<C> {
        let Inner { common, keys, .. } = &*self.0;
        let mut verifier = TokenVerifierBuilder::of_keys(&*common.issuer, keys)
            .audience(&*common.audience)
            .token_type(common.token_type.clone());
        if common.without_issuer {
            verifier = verifier.without_issuer();
        }
        if common.without_audience {
            verifier = verifier.without_audience();
        }
        verifier
    }

    /// Returns the JWK Set with the public keys, for services that verify the tokens
    /// ([RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5)). A shared secret is not
    /// in it.
    #[must_use]
    pub fn jwks(&self) -> &str {
        &self.0.jwks
    }

    pub(crate) fn lifetime(&self) -> Duration {
        self.0.common.lifetime
    }

    /// Returns `true` unless none of the schemes declares the scope.
    pub(crate) fn may_grant(&self, scope: &str) -> bool {
        let schemes = &self.0.common.schemes;
        schemes.is_empty() || schemes.iter().any(|scheme| scheme.declares_scope(scope))
    }

    /// Returns `true` if a user who has these scopes also has this one, by a scheme.
    pub(crate) fn implies<S: AsRef<str>>(&self, own: &[S], scope: &str) -> bool {
        self.0.common.schemes.iter().any(|scheme| scheme.grants(own, scope))
    }

    /// Signs a token with these claims, and with the claims that the authority sets.
    pub(crate) fn signed(
        &self,
        mut claims: Map<String, Value>,
        lifetime: Duration,
    ) -> Result<BearerToken, BuildError> {
        let Inner { common, signer, .. } = &*self.0;
        let issued = claims.get("iat").and_then(Value::as_u64).unwrap_or_else(|| {
            let since = clock::now();
            since.map_or(0, |since| since.as_secs())
        });
        if !common.without_issuer {
            claims.insert("iss".to_owned(), (&*common.issuer).into());
        }
        if !common.without_audience {
            claims.insert("aud".to_owned(), (&*common.audience).into());
        }
        claims.insert("iat".to_owned(), issued.into());
        let exp = issued.saturating_add(lifetime.as_secs());
        claims.insert("exp".to_owned(), exp.into());
        if !claims.contains_key("jti") {
            claims.insert("jti".to_owned(), random::id()?.into());
        }
        signer.sign(signer.header(&common.token_type), claims)
    }
}

/// Returns what is wrong with a lifetime in whole seconds.
pub(crate) fn lifetime_fault(lifetime: Duration) -> Option<&'static str> {
    (lifetime.as_secs() == 0).then_some("a token is valid for at least a second")
}

/// The set-up of a [`TokenAuthority`].
#[derive(Clone)]
#[must_use = "`build` creates the authority"]
pub struct TokenAuthorityBuilder {
    common: Common,
    /// The first one signs.
    keys: Vec<SigningKey>,
}

impl TokenAuthorityBuilder {
    /// Sets the `aud` of the tokens: the URL of the service that they are for, if that is not the
    /// issuer itself ([RFC 9068, 3](https://www.rfc-editor.org/rfc/rfc9068#section-3)).
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.common.audience = audience.into();
        self
    }

    /// Signs tokens without `aud`, for verifiers that refuse one: the old nodes of a service, until
    /// none of them runs. The [`verifier`](TokenAuthority::verifier) of this authority takes tokens
    /// with and without it.
    ///
    /// **Every service that knows the key takes such a token**, as
    /// [its verifier](TokenVerifierBuilder::without_audience) does
    /// ([RFC 8725, 3.9](https://www.rfc-editor.org/rfc/rfc8725#section-3.9)).
    pub const fn without_audience(mut self) -> Self {
        self.common.without_audience = true;
        self
    }

    /// Signs tokens without `iss`, for verifiers that refuse one, as
    /// [`without_audience`](Self::without_audience) does without `aud`. The
    /// [`verifier`](TokenAuthority::verifier) of this authority takes tokens with and without it, as
    /// [`without_issuer`](TokenVerifierBuilder::without_issuer) says.
    pub const fn without_issuer(mut self) -> Self {
        self.common.without_issuer = true;
        self
    }

    /// Names a scheme whose routes take the tokens. A scope that it does not declare is an error
    /// when a token is signed. Call it once for each scheme; one of them has to declare the scope.
    ///
    /// ```
    /// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))] {
    /// use doorward::http_bearer;
    /// use doorward::jwt::{Algorithm, SigningKey, TokenAuthority};
    ///
    /// #[http_bearer(scopes("items" = "Read items."))]
    /// struct Api;
    ///
    /// # let key = SigningKey::random(Algorithm::Hs256)?;
    /// let authority = TokenAuthority::builder("https://notes.example.com", key)
    ///     .for_scheme::<Api>()
    ///     .build()?;
    /// assert!(authority.token("johndoe").scopes(["items"]).sign().is_ok());
    /// assert!(authority.token("johndoe").scopes(["itmes"]).sign().is_err());
    /// # }
    /// # Ok::<(), doorward::jwt::BuildError>(())
    /// ```
    pub fn for_scheme<S: Scheme>(mut self) -> Self {
        self.common.schemes.push(const { &S::CONFIG });
        self
    }

    /// Sets how long a token is valid, in whole seconds. The default is only 15 minutes, because no
    /// issuer can take a signed token back.
    pub const fn lifetime(mut self, lifetime: Duration) -> Self {
        self.common.lifetime = lifetime;
        self
    }

    /// Sets the `typ` of the tokens, instead of `at+jwt`
    /// ([RFC 9068, 2.1](https://www.rfc-editor.org/rfc/rfc9068#section-2.1)). It distinguishes them
    /// from tokens of another kind that the same key signs.
    pub fn token_type(mut self, token_type: impl Into<Cow<'static, str>>) -> Self {
        self.common.token_type = token_type.into();
        self
    }

    /// Accepts the tokens of another key as well, and publishes it. It does not sign: it is an
    /// older key, until its last token has expired, or the next one, which other services have to
    /// fetch before it signs. Call it once for each key.
    pub fn accept_key(mut self, key: SigningKey) -> Self {
        self.keys.push(key);
        self
    }

    /// Creates the authority.
    ///
    /// # Errors
    ///
    /// Returns an error that lists all mistakes: no backend for signatures is enabled, the issuer,
    /// the audience or the type is empty, the lifetime is less than a second, a key
    /// cannot be read, a secret is too short, or two keys have the same id.
    pub fn build(self) -> Result<TokenAuthority, BuildError> {
        backend::check()?;
        let Self { common, keys } = self;
        let mut problems = Vec::new();
        for (name, text) in [
            ("issuer", &*common.issuer),
            ("audience", &common.audience),
            ("token type", &common.token_type),
        ] {
            if text.is_empty() {
                problems.push(format!("the {name} is empty"));
            }
        }
        problems.extend(lifetime_fault(common.lifetime).map(str::to_owned));
        let mut signers = Vec::new();
        for key in &keys {
            match key.signer() {
                Ok(signer) => signers.push(signer),
                Err(problem) => problems.push(problem.to_string()),
            }
        }
        let mut ids = HashSet::new();
        for id in signers.iter().filter_map(Signer::id) {
            if !ids.insert(id) {
                problems.push(format!("two keys have the id `{}`", id.escape_debug()));
            }
        }
        let keys = signers.iter().map(|signer| signer.verification_key().clone());
        let keys = Arc::new(KeySet::of_keys(keys.collect()));
        let public: Vec<_> = signers.iter().filter_map(Signer::public).collect();
        let jwks = json!({ "keys": public }).to_string();
        match signers.into_iter().next() {
            Some(signer) if problems.is_empty() => {
                Ok(TokenAuthority(Arc::new(Inner { common, signer, keys, jwks })))
            }
            _ => Err(BuildError::of(problems)),
        }
    }
}

impl fmt::Debug for TokenAuthority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenAuthority")
            .field("issuer", &self.0.common.issuer)
            .field("audience", &self.0.common.audience)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for TokenAuthorityBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenAuthorityBuilder")
            .field("issuer", &self.common.issuer)
            .field("audience", &self.common.audience)
            .field("keys", &self.keys)
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use doorward_core::SecurityScopes;
    use futures_util::FutureExt as _;

    use super::*;
    use crate::clock::Date;
    use crate::jwt::algorithm::Algorithm;
    use crate::jwt::asked::Asked;
    use crate::jwt::verifier::TokenVerifier;
    use crate::reason::Reason;

    /// The date until which tokens of a short secret are accepted.
    const DATE: u64 = 2_000_000_000;

    fn authority() -> TokenAuthority {
        let key = SigningKey::secret("0123456789abcdef0123456789abcdef");
        TokenAuthority::builder("https://a.example", key).build().unwrap()
    }

    fn built(tokens: TokenVerifierBuilder<Value>) -> TokenVerifier<Value> {
        tokens.build().now_or_never().unwrap().unwrap()
    }

    fn signed(authority: &TokenAuthority, header: &Value, claims: &Value) -> BearerToken {
        let part = |part: &Value| part.as_object().cloned().unwrap_or_else(Map::new);
        authority.0.signer.sign(part(header), part(claims)).unwrap()
    }

    /// Returns what is found at a time, which is some seconds after the date.
    fn found(tokens: &TokenVerifier<Value>, token: &BearerToken, after: f64) -> Result<(), Reason> {
        #[expect(clippy::cast_precision_loss, reason = "it is small enough")]
        let now = DATE as f64 + after;
        let asked = Asked { token, scopes: SecurityScopes::NONE, now, takes_bound: false };
        tokens.verified(&asked).now_or_never().unwrap().map(drop)
    }

    #[test]
    fn tokens_of_a_short_secret_are_accepted_until_the_date() {
        let secret = "s".repeat(40);
        let date = Date::UNIX_EPOCH + Duration::from_secs(DATE);
        let tokens = built(
            TokenVerifier::secret("https://a.example", &*secret)
                .audience("a")
                .accept_short_secret_until(date),
        );
        // Another library signs with any secret.
        let claims = json!({ "iss": "https://a.example", "aud": "a", "exp": DATE + 1000 });
        let parts = [json!({ "alg": "HS512", "typ": "at+jwt" }), claims];
        let message = parts.map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
        let key = backend::Secret::new(secret.as_bytes()).unwrap();
        let signature = key.code(Algorithm::Hs512, message.as_bytes()).unwrap();
        let signature = URL_SAFE_NO_PAD.encode(signature);
        let token = BearerToken::try_from(&*format!("{message}.{signature}")).unwrap();
        // A verifier remembers what it accepts, but not beyond the date, and without a leeway.
        for (after, expected) in [
            (-1000.0, Ok(())),
            (-0.5, Ok(())),
            (0.0, Err(Reason::ShortSecret)),
            (30.0, Err(Reason::ShortSecret)),
        ] {
            assert_eq!(found(&tokens, &token, after), expected, "{after}");
        }
    }

    #[test]
    fn only_what_has_no_issuer_is_spared() {
        let authority = authority();
        let tokens = built(authority.verifier().without_issuer());
        let old = || json!({ "sub": "ann", "exp": DATE + 1000 });
        let with = |name: &str, value: Value| {
            let mut claims = old();
            claims[name] = value;
            claims
        };
        let jwt = json!({ "alg": "HS256", "typ": "JWT" });
        let untyped = json!({ "alg": "HS256" });
        let of_access = json!({ "alg": "HS256", "typ": "at+jwt" });
        let of_refresh = json!({ "alg": "HS256", "typ": "rt+jwt" });
        let ours = || Value::from("https://a.example");
        for (header, claims, expected) in [
            (&jwt, old(), Ok(())),
            (&untyped, old(), Ok(())),
            (&of_access, old(), Ok(())),
            (&of_refresh, old(), Err(Reason::Type)),
            (&jwt, with("iss", ours()), Err(Reason::Type)),
            (&jwt, with("aud", ours()), Ok(())),
            (&jwt, with("aud", "https://b.example".into()), Err(Reason::Audience)),
            (&jwt, with("aud", json!([])), Err(Reason::Audience)),
            (&of_access, with("iss", ours()), Err(Reason::Audience)),
            (&of_access, with("iss", "https://b.example".into()), Err(Reason::Issuer)),
            (&jwt, with("exp", Value::Null), Err(Reason::NoExpiry)),
            (&jwt, with("exp", (DATE - 2000).into()), Err(Reason::Expired)),
            (&jwt, with("exp", ((DATE + 1000) * 1000).into()), Err(Reason::Milliseconds)),
            (&jwt, with("cnf", json!({})), Err(Reason::Bound)),
            (&jwt, with("nbf", DATE.into()), Err(Reason::NotYetValid)),
        ] {
            let token = signed(&authority, header, &claims);
            let found = found(&tokens, &token, -1000.0);
            assert_eq!(found, expected, "{header} {claims}");
        }
        let stranger = SigningKey::random(Algorithm::Hs256).unwrap();
        let stranger = TokenAuthority::builder("https://b.example", stranger).audience("b");
        let token = signed(&stranger.build().unwrap(), &jwt, &old());
        assert_eq!(found(&tokens, &token, -1000.0), Err(Reason::Signature));
        let never = built(authority.verifier());
        let token = signed(&authority, &jwt, &old());
        assert_eq!(found(&never, &token, -1000.0), Err(Reason::Type));
    }
}
