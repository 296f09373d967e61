use std::rc::Rc;
use std::sync::Arc;

use tollgate::{BearerToken, Rejection, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

type Verdict = Result<(), Rejection>;

#[dependency]
fn boxed(#[security(OAuth2)] _token: BearerToken) -> Box<Verdict> {
    Box::new(Err(Rejection::NOT_AUTHENTICATED))
}

#[dependency(local)]
fn counted(#[security(OAuth2)] _token: BearerToken) -> Rc<bool> {
    Rc::new(false)
}

#[dependency]
fn shared(#[security(OAuth2)] _token: BearerToken) -> Result<Arc<Option<()>>, Rejection> {
    Ok(Arc::new(None))
}

#[dependency]
fn tuple(#[security(OAuth2)] _token: BearerToken) -> (Verdict,) {
    (Err(Rejection::NOT_AUTHENTICATED),)
}

#[dependency]
fn borrowed(#[security(OAuth2)] _token: BearerToken) -> &'static (Box<bool>,) {
    Box::leak(Box::new((Box::new(false),)))
}

#[dependency]
fn function(#[security(OAuth2)] _token: BearerToken) -> fn() -> Verdict {
    || Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency]
fn closure(#[security(OAuth2)] _token: BearerToken) -> Box<dyn Fn() -> Verdict + Send + Sync> {
    Box::new(|| Err(Rejection::NOT_AUTHENTICATED))
}

#[dependency]
fn later(#[security(OAuth2)] _token: BearerToken) -> Arc<dyn Future<Output = ()> + Send + Sync> {
    Arc::new(async {})
}

#[secured(boxed)]
#[secured(counted)]
#[secured(shared)]
#[secured(tuple)]
#[secured(borrowed)]
#[secured(function)]
#[secured(closure)]
#[secured(later)]
async fn handler() {}

fn main() {}
