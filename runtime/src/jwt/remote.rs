//! Keys that an issuer publishes at a URL, and changes from time to time.

use core::fmt;
use core::panic::AssertUnwindSafe;
use core::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::Shared;

use super::fetch::AnyFetch;
use super::keys::KeySet;
use crate::trace;

/// The keys at a URL.
pub(super) struct RemoteKeys {
    url: String,
    fetch: Arc<dyn AnyFetch>,
    /// The time between two fetches at least.
    cool_down: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: Option<Known>,
    /// When the last fetch has begun.
    begun: Option<Instant>,
    running: Option<Running>,
}

/// The keys that were fetched last.
#[derive(Clone)]
struct Known {
    keys: Arc<KeySet>,
    body: Arc<[u8]>,
    fresh_until: Instant,
}

/// A fetch that all requests share. It is kept here, so it goes on with the next request if the one
/// that has begun it goes away.
type Running = Shared<Pin<Box<dyn Future<Output = Option<Known>> + Send>>>;

/// How long keys are kept, if the answer does not say it, and the bounds of what it may say.
const USUAL_AGE: Duration = Duration::from_secs(15 * 60);
const MIN_AGE: Duration = Duration::from_secs(60);
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a fetch counts as running. A fetcher that does not end must not keep old keys in use.
const PATIENCE: Duration = Duration::from_secs(30);

impl RemoteKeys {
    pub(super) fn new(url: String, fetch: Arc<dyn AnyFetch>, cool_down: Duration) -> Self {
        Self {
            url,
            fetch,
            cool_down,
            state: Mutex::default(),
        }
    }

    /// Returns the keys, as long as they need not be fetched.
    pub(super) fn fresh(&self) -> Option<Arc<KeySet>> {
        let known = self.state().known.clone()?;
        (Instant::now() < known.fresh_until).then_some(known.keys)
    }

    /// Returns the keys, and fetches them if they are not fresh. If that fails, or another request
    /// waits for it, the old ones are used.
    ///
    /// # Errors
    ///
    /// Returns how long no fetch begins, if no key is known.
    pub(super) async fn current(&self) -> Result<Arc<KeySet>, Duration> {
        if let Some(keys) = self.at_once() {
            return Ok(keys);
        }
        self.fetched().await;
        let state = self.state();
        let known = state.known.as_ref().map(|known| Arc::clone(&known.keys));
        known.ok_or_else(|| self.wait(&state))
    }

    /// Returns the keys that are fresh, or those that are old while another request fetches new
    /// ones.
    fn at_once(&self) -> Option<Arc<KeySet>> {
        let state = self.state();
        let known = state.known.as_ref()?;
        (state.is_fetched() || Instant::now() < known.fresh_until).then(|| Arc::clone(&known.keys))
    }

    /// Returns other keys than these, if the issuer has some by now.
    pub(super) async fn newer_than(&self, keys: &Arc<KeySet>) -> Option<Arc<KeySet>> {
        let newer = || {
            let known = self.state().known.clone()?;
            (!Arc::ptr_eq(&known.keys, keys)).then_some(known.keys)
        };
        if let Some(newer) = newer() {
            return Some(newer);
        }
        self.fetched().await;
        newer()
    }

    /// Waits for a fetch: the running one, or a new one unless the last has begun too recently.
    async fn fetched(&self) {
        let running = {
            let mut state = self.state();
            let may_begin = self.wait(&state).is_zero();
            match &state.running {
                // What nobody has waited for may be old.
                Some(running) if state.is_fetched() || !may_begin => running.clone(),
                None if !may_begin => return,
                _ => {
                    let begun = Instant::now();
                    let fetch = self.fetch(begun, state.known.clone());
                    state.begun = Some(begun);
                    state.running.insert(fetch).clone()
                }
            }
        };
        let known = running.clone().await;
        let mut state = self.state();
        if state
            .running
            .as_ref()
            .is_some_and(|last| last.ptr_eq(&running))
        {
            state.running = None;
            if known.is_some() {
                state.known = known;
            }
        }
    }

    fn fetch(&self, begun: Instant, known: Option<Known>) -> Running {
        let (fetch, url) = (Arc::clone(&self.fetch), self.url.clone());
        let fetched = async move {
            let fetched = fetch.fetch_boxed(url.clone()).await;
            let fetched = fetched
                .map_err(|error| trace::keys_not_fetched(&error))
                .ok()?;
            let age = fetched.max_age.unwrap_or(USUAL_AGE).clamp(MIN_AGE, MAX_AGE);
            let fresh_until = begun.checked_add(age)?;
            let body: Arc<[u8]> = fetched.body.into();
            // The same keys stay the same set, so what was remembered with them stays, too.
            if let Some(known) = known.filter(|known| known.body == body) {
                return Some(Known {
                    fresh_until,
                    ..known
                });
            }
            let Some(keys) = KeySet::read(&body) else {
                trace::keys_not_fetched(&format!("{url}: no key for signatures"));
                return None;
            };
            Some(Known {
                keys: Arc::new(keys),
                body,
                fresh_until,
            })
        };
        // A panic in the middle of a shared future would wake nobody.
        let fetched = AssertUnwindSafe(fetched).catch_unwind();
        let fetched: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(fetched.map(|fetched| {
            fetched.unwrap_or_else(|_| {
                trace::keys_not_fetched("the fetcher has panicked");
                None
            })
        }));
        fetched.shared()
    }

    /// Returns how long no fetch may begin. A long cool-down holds for unknown keys alone: those
    /// that are too old may be fetched after a minute.
    fn wait(&self, state: &State) -> Duration {
        let known = state.known.as_ref();
        let is_fresh = known.is_some_and(|known| Instant::now() < known.fresh_until);
        let cool_down = if is_fresh {
            self.cool_down
        } else {
            self.cool_down.min(MIN_AGE)
        };
        let since = state.begun.map(|begun| begun.elapsed());
        since.map_or(Duration::ZERO, |since| cool_down.saturating_sub(since))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves no half of a state: each part is set at once.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Returns `true` if a request waits for a fetch that may still succeed.
    fn is_fetched(&self) -> bool {
        // The state itself has one pointer to it.
        let is_awaited = |running: &Running| running.strong_count().is_some_and(|count| count > 1);
        let is_young = self.begun.is_some_and(|begun| begun.elapsed() < PATIENCE);
        is_young && self.running.as_ref().is_some_and(is_awaited)
    }
}

impl fmt::Debug for RemoteKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteKeys")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}
