//! Issuers that never had a verifier. Any caller can write a token that names one, so the service
//! asks them a limited number of times, and does not record what the token says.

use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use http::Request;

use crate::clock::Instant;
use crate::fetch::FetchError;
use crate::fetch::documents::{AnyFetch, FetchFuture};

/// The fetches in a minute, unless a service sets another number.
pub(crate) const USUAL_FETCHES: usize = 30;

const MINUTE: Duration = Duration::from_secs(60);

/// The limit of fetches for all newcomers.
pub(crate) struct Newcomers {
    per_minute: usize,
    now: fn() -> Instant,
    /// When each fetch of the last minute has begun.
    begun: Mutex<VecDeque<Instant>>,
}

impl Newcomers {
    pub(crate) fn new(per_minute: usize, now: fn() -> Instant) -> Self {
        Self { per_minute, now, begun: Mutex::default() }
    }

    /// Counts a fetch that begins now. If there were too many, returns how long none may begin.
    fn begin(&self) -> Result<(), Duration> {
        let now = (self.now)();
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let age = |begun: &Instant| now.saturating_duration_since(*begun);
        while begun.front().is_some_and(|first| age(first) >= MINUTE) {
            begun.pop_front();
        }
        if begun.len() < self.per_minute {
            begun.push_back(now);
            return Ok(());
        }
        Err(begun.front().map_or(MINUTE, |first| MINUTE.saturating_sub(age(first))))
    }
}

/// The fetcher of one newcomer, which counts until the issuer has a verifier.
pub(crate) struct Counted {
    pub(crate) newcomers: Arc<Newcomers>,
    pub(crate) fetch: Arc<dyn AnyFetch>,
    pub(crate) progress: Arc<Progress>,
}

/// How far a newcomer has come.
#[derive(Default)]
pub(crate) struct Progress {
    /// How long no fetch could begin, if one could not.
    refused: OnceLock<Duration>,
    has_verifier: AtomicBool,
}

impl Progress {
    /// Returns how long no fetch may begin, if there were too many.
    pub(crate) fn refused(&self) -> Option<Duration> {
        self.refused.get().copied()
    }

    /// Ends the limit for this issuer.
    pub(crate) fn has_verifier(&self) {
        self.has_verifier.store(true, Ordering::Relaxed);
    }
}

impl AnyFetch for Counted {
    fn fetch_boxed(&self, request: Request<Bytes>, max_bytes: usize) -> FetchFuture<'_> {
        if self.is_of_newcomer()
            && let Err(wait) = self.newcomers.begin()
        {
            let _ = self.progress.refused.set(wait);
            let error = FetchError::new("too many fetches for new issuers");
            return Box::pin(core::future::ready(Err(error)));
        }
        self.fetch.fetch_boxed(request, max_bytes)
    }

    fn patience(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        self.fetch.patience()
    }

    fn is_of_newcomer(&self) -> bool {
        !self.progress.has_verifier.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::clock::instant;

    thread_local! {
        static START: Instant = instant();
        static PASSED: Cell<u64> = const { Cell::new(0) };
    }

    fn newcomers(per_minute: usize) -> Newcomers {
        let now = || START.with(|start| *start + Duration::from_secs(PASSED.get()));
        Newcomers::new(per_minute, now)
    }

    #[test]
    fn no_minute_has_more_fetches_than_the_limit() {
        let limited = newcomers(3);
        let begin = |second| {
            PASSED.set(second);
            limited.begin()
        };
        let wait = |seconds| Err(Duration::from_secs(seconds));
        assert_eq!([begin(0), begin(20), begin(40)], [Ok(()); 3]);
        assert_eq!((begin(40), begin(59)), (wait(20), wait(1)));
        assert_eq!((begin(60), begin(60)), (Ok(()), wait(20)));
        assert_eq!((begin(80), begin(99), begin(100)), (Ok(()), wait(1), Ok(())));
        assert_eq!(newcomers(0).begin(), wait(60));
    }
}
