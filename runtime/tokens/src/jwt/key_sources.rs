//! Where the keys of an issuer are: the service has been given some, and others may be at a URL.

use core::time::Duration;
use std::sync::Arc;

use crate::jwt::jose::Jose;
use crate::jwt::keys::KeySet;
use crate::jwt::remote::RemoteKeys;
use crate::reason::Reason;

/// The keys of an issuer.
#[derive(Debug)]
pub(crate) struct KeySources {
    pub(crate) given: Arc<KeySet>,
    pub(crate) remote: Option<RemoteKeys>,
}

impl KeySources {
    /// Returns `true` if these are the keys that would verify a token now, and `None` if they have
    /// to be fetched first.
    pub(crate) fn are_current(&self, keys: &Arc<KeySet>) -> Option<bool> {
        if Arc::ptr_eq(&self.given, keys) {
            return Some(true);
        }
        self.remote.as_ref()?.are_current(keys)
    }

    /// Returns all keys that are here, without fetching any.
    pub(crate) fn here(&self) -> [Option<Arc<KeySet>>; 2] {
        let fetched = self.remote.as_ref().and_then(RemoteKeys::known);
        [Some(Arc::clone(&self.given)), fetched]
    }

    /// Checks the signature of a token with the keys that are here.
    pub(crate) fn verify_here(&self, token: &Jose<'_>) -> Result<Option<f64>, Reason> {
        let results = self.here().into_iter().flatten().map(|keys| keys.verify(token));
        // A key that has the right name is closer than none.
        let is_closer = |next: &Result<_, _>, last: &Result<_, _>| {
            next.is_ok() || *last == Err(Reason::UnknownKey)
        };
        let closest =
            results.reduce(|last, next| if is_closer(&next, &last) { next } else { last });
        closest.unwrap_or(Err(Reason::UnknownKey)).map_err(|reason| self.of_one(reason, token))
    }

    /// Returns that the signature is wrong, if no other key than one can have made it.
    fn of_one(&self, reason: Reason, token: &Jose<'_>) -> Reason {
        let is_one = self.remote.is_none() && self.given.is_one_for(token);
        if reason == Reason::UnknownKey && is_one { Reason::Signature } else { reason }
    }

    /// Returns `true` if there are keys, after a fetch of those that are at a URL and not fresh.
    pub(crate) async fn are_here(&self) -> bool {
        match &self.remote {
            Some(remote) if self.given.is_empty() => remote.are_here().await,
            _ => true,
        }
    }

    /// Fetches the keys that are at a URL, unless they are fresh.
    ///
    /// # Errors
    ///
    /// Returns how long no fetch begins, if there are no keys.
    pub(crate) async fn fetch(&self) -> Result<(), Duration> {
        match &self.remote {
            None => Ok(()),
            Some(remote) => remote.current().await.map(drop),
        }
    }

    /// Returns the keys, one of which verifies the signature of a token, and until when it counts if
    /// that is not for ever. If the key of the token is not known, the issuer may have a new one.
    pub(crate) async fn that_verify(
        &self,
        token: &Jose<'_>,
    ) -> Result<(Arc<KeySet>, Option<f64>), Reason> {
        let reason = match self.given.verify(token) {
            Ok(until) => return Ok((Arc::clone(&self.given), until)),
            Err(reason) => reason,
        };
        // A shared secret is never published.
        let is_published = token.algorithm.is_of_public_key();
        let Some(remote) = self.remote.as_ref().filter(|_| is_published) else {
            return Err(self.of_one(reason, token));
        };
        let keys = remote.current().await.map_err(Reason::Unavailable)?;
        match keys.verify(token) {
            Ok(until) => Ok((keys, until)),
            Err(Reason::UnknownKey) => {
                let newer = remote.newer_than(&keys).await.ok_or(Reason::UnknownKey)?;
                newer.verify(token).map(|until| (newer, until))
            }
            Err(reason) => Err(reason),
        }
    }
}
