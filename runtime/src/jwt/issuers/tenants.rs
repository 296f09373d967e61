//! Issuers that come and go: each is looked up when a token names it.

use core::fmt;
use core::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;
use serde::de::DeserializeOwned;

use crate::jwt::builder::{COOL_DOWN, TokenVerifierBuilder};
use crate::jwt::clock::Instant;
use crate::jwt::reason::Reason;
use crate::jwt::verifier::TokenVerifier;
use crate::trace;
use crate::verify::FetchError;

/// The issuers that a function of the service names, and their verifiers.
pub(super) struct Tenants<C> {
    named: Named<C>,
    /// The verifiers by issuer. Of several requests for one that is missing, one looks it up.
    table: Cache<String, Arc<Tenant<C>>>,
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
        }
    }

    /// Returns the verifier of an issuer.
    pub(super) async fn verifier(&self, issuer: &str) -> Result<Arc<TokenVerifier<C>>, Reason> {
        let old = match self.table.get(issuer) {
            Some(tenant) if Instant::now() < tenant.until => return tenant.verifier(),
            old => old,
        };
        self.table.remove_if(issuer, |tenant| Instant::now() >= tenant.until);
        let old = old.and_then(|tenant| tenant.verifier.clone());
        let found = self.table.get_or_insert_async(issuer, self.look_up(issuer, old)).await?;
        found.verifier()
    }

    /// Asks the service for an issuer, and the issuer for its metadata. If that fails, the old
    /// verifier is used for a while.
    async fn look_up(
        &self,
        issuer: &str,
        old: Option<Arc<TokenVerifier<C>>>,
    ) -> Result<Arc<Tenant<C>>, Reason> {
        let (error, cool_down) = match (self.named)(issuer.to_owned()).await {
            Ok(None) => return Err(Reason::Issuer),
            Ok(Some(builder)) => {
                let cool_down = builder.usual_cool_down();
                match builder.build().await {
                    Ok(verifier) => return Ok(Tenant::new(Some(Arc::new(verifier)), LIFETIME)),
                    Err(error) => (error.to_string(), cool_down),
                }
            }
            Err(error) => (error.to_string(), COOL_DOWN),
        };
        trace::issuer_not_resolved(issuer, &error);
        Ok(Tenant::new(old, cool_down))
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
