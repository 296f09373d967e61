//! Issuers that come and go: each is looked up when a token names it.

use core::fmt;
use core::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use serde::de::DeserializeOwned;

use super::newcomers::{Counted, Newcomers, Progress, USUAL_FETCHES};
use crate::clock::{Instant, instant};
use crate::fetch::FetchError;
use crate::fetch::flights::{Flights, Full};
use crate::jwt::builder::{COOL_DOWN, TokenVerifierBuilder};
use crate::jwt::keys::KeySet;
use crate::jwt::verifier::TokenVerifier;
use crate::memory::{Memory, Remembered, USUAL_BYTES};
use crate::reason::{Reason, UNDECIDED};
use crate::trace;

/// The issuers that a function of the service names, and their verifiers.
pub(crate) struct Tenants<C> {
    named: Named<C>,
    /// The last lookups by issuer.
    table: Cache<String, Arc<Tenant<C>>>,
    /// The lookups on their way.
    lookups: Flights<String, Result<Arc<Tenant<C>>, Reason>>,
    /// The last verifier of each issuer that had one. Failures for other issuers do not replace it.
    verifiers: Cache<String, Arc<TokenVerifier<C>>>,
    newcomers: Arc<Newcomers>,
    /// The memory of all verifiers.
    memory: Option<Memory<C, Arc<KeySet>>>,
    /// The clock, which tests replace.
    now: fn() -> Instant,
}

/// The function of the service.
type Named<C> = Box<dyn Fn(String) -> Found<C> + Send + Sync>;

type Found<C> =
    Pin<Box<dyn Future<Output = Result<Option<TokenVerifierBuilder<C>>, FetchError>> + Send>>;

/// An issuer that was looked up.
struct Tenant<C> {
    /// `None` if there is no verifier because of a failure.
    verifier: Option<Arc<TokenVerifier<C>>>,
    /// When it is looked up again.
    until: Instant,
}

/// The issuers whose verifiers are kept at once.
const MAX_ISSUERS: usize = 1024;

/// How long a verifier is used before the service is asked again for its issuer.
const LIFETIME: Duration = Duration::from_secs(15 * 60);

impl<C: DeserializeOwned + Send + Sync + 'static> Tenants<C> {
    pub(crate) fn new<F, R>(named: F) -> Self
    where
        F: Fn(String) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Option<TokenVerifierBuilder<C>>, FetchError>> + Send + 'static,
    {
        Self {
            named: Box::new(move |issuer| Box::pin(named(issuer))),
            table: Cache::new(MAX_ISSUERS),
            lookups: Flights::new(MAX_ISSUERS),
            verifiers: Cache::new(MAX_ISSUERS),
            newcomers: Arc::new(Newcomers::new(USUAL_FETCHES, instant)),
            memory: Memory::new(USUAL_BYTES),
            now: instant,
        }
    }

    /// Sets how many fetches in a minute are for issuers that never had a verifier.
    pub(crate) fn limit_newcomers(&mut self, per_minute: usize) {
        self.newcomers = Arc::new(Newcomers::new(per_minute, self.now));
    }

    /// Sets how many bytes of tokens are remembered.
    pub(crate) fn remember(&mut self, bytes: usize) {
        self.memory = Memory::new(bytes);
    }

    /// Returns how well the tokens of all issuers are remembered.
    pub(crate) fn remembered(&self) -> Remembered {
        self.memory.as_ref().map_or_else(Remembered::default, Memory::remembered)
    }

    /// Returns the verifier of an issuer.
    pub(crate) async fn verifier(
        self: &Arc<Self>,
        issuer: &str,
    ) -> Result<Arc<TokenVerifier<C>>, Reason> {
        if let Some(tenant) = self.known(issuer) {
            return tenant.verifier((self.now)());
        }
        let looked_up = self.lookups.ask(issuer.to_owned(), || {
            let (tenants, issuer) = (Arc::clone(self), issuer.to_owned());
            async move {
                // A lookup may have ended between the two locks.
                if let Some(tenant) = tenants.known(&issuer) {
                    return Ok(tenant);
                }
                let tenant = tenants.look_up(&issuer).await?;
                tenants.table.insert(issuer, Arc::clone(&tenant));
                Ok(tenant)
            }
        });
        match looked_up.await {
            Ok(Some(tenant)) => tenant?.verifier((self.now)()),
            // The function of the service has panicked, or is asked about too many issuers.
            Ok(None) | Err(Full) => {
                self.verifiers.get(issuer).ok_or(Reason::Unavailable(UNDECIDED))
            }
        }
    }

    /// Returns the last lookup of an issuer, unless it is too old.
    fn known(&self, issuer: &str) -> Option<Arc<Tenant<C>>> {
        self.table.get(issuer).filter(|tenant| (self.now)() < tenant.until)
    }

    /// Asks the service for an issuer, and the issuer for its metadata. If that fails, the old
    /// verifier is used for a while.
    async fn look_up(&self, issuer: &str) -> Result<Arc<Tenant<C>>, Reason> {
        let old = self.verifiers.get(issuer);
        let (error, cool_down) = match (self.named)(issuer.to_owned()).await {
            Ok(None) => {
                self.verifiers.remove(issuer);
                return Err(Reason::Issuer);
            }
            Ok(Some(builder)) => {
                let cool_down = builder.usual_cool_down();
                // It is built for a request, so a scheme may have the audience.
                let builder = builder.remember(0).with_audience_of_scheme();
                let built = match &old {
                    Some(_) => builder.build().await.map_err(|error| error.to_string()),
                    None => self.built_for_newcomer(builder).await?.ok_or_else(String::new),
                };
                match built {
                    Ok(mut verifier) => {
                        verifier.memory = self.memory.as_ref().map(Memory::shared);
                        let verifier = Arc::new(verifier);
                        self.verifiers.insert(issuer.to_owned(), Arc::clone(&verifier));
                        return Ok(self.tenant(Some(verifier), LIFETIME));
                    }
                    Err(error) => (error, cool_down),
                }
            }
            Err(error) => (error.to_string(), COOL_DOWN),
        };
        match old {
            Some(_) => trace::issuer_not_resolved(issuer, &error),
            None => trace::new_issuer_not_resolved(),
        }
        Ok(self.tenant(old, cool_down))
    }

    /// Creates what is kept of a lookup, for this long.
    fn tenant(
        &self,
        verifier: Option<Arc<TokenVerifier<C>>>,
        duration: Duration,
    ) -> Arc<Tenant<C>> {
        let now = (self.now)();
        let until = now.checked_add(duration).unwrap_or(now);
        Arc::new(Tenant { verifier, until })
    }

    /// Builds the verifier of an issuer that never had one. It has one once its keys were fetched,
    /// because a verifier without keys proves nothing about the issuer.
    async fn built_for_newcomer(
        &self,
        builder: TokenVerifierBuilder<C>,
    ) -> Result<Option<TokenVerifier<C>>, Reason> {
        let progress = Arc::new(Progress::default());
        let builder = builder.fetched_by(|fetch| {
            let (newcomers, progress) = (Arc::clone(&self.newcomers), Arc::clone(&progress));
            Arc::new(Counted { newcomers, fetch, progress })
        });
        if let Ok(verifier) = builder.build().await
            && verifier.keys.fetch().await.is_ok()
        {
            progress.has_verifier();
            return Ok(Some(verifier));
        }
        progress.refused().map_or(Ok(None), |wait| Err(Reason::TooManyNewIssuers(wait)))
    }
}

impl<C> Tenant<C> {
    fn verifier(&self, now: Instant) -> Result<Arc<TokenVerifier<C>>, Reason> {
        let wait = || self.until.saturating_duration_since(now);
        let verifier = self.verifier.clone();
        verifier.ok_or_else(|| Reason::Unavailable(wait()))
    }
}

impl<C> fmt::Debug for Tenants<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tenants({} known)", self.table.len())
    }
}

#[cfg(all(test, any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto")))]
mod tests {
    use core::cell::Cell;

    use futures_util::FutureExt as _;
    use serde_json::Value;

    use super::*;
    use crate::fetch::Fetched;

    const KEYS: &str = r#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;

    thread_local! {
        static START: Instant = instant();
        static PASSED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
        static IS_DOWN: Cell<bool> = const { Cell::new(false) };
        static FETCHES: Cell<usize> = const { Cell::new(0) };
    }

    /// Issuers that are named by a rule. All of them are known but those with `forged` in their
    /// URL.
    fn tenants() -> Arc<Tenants<Value>> {
        let fetch = async |url: String| {
            FETCHES.set(FETCHES.get() + 1);
            if IS_DOWN.get() || url.contains("forged") {
                return Err(FetchError::new("no answer"));
            }
            let body = match url.split_once("/.well-known") {
                Some((issuer, _)) => {
                    format!(r#"{{"issuer":"{issuer}","jwks_uri":"{issuer}/keys"}}"#)
                }
                None => KEYS.to_owned(),
            };
            Ok(Fetched::new(url, body))
        };
        let named = move |issuer| async move { Ok(Some(TokenVerifier::discover(issuer, fetch))) };
        let now = || START.with(|start| *start + PASSED.get());
        let newcomers = Arc::new(Newcomers::new(USUAL_FETCHES, now));
        Arc::new(Tenants { now, newcomers, ..Tenants::new(named) })
    }

    fn asked(tenants: &Arc<Tenants<Value>>, issuer: &str) -> Result<(), Reason> {
        let issuer = format!("https://{issuer}.test");
        tenants.verifier(&issuer).now_or_never().unwrap().map(drop)
    }

    #[test]
    fn an_issuer_with_a_verifier_does_not_notice_forged_ones() {
        let tenants = tenants();
        assert_eq!(asked(&tenants, "good"), Ok(()));
        assert_eq!(FETCHES.get(), 2);
        // More than are kept, if each was remembered.
        for index in 0..2000 {
            let forged = asked(&tenants, &format!("forged-{index}"));
            assert!(matches!(forged, Err(Reason::Unavailable(_) | Reason::TooManyNewIssuers(_))));
        }
        assert_eq!(FETCHES.get(), USUAL_FETCHES);
        assert!(matches!(asked(&tenants, "new"), Err(Reason::TooManyNewIssuers(_))));
        assert_eq!(FETCHES.get(), USUAL_FETCHES);

        // It is asked again when its time has come, and used if it does not answer.
        PASSED.set(LIFETIME);
        for index in 0..100 {
            let _ = asked(&tenants, &format!("forged-{index}"));
        }
        FETCHES.set(0);
        assert_eq!(asked(&tenants, "good"), Ok(()));
        assert_eq!(FETCHES.get(), 1);
        PASSED.set(LIFETIME * 2);
        IS_DOWN.set(true);
        assert_eq!(asked(&tenants, "good"), Ok(()));
        assert_eq!(FETCHES.get(), 3);
    }

    /// Lookups that do not end, for issuers that callers have invented.
    #[test]
    fn an_issuer_with_a_verifier_needs_no_place_among_the_lookups() {
        let mut tenants = tenants();
        assert_eq!(asked(&tenants, "good"), Ok(()));
        Arc::get_mut(&mut tenants).unwrap().named =
            Box::new(|_| Box::pin(core::future::pending::<Result<_, FetchError>>()));
        PASSED.set(LIFETIME);
        let waiting = (0..MAX_ISSUERS).map(|index| {
            let (tenants, issuer) = (Arc::clone(&tenants), format!("https://forged-{index}.test"));
            let mut waiting = Box::pin(async move { tenants.verifier(&issuer).await.is_ok() });
            assert!(waiting.as_mut().now_or_never().is_none());
            waiting
        });
        let _waiting = Vec::from_iter(waiting);
        assert_eq!(asked(&tenants, "good"), Ok(()));
        assert_eq!(asked(&tenants, "new"), Err(Reason::Unavailable(UNDECIDED)));
    }

    #[test]
    fn a_function_that_panics_keeps_the_old_verifier_in_use() {
        let mut tenants = tenants();
        assert_eq!(asked(&tenants, "good"), Ok(()));
        Arc::get_mut(&mut tenants).unwrap().named = Box::new(|_| panic!("as intended"));
        PASSED.set(LIFETIME);
        assert_eq!(asked(&tenants, "good"), Ok(()));
        assert_eq!(asked(&tenants, "new"), Err(Reason::Unavailable(UNDECIDED)));
    }

    #[test]
    fn an_issuer_that_could_not_be_asked_is_asked_later() {
        let mut tenants = tenants();
        Arc::get_mut(&mut tenants).unwrap().limit_newcomers(2);
        assert!(matches!(asked(&tenants, "forged"), Err(Reason::Unavailable(_))));
        assert_eq!(FETCHES.get(), 2);
        let wait = Duration::from_secs(60);
        assert_eq!(asked(&tenants, "good"), Err(Reason::TooManyNewIssuers(wait)));
        PASSED.set(wait);
        assert_eq!(asked(&tenants, "good"), Ok(()));
    }
}
