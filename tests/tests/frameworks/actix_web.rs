//! actix-web 4.

use std::convert::Infallible;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use ::actix_web::dev::Payload;
use ::actix_web::rt::time::sleep;
use ::actix_web::test::{TestRequest, call_and_read_body, init_service};
use ::actix_web::{App, FromRequest, HttpMessage, HttpRequest, web};
use std::sync::atomic::{AtomicUsize, Ordering};
use tollgate::{Overrides, dependency, secured};

use crate::user;

/// Waits before it answers, so that extractors beside it come first.
#[dependency(local, cached)]
async fn slow(#[security(user)] user: String, runs: web::Data<AtomicUsize>) -> Rc<String> {
    actix_web::rt::task::yield_now().await;
    runs.fetch_add(1, Ordering::Relaxed);
    user.into()
}

/// The first parameter of a handler resolves for all of them, in order.
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
    let app = App::new()
        .app_data(runs.clone())
        .route("/{id}", web::get().to(handler));
    let app = init_service(app).await;
    let request = TestRequest::get()
        .uri("/7?a=b")
        .insert_header(("authorization", "Bearer john"));
    let body = call_and_read_body(&app, request.to_request()).await;
    assert_eq!(body, "7 john items 1 john me");
    // Once for each set of scopes: the guard and the first parameter share one.
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}

#[actix_web::test]
async fn a_parameter_alone_is_an_error_and_does_not_wait() {
    type Second = tollgate::Secured<Rc<String>, __secured_handler_2>;
    let request = TestRequest::get().to_http_request();
    let error = Second::extract(&request).await.err().unwrap();
    assert_eq!(error.as_response_error().status_code(), 500);
}

#[actix_web::test]
async fn a_test_overrides_a_dependency() {
    #[secured]
    async fn own(#[security(user)] user: String) -> String {
        user
    }
    let app = App::new()
        .app_data(Overrides::new().with::<user>(|| "test".to_owned()))
        .route("/", web::get().to(own));
    let app = init_service(app).await;
    let body = call_and_read_body(&app, TestRequest::get().to_request()).await;
    assert_eq!(body, "test");
}

/// An extractor that holds the request's extensions while it waits.
struct Holder;

impl FromRequest for Holder {
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Infallible>>>>;

    #[expect(
        clippy::await_holding_refcell_ref,
        reason = "a user's extractor may do it"
    )]
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
    let app = App::new()
        .app_data(web::Data::new(AtomicUsize::new(0)))
        .route("/", web::get().to(own));
    let app = init_service(app).await;
    let request = TestRequest::get().insert_header(("authorization", "Bearer john"));
    let body = call_and_read_body(&app, request.to_request()).await;
    assert_eq!(body, "john  john ");
}
