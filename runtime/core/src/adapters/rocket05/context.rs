//! The context of a dependency, and the request guards that are resolved in it.

use core::convert::Infallible;
use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::Relaxed;
use std::borrow::Cow;

use http::Response as HttpResponse;
use rocket::http::Status;
use rocket::outcome::Outcome;
use rocket::request::{self, FromRequest};
use rocket::response::Responder;
use rocket::{Request, async_trait};

use crate::adapters::rocket05::kept::{Answer, KEPT, Kept, keep, locked};
use crate::adapters::rocket05::respond;
use crate::adapters::shared::copied_head::copied_head;
use crate::adapters::shared::extractors::Security;
use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{HeaderLine, RequestHead};
use crate::dependency::cache::Cache;
use crate::dependency::context::{Context, Extract, Reject, SendContext};
use crate::dependency::decision::below;
use crate::dependency::handler::{Secured, SecuredParameter};
#[cfg(feature = "live")]
use crate::dependency::head::HeadCopy;
#[cfg(feature = "live")]
use crate::dependency::live::{
    Noted,
    asked::{AskAll, Copied},
};
use crate::plan::declaration::PublicParameter;
use crate::plan::table::PlanPosition;
use crate::refusal::completion::Completion;
use crate::refusal::rejection::Rejection;
use crate::scheme::Scheme;
use crate::syntax::debug_text::debug_only;

/// A Rocket request as the context of a dependency.
pub struct RocketRequest<'r, 'x> {
    request: &'r Request<'x>,
    cache: Cache,
}

debug_only!([] RocketRequest<'_, '_> {});

impl RocketRequest<'_, '_> {
    /// Drops the header lines of an earlier refusal, after which the request went on: that of an
    /// alternative that is lenient, or of a route that was forwarded.
    fn forget_refusal(&self) {
        locked(&Kept::of(self.request).completion).take();
    }
}

/// The refusal of a request.
#[derive(Debug)]
pub enum Refusal {
    /// Refused with this response.
    Answer(Answer),
    /// Refused with this status, by a request guard or by an error that fails to respond. A catcher
    /// creates the response.
    Error(Status),
    /// Forwarded to another route by a request guard.
    Forward(Status),
}

/// The error for a refused parameter of a secured handler. `Debug`, which Rocket logs, has the name of
/// the dependency that the handler requires, the status, and the reason if a scheme has refused.
#[derive(Clone, Copy)]
pub struct Refused {
    dependency: &'static str,
    status: u16,
    reason: Option<RejectionReason>,
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` refused with {}", self.dependency, self.status)?;
        self.reason.map_or(Ok(()), |reason| write!(f, ": {}", reason.as_str()))
    }
}

impl RequestHead for Request<'_> {
    fn lines<'h>(&'h self, name: &str) -> impl Iterator<Item = HeaderLine<'h>> {
        let lines = self.headers().get(name);
        lines.map(|line| line.as_bytes().into())
    }

    fn path(&self) -> Option<&str> {
        Some(self.uri().path().as_str())
    }

    fn query(&self) -> Option<&str> {
        self.uri().query().map(|query| query.as_str())
    }

    fn method(&self) -> &str {
        self.method().as_str()
    }

    fn authority(&self) -> Option<Cow<'_, str>> {
        self.host().map(|host| host.to_string().into())
    }

    /// Finds what a fairing has put into the request's local cache, in an `Option`.
    fn extension<T: Clone + Send + Sync + 'static>(&self) -> Option<T> {
        self.local_cache(|| None).clone()
    }
}

impl<'x> Context for RocketRequest<'_, 'x> {
    type Rejection = Refusal;

    type Head = Request<'x>;

    fn head(&self) -> &Request<'x> {
        self.request
    }

    fn respond(&self, response: HttpResponse<String>) -> Refusal {
        Refusal::Answer(Answer::Response(Box::new(respond(response)), None))
    }

    fn refuse(&self, rejection: Rejection) -> Refusal {
        Refusal::Answer(Answer::Scheme(rejection))
    }

    fn fail(&self) -> Refusal {
        Refusal::Error(Status::InternalServerError)
    }

    fn status(refusal: &Refusal) -> Option<u16> {
        match refusal {
            Refusal::Answer(answer) => Some(answer.status().code),
            Refusal::Error(status) => Some(status.code),
            Refusal::Forward(_) => None,
        }
    }

    /// The fairing says it, when it sends the response.
    fn closing(&self, refusal: Refusal) -> Refusal {
        refusal
    }

    /// The fairing adds the lines to the response of a catcher: to a refusal, or to a request that
    /// is forwarded and that no other route takes.
    fn completed(&self, refusal: Refusal, completion: Completion) -> Refusal {
        let kept = Kept::of(self.request);
        let status = match refusal {
            Refusal::Answer(answer) => return Refusal::Answer(answer.completed(&completion)),
            Refusal::Error(status) | Refusal::Forward(status) => status,
        };
        // A request guard that is secured itself has its own.
        locked(&kept.completion).get_or_insert((status, completion));
        refusal
    }

    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::dependency::overrides::Overrides> {
        self.request.rocket().state()
    }

    fn copied_head(&self) -> http::request::Parts {
        let headers: Vec<_> = self.request.headers().iter().collect();
        let headers =
            headers.iter().map(|header| (header.name().as_str(), header.value().as_bytes()));
        let proved = Kept::of(self.request).proved.clone();
        copied_head(self.request, &self.request.uri().to_string(), headers, proved)
    }
}

impl SendContext for RocketRequest<'_, '_> {
    fn cache(&mut self) -> &mut Cache {
        &mut self.cache
    }
}

/// The managed state cannot be copied as a whole. The requirement is asked in the request itself, and
/// what its dependencies take is then in the extensions of the copy.
#[cfg(feature = "live")]
impl Copied for RocketRequest<'_, '_> {
    type Copy = HeadCopy;

    async fn copied<D: AskAll<Self>>(&mut self, noted: &Noted) -> Result<HeadCopy, Refusal> {
        self.request.local_cache(|| Some(noted.clone()));
        let taken = &Kept::of(self.request).taken;
        locked(taken).get_or_insert_default();
        // A value that an earlier route has kept would be taken from nothing.
        let kept = core::mem::take(&mut self.cache);
        D::ask(self).await?;
        self.cache = kept;
        let mut head = self.copied_head();
        head.extensions.extend(locked(taken).take().unwrap_or_default());
        #[cfg(feature = "testing")]
        if let Some(overrides) = self.overrides() {
            head.extensions.insert(overrides.clone());
        }
        Ok(HeadCopy { parts: noted.copied(head) })
    }

    fn answer(refusal: HttpResponse<String>) -> HttpResponse<String> {
        refusal
    }
}

impl<'r, T: FromRequest<'r> + Send> Extract<T> for RocketRequest<'r, '_> {
    async fn extract(&mut self, _name: &'static str) -> Result<T, Refusal> {
        self.forget_refusal();
        match below!(T::from_request(self.request)) {
            Outcome::Success(value) => Ok(value),
            Outcome::Error((status, _)) => {
                // The response of a request guard that is secured itself.
                let kept = locked(&Kept::of(self.request).refusal).take_if(|_| status == KEPT);
                Err(kept.map_or(Refusal::Error(status), Refusal::Answer))
            }
            Outcome::Forward(status) => Err(Refusal::Forward(status)),
        }
    }
}

impl<'r, E: Responder<'r, 'static>> Reject<E> for RocketRequest<'r, '_> {
    fn reject(&mut self, error: E) -> Refusal {
        self.forget_refusal();
        match error.respond_to(self.request) {
            Ok(response) => Refusal::Answer(Answer::Response(Box::new(response), None)),
            Err(status) => Refusal::Error(status),
        }
    }
}

#[async_trait]
impl<'r, T, P> FromRequest<'r> for Secured<T, P>
where
    T: Send,
    P: for<'x> SecuredParameter<'r, RocketRequest<'r, 'x>, T>,
{
    type Error = Refused;

    async fn from_request(request: &'r Request<'_>) -> request::Outcome<Self, Refused> {
        let kept = Kept::of(request);
        let mut cache = core::mem::take(&mut *locked(&kept.cache));
        if P::Position::NUMBER == 0 {
            cache.begin();
        }
        let mut cx = RocketRequest { request, cache };
        let resolved = P::resolve(&mut cx).await;
        *locked(&kept.cache) = cx.cache;
        if resolved.is_err() {
            kept.has_refused.store(true, Relaxed);
        }
        let refused = |status: Status, reason| Refused {
            dependency: const { P::Position::NAME },
            status: status.code,
            reason,
        };
        match resolved {
            Ok(value) => Outcome::Success(Self { value, parameter: PhantomData }),
            Err(Refusal::Answer(answer)) => {
                let refused = refused(answer.status(), answer.reason());
                Outcome::Error((keep(request, answer), refused))
            }
            Err(Refusal::Error(status)) => Outcome::Error((status, refused(status, None))),
            Err(Refusal::Forward(status)) => Outcome::Forward(status),
        }
    }
}

/// For a public handler below an attribute of the framework that was imported under another name.
#[async_trait]
impl<'r, P> FromRequest<'r> for PublicParameter<P> {
    type Error = Infallible;

    async fn from_request(_: &'r Request<'_>) -> request::Outcome<Self, Infallible> {
        Outcome::Success(Self::of_request())
    }
}

#[async_trait]
impl<'r, S: Scheme> FromRequest<'r> for Security<S> {
    type Error = Rejection;

    async fn from_request(request: &'r Request<'_>) -> request::Outcome<Self, Rejection> {
        match Self::of(request) {
            Ok(found) => Outcome::Success(Self(found)),
            Err(rejection) => {
                Kept::of(request).has_refused.store(true, Relaxed);
                Outcome::Error((keep(request, Answer::Scheme(rejection)), rejection))
            }
        }
    }
}
