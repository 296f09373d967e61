use axum::response::{IntoResponse, Response};
use doorward::http::StatusCode;
use doorward::scheme::RefusedRequest;
use doorward::{ApiKey, BearerToken, api_key, http_bearer, one_of};

struct ApiError(StatusCode, &'static str);

impl From<RefusedRequest> for ApiError {
    fn from(refusal: RefusedRequest) -> Self {
        Self(refusal.status(), refusal.reason().as_str())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.0, self.1).into_response()
    }
}

#[http_bearer(error = ApiError)]
struct Token;

#[api_key(header = "x-api-key", error = ApiError)]
struct Key;

#[one_of(error = ApiError)]
enum Caller {
    #[security(Token)]
    User(BearerToken),
    #[security(Key)]
    Job(ApiKey),
}

#[tokio::test]
async fn a_request_without_a_credential_gets_both_challenges() {
    use doorward::axum08::{Router, routing::get};
    use tower::ServiceExt;

    #[doorward::secured]
    async fn items(#[security(Caller)] caller: Caller) -> String {
        match caller {
            Caller::User(token) => token.as_str().len().to_string(),
            Caller::Job(key) => key.as_str().len().to_string(),
        }
    }

    let request = http::Request::new(axum::body::Body::empty());
    let app: Router = Router::new().route("/", get(items));
    let refused = app.oneshot(request).await.unwrap();
    assert_eq!(refused.status(), 401);
    assert!(refused.headers().get_all("www-authenticate").iter().eq(["Bearer", "APIKey"]));
}
