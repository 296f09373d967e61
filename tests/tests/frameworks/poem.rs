//! poem 3.

use ::poem::test::TestClient;
use ::poem::web::Data;
use ::poem::{EndpointExt, Route, get, handler};
use tollgate::{Overrides, dependency, secured};

use crate::user;

/// Extractors may lend from the request.
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
    response
        .send()
        .await
        .assert_text("GET state john items me")
        .await;
    client
        .get("/")
        .send()
        .await
        .assert_status(poem::http::StatusCode::UNAUTHORIZED);

    let app = Route::new()
        .at("/", get(own))
        .data(Overrides::new().with::<stated>(|| "test".to_owned()));
    let response = TestClient::new(app).get("/").send().await;
    response.assert_text("GET test").await;
}
