//! A token with the request that brought it, as a dependency takes it on every framework.

use doorward::verify::{ClientCertificate, Presented, Verified, Verify, VerifyError};
use doorward::{BearerToken, Rejection, SecurityScopes, dependency, http_bearer};
use http::{Method, Request};

use super::frameworks::each::each_framework;

#[http_bearer]
struct Api;

/// Shows everything that was presented.
#[dependency]
async fn shown(#[security(Api)] presented: Presented) -> Result<String, Rejection> {
    let headers = presented.headers().unwrap();
    assert!(!headers.contains_key("authorization"));
    let certificate = presented.certificate().unwrap().as_der();
    Ok(format!(
        "{} {} {:?} {:?} {:?}",
        presented.token().as_str(),
        presented.method().unwrap(),
        presented.target().unwrap().path_and_query().unwrap().as_str(),
        headers["dpop"].to_str().unwrap(),
        std::str::from_utf8(certificate).unwrap(),
    ))
}

const SHOWN: &str = r#"t0k3n GET "/a%20b?c=d" "proof" "DER""#;

#[test]
fn on_each_framework() {
    for (framework, ask) in each_framework!(shown) {
        let request = Request::get("/a%20b?c=d")
            .header("authorization", "Bearer t0k3n")
            .header("DPoP", "proof")
            .extension(ClientCertificate::from_der(&b"DER"[..]));
        assert_eq!(ask(request.body("").unwrap()).body(), SHOWN, "{framework}");
    }
}

/// A verifier of tokens that are good for one host alone, which a bare token does not show.
struct OfHosts;

impl Verify for OfHosts {
    type Claims = ();

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<()>, VerifyError> {
        let token = token.into();
        let host = token.headers().and_then(|headers| headers.get("host"));
        let host = host.ok_or_else(VerifyError::misconfigured)?;
        if host.as_bytes() == token.token().as_str().as_bytes() {
            Verified::new((), []).require(scopes)
        } else {
            Err(VerifyError::invalid_token(scopes))
        }
    }
}

#[tokio::test]
async fn a_verifier_takes_a_token_alone_or_with_its_request() {
    let token = BearerToken::try_from("a.example").unwrap();
    let status = async |presented: Presented| {
        let verified = OfHosts.verify(presented, SecurityScopes::NONE).await;
        verified.map_or_else(|error| error.status().as_u16(), |_| 200)
    };
    assert_eq!(status((&token).into()).await, 500);
    let of_host = |host: &str| {
        let request = Request::delete("/").header("host", host).body(());
        Presented::of(token.clone(), request.unwrap().into_parts().0)
    };
    assert_eq!(status(of_host("b.example")).await, 401);
    let presented = of_host("a.example");
    assert_eq!(status((&presented).into()).await, 200);
    assert_eq!(presented.method(), Some(&Method::DELETE));
    assert!(presented.certificate().is_none());
}
