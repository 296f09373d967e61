//! The extraction of a handler's parameters: the secured ones in order, and the body after them.

use core::any::TypeId;
use core::cell::{Cell, RefCell};
use core::future::ready;
use core::pin::Pin;
use core::task::{Context as TaskContext, Poll};
use std::rc::{Rc, Weak};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::Payload;
use actix_web::error::{ErrorForbidden, ErrorInternalServerError, InternalError, PayloadError};
use actix_web::{Error, HttpMessage, HttpRequest};
use bytes::Bytes;
use futures_core::Stream;
use futures_util::future::{FutureExt, LocalBoxFuture, Shared, TryFutureExt};
use futures_util::stream::poll_fn;

use crate::adapters::actix_web4::ActixWeb;
use crate::dependency::cache::LocalCache;
use crate::dependency::handler::LocalSecuredParameter;
use crate::plan::table::PlanPosition;

/// The future of an extractor.
pub type ExtractFuture<T> = Pin<Box<dyn Future<Output = Result<T, Error>>>>;

/// What the parameters of one handler share while they are extracted.
///
/// Their futures own it. A cached value may own the request, so the request must not own the value.
pub(super) struct Extraction {
    /// The secured parameters, in the order in which their extractors have started.
    steps: RefCell<Vec<Step>>,
    /// The body of the request.
    pub(super) body: Rc<RefCell<Payload>>,
}

/// A secured parameter.
#[derive(Clone)]
struct Step {
    plan: TypeId,
    number: usize,
    /// `true` if the handler does not run without the value. It may take an extracted value as an
    /// `Option`.
    is_required: bool,
    /// Resolves the parameter after those before it. Each future that waits for it polls it, so
    /// none depends on what else is polled.
    resolved: Resolved,
}

type Resolved = Shared<LocalBoxFuture<'static, Result<LocalCache, Refusal>>>;

/// Waits for a parameter. A shared future wakes the task that polls it to its end, too, and
/// actix-web would read from the connection once more. Therefore one that is known at once is
/// polled without a waker.
async fn wait(resolved: Resolved) -> Result<LocalCache, Refusal> {
    match resolved.clone().now_or_never() {
        Some(resolved) => resolved,
        None => resolved.await,
    }
}

/// The refusal of a parameter, for the first future that asks.
#[derive(Clone)]
pub(super) struct Refusal(Rc<Cell<Option<Error>>>);

impl Refusal {
    pub(super) fn take(&self) -> Error {
        self.0.take().unwrap_or_else(|| ErrorForbidden("a parameter before this one was refused"))
    }
}

impl Extraction {
    /// Begins the extraction of a handler's parameters. An extractor of the body waits for them.
    pub(super) fn begin(request: &HttpRequest, payload: &mut Payload) -> Rc<Self> {
        let is_empty = matches!(payload, Payload::None);
        let body = Rc::new(RefCell::new(payload.take()));
        let extraction = Rc::new(Self { steps: RefCell::default(), body });
        request.extensions_mut().insert(Rc::downgrade(&extraction));
        if !is_empty {
            let extraction = extraction.clone();
            let body = async move {
                extraction.through().await.map_err(|_| PayloadError::Incomplete(None))?;
                let body = extraction.body.clone();
                Ok(poll_fn(move |cx| Pin::new(&mut *body.borrow_mut()).poll_next(cx)))
            };
            *payload = Payload::Stream { payload: Box::pin(body.try_flatten_stream()) };
        }
        extraction
    }

    /// Waits until all parameters that have started are resolved.
    pub(super) async fn through(&self) -> Result<(), Refusal> {
        let steps = self.steps.borrow().clone();
        for Step { resolved, is_required, .. } in steps {
            if let Err(refusal) = wait(resolved).await
                && is_required
            {
                return Err(refusal);
            }
        }
        Ok(())
    }
}

/// Extracts the value of a secured parameter.
pub(crate) fn secured<T, P>(
    request: &HttpRequest,
    payload: &mut Payload,
    is_required: bool,
) -> ExtractFuture<T>
where
    T: 'static,
    P: for<'r> LocalSecuredParameter<'r, ActixWeb, T> + 'static,
{
    let plan = TypeId::of::<<P::Position as PlanPosition>::Plan>();
    let number = <P::Position as PlanPosition>::NUMBER;
    // Looked up here, because later another extractor may have the extensions borrowed.
    let begun = request.extensions().get::<Weak<Extraction>>().and_then(Weak::upgrade);
    let extraction = begun.unwrap_or_else(|| Extraction::begin(request, payload));
    let before = extraction.steps.borrow().iter().rev().find(|step| step.plan == plan).cloned();
    let before = before.filter(|before| before.number.checked_add(1) == Some(number));
    if number > 0 && before.is_none() {
        return Box::pin(ready(Err(ErrorInternalServerError(
            "a parameter of a secured handler was extracted without the handler",
        ))));
    }
    let value = Rc::new(Cell::new(None));
    let resolve = {
        let (request, body, value) = (request.clone(), extraction.body.clone(), value.clone());
        async move {
            let cache = match before {
                Some(before) => wait(before.resolved).await?,
                None => LocalCache::default(),
            };
            let mut cx = ActixWeb { request, cache };
            let resolved = P::resolve(&mut cx).await;
            value.set(Some(resolved.map_err(|error| {
                Refusal(Rc::new(Cell::new(Some(unread(&cx.request, body, error)))))
            })?));
            Ok(cx.cache)
        }
    };
    let resolved = resolve.boxed_local().shared();
    let step = Step { plan, number, is_required, resolved: resolved.clone() };
    extraction.steps.borrow_mut().push(step);
    Box::pin(async move {
        // The parameters after this one look it up.
        let _extraction = extraction;
        wait(resolved).await.map_err(|refusal| refusal.take())?;
        value.take().ok_or_else(|| ErrorInternalServerError(""))
    })
}

/// Returns a refusal whose response owns the body of the request, if the body comes in chunks.
///
/// actix-web reads such a body to its end if nothing owns it any more, and the end may never come.
/// Otherwise, it closes the connection, and says so. With a length, it always does.
pub(super) fn unread<P: Unpin + 'static>(request: &HttpRequest, body: P, refusal: Error) -> Error {
    if matches!(request.chunked(), Ok(false)) {
        return refusal;
    }
    let response = refusal.error_response();
    let response = response.map_body(|_, sent| BoxBody::new(Refused { sent, _unread: body }));
    InternalError::from_response(refusal, response).into()
}

/// The body of a response that owns the body of its request.
struct Refused<P> {
    sent: BoxBody,
    _unread: P,
}

impl<P: Unpin> MessageBody for Refused<P> {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.sent.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        cx: &mut TaskContext<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.get_mut().sent.as_pin_mut().poll_next(cx)
    }
}
