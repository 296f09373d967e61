//! Questions to an issuer that requests share: one for each key, and a limited number of them.
//!
//! A question is polled by the requests that wait for it. If the last of them goes away, the question
//! goes on as a task of the runtime. Without a runtime it is over, because nothing would poll it, and
//! the next request would read an answer from before it came.

use std::collections::HashMap;
use std::hash::Hash;

use core::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};

use super::runtime::{Arc, Mutex, MutexGuard, Runtime};

/// The questions by their keys. All requests with a key share its question.
pub(crate) struct Flights<K, T: Clone> {
    state: Arc<Mutex<State<K, T>>>,
    limit: usize,
}

struct State<K, T: Clone> {
    on_way: HashMap<K, OnWay<T>>,
    /// The number of the last question.
    last: u64,
}

struct OnWay<T: Clone> {
    number: u64,
    flight: Flight<T>,
    /// How many poll it: requests, and the task in which it goes on.
    waiters: usize,
}

/// A question to an issuer. Its output is `None` if it has panicked.
type Flight<T> = Shared<BoxFuture<'static, Option<T>>>;

/// Too many questions are on their way.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl<K, T> Flights<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    /// Creates an empty table for so many questions at once.
    pub(crate) fn new(limit: usize) -> Self {
        let state = State { on_way: HashMap::new(), last: 0 };
        Self { state: Arc::new(Mutex::new(state)), limit }
    }

    /// Waits for the answer to a question, which begins now unless it is on its way. Returns
    /// `Ok(None)` if it has panicked.
    pub(crate) async fn ask<Q>(
        &self,
        key: K,
        question: impl FnOnce() -> Q,
    ) -> Result<Option<T>, Full>
    where
        Q: Future<Output = T> + Send + 'static,
    {
        Ok(self.wait(key, question)?.answered().await)
    }

    /// Joins a question, or begins it.
    pub(crate) fn wait<Q>(
        &self,
        key: K,
        question: impl FnOnce() -> Q,
    ) -> Result<Waiting<K, T>, Full>
    where
        Q: Future<Output = T> + Send + 'static,
    {
        let mut state = lock(&self.state);
        let (number, flight) = if let Some(on_way) = state.on_way.get_mut(&key) {
            on_way.waiters = on_way.waiters.saturating_add(1);
            (on_way.number, on_way.flight.clone())
        } else if state.on_way.len() >= self.limit {
            return Err(Full);
        } else {
            let number = state.last.wrapping_add(1);
            state.last = number;
            let end = End { state: Arc::clone(&self.state), key: key.clone(), number };
            let question = question();
            // It is polled when the state is unlocked.
            let question = AssertUnwindSafe(async move {
                let answer = question.await;
                drop(end);
                answer
            });
            // A panic in the middle of a shared future would wake no request that waits for it.
            let flight = question.catch_unwind().map(Result::ok).boxed().shared();
            let on_way = OnWay { number, flight: flight.clone(), waiters: 1 };
            state.on_way.insert(key.clone(), on_way);
            (number, flight)
        };
        drop(state);
        let state = Arc::clone(&self.state);
        Ok(Waiting { state, key, number, flight, is_task: false })
    }

    /// Returns `true` if the question is on its way.
    #[cfg(any(feature = "jwt", test))]
    pub(crate) fn has(&self, key: &K) -> bool {
        lock(&self.state).on_way.contains_key(key)
    }
}

/// Locks the state. A panic elsewhere leaves no half of it: each question is set at once.
fn lock<K, T: Clone>(state: &Mutex<State<K, T>>) -> MutexGuard<'_, State<K, T>> {
    state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl<K: Eq + Hash, T: Clone> State<K, T> {
    fn of(&mut self, key: &K, number: u64) -> Option<&mut OnWay<T>> {
        self.on_way.get_mut(key).filter(|on_way| on_way.number == number)
    }
}

/// The end of a question, whether it was answered or dropped. From then on, another one begins.
struct End<K: Eq + Hash, T: Clone> {
    state: Arc<Mutex<State<K, T>>>,
    key: K,
    number: u64,
}

impl<K: Eq + Hash, T: Clone> Drop for End<K, T> {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        let ended = state.of(&self.key, self.number).is_some();
        let ended = ended.then(|| state.on_way.remove(&self.key));
        // The question is dropped when the state is unlocked.
        drop(state);
        drop(ended);
    }
}

/// A request that waits for a question, or the task in which it goes on.
pub(crate) struct Waiting<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    state: Arc<Mutex<State<K, T>>>,
    key: K,
    number: u64,
    flight: Flight<T>,
    is_task: bool,
}

impl<K, T> Waiting<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    /// Returns the answer, or `None` if the question has panicked.
    pub(crate) async fn answered(mut self) -> Option<T> {
        (&mut self.flight).await
    }
}

/// Whether this waiter is the last one is decided in one lock, so of two that leave at once, one is.
impl<K, T> Drop for Waiting<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        // Answered, and no longer there.
        let Some(on_way) = state.of(&self.key, self.number) else { return };
        on_way.waiters = on_way.waiters.saturating_sub(1);
        if on_way.waiters > 0 {
            return;
        }
        // A task ends before its question only if its runtime does.
        match Runtime::current().filter(|_| !self.is_task) {
            Some(runtime) => {
                on_way.waiters = 1;
                drop(state);
                let task = Self {
                    state: Arc::clone(&self.state),
                    key: self.key.clone(),
                    number: self.number,
                    flight: self.flight.clone(),
                    is_task: true,
                };
                runtime.spawn(task.answered().map(drop).boxed());
            }
            None => {
                let over = state.on_way.remove(&self.key);
                drop(state);
                drop(over);
            }
        }
    }
}
