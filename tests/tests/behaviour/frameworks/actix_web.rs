//! actix-web 4.

use std::cell::Cell;
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use ::actix_web::body::BoxBody;
use ::actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use ::actix_web::error::PayloadError;
use ::actix_web::middleware::{Next, from_fn};
use ::actix_web::rt::time::sleep;
use ::actix_web::test::{
    TestRequest, call_and_read_body, call_service, init_service, try_call_service,
};
use ::actix_web::{App, FromRequest, Handler, HttpMessage, HttpRequest, web};
use doorward::{BearerToken, Rejection, declared, dependency, secured};
use futures_util::future::{Either, FutureExt, join, select};
use futures_util::stream::Stream;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

use super::user;

/// Yields before it returns, so other extractors finish first.
#[dependency(local, cached)]
async fn slow(#[security(user)] user: String, runs: web::Data<AtomicUsize>) -> Rc<String> {
    actix_web::rt::task::yield_now().await;
    runs.fetch_add(1, Ordering::Relaxed);
    user.into()
}

/// The first secured parameter of a handler resolves all of them, in order.
#[secured(slow, scopes("items"))]
async fn handler(
    path: web::Path<u32>,
    #[security(slow, scopes("items"))] first: Rc<String>,
    query: web::Query<Vec<(String, String)>>,
    #[security(slow, scopes("me"))] second: Rc<String>,
) -> String {
    format!("{path} {first} {} {second}", query.len())
}

#[actix_web::test]
async fn parameters_are_resolved_in_order() {
    let runs = web::Data::from(Arc::new(AtomicUsize::new(0)));
    let app = App::new().app_data(runs.clone()).route("/{id}", web::get().to(handler));
    let app = init_service(app).await;
    let request = TestRequest::get().uri("/7?a=b").insert_header(("authorization", "Bearer john"));
    let body = call_and_read_body(&app, request.to_request()).await;
    assert_eq!(body, "7 john items 1 john me");
    // `slow` runs once for each set of scopes. The guard and the first parameter share one.
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}

#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A handler in a wrapper of the service's own, around the door.
#[derive(Clone)]
struct Wrapper<H>(H);

impl<H: Handler<Arguments>, Arguments: FromRequest> Handler<Arguments> for Wrapper<H> {
    type Output = H::Output;
    type Future = H::Future;

    fn call(&self, arguments: Arguments) -> H::Future {
        self.0.call(arguments)
    }
}

/// If a request woke its own task, actix-web would read from the connection once more.
#[actix_web::test]
async fn what_is_decided_at_once_wakes_nobody() {
    #[secured]
    async fn at_once(#[security(user)] user: String, body: String) -> String {
        user + &body
    }
    let app = App::new()
        .route("/", web::post().to(at_once))
        .route("/door", web::post().to(declared(at_once)))
        .route("/wrapped", web::post().to(Wrapper(declared(at_once))));
    let app = init_service(app).await;
    for path in ["/", "/door", "/wrapped"] {
        let bearer = ("authorization", "Bearer john");
        let request = TestRequest::post().uri(path).insert_header(bearer).set_payload("!");
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(woken.clone());
        let mut answer = pin!(call_service(&app, request.to_request()));
        let Poll::Ready(answer) = answer.as_mut().poll(&mut Context::from_waker(&waker)) else {
            panic!("{path} waits");
        };
        assert_eq!(answer.status(), 200);
        assert_eq!(woken.0.load(Ordering::Relaxed), 0, "{path}");
    }
}

#[actix_web::test]
async fn a_parameter_alone_is_an_error_and_does_not_wait() {
    type Second = doorward::Secured<Rc<String>, __secured_handler_2>;
    let request = TestRequest::get().to_http_request();
    let error = Second::extract(&request).await.err().unwrap();
    assert_eq!(error.as_response_error().status_code(), 500);
}

/// An extractor that keeps the request's extensions borrowed while it waits.
struct Holder;

impl FromRequest for Holder {
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Infallible>>>>;

    #[expect(clippy::await_holding_refcell_ref, reason = "a user's extractor may do it")]
    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let held = request.extensions();
            sleep(Duration::from_millis(20)).await;
            drop(held);
            Ok(Self)
        })
    }
}

#[::actix_web::test]
async fn an_extractor_may_hold_the_extensions() {
    #[secured]
    async fn own(
        _: Holder,
        #[security(slow)] first: Rc<String>,
        #[security(user)] second: String,
    ) -> String {
        format!("{first} {second}")
    }
    let app =
        App::new().app_data(web::Data::new(AtomicUsize::new(0))).route("/", web::get().to(own));
    let app = init_service(app).await;
    let request = TestRequest::get().insert_header(("authorization", "Bearer john"));
    let body = call_and_read_body(&app, request.to_request()).await;
    assert_eq!(body, "john  john ");
}

/// An extractor that tries to read the body and hides the failure.
struct Peek(Option<String>);

impl FromRequest for Peek {
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Infallible>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let text = String::from_request(request, payload);
        Box::pin(async move { Ok(Self(text.await.ok())) })
    }
}

/// An extractor that takes the payload, tries to read the body from it, puts back another payload
/// and hides the failure.
struct PutBack(Vec<u8>);

impl FromRequest for PutBack {
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Self::Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let mut own = payload.take();
        let read = web::Bytes::from_request(request, &mut own);
        *payload = Payload::from(web::Bytes::from_static(b"good"));
        Box::pin(async move { Ok(Self(read.await.map(Vec::from).unwrap_or_default())) })
    }
}

#[dependency(local)]
fn without_evil(body: PutBack) -> Result<(), Rejection> {
    match body.0.windows(4).any(|word| word == b"evil") {
        true => Err(Rejection::NOT_AUTHENTICATED),
        false => Ok(()),
    }
}

#[dependency]
fn peeked(peek: Peek) -> Result<String, Rejection> {
    Ok(peek.0.unwrap_or_default())
}

#[dependency]
fn method(method: ::actix_web::http::Method) -> Result<String, Rejection> {
    Ok(method.to_string())
}

#[::actix_web::test]
async fn a_dependency_does_not_read_the_body_and_leaves_it_to_the_handler() {
    #[secured(method)]
    async fn echo(body: String) -> String {
        body
    }
    #[secured(peeked)]
    async fn guarded_by_the_body(body: String) -> String {
        body
    }
    #[secured(without_evil)]
    async fn guarded_by_a_body_put_back(body: String) -> String {
        body
    }
    let app = App::new()
        .route("/echo", web::post().to(echo))
        .route("/put-back", web::post().to(guarded_by_a_body_put_back))
        .route("/peek", web::post().to(guarded_by_the_body));
    let app = init_service(app).await;
    let post = |path| TestRequest::post().uri(path).set_payload("transfer=1").to_request();
    assert_eq!(call_and_read_body(&app, post("/echo")).await, "transfer=1");
    for path in ["/peek", "/put-back"] {
        let refused = call_service(&app, post(path)).await;
        assert_eq!(refused.status(), 500, "{path}");
    }
}

/// A value that owns the request. `_life` counts the values that are still alive.
struct Owner {
    _request: HttpRequest,
    _life: Rc<()>,
}

#[dependency(local)]
fn owner(request: HttpRequest, life: web::Data<Life>) -> Result<Owner, Rejection> {
    Ok(Owner { _request: request, _life: life.0.clone() })
}

#[dependency(local, cached)]
fn kept(request: HttpRequest, life: web::Data<Life>) -> Result<Rc<Owner>, Rejection> {
    owner(request, life).map(Rc::new)
}

struct Life(Rc<()>);

/// An extractor that fails after a delay.
struct Failing;

impl FromRequest for Failing {
    type Error = ::actix_web::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Self::Error>>>>;

    fn from_request(_: &HttpRequest, _: &mut Payload) -> Self::Future {
        Box::pin(async {
            sleep(Duration::from_millis(1)).await;
            Err(::actix_web::error::ErrorImATeapot(""))
        })
    }
}

#[::actix_web::test]
async fn a_value_that_owns_the_request_ends_with_it() {
    #[secured(kept)]
    async fn failing(
        #[security(owner)] _first: Owner,
        _: Failing,
        #[security(kept)] _second: Rc<Owner>,
    ) -> &'static str {
        "failing"
    }
    #[secured(kept)]
    async fn whole(
        #[security(owner)] _first: Owner,
        #[security(kept)] _second: Rc<Owner>,
    ) -> &'static str {
        "whole"
    }
    let life = Rc::new(());
    let app = App::new()
        .app_data(web::Data::new(Life(life.clone())))
        .route("/failing", web::get().to(failing))
        .route("/whole", web::get().to(whole));
    let app = init_service(app).await;
    let before = Rc::strong_count(&life);
    for (path, status) in [("/failing", 418), ("/whole", 200)] {
        for _ in 0..10 {
            let request = TestRequest::get().uri(path).to_request();
            assert_eq!(call_service(&app, request).await.status(), status);
        }
    }
    assert_eq!(Rc::strong_count(&life), before);
}

/// An attribute below `#[secured]` belongs to this crate only if it is written with the same path,
/// or as `#[doorward::secured]`.
#[::actix_web::test]
async fn an_attribute_of_the_same_name_is_left_to_its_crate() {
    use ::actix_web::get as secured;

    #[doorward::secured(user)]
    #[secured("/own")]
    async fn own() -> &'static str {
        "own"
    }

    let app = init_service(App::new().service(own)).await;
    let request = || TestRequest::get().uri("/own");
    let refused = call_service(&app, request().to_request()).await;
    assert_eq!(refused.status(), 401);
    let request = request().insert_header(("authorization", "Bearer john"));
    assert_eq!(call_and_read_body(&app, request.to_request()).await, "own");
}

/// A guard around a scope of routes is a secured middleware function.
#[secured(user, scopes("items"))]
async fn guard(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, ::actix_web::Error> {
    next.call(request).await
}

#[actix_web::test]
async fn a_middleware_function_guards_a_scope() {
    let items = web::scope("/items")
        .wrap(from_fn(guard))
        .route("/1", web::get().to(|| async { "the item" }));
    let open = web::resource("/open").to(|| async { "open" });
    let app = init_service(App::new().service(items).service(open)).await;
    let statuses = [("/items/1", ""), ("/items/1", "Bearer john"), ("/open", "")];
    for ((path, line), expected) in statuses.into_iter().zip([401, 200, 200]) {
        let request = TestRequest::get().uri(path).insert_header(("authorization", line));
        let status = match try_call_service(&app, request.to_request()).await {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        assert_eq!(status, expected, "{path}");
    }
}

/// The response inside such an error can be taken only once.
fn conflict() -> ::actix_web::Error {
    let response = ::actix_web::HttpResponse::Conflict().body("taken once");
    ::actix_web::error::InternalError::from_response("", response).into()
}

#[dependency(local)]
async fn numbered(id: web::Path<u32>) -> u32 {
    *id
}

#[dependency(local)]
async fn refusing() -> Result<u32, ::actix_web::Error> {
    Err(conflict())
}

#[secured]
async fn below_an_extractor(#[security(numbered)] id: u32) -> String {
    id.to_string()
}

#[secured]
async fn below_an_error(#[security(refusing)] id: u32) -> String {
    id.to_string()
}

#[actix_web::test]
async fn a_response_that_can_be_taken_once_is_sent() {
    let app = App::new()
        .app_data(web::PathConfig::default().error_handler(|_, _| conflict()))
        .route("/a/{id}", web::get().to(below_an_extractor))
        .route("/b", web::get().to(below_an_error));
    let app = init_service(app).await;
    for uri in ["/a/x", "/b"] {
        let request = TestRequest::get().uri(uri).to_request();
        let response = call_service(&app, request).await;
        assert_eq!(response.status().as_u16(), 409, "{uri}");
        let body = ::actix_web::test::read_body(response).await;
        assert_eq!(body, "taken once", "{uri}");
    }
}

/// A body that records that it was read, and never ends.
#[derive(Clone, Default)]
struct Endless(Rc<Cell<bool>>);

impl Stream for Endless {
    type Item = Result<web::Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.set(true);
        Poll::Pending
    }
}

impl Endless {
    fn payload(&self) -> Payload {
        Payload::Stream { payload: Box::pin(self.clone()) }
    }
}

/// Waits for the test, and then refuses every caller.
#[dependency(local)]
async fn closed(gate: web::Data<Notify>) -> Result<Rc<String>, Rejection> {
    gate.notified().await;
    Err(Rejection::NOT_AUTHENTICATED)
}

#[secured]
async fn two(
    #[security(closed)] _first: Rc<String>,
    #[security(user)] _second: String,
) -> &'static str {
    "in"
}

type First = doorward::Secured<Rc<String>, __secured_two_0>;
type Second = doorward::Secured<String, __secured_two_1>;

fn gated() -> (HttpRequest, web::Data<Notify>) {
    let gate = web::Data::new(Notify::new());
    let request = TestRequest::post().app_data(gate.clone()).to_http_request();
    (request, gate)
}

fn status<T>(extracted: Result<T, ::actix_web::Error>) -> u16 {
    let refusal = extracted.err().unwrap();
    refusal.error_response().status().as_u16()
}

#[actix_web::test]
async fn joined_parameters_are_all_refused() {
    let (request, gate) = gated();
    let joined = join(First::extract(&request), Second::extract(&request));
    let opened = async {
        ::actix_web::rt::task::yield_now().await;
        gate.notify_one();
    };
    let ((first, second), ()) = join(joined, opened).await;
    assert_eq!((status(first), status(second)), (401, 403));
}

#[actix_web::test]
async fn a_parameter_that_is_polled_alone_resolves_those_before_it() {
    let (request, gate) = gated();
    let first = First::extract(&request);
    gate.notify_one();
    // The refusal is the first one's, as a whole, for the first who asks.
    let refusal = Second::extract(&request).await.err().unwrap().error_response();
    assert_eq!(refusal.headers().get("www-authenticate").unwrap(), "Bearer");
    assert_eq!(status(first.await), 403);
}

#[actix_web::test]
async fn a_parameter_outlives_those_before_it() {
    let (request, gate) = gated();
    let (first, second) = (First::extract(&request), Second::extract(&request));
    // It waits for the gate, and is then dropped.
    assert!(first.now_or_never().is_none());
    gate.notify_one();
    assert_eq!(status(second.await), 401);
}

#[actix_web::test]
async fn selected_parameters_are_all_refused() {
    let (request, gate) = gated();
    let selected = select(First::extract(&request), Second::extract(&request));
    let opened = async {
        ::actix_web::rt::task::yield_now().await;
        gate.notify_one();
    };
    let (selected, ()) = join(selected, opened).await;
    let Either::Left((first, second)) = selected else { panic!("the second was first") };
    assert_eq!((status(first), status(second.await)), (401, 403));
}

#[actix_web::test]
async fn the_body_waits_for_the_parameters() {
    let (request, gate) = gated();
    let body = Endless::default();
    let mut payload = body.payload();
    let first = First::from_request(&request, &mut payload);
    let text = web::Bytes::from_request(&request, &mut payload);
    let mut both = Box::pin(join(first, text));
    assert!((&mut both).now_or_never().is_none());
    gate.notify_one();
    let (first, text) = both.await;
    assert_eq!((status(first), status(text)), (401, 400));
    assert!(!body.0.get());
}

/// The handler may go on without such a value, so the body is still there.
#[derive(Clone)]
struct Maybe;

#[dependency(extract)]
async fn maybe(#[security(super::OAuth2)] _token: BearerToken) -> Result<Maybe, Rejection> {
    ::actix_web::rt::task::yield_now().await;
    Ok(Maybe)
}

#[actix_web::test]
async fn an_optional_value_leaves_the_body() {
    async fn echo(found: Option<Maybe>, body: String) -> String {
        format!("{} {body}", found.is_some())
    }
    let app = App::new().route("/", web::post().to(echo));
    let app = init_service(app).await;
    for (line, expected) in [("", "false text"), ("Bearer john", "true text")] {
        let request = TestRequest::post().insert_header(("authorization", line));
        let body = call_and_read_body(&app, request.set_payload("text").to_request()).await;
        assert_eq!(body, expected);
    }
}

/// At the door, the plan comes first wherever its parameters are.
#[actix_web::test]
async fn a_declared_handler_is_checked_before_every_other_extractor() {
    #[secured]
    async fn last(
        _: web::Path<u32>,
        _: web::Json<u32>,
        #[security(slow)] caller: Rc<String>,
    ) -> String {
        caller.to_string()
    }
    let runs = web::Data::new(AtomicUsize::new(0));
    let app = App::new().app_data(runs).route("/{id}", web::post().to(declared(last)));
    let app = init_service(app).await;
    for (line, id, body, expected) in [
        ("", "x", "{", 401),
        ("", "1", "{", 401),
        ("", "1", "1", 401),
        ("Bearer john", "x", "1", 404),
        ("Bearer john", "1", "{", 400),
        ("Bearer john", "1", "1", 200),
    ] {
        let request = TestRequest::post().uri(&format!("/{id}"));
        let request = request.insert_header(("authorization", line));
        let request = request.insert_header(("content-type", "application/json"));
        let response = call_service(&app, request.set_payload(body).to_request()).await;
        assert_eq!(response.status().as_u16(), expected, "{line} {id} {body}");
    }
}
