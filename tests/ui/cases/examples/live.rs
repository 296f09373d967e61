//! Mistakes with `Live`, which asks again what a handler requires.

use doorward::live::Live;
use axum::Router;
use axum::routing::get;
use doorward::{BearerToken, dependency, http_bearer, public, secured};

#[http_bearer]
struct Api;

#[secured]
async fn twice(#[security(Api)] _token: BearerToken, _first: Live, _second: Live) {}

#[secured]
async fn without_a_requirement(_live: Live) {}

#[dependency]
fn in_a_dependency(#[security(Api)] token: BearerToken, live: Live) -> BearerToken {
    drop(live);
    token
}

#[public(reason = "anyone may watch")]
async fn public_handler(_live: Live) {}

#[secured]
async fn conditional(#[security(Api)] _token: BearerToken, #[cfg(all())] _live: Live) {}

/// Another type of this name, behind a path.
mod others {
    pub struct Live;

    impl<S: Sync> axum::extract::FromRequestParts<S> for Live {
        type Rejection = ();

        async fn from_request_parts(
            _: &mut axum::http::request::Parts,
            _: &S,
        ) -> Result<Self, ()> {
            Ok(Self)
        }
    }
}

#[secured]
async fn of_another_crate(#[security(Api)] _token: BearerToken, _live: others::Live) {}

fn main() {
    let _: Router = Router::new().route("/", get(of_another_crate));
}
