//! The questions that are on their way: one for each token, and a limited number of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::verify::parts::flight::{self, Flight};

/// The questions by their keys. All requests with a key share its question.
pub(super) struct Flights<T: Clone>(Arc<Mutex<State<T>>>);

struct State<T: Clone> {
    on_way: HashMap<Arc<[u8]>, OnWay<T>>,
    /// The number of the last question.
    last: u64,
}

struct OnWay<T: Clone> {
    number: u64,
    half: Half,
    flight: Flight<T>,
}

/// The questions are limited in two halves, so that invented tokens starve only each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// The tokens whose last answer was active.
    Active,
    /// All others.
    Unknown,
}

/// The questions of one half at most.
pub(super) const LIMIT: usize = 256;

/// Too many questions are on their way.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Full;

impl<T: Clone + Send + Sync + 'static> Flights<T> {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(State { on_way: HashMap::new(), last: 0 })))
    }

    /// Waits for the answer to a question, which begins now unless it is on its way. Returns
    /// `Ok(None)` if it has panicked.
    pub(super) async fn ask<Q>(
        &self,
        key: &[u8],
        half: Half,
        question: impl FnOnce() -> Q,
    ) -> Result<Option<T>, Full>
    where
        Q: Future<Output = T> + Send + 'static,
    {
        let mut waiting = self.wait(key, half, question)?;
        Ok((&mut waiting.flight).await)
    }

    fn wait<Q>(
        &self,
        key: &[u8],
        half: Half,
        question: impl FnOnce() -> Q,
    ) -> Result<Waiting<'_, T>, Full>
    where
        Q: Future<Output = T> + Send + 'static,
    {
        let mut state = lock(&self.0);
        if let Some((key, on_way)) = state.on_way.get_key_value(key) {
            let (key, number) = (Arc::clone(key), on_way.number);
            return Ok(Waiting { flights: self, key, number, flight: on_way.flight.clone() });
        }
        let key = Arc::<[u8]>::from(key);
        if state.on_way.values().filter(|on_way| on_way.half == half).count() >= LIMIT {
            return Err(Full);
        }
        let number = state.last.wrapping_add(1);
        state.last = number;
        let end = End { state: Arc::clone(&self.0), key: Arc::clone(&key), number };
        let question = question();
        // It is polled when the state is unlocked.
        let flight = flight::begin(async move {
            let answer = question.await;
            drop(end);
            answer
        });
        state.on_way.insert(Arc::clone(&key), OnWay { number, half, flight: flight.clone() });
        drop(state);
        Ok(Waiting { flights: self, key, number, flight })
    }
}

/// Locks the state. A panic elsewhere leaves no half of it: each question is set at once.
fn lock<T: Clone>(state: &Mutex<State<T>>) -> MutexGuard<'_, State<T>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Clone> State<T> {
    /// Removes a question, which is dropped when the state is unlocked.
    fn remove(&mut self, key: &[u8], number: u64) -> Option<OnWay<T>> {
        self.on_way.get(key).filter(|on_way| on_way.number == number)?;
        self.on_way.remove(key)
    }
}

/// The end of a question, whether it was answered or dropped. From then on, another one begins.
struct End<T: Clone> {
    state: Arc<Mutex<State<T>>>,
    key: Arc<[u8]>,
    number: u64,
}

impl<T: Clone> Drop for End<T> {
    fn drop(&mut self) {
        let ended = lock(&self.state).remove(&self.key, self.number);
        drop(ended);
    }
}

/// A request that waits for a question.
struct Waiting<'f, T: Clone + Send + Sync + 'static> {
    flights: &'f Flights<T>,
    key: Arc<[u8]>,
    number: u64,
    flight: Flight<T>,
}

/// If no other request waits for it, the question goes on by itself, so that callers who go away cannot
/// have more questions on their way than are allowed. Where nothing polls it, it is dropped, because its
/// answer would be old when it is read.
impl<T: Clone + Send + Sync + 'static> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        let mut state = lock(&self.flights.0);
        let on_way = state.on_way.get(&self.key).filter(|on_way| on_way.number == self.number);
        // The state itself has one pointer to it, and this request another one.
        let is_last = self.flight.strong_count().is_some_and(|count| count <= 2);
        let is_over = on_way.is_some() && is_last && !flight::go_on(&self.flight);
        let dropped = is_over.then(|| state.remove(&self.key, self.number));
        drop(state);
        drop(dropped);
    }
}
