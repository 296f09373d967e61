//! The data that is stored with a request, such as its refusal until the fairing sends it.

use core::fmt;
use core::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rocket::http::Status;
use rocket::{Request, Response};

use crate::adapters::rocket05::respond;
use crate::credential::presented::Proved;
use crate::credential::reason::RejectionReason;
use crate::dependency::cache::Cache;
use crate::refusal::completion::Completion;
use crate::refusal::rejection::Rejection;

/// The status of a request guard whose response is stored. Nothing else in Rocket uses this status,
/// so a response that has it comes from a catcher of that failure.
pub(super) const KEPT: Status = Status::new(498);

/// Managed state that marks the fairing as attached.
pub(super) struct Attached;

/// The response to a refused request.
pub enum Answer {
    /// A scheme's rejection, which is converted into a response when it is sent.
    Scheme(Rejection),
    /// A response, and the reason if a scheme has refused.
    Response(Box<Response<'static>>, Option<RejectionReason>),
}

impl Answer {
    pub(super) fn status(&self) -> Status {
        match self {
            Self::Scheme(rejection) => Status::new(rejection.status().as_u16()),
            Self::Response(response, _) => response.status(),
        }
    }

    pub(super) fn reason(&self) -> Option<RejectionReason> {
        match self {
            Self::Scheme(rejection) => rejection.reason(),
            Self::Response(_, reason) => *reason,
        }
    }

    /// Returns the answer with the header lines that it lacks.
    pub(super) fn completed(self, completion: &Completion) -> Self {
        let reason = self.reason();
        let mut response = self.into_response();
        complete(&mut response, completion);
        Self::Response(Box::new(response), reason)
    }

    pub(super) fn into_response(self) -> Response<'static> {
        match self {
            Self::Scheme(rejection) => respond(rejection.into_http_response()),
            Self::Response(response, _) => *response,
        }
    }
}

/// Shows only the status, because a header of the response may contain a secret.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer({})", self.status().code)
    }
}

/// The data stored with a request.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) refusal: Mutex<Option<Answer>>,
    /// The header lines for the response of a catcher to a refusal with this status.
    pub(super) completion: Mutex<Option<(Status, Completion)>>,
    /// Whether a request guard has refused the request, so that its body is still unread.
    pub(super) has_refused: AtomicBool,
    pub(super) cache: Mutex<Cache>,
    /// What dependencies take, while the request is copied.
    #[cfg(feature = "live")]
    pub(super) taken: Mutex<Option<http::Extensions>>,
    pub(super) proved: Proved,
}

impl Kept {
    pub(super) fn of<'r>(request: &'r Request<'_>) -> &'r Self {
        request.local_cache(Self::default)
    }
}

/// Adds the header lines that a response lacks.
pub(super) fn complete(response: &mut Response<'_>, completion: &Completion) {
    let has = |name: &str| response.headers().contains(name);
    for (name, value) in &completion.absent(response.status().code, has) {
        // Those of a refusal are visible ASCII.
        if let Ok(value) = value.to_str() {
            response.adjoin_raw_header(name.as_str().to_owned(), value.to_owned());
        }
    }
}

/// Locks a mutex, even after a panic. The value is only ever replaced as a whole, so a panic cannot
/// leave a part of one.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the status of a request guard that refuses. If the fairing is attached to send it, the
/// answer is stored with the request.
pub(super) fn keep(request: &Request<'_>, answer: Answer) -> Status {
    if request.rocket().state::<Attached>().is_none() {
        return answer.status();
    }
    *locked(&Kept::of(request).refusal) = Some(answer);
    KEPT
}
