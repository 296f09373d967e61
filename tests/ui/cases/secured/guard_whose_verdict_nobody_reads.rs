use std::ops::ControlFlow;
use std::pin::Pin;
use std::task::Poll;

use tollgate::{BearerToken, Rejection, dependency, layer, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

type Verdict = bool;
type Later = Pin<Box<dyn Future<Output = Result<(), Rejection>> + Send>>;

#[dependency]
async fn is_admin(#[security(OAuth2)] _token: BearerToken) -> bool {
    false
}

#[dependency]
async fn alias(#[security(OAuth2)] _token: BearerToken) -> Verdict {
    false
}

#[dependency]
async fn in_a_result(#[security(OAuth2)] _token: BearerToken) -> Result<bool, Rejection> {
    Ok(false)
}

#[dependency]
async fn found(#[security(OAuth2)] _token: BearerToken) -> Option<()> {
    None
}

#[dependency]
async fn flow(#[security(OAuth2)] _token: BearerToken) -> ControlFlow<Rejection> {
    ControlFlow::Break(Rejection::NOT_AUTHENTICATED)
}

#[dependency]
async fn poll(#[security(OAuth2)] _token: BearerToken) -> Poll<()> {
    Poll::Pending
}

#[dependency]
fn later(#[security(OAuth2)] _token: BearerToken) -> Later {
    Box::pin(async { Err(Rejection::NOT_AUTHENTICATED) })
}

#[dependency]
fn boxed(#[security(OAuth2)] _token: BearerToken) -> Box<dyn Future<Output = ()> + Send> {
    Box::new(async {})
}

#[secured(is_admin)]
#[secured(alias)]
#[secured(in_a_result)]
async fn several() {}

#[secured(found)]
async fn of_an_option() {}

#[secured(flow)]
async fn of_a_flow() {}

#[secured(poll)]
async fn of_a_poll() {}

#[secured(later)]
async fn of_a_pinned_future() {}

#[secured(boxed)]
async fn of_a_boxed_future() {}

fn main() {
    let _ = layer!(is_admin);
}
