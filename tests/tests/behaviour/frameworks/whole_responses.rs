//! A refusal may be a whole response, with headers and a body that are made for the request. Every
//! framework sends it as it is.

use doorward::Dependency;
use doorward::adapter::{Cursor, LocalContext, LocalResolve, Resolve, SendContext};
use http::{Request, Response};

use super::each::each_framework;

/// A dependency that refuses every request with a nonce and a number of its own.
struct Whole;

impl Dependency for Whole {
    type Output = String;

    const NODE: &'static doorward::__rt::Node =
        &doorward::__rt::Function::new("Whole").fails().node(&[]);
}

impl<C: SendContext> Resolve<'_, C, String> for Whole {
    async fn resolve(cx: &mut C, _: Cursor) -> Result<String, C::Rejection> {
        Err(cx.respond(whole()))
    }
}

impl<C: LocalContext> LocalResolve<'_, C, String> for Whole {
    async fn resolve(cx: &mut C, _: Cursor) -> Result<String, C::Rejection> {
        Err(cx.respond(whole()))
    }
}

fn whole() -> Response<String> {
    let nonces = ["n-1".to_owned(), "n-2".to_owned()];
    let response = Response::builder().status(401);
    let response =
        nonces.iter().fold(response, |response, nonce| response.header("dpop-nonce", nonce));
    let response = response.header("content-type", "application/problem+json");
    response.body(format!(r#"{{"title":"{}"}}"#, nonces.len())).unwrap()
}

#[test]
fn on_each_framework() {
    for (framework, ask) in each_framework!(Whole) {
        let response = ask(Request::new(""));
        let found = (response.status().as_u16(), &**response.body());
        assert_eq!(found, (401, r#"{"title":"2"}"#), "{framework}");
        let nonces = response.headers().get_all("dpop-nonce").iter();
        assert!(nonces.eq(["n-1", "n-2"]), "{framework}: {response:?}");
        let content_type = &response.headers()["content-type"];
        assert_eq!(content_type, "application/problem+json", "{framework}");
    }
}
