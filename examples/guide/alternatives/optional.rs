use doorward::verify::Verified;
use doorward::{http_bearer, one_of, secured};

#[http_bearer(verified = Claims)]
struct Api;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[one_of]
enum Visitor {
    #[security(Api)]
    User(Verified<Claims>),
    Anonymous,
}

#[secured]
async fn greet(#[security(Visitor)] visitor: Visitor) -> String {
    match visitor {
        Visitor::User(user) => format!("Hello {}", user.sub),
        Visitor::Anonymous => "Hello".to_owned(),
    }
}

#[tokio::test]
async fn a_request_without_a_token_is_anonymous() {
    use doorward::axum08::{Router, routing::get};
    use tower::ServiceExt;

    let app: Router = Router::new().route("/", get(greet));
    let ask = |builder: http::request::Builder| {
        app.clone().oneshot(builder.body(axum::body::Body::empty()).unwrap())
    };
    assert_eq!(ask(http::Request::builder()).await.unwrap().status(), 200);
    let wrong = http::Request::builder().header("authorization", "Bearer ");
    assert_eq!(ask(wrong).await.unwrap().status(), 401);
}
