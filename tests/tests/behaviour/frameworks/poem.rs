//! poem 3.

use ::poem::test::TestClient;
use ::poem::web::Data;
use ::poem::{EndpointExt, FromRequest, Request, RequestBody, Route, get, handler, post};
use doorward::testing::Overrides;
use doorward::{Rejection, dependency, secured};

use super::user;

/// Takes an extractor that borrows from the request.
#[dependency]
async fn stated(#[security(user, scopes("me"))] user: String, state: Data<&String>) -> String {
    format!("{} {user}", state.0)
}

#[secured]
#[handler]
async fn own(
    #[security(stated, scopes("items"))] user: String,
    method: poem::http::Method,
) -> String {
    format!("{method} {user}")
}

#[tokio::test]
async fn extractors_may_lend_from_the_request() {
    let app = Route::new().at("/", get(own)).data("state".to_owned());
    let client = TestClient::new(app);
    let response = client.get("/").header("authorization", "Bearer john");
    response.send().await.assert_text("GET state john items me").await;
    client.get("/").send().await.assert_status(poem::http::StatusCode::UNAUTHORIZED);

    let app =
        Route::new().at("/", get(own)).data(Overrides::new().with::<stated>(|| "test".to_owned()));
    let response = TestClient::new(app).get("/").send().await;
    response.assert_text("GET test").await;
}

/// An extractor that tries to read the body, puts back the bytes that it has read, and hides the
/// failure.
struct PutBack(Vec<u8>);

impl<'r> FromRequest<'r> for PutBack {
    async fn from_request(_: &'r Request, body: &mut RequestBody) -> poem::Result<Self> {
        let read = body.take()?.into_vec().await.unwrap_or_default();
        *body = RequestBody::new(poem::Body::from(read.clone()));
        Ok(Self(read))
    }
}

#[dependency]
fn without_evil(body: PutBack) -> Result<(), Rejection> {
    match body.0.windows(4).any(|word| word == b"evil") {
        true => Err(Rejection::NOT_AUTHENTICATED),
        false => Ok(()),
    }
}

#[secured(without_evil)]
#[handler]
async fn guarded_by_a_body_put_back(body: String) -> String {
    body
}

/// An extractor that tries to read the body and hides the failure.
struct Peek(Option<String>);

impl<'r> FromRequest<'r> for Peek {
    async fn from_request(request: &'r Request, body: &mut RequestBody) -> poem::Result<Self> {
        Ok(Self(String::from_request(request, body).await.ok()))
    }
}

#[dependency]
fn peeked(peek: Peek) -> Result<String, Rejection> {
    Ok(peek.0.unwrap_or_default())
}

#[dependency]
fn method(method: poem::http::Method) -> Result<String, Rejection> {
    Ok(method.to_string())
}

#[secured(method)]
#[handler]
async fn echo(body: String) -> String {
    body
}

#[secured(peeked)]
#[handler]
async fn guarded_by_the_body(body: String) -> String {
    body
}

#[tokio::test]
async fn a_dependency_does_not_read_the_body_and_leaves_it_to_the_handler() {
    let app = Route::new()
        .at("/echo", post(echo))
        .at("/put-back", post(guarded_by_a_body_put_back))
        .at("/peek", post(guarded_by_the_body));
    let client = TestClient::new(app);
    let response = client.post("/echo").body("transfer=1").send().await;
    response.assert_text("transfer=1").await;
    for path in ["/peek", "/put-back"] {
        let response = client.post(path).body("evil=1").send().await;
        response.assert_status(poem::http::StatusCode::INTERNAL_SERVER_ERROR);
    }
}
