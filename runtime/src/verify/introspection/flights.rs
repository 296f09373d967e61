//! The questions that are on their way: one for each token, and a limited number of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::verify::parts::flight::{self, Flight};

/// The questions by their keys. All requests with a key share its question.
pub(super) struct Flights<T: Clone>(Arc<Mutex<State<T>>>);

struct State<T: Clone> {
    on_way: HashMap<Box<[u8]>, OnWay<T>>,
    /// The number of the last question.
    last: u64,
}

struct OnWay<T: Clone> {
    number: u64,
    half: Half,
    flight: Flight<T>,
    /// Whether it goes on without a request that waits for it.
    is_on_its_own: bool,
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
        if let Some(on_way) = state.on_way.get(key) {
            let (number, flight) = (on_way.number, on_way.flight.clone());
            return Ok(Waiting { flights: self, key: key.into(), number, flight });
        }
        if state.on_way.values().filter(|on_way| on_way.half == half).count() >= LIMIT {
            return Err(Full);
        }
        let number = state.last.wrapping_add(1);
        state.last = number;
        let end = End { state: Arc::clone(&self.0), key: key.into(), number };
        let question = question();
        // It is polled when the state is unlocked.
        let (flight, is_on_its_own) = flight::begin_on_its_own(async move {
            let answer = question.await;
            drop(end);
            answer
        });
        let on_way = OnWay { number, half, flight: flight.clone(), is_on_its_own };
        state.on_way.insert(key.into(), on_way);
        drop(state);
        Ok(Waiting { flights: self, key: key.into(), number, flight })
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
    key: Box<[u8]>,
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
    key: Box<[u8]>,
    number: u64,
    flight: Flight<T>,
}

/// If no other request waits for it, a question that does not go on by itself is dropped, because its
/// answer would be old when it is read.
impl<T: Clone + Send + Sync + 'static> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        let mut state = lock(&self.flights.0);
        let on_way = state.on_way.get(&self.key).filter(|on_way| on_way.number == self.number);
        // The state itself has one pointer to it, and this request another one.
        let is_last = self.flight.strong_count().is_none_or(|count| count <= 2);
        let dropped = match on_way {
            Some(on_way) if is_last && !on_way.is_on_its_own => {
                state.remove(&self.key, self.number)
            }
            _ => None,
        };
        drop(state);
        drop(dropped);
    }
}
