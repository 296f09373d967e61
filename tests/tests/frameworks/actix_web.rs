//! actix-web 4.

use ::actix_web::test::{TestRequest, call_and_read_body, init_service};
use ::actix_web::{App, FromRequest, web};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tollgate::{Overrides, dependency, secured};

use crate::user;

/// Waits before it answers, so that extractors beside it come first.
#[dependency(local, cached)]
async fn slow(#[security(user)] user: String, runs: web::Data<AtomicUsize>) -> std::rc::Rc<String> {
    actix_web::rt::task::yield_now().await;
    runs.fetch_add(1, Ordering::Relaxed);
    user.into()
}

/// The first parameter of a handler resolves for all of them, in order.
#[secured(slow, scopes("items"))]
async fn handler(
    path: web::Path<u32>,
    #[security(slow, scopes("items"))] first: std::rc::Rc<String>,
    query: web::Query<Vec<(String, String)>>,
    #[security(slow, scopes("me"))] second: std::rc::Rc<String>,
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
    type Second = tollgate::Secured<std::rc::Rc<String>, __plan_handler_2>;
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
