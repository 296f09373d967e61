//! warp 0.4.

use ::warp::filters::BoxedFilter;
use ::warp::reply::{Reply, Response};
use ::warp::test::request;
use ::warp::{Filter, path};
use doorward::plan;
use doorward::warp04::{recover, security, security_result};

use super::user;

fn own() -> BoxedFilter<(String,)> {
    path!("own").and(security(plan!(user, scopes("me")))).boxed()
}

async fn answer<F>(routes: F) -> (u16, String)
where
    F: Filter<Extract: Reply + Send, Error: Into<::warp::Rejection>> + 'static,
{
    let response = request().path("/own").reply(&routes).await;
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    (response.status().as_u16(), body)
}

/// warp tries the filter in `.or(…)` after a rejection of any kind.
#[tokio::test]
async fn a_refusal_ends_at_the_branch_that_recovers_it() {
    let fallback = path("own").map(|| "fallback");
    let refused = (401, r#"{"detail":"Not authenticated"}"#.to_owned());
    assert_eq!(answer(own().recover(recover).or(fallback)).await, refused);
    assert_eq!(answer(own().or(fallback).recover(recover)).await, (200, "fallback".to_owned()));
}

#[tokio::test]
async fn a_handler_answers_a_refusal_itself() {
    let routes = path!("own").and(security_result(plan!(user, scopes("me")))).map(
        |found: Result<String, http::Response<String>>| -> Response {
            match found {
                Ok(user) => user.into_response(),
                Err(refusal) if refusal.headers().contains_key("www-authenticate") => {
                    format!("refused with {}", refusal.status()).into_response()
                }
                Err(refusal) => refusal.into_response(),
            }
        },
    );
    assert_eq!(answer(routes.clone()).await, (200, "refused with 401 Unauthorized".to_owned()));
    let response =
        request().path("/own").header("authorization", "Bearer john").reply(&routes).await;
    assert_eq!(response.body(), "john me");
}
