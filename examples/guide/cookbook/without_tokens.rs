use doorward::axum08::{Router, routing::get};
use doorward::verify::Verified;
use doorward::{dependency, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
struct Api;

#[dependency]
fn user(#[security(Api)] caller: Verified<Claims>) -> String {
    caller.sub.clone()
}

#[secured]
async fn items(#[security(user, scopes("items"))] user: String) -> String {
    format!("the items of {user}")
}

fn app() -> Router {
    Router::new().route("/items", get(items))
}

#[tokio::test]
async fn items_are_those_of_the_user() {
    use axum::{body::Body, http::Request};
    use doorward::testing::Overrides;
    use tower::ServiceExt;

    let overrides = Overrides::new().with::<user>(|| "johndoe".to_owned());
    let request = Request::get("/items").body(Body::empty()).unwrap();
    let answer = app().extension(overrides).oneshot(request).await.unwrap();
    assert_eq!(answer.status(), 200);
    // Or call the handler, which is a function.
    assert_eq!(items("johndoe".to_owned().into()).await, "the items of johndoe");
}
