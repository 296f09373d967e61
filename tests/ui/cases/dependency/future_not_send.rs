use std::future::ready;
use std::rc::Rc;

use tollgate::{BearerError, BearerToken, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency]
async fn user(#[security(OAuth2)] token: BearerToken) -> Result<u32, BearerError> {
    let kept = Rc::new(token);
    ready(()).await;
    Ok(kept.as_str().len() as u32)
}

fn main() {}
