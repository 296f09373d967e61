//! The context of a dependency, and the response to a refused request.

use core::any::{Any, type_name};
use core::pin::Pin;
#[cfg(feature = "live")]
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(feature = "live")]
use http::Extensions;
use http::{Response as HttpResponse, StatusCode};
use http_body_util::BodyExt;
use salvo_core::http::{ReqBody, StatusError};
use salvo_core::{Depot, Extractible, Request, Response, Scribe, Writer, async_trait};

use crate::adapters::salvo1::render;
use crate::adapters::shared::stand_in::StandIn;
use crate::credential::presented::Proved;
use crate::credential::request_head::request_head;
use crate::dependency::cache::Cache;
use crate::dependency::context::{Context, Extract, Reject, SendContext};
use crate::dependency::decision::{Decision, below};
#[cfg(feature = "live")]
use crate::dependency::head::HeadCopy;
#[cfg(feature = "live")]
use crate::dependency::live::{
    Noted,
    asked::{AskAll, Copied},
};
#[cfg(feature = "testing")]
use crate::dependency::probe::is_let_in;
use crate::refusal::completion::Completion;
use crate::refusal::rejection::Rejection;
use crate::refusal::status::refuses;
use crate::refusal::unread_body::announce_close;
use crate::syntax::debug_text::debug_only;
use crate::trace;

/// A salvo request as the context of a dependency.
pub struct Salvo<'a> {
    request: &'a mut Request,
    depot: &'a mut Depot,
    /// Stored in the depot between the parameters of a handler.
    pub(super) cache: Cache,
}

impl<'a> Salvo<'a> {
    pub(super) fn of(request: &'a mut Request, depot: &'a mut Depot) -> Self {
        let cache = depot.remove_typed().unwrap_or_default();
        Self { request, depot, cache }
    }

    pub(super) fn keep_cache(self) {
        self.depot.insert_typed(self.cache);
    }
}

debug_only!([] Salvo<'_> {});

/// A whole response that refuses a request.
struct WrittenAnswer(HttpResponse<String>);

impl Scribe for WrittenAnswer {
    fn render(self, response: &mut Response) {
        render(self.0, response);
    }
}

/// A writer of the response to a refused request.
pub struct Refusal {
    write: Write,
    /// Whether the response says that the server closes the connection.
    closes: bool,
    completion: Option<Completion>,
    /// The status, where it is known before the response is written.
    status: Option<StatusCode>,
    /// The decision, where it is not.
    decision: Option<Decision>,
}

type Write =
    Box<dyn for<'w> FnOnce(&'w mut Request, &'w mut Depot, &'w mut Response) -> Writing<'w> + Send>;
type Writing<'w> = Pin<Box<dyn Future<Output = ()> + Send + 'w>>;

impl Refusal {
    pub(super) fn of<W: Writer + Send + 'static>(writer: W) -> Self {
        Self {
            status: status_of(&writer),
            write: Box::new(move |request, depot, response| writer.write(request, depot, response)),
            closes: false,
            completion: None,
            decision: None,
        }
    }
}

macro_rules! status_of {
    ($($error:ty),*) => {
        /// Returns the status of an error, if its type is one of this crate or of salvo. Any other
        /// type has one only when salvo writes it.
        fn status_of(error: &dyn Any) -> Option<StatusCode> {
            $(if let Some(error) = error.downcast_ref::<$error>() {
                return Some(error.status());
            })*
            if let Some(WrittenAnswer(answer)) = error.downcast_ref() {
                return Some(answer.status());
            }
            let of_salvo = error.downcast_ref().map(|error: &StatusError| error.code);
            of_salvo.or_else(|| error.downcast_ref().copied())
        }
    };
}

each_refusal!(status_of);

debug_only!([] Refusal {});

#[async_trait]
impl Writer for Refusal {
    async fn write(self, request: &mut Request, depot: &mut Depot, response: &mut Response) {
        // A hoop of a service or a catcher starts with a response that is already an error, and
        // salvo does not stop at another one.
        if response.is_stamped() {
            trace::hoop_goes_on();
        }
        response.status_code = None;
        (self.write)(request, depot, response).await;
        let status = response.status_code.unwrap_or_default();
        if let Some(completion) = self.completion {
            completion.add_to(status, response.headers_mut());
        }
        if self.closes {
            announce_close(response.headers_mut());
        }
        #[cfg(feature = "testing")]
        if is_let_in(request, response.status_code.map(|status| status.as_u16())) {
            return;
        }
        // Without a status, salvo would send a 200.
        if !refuses(response.status_code.map_or(200, |status| status.as_u16())) {
            response.status_code(StatusCode::INTERNAL_SERVER_ERROR);
        }
        if let Some(decision) = self.decision {
            decision.record(response.status_code.map(|status| status.as_u16()));
        }
    }
}

impl Context for Salvo<'_> {
    type Rejection = Refusal;

    type Head = Request;

    fn head(&self) -> &Request {
        self.request
    }

    fn respond(&self, answer: HttpResponse<String>) -> Refusal {
        Refusal::of(WrittenAnswer(answer))
    }

    fn refuse(&self, rejection: Rejection) -> Refusal {
        Refusal::of(rejection)
    }

    fn fail(&self) -> Refusal {
        Refusal::of(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// An error type of the service has a status only when salvo writes it.
    fn status(refusal: &Refusal) -> Option<u16> {
        refusal.status.map(|status| status.as_u16())
    }

    fn decide_later(refusal: &mut Refusal, decision: Decision) {
        refusal.decision = Some(decision);
    }

    fn closing(&self, mut refusal: Refusal) -> Refusal {
        refusal.closes = true;
        refusal
    }

    fn completed(&self, mut refusal: Refusal, completion: Completion) -> Refusal {
        refusal.completion = Some(completion);
        refusal
    }

    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::dependency::overrides::Overrides> {
        self.depot.get_typed().ok()
    }

    fn copied_head(&self) -> http::request::Parts {
        let (mut head, ()) = http::Request::new(()).into_parts();
        head.method = self.request.method().clone();
        head.uri = self.request.uri().clone();
        head.version = self.request.version();
        head.headers = self.request.headers().clone();
        head.extensions = self.request.extensions().clone();
        head
    }

    fn note_proofs(&mut self) {
        self.request.extensions_mut().get_or_insert_default::<Proved>();
    }
}

request_head!([] Request);

impl SendContext for Salvo<'_> {
    fn cache(&mut self) -> &mut Cache {
        self.cache.of(self.request.headers())
    }
}

/// The values of a depot cannot be copied as a whole. The requirement is asked in the request itself,
/// and what its dependencies take is then in the extensions of the copy.
#[cfg(feature = "live")]
impl Copied for Salvo<'_> {
    type Copy = HeadCopy;

    async fn copied<D: AskAll<Self>>(&mut self, noted: &Noted) -> Result<HeadCopy, Refusal> {
        let taken = Taken::default();
        self.request.extensions_mut().insert(noted.clone());
        self.request.extensions_mut().insert(taken.clone());
        // A value that a hoop has kept would be taken from nothing.
        let kept = core::mem::take(&mut self.cache);
        D::ask(self).await?;
        self.cache = kept;
        self.request.extensions_mut().remove::<Taken>();
        let mut head = self.copied_head();
        head.extensions.extend(core::mem::take(&mut *taken.locked()));
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

/// What dependencies take from the depot. It is in the extensions of a request that is copied.
#[cfg(feature = "live")]
#[derive(Clone, Default)]
struct Taken(Arc<Mutex<Extensions>>);

#[cfg(feature = "live")]
impl Taken {
    fn locked(&self) -> MutexGuard<'_, Extensions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes what a dependency takes, if the request is copied.
#[cfg_attr(not(feature = "live"), expect(unused_variables, reason = "no request is copied"))]
pub(super) fn taken<T: Clone + Send + Sync + 'static>(request: &Request, value: T) -> T {
    #[cfg(feature = "live")]
    if let Some(taken) = request.extensions().get::<Taken>() {
        taken.locked().insert(value.clone());
    }
    value
}

impl<T: for<'e> Extractible<'e> + Send> Extract<T> for Salvo<'_> {
    async fn extract(&mut self, name: &'static str) -> Result<T, Refusal> {
        // The extractor gets a stand-in for the handler's body. If it takes or reads the stand-in,
        // it has tried to read the body.
        let stand_in = StandIn::default();
        let has_body = !self.request.body().is_none();
        let body = has_body.then(|| {
            let inner = stand_in.clone().map_err(Into::into);
            self.request.replace_body(ReqBody::Boxed { inner: Box::pin(inner), fuse_config: None })
        });
        let extracted = below!(T::extract_with_arg(self.request, self.depot, name));
        let Some(body) = body else {
            return extracted.map_err(Refusal::of);
        };
        // This also clears the payload that salvo has cached, which may be the stand-in's.
        if self.request.replace_body(body).is_none() || stand_in.was_read() {
            drop(extracted);
            trace::body_in_dependency(type_name::<T>());
            return Err(Refusal::of(StatusCode::INTERNAL_SERVER_ERROR));
        }
        extracted.map_err(Refusal::of)
    }
}

impl<E: Writer + Send + 'static> Reject<E> for Salvo<'_> {
    fn reject(&mut self, error: E) -> Refusal {
        Refusal::of(error)
    }
}
