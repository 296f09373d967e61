//! Keys that an issuer publishes at a URL: when they are fetched, and fetched again, and how long old
//! ones serve.

use core::fmt;
use core::mem::replace;
use core::pin::pin;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{Either, select};

use crate::clock::{Instant, instant};
use crate::fetch::documents::{self, AnyFetch};
use crate::fetch::flights::{Flights, Waiting};
use crate::jwt::keys::KeySet;
use crate::jwt::pasted::instead_of_jwks;
use crate::trace;

/// The keys at a URL.
pub(crate) struct RemoteKeys(Arc<Source>);

struct Source {
    url: String,
    fetch: Arc<dyn AnyFetch>,
    times: Times,
    /// The clock, which tests replace.
    now: fn() -> Instant,
    state: Mutex<State>,
    /// The fetches by the time at which they have begun. There is more than one only if one does not
    /// end, and then it must not keep others from beginning, so they have no limit.
    fetches: Flights<Instant, ()>,
    /// The address of the keys that were fetched last. A remembered token keeps the keys that have
    /// verified it, so no others get their address.
    current: AtomicUsize,
    /// How long these are fresh, in nanoseconds since [`created`](Self::created).
    fresh_until: AtomicU64,
    created: Instant,
}

/// How often keys are fetched, and how long they are used if that fails.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    /// The time between two fetches at least.
    pub(crate) cool_down: Duration,
    /// How long keys that are no longer fresh are used while no others can be fetched.
    pub(crate) stale_if_error: Duration,
}

#[derive(Default)]
struct State {
    known: Option<Known>,
    /// When the last fetch has begun.
    begun: Option<Instant>,
    /// Whether it has succeeded or failed. Otherwise it is on its way, or was given up.
    has_ended: bool,
    /// Whether the last fetch that has ended has failed.
    has_failed: bool,
}

/// The keys that were fetched last.
#[derive(Clone)]
struct Known {
    keys: Arc<KeySet>,
    body: Arc<[u8]>,
    fresh_until: Instant,
}

/// How long keys are kept, if the answer does not say it, and the bounds of what it may say.
const USUAL_AGE: Duration = Duration::from_secs(15 * 60);
const MIN_AGE: Duration = Duration::from_secs(60);
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a fetch counts as running. A fetcher that does not end must not keep old keys in use.
const PATIENCE: Duration = Duration::from_secs(30);

/// When another fetch may begin after one that was given up because all requests that have waited for
/// it went away.
const GIVEN_UP: Duration = Duration::from_secs(1);

impl RemoteKeys {
    pub(crate) fn new(url: String, fetch: Arc<dyn AnyFetch>, times: Times) -> Self {
        Self(Arc::new(Source {
            url,
            fetch,
            times,
            now: instant,
            state: Mutex::default(),
            fetches: Flights::new(usize::MAX),
            current: AtomicUsize::new(0),
            fresh_until: AtomicU64::new(0),
            created: instant(),
        }))
    }

    /// Returns `true` if these are the keys that were fetched last, and `None` if they have to be
    /// fetched anew. It takes no lock, because every request with a remembered token asks.
    pub(crate) fn are_current(&self, keys: &Arc<KeySet>) -> Option<bool> {
        let source = &*self.0;
        let now = source.since_creation((source.now)());
        let is_fresh = now < source.fresh_until.load(Ordering::Acquire);
        is_fresh.then(|| source.current.load(Ordering::Acquire) == Arc::as_ptr(keys).addr())
    }

    /// Returns the keys that were fetched last, however old they are.
    pub(crate) fn known(&self) -> Option<Arc<KeySet>> {
        self.0.state().known.as_ref().map(|known| Arc::clone(&known.keys))
    }

    /// Returns `true` if there are keys that can be used, after a fetch of those that are not fresh. If
    /// it takes long, it goes on, and what is known counts.
    pub(crate) async fn are_here(&self) -> bool {
        let fetched = pin!(self.current());
        drop(select(fetched, self.0.fetch.patience()).await);
        let state = self.0.state();
        let known = state.known.as_ref();
        known.is_some_and(|known| !known.keys.is_empty() && self.0.is_usable(known))
    }

    /// Returns the keys, and fetches them if they are not fresh. If that fails, or another request
    /// waits for it, the old ones are used for a while.
    ///
    /// # Errors
    ///
    /// Returns how long no fetch begins, if no keys are known or they are too old.
    pub(crate) async fn current(&self) -> Result<Arc<KeySet>, Duration> {
        let source = &self.0;
        if let Some(keys) = self.found_or_fetched(|state| source.at_once(state)).await {
            return Ok(keys);
        }
        let state = source.state();
        let known = state.known.as_ref().filter(|known| source.is_usable(known));
        known.map(|known| Arc::clone(&known.keys)).ok_or_else(|| source.wait(&state))
    }

    /// Returns other keys than these, if the issuer has some by now. If it takes long to answer, the
    /// fetch goes on, and these are all for now.
    pub(crate) async fn newer_than(&self, keys: &Arc<KeySet>) -> Option<Arc<KeySet>> {
        let newer = |state: &State| {
            let known = state.known.as_ref()?;
            (!Arc::ptr_eq(&known.keys, keys)).then(|| Arc::clone(&known.keys))
        };
        let fetched = pin!(self.found_or_fetched(newer));
        match select(fetched, self.0.fetch.patience()).await {
            Either::Left((Some(newer), _)) => Some(newer),
            _ => newer(&self.0.state()),
        }
    }

    /// Returns what is found among what is known, or waits for a fetch.
    async fn found_or_fetched<T>(&self, find: impl FnOnce(&State) -> Option<T>) -> Option<T> {
        // Decided in one lock: of two requests at once, one begins the fetch, and one has old keys.
        let fetch = {
            let mut state = self.0.state();
            match find(&state) {
                Some(found) => return Some(found),
                None => self.begin(&mut state)?,
            }
        };
        if fetch.answered().await.is_none() {
            let mut state = self.0.state();
            if !replace(&mut state.has_ended, true) {
                self.0.failed("the fetcher has panicked", &mut state);
            }
        }
        None
    }

    /// Joins the fetch that is on its way, or begins one unless the last has begun too recently.
    fn begin(&self, state: &mut State) -> Option<Waiting<Instant, ()>> {
        let source = &self.0;
        let may_begin = source.wait(state).is_zero();
        let on_way = state.begun.filter(|begun| source.fetches.has(begun));
        let begun = match on_way {
            Some(begun) if source.is_fetched(state) || !may_begin => begun,
            _ if !may_begin => return None,
            _ => {
                let begun = (source.now)();
                state.begun = Some(begun);
                state.has_ended = false;
                begun
            }
        };
        let known = state.known.clone();
        let question = || {
            let source = Arc::clone(source);
            async move { source.fetch_and_keep(begun, known).await }
        };
        source.fetches.wait(begun, question).ok()
    }
}

impl Source {
    /// Returns the nanoseconds since these keys were created.
    fn since_creation(&self, time: Instant) -> u64 {
        let passed = time.saturating_duration_since(self.created).as_nanos();
        u64::try_from(passed).unwrap_or(u64::MAX)
    }

    /// Returns the keys if they are fresh, or if they are usable while another request fetches new
    /// ones.
    fn at_once(&self, state: &State) -> Option<Arc<KeySet>> {
        let known = state.known.as_ref()?;
        let is_fetched = || self.is_fetched(state) && self.is_usable(known);
        ((self.now)() < known.fresh_until || is_fetched()).then(|| Arc::clone(&known.keys))
    }

    /// Returns `true` unless the keys are too old to be used while no newer ones can be fetched
    /// ([RFC 5861, 4](https://www.rfc-editor.org/rfc/rfc5861#section-4)).
    fn is_usable(&self, known: &Known) -> bool {
        let remaining = known.remaining((self.now)(), self.times.stale_if_error);
        !remaining.is_zero()
    }

    /// Returns `true` while a fetch is on its way that may still succeed.
    fn is_fetched(&self, state: &State) -> bool {
        state.begun.is_some_and(|begun| {
            let is_young = (self.now)().saturating_duration_since(begun) < PATIENCE;
            is_young && self.fetches.has(&begun)
        })
    }

    /// Fetches the keys, and keeps them unless another fetch has begun meanwhile.
    async fn fetch_and_keep(&self, begun: Instant, known: Option<Known>) {
        let fetched = self.fetched(begun, known).await;
        let mut state = self.state();
        if state.begun != Some(begun) {
            return;
        }
        state.has_ended = true;
        match fetched {
            Ok(known) => {
                self.current.store(Arc::as_ptr(&known.keys).addr(), Ordering::Release);
                let fresh_until = self.since_creation(known.fresh_until);
                self.fresh_until.store(fresh_until, Ordering::Release);
                state.known = Some(known);
                if replace(&mut state.has_failed, false) {
                    trace::keys_fetched_again(&self.url);
                }
            }
            Err(error) => self.failed(&error, &mut state),
        }
    }

    async fn fetched(&self, begun: Instant, known: Option<Known>) -> Result<Known, String> {
        let is_of_newcomer = self.fetch.is_of_newcomer();
        let answer = documents::fetch(&*self.fetch, self.url.clone()).await?;
        let body: Arc<[u8]> = answer.body.into();
        // The same keys stay the same set, so what was remembered with them stays, too.
        let keys = match known.filter(|known| known.body == body) {
            Some(known) => known.keys,
            None => {
                let read = KeySet::read(&body).ok_or_else(|| {
                    let found = instead_of_jwks(&body).unwrap_or("is not a JWK Set");
                    format!("{}: the answer {found}", self.url)
                })?;
                if !is_of_newcomer {
                    for reason in read.left_out() {
                        trace::key_left_out(Some(&self.url), &reason);
                    }
                }
                Arc::new(read)
            }
        };
        if keys.is_empty() && !is_of_newcomer {
            trace::no_keys(&self.url);
        }
        let age = answer.max_age.unwrap_or(USUAL_AGE).clamp(MIN_AGE, MAX_AGE);
        let fresh_until = begun.checked_add(age).unwrap_or(begun);
        Ok(Known { keys, body, fresh_until })
    }

    /// Records that a fetch has failed.
    fn failed(&self, error: &str, state: &mut State) {
        if self.fetch.is_of_newcomer() {
            return trace::new_issuer_not_resolved();
        }
        state.has_failed = true;
        let remaining =
            state.known.as_ref().map(|old| old.remaining((self.now)(), self.times.stale_if_error));
        trace::keys_not_fetched(error, remaining.unwrap_or_default());
    }

    /// Returns how long no fetch may begin. A long cool-down applies only to unknown keys: keys
    /// that are too old may be fetched after a minute.
    fn wait(&self, state: &State) -> Duration {
        let Some(begun) = state.begun else { return Duration::ZERO };
        let now = (self.now)();
        let is_fresh = state.known.as_ref().is_some_and(|known| now < known.fresh_until);
        let cool_down = match self.times.cool_down {
            cool_down if !state.has_ended && !self.fetches.has(&begun) => cool_down.min(GIVEN_UP),
            cool_down if is_fresh => cool_down,
            cool_down => cool_down.min(MIN_AGE),
        };
        cool_down.saturating_sub(now.saturating_duration_since(begun))
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

/// Shows the URL.
impl fmt::Debug for RemoteKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteKeys").field("url", &self.0.url).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;
    use std::sync::Barrier;

    use futures_util::FutureExt as _;

    use super::*;
    use crate::fetch::{FetchError, Fetched};

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
        let mut keys = RemoteKeys::new(url, Arc::new(fetch), times);
        source(&mut keys).now = || START.with(|start| *start + PASSED.get());
        keys
    }

    fn source(keys: &mut RemoteKeys) -> &mut Source {
        Arc::get_mut(&mut keys.0).unwrap()
    }

    /// Returns `true` if there are keys to verify a token with after this much more time.
    fn has_keys_after(passed: Duration, keys: &RemoteKeys) -> bool {
        PASSED.set(PASSED.get() + passed);
        let is_ok = keys.current().now_or_never().unwrap().is_ok();
        assert_eq!(keys.are_here().now_or_never(), Some(is_ok));
        is_ok
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
        source(&mut keys).times.cool_down = hour;
        ANSWER.set(Ok(KEYS));
        assert!(has_keys_after(Duration::ZERO, &keys));
        // Nothing fetches from here on.
        let wait_after = |passed: Duration| {
            PASSED.set(PASSED.get() + passed);
            (is_fresh(&keys), keys.0.wait(&keys.0.state()))
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
            source(&mut keys).fetch =
                Arc::new(|_| core::future::pending::<Result<Fetched, FetchError>>());
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

    #[test]
    fn fetches_that_do_not_end_keep_no_other_from_beginning() {
        let mut keys = keys(DAY);
        let begun = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&begun);
        source(&mut keys).fetch = Arc::new(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            core::future::pending::<Result<Fetched, FetchError>>()
        });
        let mut waiting = Vec::new();
        for fetches in 1..=5 {
            let mut current = Box::pin(keys.current());
            assert!(current.as_mut().now_or_never().is_none());
            assert_eq!(begun.load(Ordering::Relaxed), fetches);
            waiting.push(current);
            PASSED.set(PASSED.get() + PATIENCE);
        }
    }

    /// Without a runtime, a fetch is over when all requests that have waited for it went away, and a
    /// long cool-down is for fetches that have ended.
    #[test]
    fn a_fetch_that_was_given_up_begins_again_after_a_second() {
        let mut keys = keys(DAY);
        source(&mut keys).times.cool_down = DAY;
        source(&mut keys).fetch =
            Arc::new(|_| core::future::pending::<Result<Fetched, FetchError>>());
        let wait = || keys.0.wait(&keys.0.state());
        let mut current = Box::pin(keys.current());
        assert!(current.as_mut().now_or_never().is_none());
        assert_eq!(wait(), MIN_AGE);
        drop(current);
        assert_eq!(wait(), GIVEN_UP);
        PASSED.set(PASSED.get() + GIVEN_UP);
        assert_eq!(wait(), Duration::ZERO);
        assert!(keys.current().now_or_never().is_none());
    }

    /// A fetch that does not end keeps nothing in use.
    #[test]
    fn old_keys_do_not_serve_longer_while_others_are_fetched() {
        let mut keys = keys(DAY);
        assert!(has_keys_after(Duration::ZERO, &keys));
        source(&mut keys).fetch =
            Arc::new(|_| core::future::pending::<Result<Fetched, FetchError>>());
        PASSED.set(PASSED.get() + USUAL_AGE + DAY - Duration::from_secs(1));
        let mut first = core::pin::pin!(keys.current());
        assert!(first.as_mut().now_or_never().is_none());
        assert!(keys.current().now_or_never().unwrap().is_ok());
        PASSED.set(PASSED.get() + Duration::from_secs(1));
        assert!(keys.current().now_or_never().is_none());
    }
}
