//! rocket 0.5.
//!
//! A guard of rocket can refuse with a status alone. So the response is kept with the request, the guard fails with a status that says
//! so, and [`Tollgate`], a fairing, puts the response in place of the catcher's.

use core::fmt;
use core::marker::PhantomData;
use std::io::Cursor;
use std::sync::{Mutex, PoisonError};

use http::Response as HttpResponse;
use rocket::data::{self, ByteUnit, Data, FromData};
use rocket::fairing::{self, Fairing, Info, Kind};
use rocket::http::Status;
use rocket::outcome::Outcome;
use rocket::request::{self, FromRequest};
use rocket::response::{self, Responder};
use rocket::tokio::io::AsyncReadExt;
use rocket::{Build, Ignite, Request, Response, Rocket, Sentinel, async_trait};
use secrecy::zeroize::Zeroizing;

use crate::cache::Cache;
use crate::context::{Context, Extract, Reject, SendContext};
use crate::form::FormConfig;
use crate::form::body::check_content_type;
use crate::form::buffer::Buffer;
use crate::refusal::refuses;
use crate::secured::{Parameter, Secured};
use crate::trace;
use crate::{
    BearerError, Client, ClientCredentials, FormBody, FormError, OwnedForm, PasswordForm,
    Rejection, Scheme, Security, TokenError, TokenResponse,
};

/// The fairing that puts responses to refused requests in place: `rocket::build().attach(Tollgate)`. A rocket with a secured route
/// does not launch without it. Where rocket does not see that, as behind a guard of your own, a refused request gets the catcher's
/// response of the refusal's status.
///
/// With it, a refused guard fails with the status 498, and the fairing replaces a response of that status: its status, its body and
/// the headers that the refusal has itself. A handler or a guard that looks at the refusal answers as it likes; one that hands the status
/// on hands the refusal on. A `#[catch(default)]` gets the 498, so it has to keep its status.
///
/// Fairings attached before it see the 498, those behind it see the response that is sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tollgate;

/// The status with which a guard fails whose response is kept. Nothing else in rocket answers with it, so a response that bears it comes
/// from a catcher of that failure.
const KEPT: Status = Status::new(498);

/// A sign that the fairing is attached.
struct Attached;

#[async_trait]
impl Fairing for Tollgate {
    fn info(&self) -> Info {
        Info {
            name: "tollgate",
            kind: Kind::Ignite | Kind::Response,
        }
    }

    async fn on_ignite(&self, rocket: Rocket<Build>) -> fairing::Result {
        // It may be attached twice: by an app and by a fairing of it.
        Ok(match rocket.state::<Attached>() {
            Some(_) => rocket,
            None => rocket.manage(Attached),
        })
    }

    async fn on_response<'r>(&self, request: &'r Request<'_>, response: &mut Response<'r>) {
        if response.status() == KEPT
            && let Some(refusal) = locked(&Kept::of(request).refusal).take()
        {
            replace(response, refusal.into_response());
        }
    }
}

/// Replaces a catcher's response, but for the headers that other fairings have set.
fn replace<'r>(response: &mut Response<'r>, refusal: Response<'r>) {
    response.set_status(refusal.status());
    response.body_mut().take();
    response.remove_header("content-type");
    for header in refusal.headers().iter() {
        // A response sets many cookies, each in a line.
        if header.name() != "set-cookie" {
            response.remove_header(header.name().as_str());
        }
    }
    response.join(refusal);
}

/// What is kept with a request.
#[derive(Default)]
struct Kept {
    refusal: Mutex<Option<Answer>>,
    cache: Mutex<Cache>,
}

impl Kept {
    fn of<'r>(request: &'r Request<'_>) -> &'r Self {
        request.local_cache(Self::default)
    }
}

/// What a panic in between has left is still whole: it is only ever replaced.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request of rocket as the context of a dependency.
pub struct RocketRequest<'r, 'x> {
    request: &'r Request<'x>,
    cache: Cache,
}

impl fmt::Debug for RocketRequest<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RocketRequest").finish_non_exhaustive()
    }
}

/// What answers a request that is refused.
#[derive(Debug)]
pub enum Answer {
    /// A scheme's rejection, which becomes a response when it is sent.
    Scheme(Rejection),
    /// A response.
    Response(Box<Response<'static>>),
}

impl Answer {
    fn status(&self) -> Status {
        match self {
            Self::Scheme(rejection) => Status::new(rejection.status().as_u16()),
            Self::Response(response) => response.status(),
        }
    }

    fn into_response(self) -> Response<'static> {
        match self {
            Self::Scheme(rejection) => respond(rejection.into_http_response()),
            Self::Response(response) => *response,
        }
    }
}

/// How a request is refused.
#[derive(Debug)]
pub enum Refusal {
    /// With this answer.
    Answer(Answer),
    /// With this status, by a guard of rocket's; a catcher makes the response.
    Error(Status),
    /// By a guard of rocket's that leaves the request to another route.
    Forward(Status),
}

/// Returns the status with which a guard refuses, and keeps the answer with the request when there is a fairing to send it.
fn keep(request: &Request<'_>, answer: Answer) -> Status {
    if request.rocket().state::<Attached>().is_none() {
        return answer.status();
    }
    *locked(&Kept::of(request).refusal) = Some(answer);
    KEPT
}

/// A parameter of a secured handler was refused.
#[derive(Clone, Copy, Debug)]
pub struct Refused;

fn authenticate<S: Scheme>(request: &Request<'_>) -> Result<S::Yield, Rejection> {
    let lines = request.headers().get("authorization");
    S::authenticate_copied(lines.map(str::as_bytes))
}

impl Context for RocketRequest<'_, '_> {
    type Rejection = Refusal;

    fn authenticate<S: Scheme>(&self) -> Result<S::Yield, Rejection> {
        authenticate::<S>(self.request)
    }

    fn refuse(&self, rejection: Rejection) -> Refusal {
        Refusal::Answer(Answer::Scheme(rejection))
    }

    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::Overrides> {
        self.request.rocket().state()
    }
}

impl SendContext for RocketRequest<'_, '_> {
    fn cache(&mut self) -> &mut Cache {
        &mut self.cache
    }
}

impl<'r, T: FromRequest<'r> + Send> Extract<T> for RocketRequest<'r, '_> {
    async fn extract(&mut self, _name: &'static str) -> Result<T, Refusal> {
        match T::from_request(self.request).await {
            Outcome::Success(value) => Ok(value),
            Outcome::Error((status, _)) => Err(Refusal::Error(status)),
            Outcome::Forward(status) => Err(Refusal::Forward(status)),
        }
    }
}

impl<'r, E: Responder<'r, 'static>> Reject<E> for RocketRequest<'r, '_> {
    fn reject(&mut self, error: E) -> Refusal {
        match error.respond_to(self.request) {
            Ok(response) => Refusal::Answer(Answer::Response(Box::new(response))),
            Err(status) => Refusal::Error(status),
        }
    }
}

#[async_trait]
impl<'r, T, P> FromRequest<'r> for Secured<T, P>
where
    T: Send,
    P: for<'x> Parameter<'r, RocketRequest<'r, 'x>, T>,
{
    type Error = Refused;

    async fn from_request(request: &'r Request<'_>) -> request::Outcome<Self, Refused> {
        let kept = Kept::of(request);
        let mut cache = core::mem::take(&mut *locked(&kept.cache));
        if P::NUMBER == 0 {
            cache.begin();
        }
        let mut cx = RocketRequest { request, cache };
        let resolved = P::resolve(&mut cx).await;
        *locked(&kept.cache) = cx.cache;
        match resolved {
            Ok(value) => Outcome::Success(Self {
                value,
                parameter: PhantomData,
            }),
            Err(Refusal::Answer(answer)) if refuses(answer.status().code) => {
                Outcome::Error((keep(request, answer), Refused))
            }
            Err(Refusal::Error(status)) if refuses(status.code) => {
                Outcome::Error((status, Refused))
            }
            Err(Refusal::Answer(_) | Refusal::Error(_)) => {
                Outcome::Error((Status::InternalServerError, Refused))
            }
            Err(Refusal::Forward(status)) => Outcome::Forward(status),
        }
    }
}

#[async_trait]
impl<'r, S: Scheme> FromRequest<'r> for Security<S> {
    type Error = Rejection;

    async fn from_request(request: &'r Request<'_>) -> request::Outcome<Self, Rejection> {
        match authenticate::<S>(request) {
            Ok(found) => Outcome::Success(Self(found)),
            Err(rejection) => Outcome::Error((keep(request, Answer::Scheme(rejection)), rejection)),
        }
    }
}

#[async_trait]
impl<'r, T: OwnedForm> FromData<'r> for PasswordForm<T> {
    type Error = FormError;

    async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Self> {
        let form = match read(request, data, T::CONFIG.max_bytes).await {
            Ok(body) => T::decode(&body),
            Err(error) => Err(error),
        };
        data_outcome(request, form.map(Self))
    }
}

#[async_trait]
impl<'r, const MAX_BYTES: usize> FromData<'r> for FormBody<MAX_BYTES> {
    type Error = FormError;

    async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Self> {
        let body = read(request, data, MAX_BYTES).await;
        let body = body.map(Self::from_buffer);
        data_outcome(request, body)
    }
}

#[async_trait]
impl<'r> FromData<'r> for Client {
    type Error = TokenError;

    async fn from_data(request: &'r Request<'_>, data: Data<'r>) -> data::Outcome<'r, Self> {
        let found = match read_any(request, data, FormConfig::DEFAULT_MAX_BYTES).await {
            Ok(body) => {
                let lines = request.headers().get("authorization").map(str::as_bytes);
                ClientCredentials::decode_lines(lines, content_type(request), &body).map(Self)
            }
            Err(error) => Err(error.into()),
        };
        data_outcome(request, found)
    }
}

fn data_outcome<'r, T: FromData<'r, Error = E>, E: Clone + Into<HttpResponse<String>>>(
    request: &Request<'_>,
    found: Result<T, E>,
) -> data::Outcome<'r, T> {
    match found {
        Ok(found) => Outcome::Success(found),
        Err(error) => {
            let response = Box::new(respond(error.clone().into()));
            Outcome::Error((keep(request, Answer::Response(response)), error))
        }
    }
}

fn content_type<'r>(request: &'r Request<'_>) -> Option<&'r [u8]> {
    request.headers().get_one("content-type").map(str::as_bytes)
}

/// How many bytes of a body rocket reads before anyone else, in search of a form's `_method`.
const PEEKED: usize = "_method=delete".len();

/// Reads the body of a form up to a limit; one that announces more is not read at all.
async fn read(
    request: &Request<'_>,
    data: Data<'_>,
    max_bytes: usize,
) -> Result<Zeroizing<Vec<u8>>, FormError> {
    check_content_type(content_type(request))?;
    read_any(request, data, max_bytes).await
}

/// As [`read`], of any content type.
async fn read_any(
    request: &Request<'_>,
    data: Data<'_>,
    max_bytes: usize,
) -> Result<Zeroizing<Vec<u8>>, FormError> {
    let read = read_parts(request, data, max_bytes).await;
    trace::form_faults(&read);
    read
}

async fn read_parts(
    request: &Request<'_>,
    data: Data<'_>,
    max_bytes: usize,
) -> Result<Zeroizing<Vec<u8>>, FormError> {
    let announced = request.headers().get_one("content-length");
    let announced = announced.and_then(|length| length.parse().ok());
    if announced.is_some_and(|announced: usize| announced > max_bytes) {
        return Err(FormError::too_large());
    }
    // rocket drops an error in the bytes that it reads first. A body of fewer bytes, whose end it did not see there, had one.
    let has_ended = data.peek_complete();
    let mut stream = data.open(ByteUnit::from(max_bytes.saturating_add(1)));
    let mut body = Buffer::new(announced.unwrap_or(0), max_bytes);
    let mut chunk = Zeroizing::new([0; 1024]);
    loop {
        let read = stream.read(&mut *chunk).await;
        let read = read.map_err(|_| FormError::incomplete())?;
        match chunk.get(..read) {
            Some([]) | None => break,
            Some(bytes) => body.push(bytes)?,
        }
    }
    let body = body.into_bytes();
    if has_ended || body.len() >= PEEKED {
        Ok(body)
    } else {
        Err(FormError::incomplete())
    }
}

macro_rules! sentinels {
    ($([$($generics:tt)*] $guard:ty),*) => {$(
        /// A rocket with it does not launch without [`Tollgate`].
        impl<$($generics)*> Sentinel for $guard {
            fn abort(rocket: &Rocket<Ignite>) -> bool {
                let is_attached = rocket.state::<Attached>().is_some();
                if !is_attached {
                    rocket::error!("tollgate needs its fairing: `.attach(tollgate::rocket05::Tollgate)`");
                }
                !is_attached
            }
        }
    )*};
}

sentinels!(
    [T, P] Secured<T, P>,
    [S: Scheme] Security<S>,
    [T: OwnedForm] PasswordForm<T>,
    [const MAX_BYTES: usize] FormBody<MAX_BYTES>,
    [] Client
);

macro_rules! responders {
    ($($error:ty),*) => {$(
        impl<'r> Responder<'r, 'static> for $error {
            fn respond_to(self, _: &'r Request<'_>) -> response::Result<'static> {
                Ok(respond(self.into_http_response()))
            }
        }
    )*};
}

responders!(Rejection, FormError, BearerError, TokenError, TokenResponse);

/// The same response in rocket's types.
fn respond(response: HttpResponse<String>) -> Response<'static> {
    let (head, body) = response.into_parts();
    let mut response = Response::build();
    response.status(Status::new(head.status.as_u16()));
    for (name, value) in &head.headers {
        if let Ok(value) = value.to_str() {
            response.raw_header_adjoin(name.to_string(), value.to_owned());
        }
    }
    response
        .sized_body(body.len(), Cursor::new(body))
        .finalize()
}
