//! Issuers that come and go: each is looked up when a token names it.

use core::fmt;
use core::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use serde::de::DeserializeOwned;

use super::newcomers::{Counted, Newcomers, Progress, USUAL_FETCHES};
use crate::jwt::builder::{COOL_DOWN, TokenVerifierBuilder};
use crate::jwt::clock::Instant;
use crate::jwt::reason::Reason;
use crate::jwt::verifier::TokenVerifier;
use crate::trace;
use crate::verify::FetchError;

/// The issuers that a function of the service names, and their verifiers.
pub(super) struct Tenants<C> {
    named: Named<C>,
    /// The lookups by issuer. Of several requests for one that is missing, one looks it up.
    table: Cache<String, Arc<Tenant<C>>>,
    /// The last verifier of each issuer that had one. Failures for other issuers do not replace it.
    verifiers: Cache<String, Arc<TokenVerifier<C>>>,
    newcomers: Arc<Newcomers>,
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

impl<C: DeserializeOwned + Send + Sync> Tenants<C> {
    pub(super) fn new<F, R>(named: F) -> Self
    where
        F: Fn(String) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Option<TokenVerifierBuilder<C>>, FetchError>> + Send + 'static,
    {
        Self {
            named: Box::new(move |issuer| Box::pin(named(issuer))),
            table: Cache::new(MAX_ISSUERS),
            verifiers: Cache::new(MAX_ISSUERS),
            newcomers: Arc::new(Newcomers::new(USUAL_FETCHES)),
        }
    }

    /// Sets how many fetches in a minute are for issuers that never had a verifier.
    pub(super) fn limit_newcomers(&mut self, per_minute: usize) {
        self.newcomers = Arc::new(Newcomers::new(per_minute));
    }

    /// Returns the verifier of an issuer.
    pub(super) async fn verifier(&self, issuer: &str) -> Result<Arc<TokenVerifier<C>>, Reason> {
        self.table.remove_if(issuer, |tenant| Instant::now() >= tenant.until);
        let found = self.table.get_or_insert_async(issuer, self.look_up(issuer)).await?;
        found.verifier()
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
                let built = match &old {
                    Some(_) => builder.build().await.map_err(|error| error.to_string()),
                    None => self.built_for_newcomer(builder).await?.ok_or_else(String::new),
                };
                match built {
                    Ok(verifier) => {
                        let verifier = Arc::new(verifier);
                        self.verifiers.insert(issuer.to_owned(), Arc::clone(&verifier));
                        return Ok(Tenant::new(Some(verifier), LIFETIME));
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
        Ok(Tenant::new(old, cool_down))
    }

    /// Builds the verifier of an issuer that never had one. It has one once its keys were fetched,
    /// because a verifier without keys proves nothing about the issuer.
    async fn built_for_newcomer(
        &self,
        builder: TokenVerifierBuilder<C>,
    ) -> Result<Option<TokenVerifier<C>>, Reason> {
        let progress = Arc::new(Progress::default());
        let builder = builder
            .fetched_by(|fetch| Arc::new(Counted::new(&self.newcomers, fetch, &progress)));
        if let Ok(verifier) = builder.build().await
            && verifier.keys.fetched().await.is_ok()
        {
            progress.has_verifier();
            return Ok(Some(verifier));
        }
        progress.refused().map_or(Ok(None), |wait| Err(Reason::TooManyNewIssuers(wait)))
    }
}

impl<C> Tenant<C> {
    fn new(verifier: Option<Arc<TokenVerifier<C>>>, duration: Duration) -> Arc<Self> {
        let now = Instant::now();
        let until = now.checked_add(duration).unwrap_or(now);
        Arc::new(Self { verifier, until })
    }

    fn verifier(&self) -> Result<Arc<TokenVerifier<C>>, Reason> {
        let wait = || self.until.saturating_duration_since(Instant::now());
        let verifier = self.verifier.clone();
        verifier.ok_or_else(|| Reason::Unavailable(wait()))
    }
}

impl<C> fmt::Debug for Tenants<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tenants({} known)", self.table.len())
    }
}
