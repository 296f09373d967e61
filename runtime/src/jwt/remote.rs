//! Keys that an issuer publishes at a URL, and changes from time to time.

use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::debug_text::debug_only;
use crate::jwt::keys::KeySet;
use crate::jwt::pasted::instead_of_jwks;
use crate::trace;
use crate::verify::parts::clock::{Instant, instant};
use crate::verify::parts::documents::{self, AnyFetch};
use crate::verify::parts::flight::{self, Flight};

/// The keys at a URL.
pub(super) struct RemoteKeys {
    url: String,
    fetch: Arc<dyn AnyFetch>,
    times: Times,
    /// The clock, which tests replace.
    now: fn() -> Instant,
    state: Mutex<State>,
    /// The address of the keys that were fetched last. A remembered token keeps the keys that have
    /// verified it, so no others get their address.
    current: AtomicUsize,
    /// How long these are fresh, in nanoseconds since [`created`](Self::created).
    fresh_until: AtomicU64,
    created: Instant,
}

/// How often keys are fetched, and how long they are used if that fails.
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// The time between two fetches at least.
    pub(super) cool_down: Duration,
    /// How long keys that are no longer fresh are used while no others can be fetched.
    pub(super) stale_if_error: Duration,
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
type Running = Flight<Result<Known, String>>;

/// How long keys are kept, if the answer does not say it, and the bounds of what it may say.
const USUAL_AGE: Duration = Duration::from_secs(15 * 60);
const MIN_AGE: Duration = Duration::from_secs(60);
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a fetch counts as running. A fetcher that does not end must not keep old keys in use.
const PATIENCE: Duration = Duration::from_secs(30);

impl RemoteKeys {
    pub(super) fn new(url: String, fetch: Arc<dyn AnyFetch>, times: Times) -> Self {
        Self {
            url,
            fetch,
            times,
            now: instant,
            state: Mutex::default(),
            current: AtomicUsize::new(0),
            fresh_until: AtomicU64::new(0),
            created: instant(),
        }
    }

    /// Returns `true` if these are the keys that were fetched last, and `None` if they have to be
    /// fetched anew. It takes no lock, because every request with a remembered token asks.
    pub(super) fn are_current(&self, keys: &Arc<KeySet>) -> Option<bool> {
        let is_fresh = self.since_creation((self.now)()) < self.fresh_until.load(Ordering::Acquire);
        is_fresh.then(|| self.current.load(Ordering::Acquire) == Arc::as_ptr(keys).addr())
    }

    /// Returns the nanoseconds since these keys were created.
    fn since_creation(&self, time: Instant) -> u64 {
        let passed = time.saturating_duration_since(self.created).as_nanos();
        u64::try_from(passed).unwrap_or(u64::MAX)
    }

    /// Returns the keys that were fetched last, however old they are.
    pub(super) fn known(&self) -> Option<Arc<KeySet>> {
        self.state().known.as_ref().map(|known| Arc::clone(&known.keys))
    }

    /// Returns the keys, and fetches them if they are not fresh. If that fails, or another request
    /// waits for it, the old ones are used for a while.
    ///
    /// # Errors
    ///
    /// Returns how long no fetch begins, if no keys are known or they are too old.
    pub(super) async fn current(&self) -> Result<Arc<KeySet>, Duration> {
        if let Some(keys) = self.found_or_fetched(|state| self.at_once(state)).await {
            return Ok(keys);
        }
        let state = self.state();
        let known = state.known.as_ref().filter(|known| self.is_usable(known));
        known.map(|known| Arc::clone(&known.keys)).ok_or_else(|| self.wait(&state))
    }

    /// Returns the keys if they are fresh, or if they are usable while another request fetches new
    /// ones.
    fn at_once(&self, state: &State) -> Option<Arc<KeySet>> {
        let known = state.known.as_ref()?;
        let now = (self.now)();
        let is_fetched = || state.is_fetched(now) && self.is_usable(known);
        (now < known.fresh_until || is_fetched()).then(|| Arc::clone(&known.keys))
    }

    /// Returns `true` unless the keys are too old to be used while no newer ones can be fetched
    /// ([RFC 5861, 4](https://www.rfc-editor.org/rfc/rfc5861#section-4)).
    fn is_usable(&self, known: &Known) -> bool {
        let remaining = known.remaining((self.now)(), self.times.stale_if_error);
        !remaining.is_zero()
    }

    /// Returns other keys than these, if the issuer has some by now.
    pub(super) async fn newer_than(&self, keys: &Arc<KeySet>) -> Option<Arc<KeySet>> {
        let newer = |state: &State| {
            let known = state.known.as_ref()?;
            (!Arc::ptr_eq(&known.keys, keys)).then(|| Arc::clone(&known.keys))
        };
        match self.found_or_fetched(newer).await {
            Some(newer) => Some(newer),
            None => newer(&self.state()),
        }
    }

    /// Returns what is found among what is known, or waits for a fetch and keeps what it has
    /// brought.
    async fn found_or_fetched<T>(&self, find: impl FnOnce(&State) -> Option<T>) -> Option<T> {
        // Decided in one lock: of two requests at once, one begins the fetch, and one has old keys.
        let running = {
            let mut state = self.state();
            match find(&state) {
                Some(found) => return Some(found),
                None => self.begin(&mut state)?,
            }
        };
        let fetched = running.clone().await;
        let mut state = self.state();
        if state.running.as_ref().is_some_and(|last| last.ptr_eq(&running)) {
            state.running = None;
            match fetched.unwrap_or_else(|| Err("the fetcher has panicked".to_owned())) {
                Ok(known) => {
                    self.current.store(Arc::as_ptr(&known.keys).addr(), Ordering::Release);
                    let fresh_until = self.since_creation(known.fresh_until);
                    self.fresh_until.store(fresh_until, Ordering::Release);
                    state.known = Some(known);
                }
                Err(error) => self.failed(&error, state.known.as_ref()),
            }
        }
        None
    }

    /// Returns the running fetch, or begins one unless the last has begun too recently.
    fn begin(&self, state: &mut State) -> Option<Running> {
        let may_begin = self.wait(state).is_zero();
        match &state.running {
            // A fetch that no request has awaited may hold a stale result.
            Some(running) if state.is_fetched((self.now)()) || !may_begin => Some(running.clone()),
            None if !may_begin => None,
            _ => {
                let begun = (self.now)();
                let fetch = self.fetch(begun, state.known.clone());
                state.begun = Some(begun);
                Some(state.running.insert(fetch).clone())
            }
        }
    }

    fn fetch(&self, begun: Instant, known: Option<Known>) -> Running {
        let (fetch, url) = (Arc::clone(&self.fetch), self.url.clone());
        let is_of_newcomer = fetch.is_of_newcomer();
        flight::begin(async move {
            let answer = documents::fetch(&*fetch, url.clone()).await?;
            let body: Arc<[u8]> = answer.body.into();
            // The same keys stay the same set, so what was remembered with them stays, too.
            let keys = match known.filter(|known| known.body == body) {
                Some(known) => known.keys,
                None => {
                    let read = KeySet::read(&body).ok_or_else(|| {
                        let found = instead_of_jwks(&body).unwrap_or("is not a JWK Set");
                        format!("{url}: the answer {found}")
                    })?;
                    if !is_of_newcomer {
                        trace::keys_left_out(Some(&url), read.left_out());
                    }
                    Arc::new(read)
                }
            };
            if keys.is_empty() && !is_of_newcomer {
                trace::no_keys(&url);
            }
            let age = answer.max_age.unwrap_or(USUAL_AGE).clamp(MIN_AGE, MAX_AGE);
            let fresh_until = begun.checked_add(age).unwrap_or(begun);
            Ok::<_, String>(Known { keys, body, fresh_until })
        })
    }

    /// Records that a fetch has failed.
    fn failed(&self, error: &str, old: Option<&Known>) {
        if self.fetch.is_of_newcomer() {
            return trace::new_issuer_not_resolved();
        }
        let remaining = old.map(|old| old.remaining((self.now)(), self.times.stale_if_error));
        trace::keys_not_fetched(error, remaining.unwrap_or_default());
    }

    /// Returns how long no fetch may begin. A long cool-down applies only to unknown keys: keys
    /// that are too old may be fetched after a minute.
    fn wait(&self, state: &State) -> Duration {
        let known = state.known.as_ref();
        let now = (self.now)();
        let is_fresh = known.is_some_and(|known| now < known.fresh_until);
        let cool_down =
            if is_fresh { self.times.cool_down } else { self.times.cool_down.min(MIN_AGE) };
        let since = state.begun.map(|begun| now.saturating_duration_since(begun));
        since.map_or(Duration::ZERO, |since| cool_down.saturating_sub(since))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves no half of a state: each part is set at once.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Returns how long these keys serve from now on if no others can be fetched.
    fn remaining(&self, now: Instant, stale_if_error: Duration) -> Duration {
        let stale_for = now.saturating_duration_since(self.fresh_until);
        let fresh_for = self.fresh_until.saturating_duration_since(now);
        fresh_for.saturating_add(stale_if_error.saturating_sub(stale_for))
    }
}

impl State {
    /// Returns `true` if a request waits for a fetch that may still succeed.
    fn is_fetched(&self, now: Instant) -> bool {
        // The state itself has one pointer to it.
        let is_awaited = |running: &Running| running.strong_count().is_some_and(|count| count > 1);
        let is_young =
            self.begun.is_some_and(|begun| now.saturating_duration_since(begun) < PATIENCE);
        is_young && self.running.as_ref().is_some_and(is_awaited)
    }
}

debug_only!([] RemoteKeys { url });

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use std::sync::Barrier;

    use futures_util::FutureExt as _;

    use super::*;
    use crate::verify::{FetchError, Fetched};

    thread_local! {
        static START: Instant = instant();
        static PASSED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
        static ANSWER: Cell<Result<&'static str, &'static str>> = const { Cell::new(Ok(KEYS)) };
    }

    const KEYS: &str = r#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn keys(stale_if_error: Duration) -> RemoteKeys {
        let fetch = async |url: String| match ANSWER.get() {
            Ok(body) => Ok(Fetched::new(url, body)),
            Err(error) => Err(FetchError::new(error)),
        };
        let times = Times { cool_down: Duration::ZERO, stale_if_error };
        let url = "https://id.example.com/keys".to_owned();
        RemoteKeys {
            now: || START.with(|start| *start + PASSED.get()),
            ..RemoteKeys::new(url, Arc::new(fetch), times)
        }
    }

    /// Returns `true` if there are keys to verify a token with after this much more time.
    fn has_keys_after(passed: Duration, keys: &RemoteKeys) -> bool {
        PASSED.set(PASSED.get() + passed);
        keys.current().now_or_never().unwrap().is_ok()
    }

    #[test]
    fn old_keys_serve_for_a_while_if_the_issuer_is_down() {
        let second = Duration::from_secs(1);
        for stale_if_error in [Duration::ZERO, second, DAY] {
            for broken in [Err("down"), Ok("garbage"), Ok(""), Ok(r#"{"keys":{}}"#)] {
                let keys = keys(stale_if_error);
                ANSWER.set(Ok(KEYS));
                assert!(has_keys_after(Duration::ZERO, &keys));
                ANSWER.set(broken);
                assert!(has_keys_after(USUAL_AGE - second, &keys));
                assert_eq!(has_keys_after(second, &keys), !stale_if_error.is_zero());
                let end = stale_if_error.saturating_sub(second);
                assert_eq!(has_keys_after(end, &keys), !stale_if_error.is_zero());
                assert!(!has_keys_after(second, &keys), "{stale_if_error:?}");
                assert!(!has_keys_after(DAY * 365, &keys));
                ANSWER.set(Ok(KEYS));
                assert!(has_keys_after(Duration::ZERO, &keys));
            }
        }
    }

    /// Returns `true` if the keys need not be fetched.
    fn is_fresh(keys: &RemoteKeys) -> bool {
        keys.known().is_some_and(|known| keys.are_current(&known) == Some(true))
    }

    #[test]
    fn a_long_cool_down_is_for_fresh_keys() {
        let (second, hour) = (Duration::from_secs(1), Duration::from_secs(60 * 60));
        let mut keys = keys(DAY);
        keys.times.cool_down = hour;
        ANSWER.set(Ok(KEYS));
        assert!(has_keys_after(Duration::ZERO, &keys));
        // Nothing fetches from here on.
        let wait_after = |passed: Duration| {
            PASSED.set(PASSED.get() + passed);
            (is_fresh(&keys), keys.wait(&keys.state()))
        };
        assert_eq!(wait_after(second), (true, hour - second));
        assert_eq!(wait_after(USUAL_AGE - second * 2), (true, hour + second - USUAL_AGE));
        assert_eq!(wait_after(second), (false, Duration::ZERO));
    }

    #[test]
    fn old_keys_may_serve_for_ever() {
        let keys = keys(Duration::MAX);
        assert!(has_keys_after(Duration::ZERO, &keys));
        ANSWER.set(Err("down"));
        assert!(has_keys_after(DAY * 365 * 100, &keys));
    }

    #[test]
    fn of_requests_at_once_one_waits_for_new_keys() {
        for _ in 0..200 {
            let mut keys = keys(DAY);
            assert!(has_keys_after(Duration::ZERO, &keys));
            keys.fetch = Arc::new(|_| core::future::pending::<Result<Fetched, FetchError>>());
            let passed = PASSED.get() + USUAL_AGE + Duration::from_secs(1);
            let all = Barrier::new(4);
            let waits = || {
                PASSED.set(passed);
                let mut current = core::pin::pin!(keys.current());
                all.wait();
                let waits = current.as_mut().now_or_never().is_none();
                all.wait();
                waits
            };
            let waiting = std::thread::scope(|scope| {
                let requests = [(); 4].map(|()| scope.spawn(waits));
                requests.map(|request| usize::from(request.join().unwrap()))
            });
            assert_eq!(waiting.iter().sum::<usize>(), 1);
        }
    }

    /// A fetch that does not end keeps nothing in use.
    #[test]
    fn old_keys_do_not_serve_longer_while_others_are_fetched() {
        let mut keys = keys(DAY);
        assert!(has_keys_after(Duration::ZERO, &keys));
        keys.fetch = Arc::new(|_| core::future::pending::<Result<Fetched, FetchError>>());
        PASSED.set(PASSED.get() + USUAL_AGE + DAY - Duration::from_secs(1));
        let mut first = core::pin::pin!(keys.current());
        assert!(first.as_mut().now_or_never().is_none());
        assert!(keys.current().now_or_never().unwrap().is_ok());
        PASSED.set(PASSED.get() + Duration::from_secs(1));
        assert!(keys.current().now_or_never().is_none());
    }
}
