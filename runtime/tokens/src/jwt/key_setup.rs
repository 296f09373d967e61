//! The keys of an issuer, as a service sets them up.

use std::sync::Arc;

use crate::build_error::BuildError;
use crate::fetch::discovery::{self, Sought};
use crate::fetch::documents::AnyFetch;
use crate::fetch::http_hosts::{HttpHosts, warn_of_http};
use crate::jwt::algorithm::{Algorithm, too_short};
use crate::jwt::key_sources::KeySources;
use crate::jwt::keys::KeySet;
use crate::jwt::pasted::instead_of_jwks;
use crate::jwt::remote::{RemoteKeys, Times};
use crate::trace;

/// The keys that a service gives, and where others are.
#[derive(Default)]
pub(crate) struct KeySetup {
    given: KeySet,
    remote: Option<Remote>,
    pub(crate) http_hosts: HttpHosts,
    /// The mistakes in the keys that are given.
    problems: Vec<String>,
}

/// Where keys are fetched.
pub(crate) enum Remote {
    /// Where the metadata of the issuer says.
    Discovery(Arc<dyn AnyFetch>),
    Url(String, Arc<dyn AnyFetch>),
}

impl KeySetup {
    pub(crate) fn fetched(remote: Remote) -> Self {
        Self { remote: Some(remote), ..Self::default() }
    }

    pub(crate) fn with_keys(mut self, keys: &KeySet) -> Self {
        self.given.extend(keys);
        self
    }

    pub(crate) fn with_jwks(mut self, json: &[u8]) -> Self {
        match read_jwks(json) {
            Ok(keys) => return self.with_keys(&keys),
            Err(problem) => self.problems.push(problem),
        }
        self
    }

    pub(crate) fn with_pem(mut self, pem: &[u8]) -> Self {
        match KeySet::of_pem(pem) {
            Ok(keys) => return self.with_keys(&keys),
            Err(problem) => self.problems.push(format!("the PEM {problem}")),
        }
        self
    }

    pub(crate) fn with_secret(mut self, secret: &[u8]) -> Self {
        match KeySet::of_secret(secret) {
            Some(keys) => return self.with_keys(&keys),
            None => self.problems.push(too_short(secret.len(), 32)),
        }
        self
    }

    pub(crate) fn with_weak_secret(mut self, secret: &[u8]) -> Self {
        match KeySet::of_weak_secret(secret) {
            Some(keys) => return self.with_keys(&keys),
            None => self.problems.push("the weak secret is empty".to_owned()),
        }
        self
    }

    /// Warns of each shared secret that is too short for an algorithm that is allowed.
    pub(crate) fn warn_of_weak_secrets(&self, allowed: &[Algorithm]) {
        self.given.weak_secrets(allowed).for_each(trace::weak_secret);
    }

    /// Takes shared secrets that are too short until a time, in seconds since 1970, and warns of
    /// them.
    pub(crate) fn take_short_secrets(&mut self, until: f64) {
        if self.given.take_short_secrets(until) {
            trace::short_secret(until);
        }
    }

    /// Replaces the fetcher, if there is one.
    pub(crate) fn fetched_by(&mut self, wrap: impl FnOnce(Arc<dyn AnyFetch>) -> Arc<dyn AnyFetch>) {
        if let Some(Remote::Discovery(fetch) | Remote::Url(_, fetch)) = &mut self.remote {
            *fetch = wrap(Arc::clone(fetch));
        }
    }

    /// Returns `true` if there are keys that the issuer is asked for.
    pub(crate) const fn are_fetched(&self) -> bool {
        self.remote.is_some()
    }

    /// Returns `true` if the metadata of the issuer say where the keys are.
    pub(crate) const fn is_discovered(&self) -> bool {
        matches!(self.remote, Some(Remote::Discovery(_)))
    }

    /// Returns the algorithms of the shared secrets, and all of public keys if there are any. A
    /// public key is never a secret.
    pub(crate) fn algorithms(&self) -> Vec<Algorithm> {
        let has_public =
            self.remote.is_some() || self.given.algorithms().any(|own| own.is_of_public_key());
        let is_one = |algorithm: &Algorithm| match algorithm.is_of_public_key() {
            true => has_public,
            false => self.given.algorithms().any(|own| own == *algorithm),
        };
        Algorithm::ALL.into_iter().filter(is_one).collect()
    }

    /// Returns what is wrong with a URL that is fetched, as the end of a sentence.
    pub(crate) fn fault(&self, url: &str) -> Option<String> {
        self.http_hosts.fault(
            url,
            ", or pass a closure that asks there, and gives the URL that it was asked for to `Fetched::new`",
        )
    }

    /// Returns the mistakes that show before the issuer is asked, such as that no key is for one of
    /// the algorithms.
    pub(crate) fn problems(&self, algorithms: &[Algorithm]) -> Vec<String> {
        let mut problems = self.problems.clone();
        let may_be_fetched =
            self.remote.is_some() && algorithms.iter().any(Algorithm::is_of_public_key);
        let mut given = self.given.algorithms();
        if problems.is_empty() && !may_be_fetched && !given.any(|own| algorithms.contains(&own)) {
            problems.push(NO_KEY.to_owned());
        }
        if let Some(Remote::Url(url, _)) = &self.remote {
            problems.extend(self.check_url(url).err());
        }
        problems
    }

    fn check_url(&self, url: &str) -> Result<(), String> {
        let fault = self.fault(url);
        fault.map_or(Ok(()), |fault| Err(format!("the URL of the keys {fault}: {url}")))
    }

    /// Finds out where the keys are that are fetched. With discovery, the issuer is asked.
    pub(crate) async fn sources(
        self,
        issuer: &str,
        times: Times,
    ) -> Result<KeySources, BuildError> {
        let remote = match &self.remote {
            None => None,
            Some(Remote::Url(url, fetch)) => Some((url.clone(), fetch)),
            Some(Remote::Discovery(fetch)) => {
                warn_of_http(issuer);
                let url = discovery::find(Sought::Keys, issuer, &**fetch).await?;
                self.check_url(&url).map_err(BuildError::new)?;
                Some((url, fetch))
            }
        };
        let remote = remote.map(|(url, fetch)| {
            warn_of_http(&url);
            RemoteKeys::new(url, Arc::clone(fetch), times)
        });
        Ok(KeySources { given: Arc::new(self.given), remote })
    }
}

fn read_jwks(json: &[u8]) -> Result<KeySet, String> {
    let Some(keys) = KeySet::read(json) else {
        let pasted = instead_of_jwks(json).unwrap_or("is not one; write `{\"keys\":[…]}`");
        return Err(format!("the JWK Set {pasted}"));
    };
    if !keys.is_empty() {
        for reason in keys.left_out() {
            trace::key_left_out(None, &reason);
        }
        return Ok(keys);
    }
    let why = match &*keys.all_left_out() {
        [] => "it is empty".to_owned(),
        left_out => left_out.join(", "),
    };
    Err(format!("the JWK Set has no public key for signatures: {why}"))
}

const NO_KEY: &str = "no key is for one of the algorithms, so no token would be valid; call `algorithms` with others, or not at all";
