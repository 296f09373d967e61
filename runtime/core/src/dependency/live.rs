//! What goes on after its handler has answered, such as a stream of events or a WebSocket: it ends
//! when the handler's requirement would refuse the request.
#![expect(clippy::disallowed_methods, reason = "an expiry is a date, so the date is read")]

pub(crate) mod around;
pub(crate) mod asked;

use core::future::poll_fn;
use core::mem::take;
use core::panic::AssertUnwindSafe;
use core::pin::Pin;
use core::task::{Context as TaskContext, Poll, ready};
use core::time::Duration;
use std::panic::catch_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use futures_core::Stream;
use http::request::Parts;
use http::{Response, StatusCode};
use tokio::time::{Instant, sleep};

use self::around::Around;
use self::asked::Asked;
use crate::credential::reason::RejectionReason;
use crate::dependency::cache::Cache;
use crate::dependency::decision::{CAUSE, Decider, Decision, Place};
#[cfg(feature = "rmcp3")]
use crate::dependency::recognised::Recognised;
use crate::refusal::own_error::{RefusedRequest, StandardRefusal};
use crate::syntax::debug_text::debug_only;

/// How often the requirement is asked, unless the handler says otherwise.
const EVERY: Duration = Duration::from_secs(30);

/// How long an answer may take. After that, it counts as undecided.
const PATIENCE: Duration = Duration::from_secs(30);

/// The status of the refusal after a panic.
const PANICKED: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;

/// How many answers in a row may be undecided after the first one.
const MORE_ROUNDS: u8 = 3;

/// A handler's parameter that asks the handler's own requirement again: guards, values, and a layer
/// that the handler counts on. It ends what goes on after the handler has answered, such as a
/// stream of events or a WebSocket.
///
/// The requirement is asked every 30 seconds, and when a token expires: one that a scheme with
/// `verified = …` has verified, or a dependency that yields a
/// [`Verified`](crate::verify::Verified). It is asked at the beginning if no such token was found in
/// the request itself. Each time, all dependencies run, with a copy of the request's head.
/// If they cannot decide (`503`, or no answer within 30 seconds), they are asked sooner, three
/// times at most. Then the refusal is that `503`: its reason is
/// [`Unavailable`](RejectionReason::Unavailable). The refusal of a dependency that panics is a
/// `500`.
///
/// Nothing asks until the value is used. It needs the timer of a tokio runtime, or another one:
/// [`with_sleep`](Self::with_sleep).
///
/// ```
/// # #[cfg(all(feature = "axum08", feature = "live"))] {
/// use axum::body::Body;
/// use doorward::live::Live;
/// use doorward::{BearerToken, http_bearer, secured};
/// # struct News;
/// # impl futures_core::Stream for News {
/// #     type Item = Result<String, std::io::Error>;
/// #     fn poll_next(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<Option<Self::Item>> {
/// #         std::task::Poll::Ready(None)
/// #     }
/// # }
///
/// #[http_bearer]
/// struct Api;
///
/// #[secured]
/// async fn events(#[security(Api)] token: BearerToken, live: Live) -> Body {
///     Body::from_stream(live.around(News))
/// }
/// # }
/// ```
pub struct Live<A: ?Sized = dyn Asked + Send> {
    /// Never locked: some frameworks want a stream to be `Sync`, or what opens a socket.
    state: Mutex<State<A>>,
}

struct State<A: ?Sized> {
    every: Duration,
    handler: &'static str,
    noted: Noted,
    expires_at: Option<Instant>,
    timer: Timer,
    /// Until the next question, or until an answer has taken too long.
    sleep: Option<Waiting>,
    is_new: bool,
    is_asking: bool,
    undecided: u8,
    asked: Box<A>,
}

/// Creates a future that is ready after a time.
type Timer = Box<dyn Fn(Duration) -> Waiting + Send>;
type Waiting = Pin<Box<dyn Future<Output = ()> + Send>>;

debug_only!([A: ?Sized] Live<A> {});

impl<A: Asked + ?Sized> Live<A> {
    pub(crate) fn new(handler: &'static str, noted: Noted, asked: Box<A>) -> Self {
        let state = State {
            every: EVERY,
            handler,
            noted,
            expires_at: None,
            // It captures nothing, so its box is empty.
            timer: Box::new(|time| Box::pin(sleep(time))),
            sleep: None,
            is_new: true,
            is_asking: false,
            undecided: 0,
            asked,
        };
        Self { state: Mutex::new(state) }
    }

    /// Sets how often the requirement is asked: every 30 seconds by default, and at most once in a
    /// millisecond.
    #[must_use]
    pub fn every(mut self, every: Duration) -> Self {
        self.state().every = every.max(Duration::from_millis(1));
        self
    }

    /// Sets the timer for a service without a tokio runtime: a function that returns a future, which
    /// is ready after the given time.
    ///
    /// Without such a runtime and without a timer, nothing can be asked again, so the refusal is a
    /// `500` at once.
    ///
    /// ```
    /// # mod smol {
    /// #     pub struct Timer;
    /// #     impl Timer {
    /// #         pub async fn after(_: std::time::Duration) {}
    /// #     }
    /// # }
    /// use doorward::live::Live;
    ///
    /// fn timed(live: Live) -> Live {
    ///     live.with_sleep(async |time| {
    ///         smol::Timer::after(time).await;
    ///     })
    /// }
    /// ```
    #[must_use]
    pub fn with_sleep<F>(mut self, sleep: impl Fn(Duration) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.state().timer = Box::new(move |time| Box::pin(sleep(time)));
        self
    }

    /// Waits until the requirement refuses the request, and returns the refusal. Its status and its
    /// challenge are those of the response to such a request.
    ///
    /// The time is that of this future, so do not create it anew in a loop: in `tokio::select!`,
    /// poll one that is pinned.
    pub async fn refused(mut self) -> RefusedRequest {
        poll_fn(|cx| self.state().poll_refused(cx)).await
    }

    /// Returns a stream that yields the items of another one, and ends when the requirement refuses
    /// the request.
    pub fn around<S: Stream>(self, stream: S) -> Around<S, A> {
        Around::new(self, stream)
    }

    fn state(&mut self) -> &mut State<A> {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<A: Asked + ?Sized> State<A> {
    fn poll_refused(&mut self, cx: &mut TaskContext<'_>) -> Poll<RefusedRequest> {
        loop {
            if self.sleep.is_none() {
                let time = self.until_next();
                // Without its runtime, the timer of tokio panics.
                match catch_unwind(AssertUnwindSafe(|| (self.timer)(time))) {
                    Ok(waiting) => self.sleep = Some(waiting),
                    Err(_) => return Poll::Ready(self.refusal(with_status(PANICKED))),
                }
            }
            let Some(sleep) = &mut self.sleep else { continue };
            if !self.is_asking {
                ready!(sleep.as_mut().poll(cx));
                self.is_asking = true;
                self.sleep = None;
                continue;
            }
            let answer = match catch_unwind(AssertUnwindSafe(|| self.asked.poll(cx))) {
                Ok(Poll::Ready(answer)) => answer,
                Ok(Poll::Pending) => {
                    ready!(sleep.as_mut().poll(cx));
                    Err(with_status(StatusCode::SERVICE_UNAVAILABLE))
                }
                Err(_) => Err(with_status(PANICKED)),
            };
            self.asked.stop();
            self.is_asking = false;
            self.sleep = None;
            let Err(response) = answer else {
                self.undecided = 0;
                continue;
            };
            let is_undecided = response.status() == StatusCode::SERVICE_UNAVAILABLE;
            if !is_undecided || self.undecided == MORE_ROUNDS {
                return Poll::Ready(self.refusal(response));
            }
            self.undecided = self.undecided.saturating_add(1);
        }
    }

    /// Returns how long it is until the next question, or how long an answer may take.
    fn until_next(&mut self) -> Duration {
        if self.is_asking {
            return PATIENCE;
        }
        if let Some(expires_at) = self.noted.take() {
            let left = expires_at.duration_since(SystemTime::now()).unwrap_or_default();
            self.expires_at = Instant::now().checked_add(left);
        }
        if take(&mut self.is_new) && self.expires_at.is_none() {
            return Duration::ZERO;
        }
        let sooner = || self.every.checked_div(MORE_ROUNDS.into()).unwrap_or_default();
        let every = if self.undecided > 0 { sooner() } else { self.every };
        let left = self.expires_at.map(|at| at.saturating_duration_since(Instant::now()));
        left.filter(|left| !left.is_zero()).map_or(every, |left| left.min(every))
    }

    fn refusal(&self, response: Response<String>) -> RefusedRequest {
        let by = Decider { place: Place::Stream, name: self.handler, lets_in: true };
        Decision::by(by).record(Some(response.status().as_u16()));
        let reason = match RejectionReason::of_status(response.status().as_u16()) {
            RejectionReason::Invalid if self.is_expired() => RejectionReason::Expired,
            reason => reason,
        };
        RefusedRequest::new(StandardRefusal::new(reason, response), self.asked.head())
    }

    fn is_expired(&self) -> bool {
        self.expires_at.is_some_and(|at| at <= Instant::now())
    }

    /// Returns `true` while a token has expired, and the requirement has not said yet whether it
    /// still counts. Nothing goes on until then.
    fn is_in_doubt(&self) -> bool {
        self.is_asking && self.is_expired()
    }
}

/// The earliest time at which a verified token of a request expires. It is in the extensions of the
/// request, if its handler asks.
#[derive(Clone, Debug, Default)]
pub struct Noted(Arc<Mutex<Option<SystemTime>>>);

impl Noted {
    /// Notes the time at which a token expires.
    pub(crate) fn note(&self, expires_at: SystemTime) {
        let mut earliest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *earliest = Some(earliest.map_or(expires_at, |noted| noted.min(expires_at)));
    }

    fn take(&self) -> Option<SystemTime> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Copies the head of a request, without what its dependencies have kept: they run each time.
    pub(crate) fn copied(&self, mut copy: Parts) -> Parts {
        copy.extensions.remove::<Cache>();
        #[cfg(feature = "rmcp3")]
        copy.extensions.remove::<Recognised>();
        copy.extensions.insert(self.clone());
        copy
    }
}

fn with_status(status: StatusCode) -> Response<String> {
    // What an earlier answer has noted is not the cause.
    CAUSE.set(None);
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}
