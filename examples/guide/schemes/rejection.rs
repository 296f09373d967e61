use doorward::http::StatusCode;
use doorward::{Rejection, http_bearer};

/// Tells clients without a token that the resource does not exist.
#[http_bearer(rejection = Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found"))]
struct Hidden;

#[test]
fn a_request_without_a_token_gets_the_rejection() {
    use doorward::Scheme;

    let refused = Hidden::authenticate(&http::HeaderMap::new()).unwrap_err();
    assert_eq!(refused.status(), StatusCode::NOT_FOUND);
}
