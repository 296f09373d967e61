//! The recipes of the cookbook, each with a test of what it answers.

#[path = "../../guide/cookbook/admin_or_owner.rs"]
mod admin_or_owner;
#[path = "../../guide/cookbook/authzen.rs"]
mod authzen;
#[path = "../../guide/cookbook/buttons.rs"]
mod buttons;
#[path = "../../guide/cookbook/cookies_to_tokens.rs"]
mod cookies_to_tokens;
#[path = "../../guide/cookbook/exchange.rs"]
mod exchange;
#[path = "../../guide/cookbook/forward.rs"]
mod forward;
#[path = "../../guide/cookbook/gateway.rs"]
mod gateway;
#[path = "../../guide/cookbook/issuer_of_this_machine.rs"]
mod issuer_of_this_machine;
#[path = "../../guide/cookbook/logout.rs"]
mod logout;
#[path = "../../guide/cookbook/one_client.rs"]
mod one_client;
#[path = "../../guide/cookbook/rotate.rs"]
mod rotate;
#[path = "../../guide/cookbook/step_up.rs"]
mod step_up;
#[path = "../../guide/cookbook/swagger_ui.rs"]
mod swagger_ui;
#[path = "../../guide/cookbook/tenant.rs"]
mod tenant;
#[path = "../../guide/cookbook/two_issuers.rs"]
mod two_issuers;
#[path = "../../guide/cookbook/upload.rs"]
mod upload;
#[path = "../../guide/cookbook/webhook.rs"]
mod webhook;
#[path = "../../guide/cookbook/who_was_refused.rs"]
mod who_was_refused;
#[path = "../../guide/cookbook/without_tokens.rs"]
mod without_tokens;
#[path = "../../guide/cookbook/wrong_passwords.rs"]
mod wrong_passwords;

use axum::body::{Body, to_bytes};
use doorward::BearerToken;
use doorward::axum08::Router;
use doorward::http::Request;
use tokio::net::TcpListener;
use tower::ServiceExt;

/// Creates a request with a token.
fn bearer(path: &str, token: &BearerToken) -> Request<Body> {
    let line = format!("Bearer {}", token.as_str());
    Request::get(path).header("authorization", line).body(Body::empty()).unwrap()
}

/// Returns the status and the body of an answer.
async fn answer(app: &Router, request: Request<Body>) -> (u16, String) {
    let answer = app.clone().oneshot(request).await.unwrap();
    let status = answer.status().as_u16();
    let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// Serves an app on a free port, and returns its URL.
async fn served(app: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, app).await });
    url
}
