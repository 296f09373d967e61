//! Client credentials: where they are found, and the errors that the token endpoint returns.

use doorward::secrecy::ExposeSecret;
use doorward::token_endpoint::{Client, read_client};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Response};

use super::asking::form_headers;

/// The values below encode `web:hunter2`, `web:` and `:`.
const WEB: &str = "Basic d2ViOmh1bnRlcjI=";
const WEB_WITHOUT_SECRET: &str = "Basic d2ViOg==";
const NEITHER: &str = "Basic Og==";

/// Returns the credentials that are found: `id secret`, or `id` without a secret. Returns an empty
/// string if there are no credentials, and the code and description if there is an error.
fn found(authorization: &[&'static str], body: &str) -> String {
    let mut headers = form_headers();
    for line in authorization {
        headers.append(AUTHORIZATION, HeaderValue::from_static(line));
    }
    match Client::decode_request(&headers, body.as_bytes()) {
        Ok(Some(client)) => match client.client_secret() {
            Some(secret) => format!("{} {}", client.client_id(), secret.expose_secret()),
            None => client.client_id().to_owned(),
        },
        Ok(None) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_header_comes_first_and_the_form_otherwise() {
    assert_eq!(found(&[WEB], ""), "web hunter2");
    assert_eq!(found(&[], "client_id=web&client_secret=a%26b"), "web a&b");
    assert_eq!(found(&[], "client_id=web"), "web");
    assert_eq!(found(&[], "username=u&client_id=&client_secret="), "");
    assert_eq!(found(&["Bearer x"], "client_id=web"), "web");
    assert_eq!(found(&[NEITHER], "client_id=web&client_secret=a"), "web a");
    // An empty secret counts as absent, so the form may have one.
    assert_eq!(found(&[WEB_WITHOUT_SECRET], ""), "web");
    assert_eq!(found(&[WEB_WITHOUT_SECRET], "client_secret="), "web");
    assert_eq!(found(&[WEB_WITHOUT_SECRET], "client_secret=a"), "web a");
    assert_eq!(found(&[WEB], "client_id=web"), "web hunter2");
}

#[test]
fn what_contradicts_itself_is_an_invalid_request() {
    for (authorization, body, description) in [
        (&[WEB][..], "client_secret=hunter2", "the client has two secrets"),
        (&[WEB], "client_id=other", "the client has two identifiers"),
        (&[], "client_secret=a", "`client_id` is missing"),
        (&[], "client_id=a%00", "a client's credentials are visible ASCII and spaces"),
        (
            &[],
            "client_id=a&client_secret=b%0d%0a",
            "a client's credentials are visible ASCII and spaces",
        ),
        (&[WEB], "client_id=w%C3%A9b", "a client's credentials are visible ASCII and spaces"),
        (&["Basic x"], "client_id=web", "the Authorization header is malformed"),
        (&[WEB, WEB], "", "the Authorization header is sent more than once"),
        (&[], "client_id=a&client_id=a", "`client_id` is sent more than once"),
        (
            &[],
            "client_id=%ff&client_secret=%ff",
            "`client_id` is not UTF-8; `client_secret` is not UTF-8",
        ),
    ] {
        assert_eq!(found(authorization, body), format!("invalid_request: {description}"));
    }
}

#[test]
fn a_body_has_to_be_a_form_where_there_is_one() {
    let headers = HeaderMap::new();
    assert!(Client::decode_request(&headers, b"").unwrap().is_none());
    let error = Client::decode_request(&headers, b"client_id=web").unwrap_err();
    assert_eq!((error.status().as_u16(), error.code()), (400, "invalid_request"));
}

#[test]
fn a_client_is_refused_where_it_gave_its_credentials() {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_static(WEB));
    let in_header = Client::find(&headers, None, None).unwrap().unwrap();
    let response: Response<String> = in_header.invalid_client().into();
    assert_eq!(response.status(), 401);
    assert_eq!(response.headers()["www-authenticate"], r#"Basic realm="token", charset="UTF-8""#);

    let in_form = Client::find(&HeaderMap::new(), Some("web"), None).unwrap().unwrap();
    let response: Response<String> = in_form.invalid_client().into();
    assert_eq!(response.status(), 400);
    assert!(response.headers().get("www-authenticate").is_none());
    assert_eq!(
        response.body(),
        r#"{"error":"invalid_client","error_description":"client authentication failed"}"#
    );
}

#[tokio::test]
async fn a_client_is_read_from_header_and_body() {
    let mut headers = HeaderMap::new();
    let body = |body: &'static str| http_body_util::Full::new(body.as_bytes());
    assert!(read_client(&headers, body("")).await.unwrap().is_none());
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    let of_form = read_client(&headers, body("client_id=app")).await;
    assert_eq!(of_form.unwrap().unwrap().client_id(), "app");

    let long: &'static str = format!("client_id=app&x={}", "x".repeat(64 * 1024)).leak();
    let refused = read_client(&headers, body(long)).await.unwrap_err();
    assert_eq!(refused.status(), 413);

    headers.insert(AUTHORIZATION, HeaderValue::from_static("Basic d2ViOmh1bnRlcjI="));
    let of_header = read_client(&headers, body("grant_type=password")).await;
    let client = of_header.unwrap().unwrap();
    assert_eq!(client.client_id(), "web");
    assert!(client.secret_eq("hunter2"));
}
