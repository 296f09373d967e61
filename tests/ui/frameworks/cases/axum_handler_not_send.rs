use std::future::ready;
use std::rc::Rc;

use tollgate::{BearerToken, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[secured]
#[axum::debug_handler]
async fn handler(#[security(OAuth2)] token: BearerToken) {
    let kept = Rc::new(token);
    ready(()).await;
    drop(kept);
}

fn main() {}
