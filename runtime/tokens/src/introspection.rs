//! Opaque tokens, about which their issuer is asked
//! ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662)).

mod active_tokens;
mod answer;
mod builder;
mod endpoint;
mod introspection_settings;
mod login;
mod refused;
#[cfg(feature = "testing")]
mod test_issuer;
#[cfg(all(test, feature = "testing"))]
mod tests;

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Arc;

use doorward_core::__tokens::is_b64token;
use doorward_core::verify::{Presented, Verified, VerifyError};
use doorward_core::{BearerToken, SecurityScopes};
use serde::de::DeserializeOwned;

use self::active_tokens::ActiveTokens;
use self::answer::Active;
pub use self::builder::IntrospectionBuilder;
use self::endpoint::Endpoint;
pub use self::introspection_settings::IntrospectionSettings;
pub use self::login::ClientLogin;
use self::refused::RefusedTokens;
#[cfg(feature = "testing")]
pub use self::test_issuer::TestIssuer;
use crate::claims::rules::CommonRules;
use crate::clock::Instant;
use crate::fetch::flights::{Flights, Full};
use crate::memory::{Key, Known, Memory, Remembered};
use crate::reason::Reason;
use crate::refuse_if::Refusal;
use crate::trace;

/// Verifies tokens that only their issuer can read, by asking it about each one
/// ([RFC 7662](https://www.rfc-editor.org/rfc/rfc7662)). `C` are the claims that the service needs of
/// the answer, any type that implements `Deserialize`.
///
/// ```
/// use serde::Deserialize;
/// use doorward::http_bearer;
/// use doorward::verify::{ClientLogin, Introspection};
///
/// #[derive(Deserialize)]
/// struct Claims {
///     sub: String,
/// }
///
/// #[http_bearer(scopes("items" = "Read items."), verified = Claims, by = Introspection<Claims>)]
/// struct Api;
///
/// # #[cfg(feature = "reqwest013")]
/// # fn start(secret: String) -> Result<(), doorward::verify::BuildError> {
/// let login = ClientLogin::basic("items-api", secret);
/// let tokens = Introspection::<Claims>::at("https://id.example.com/introspect", login)
///     .audience("https://api.example.com")
///     .build()?;
/// # Ok(())
/// # }
/// ```
///
/// It is built by [`at`](Self::at) or [`discover`](Self::discover), and shared by all requests.
/// Requests that come with the same token at once share one question.
/// [The guide](https://docs.rs/doorward/latest/doorward/guide/verified_tokens/index.html) has the checks.
pub struct Introspection<C>(Arc<Verifier<C>>);

struct Verifier<C> {
    rules: CommonRules,
    endpoint: Arc<Endpoint>,
    refusals: Vec<Refusal<C>>,
    /// The questions about tokens whose last answer was active.
    questions: Questions<C>,
    /// Those about all other tokens, so that invented tokens starve only each other.
    other_questions: Questions<C>,
    active: ActiveTokens,
    memory: Option<Remembering<C>>,
    /// The clock, which tests replace.
    now: fn() -> Now,
}

/// The questions on their way, by token.
type Questions<C> = Flights<Arc<Key>, Result<Arc<Active<C>>, Reason>>;

/// The questions of either kind at most.
const MAX_QUESTIONS: usize = 256;

/// What a service remembers, if it does.
struct Remembering<C> {
    /// Each token counts until the time, and until it expires.
    active: Memory<C, Instant>,
    refused: RefusedTokens,
    duration: Duration,
    /// How often tokens were forgotten. An answer to an older question is not remembered.
    forgotten: AtomicU64,
}

/// A time by both clocks.
#[derive(Clone, Copy)]
struct Now {
    instant: Instant,
    /// In seconds since 1970.
    seconds: f64,
}

/// When a caller may come back if too many questions are on their way.
const FULL: Duration = Duration::from_secs(1);

impl<C: DeserializeOwned + Send + Sync + 'static> Introspection<C> {
    /// Verifies a token, and checks that it grants the scopes.
    ///
    /// # Errors
    ///
    /// Returns the response that refuses the token: `401` with `invalid_token`, which does not say
    /// why, or `403` with `insufficient_scope`. Returns `503` if the issuer cannot be asked, or if a
    /// function of [`refuse_if`](IntrospectionBuilder::refuse_if) cannot decide.
    pub async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<C>, VerifyError> {
        self.verify_as(token.into().token(), scopes, false).await
    }

    /// Verifies a token, which may be bound if a wrapper asks: it checks what to, and then the scopes.
    pub(crate) async fn verify_as(
        &self,
        token: &BearerToken,
        scopes: SecurityScopes,
        takes_bound: bool,
    ) -> Result<Verified<C>, VerifyError> {
        match self.accept(token, scopes.resource(), takes_bound).await {
            Ok(verified) if takes_bound => Ok(verified),
            Ok(verified) => verified.require(scopes),
            Err(reason) => {
                let (expected, setting) = self.0.expected(reason);
                let details = trace::Details {
                    expected: expected.as_deref(),
                    setting,
                    ..trace::Details::default()
                };
                Err(reason.refuse_with(scopes, &details))
            }
        }
    }

    /// Makes all checks except that of the scopes.
    async fn accept(
        &self,
        token: &BearerToken,
        resource: Option<&str>,
        takes_bound: bool,
    ) -> Result<Verified<C>, Reason> {
        let verifier = &self.0;
        let bytes = token.as_bytes();
        if bytes.len() > verifier.rules.max_bytes {
            return Err(Reason::TooLong);
        }
        if !is_b64token(bytes) {
            return Err(Reason::NotBearer);
        }
        let verified = match verifier.remembered(bytes, resource) {
            Some(remembered) => remembered?,
            None => {
                let active = self.ask(token).await?;
                verifier.check_audience(&active.audiences, active.client.as_deref(), resource)?;
                active.verified.clone()
            }
        };
        if !takes_bound && verified.bound_to().is_some() {
            return Err(Reason::Bound);
        }
        for refusal in &verifier.refusals {
            match refusal.refuses(&verified).await {
                Some(false) => {}
                Some(true) => return Err(Reason::Refused),
                None => return Err(Reason::Undecided),
            }
        }
        Ok(verified)
    }

    /// Asks the issuer, or waits for the question of another request.
    async fn ask(&self, token: &BearerToken) -> Result<Arc<Active<C>>, Reason> {
        let bytes = token.as_bytes();
        let verifier = &self.0;
        let was_active = verifier.active.has(bytes);
        let questions = if was_active { &verifier.questions } else { &verifier.other_questions };
        let answered = questions.ask(Arc::new(Key::new(bytes, true)), || {
            let (verifier, token) = (Arc::clone(verifier), token.clone());
            async move { verifier.ask(&token).await.map(Arc::new) }
        });
        match answered.await {
            Ok(Some(answer)) => answer,
            Ok(None) => Err(Reason::NotAnswered(FULL)),
            Err(Full) => Err(Reason::TooManyQuestions(FULL)),
        }
    }

    /// Forgets the remembered tokens whose claims match, for example those of a user who has logged
    /// out. The issuer is asked about them again.
    pub fn forget(&self, is_forgotten: impl Fn(&C) -> bool) {
        if let Some(memory) = &self.0.memory {
            memory.forgotten.fetch_add(1, Ordering::AcqRel);
            memory.active.forget(|verified| is_forgotten(verified.claims()));
        }
    }

    /// Returns how often tokens were looked up among the remembered ones and found, since the
    /// verifier was built. It looks through all of them, so call it for metrics, and not for each
    /// request.
    #[must_use]
    pub fn remembered(&self) -> Remembered {
        let memory = self.0.memory.as_ref();
        memory.map_or_else(Remembered::default, |memory| memory.active.remembered())
    }
}

impl<C: DeserializeOwned> Verifier<C> {
    /// Returns what is remembered of a token.
    fn remembered(
        &self,
        token: &[u8],
        resource: Option<&str>,
    ) -> Option<Result<Verified<C>, Reason>> {
        let memory = self.memory.as_ref()?;
        let Now { instant, seconds } = (self.now)();
        // `None` says that the issuer has to be asked again, and not that other tokens do not count.
        let is_current = |until: &Instant| (instant < *until).then_some(true);
        if let Some(kept) = memory.active.get(token, is_current, seconds) {
            let known = &kept.token;
            let is_for_us =
                self.check_audience(&known.audiences, known.client.as_deref(), resource);
            return Some(is_for_us.map(|()| known.verified.clone()));
        }
        memory.refused.get(token, instant).map(Err)
    }

    /// Asks the issuer, reads its answer, and keeps it if that is wanted.
    async fn ask(&self, token: &BearerToken) -> Result<Active<C>, Reason> {
        let forgotten = |memory: &Remembering<C>| memory.forgotten.load(Ordering::Acquire);
        let memory = self.memory.as_ref();
        let memory = memory.map(|memory| (memory, (self.now)().instant, forgotten(memory)));
        let bytes = token.as_bytes();
        let answered = self.endpoint.ask(token.as_str()).await;
        let (state, body) = answered.map_err(Reason::NotAnswered)?;
        let now = (self.now)().seconds;
        let read = answer::read::<C>(&state, &body, &self.rules, self.endpoint.issuer(), now);
        let read = read.and_then(|active| {
            // If the scheme decides about the audience, it does so for each request.
            if !self.rules.audiences.is_empty() || !self.rules.client_ids.is_empty() {
                self.check_audience(&active.audiences, active.client.as_deref(), None)?;
            }
            Ok(active)
        });
        self.active.note(bytes, read.is_ok());
        if let Some((memory, begun, before)) = memory
            && forgotten(memory) == before
        {
            match &read {
                Err(reason) => memory.refused.insert(bytes, *reason, begun),
                Ok(active) => memory.insert(token.as_str(), &body, active, begun),
            }
        }
        read
    }

    fn check_audience(
        &self,
        audiences: &[String],
        client: Option<&str>,
        resource: Option<&str>,
    ) -> Result<(), Reason> {
        self.rules.check_audience(audiences, client, resource)
    }

    /// Returns what a check expects, and the setting that would change it, for the log.
    fn expected(&self, reason: Reason) -> (Option<String>, Option<&'static str>) {
        let rules = &self.rules;
        match reason {
            Reason::TooLong => {
                (Some(format!("at most {} bytes", rules.max_bytes)), Some("max_bytes"))
            }
            Reason::Audience if rules.client_ids.is_empty() => (
                Some(rules.audiences.join(", ")).filter(|names| !names.is_empty()),
                Some("audience"),
            ),
            Reason::Audience => (Some(rules.client_ids.join(", ")), Some("client_id")),
            Reason::Issuer => (self.endpoint.issuer().map(str::to_owned), Some("issuer")),
            Reason::NotYetValid => (None, Some("leeway")),
            _ => (None, None),
        }
    }
}

impl<C> Remembering<C> {
    fn new(bytes: usize, duration: Duration) -> Option<Self> {
        // An eighth of the bytes is for the refused ones.
        let of_refused = bytes / 8;
        Some(Self {
            active: Memory::new(bytes.saturating_sub(of_refused))?,
            refused: RefusedTokens::new(of_refused, duration),
            duration,
            forgotten: AtomicU64::new(0),
        })
    }

    /// Remembers a token from the time at which the question has begun, because it may be revoked while
    /// the answer is on its way.
    fn insert(&self, token: &str, body: &[u8], active: &Active<C>, begun: Instant) {
        let Some(until) = begun.checked_add(self.duration) else { return };
        let known = Known {
            verified: active.verified.clone(),
            audiences: active.audiences.clone(),
            client: active.client.clone(),
            basis: until,
            exp: active.exp,
        };
        self.active.insert(token, true, body, known);
    }
}

verify_token!([C: DeserializeOwned + Send + Sync + 'static] Introspection<C>);

impl<C> fmt::Debug for Introspection<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Introspection");
        shown.field("endpoint", self.0.endpoint.place()).field("rules", &self.0.rules);
        shown.field("memory", &self.0.memory.as_ref().map(|memory| &memory.active));
        shown.finish_non_exhaustive()
    }
}
