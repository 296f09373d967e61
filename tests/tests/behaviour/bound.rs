//! Tokens that are bound to a key of the client, on every framework.

use std::sync::LazyLock;

use ::axum::body::Body;
use ::axum::routing::get;
use ::axum::{Extension, Router};
use ::poem::EndpointExt as _;
use doorward::jwt::TokenVerifier;
use doorward::live::Live;
use doorward::openapi::Operation;
use doorward::testing::{TestAuthority, TestKey, TestToken};
use doorward::verify::{KeyBound, Presented, Verified};
use doorward::{BearerToken, Scheme, Shared, dependency, http_bearer, layer, operation, secured};
use http::{Request, Response, Uri};
use serde_json::{Value, json};

use super::frameworks::each::{self, each_framework};
use super::jwt::with_signature_of;
use crate::asking;

pub(crate) type Tokens = KeyBound<TokenVerifier<Value>>;

const URL: &str = "https://api.example.com/items";

#[http_bearer(
    dpop,
    scopes("items" = "Read items."),
    resource = "https://api.example.com",
    verified = Value,
    by = Tokens
)]
struct Api;

#[dependency]
fn caller(#[security(Api, scopes("items"))] caller: Verified<Value>) -> String {
    caller["sub"].as_str().unwrap().to_owned()
}

/// Verifies the token of a request twice.
#[dependency]
fn twice(#[security(Api)] _first: Verified<Value>, #[security(caller)] second: String) -> String {
    second
}

static AUTHORITY: LazyLock<TestAuthority> =
    LazyLock::new(|| TestAuthority::new("https://api.example.com").unwrap());
static KEY: LazyLock<TestKey> = LazyLock::new(|| TestKey::new().unwrap());

fn tokens() -> Shared<Tokens> {
    let tokens = asking::block_on(AUTHORITY.verifier::<Value>().build()).unwrap();
    Shared::new(KeyBound::new(tokens, "https://api.example.com").unwrap())
}

fn token() -> BearerToken {
    AUTHORITY.token("alice").scopes(["items"]).bound_to(&KEY).sign().unwrap()
}

fn signed(proof: TestToken<'_>) -> String {
    proof.sign().unwrap().as_str().to_owned()
}

fn proof(token: &BearerToken) -> TestToken<'static> {
    KEY.proof("GET", URL, token)
}

fn request(scheme: &str, token: &BearerToken, proofs: &[String]) -> http::request::Builder {
    let request = Request::get("/items?page=2")
        .header("host", "other.example")
        .header("authorization", format!("{scheme} {}", token.as_str()));
    proofs.iter().fold(request, |request, proof| request.header("dpop", proof))
}

fn challenges<B>(answer: &Response<B>) -> Vec<&str> {
    let lines = answer.headers().get_all("www-authenticate").iter();
    lines.map(|line| line.to_str().unwrap()).collect()
}

fn challenge(scheme: &str, error: &str, scope: &str) -> String {
    let description = match error {
        "invalid_dpop_proof" => {
            "The DPoP proof is missing, malformed, repeated, or not for this request"
        }
        _ => "The access token is expired, revoked, malformed or otherwise invalid",
    };
    let error = match error {
        "" => String::new(),
        _ => format!(", error=\"{error}\", error_description=\"{description}\""),
    };
    let algorithms = if scheme == "DPoP" { ", algs=\"ES256 RS256 PS256 EdDSA\"" } else { "" };
    let metadata = "https://api.example.com/.well-known/oauth-protected-resource";
    format!("{scheme} realm=\"Api\"{error}{scope}, resource_metadata=\"{metadata}\"{algorithms}")
}

#[test]
fn each_check_is_made_on_each_framework() {
    let tokens = tokens();
    let other = TestKey::new().unwrap();
    for (framework, ask) in each_framework!(caller) {
        let ask = |request: http::request::Builder| {
            ask(request.extension(tokens.clone()).body("").unwrap())
        };
        let token = token();
        let used = signed(proof(&token));
        let good = ask(request("DPoP", &token, std::slice::from_ref(&used)));
        assert_eq!((good.status().as_u16(), &**good.body()), (200, "alice"), "{framework}");
        let lower = ask(request("dpop", &token, &[signed(proof(&token))]));
        assert_eq!(lower.status(), 200, "{framework}");
        let another = AUTHORITY.token("alice").scopes(["items"]).bound_to(&KEY).sign().unwrap();
        let new = || proof(&token);
        for (name, proofs) in [
            ("a repeated one", vec![used]),
            ("none", vec![]),
            ("two", vec![signed(new()), signed(new())]),
            ("no token", vec!["a".to_owned()]),
            ("another type", vec![signed(new().header("typ", "JWT"))]),
            ("another algorithm", vec![signed(new().header("alg", "none"))]),
            ("no key", vec![signed(new().header("jwk", Value::Null))]),
            (
                "a private key",
                vec![{
                    let mut jwk = new().parts().0.remove("jwk").unwrap();
                    jwk["d"] = "AA".into();
                    signed(new().header("jwk", jwk))
                }],
            ),
            ("another key", vec![signed(other.proof("GET", URL, &token))]),
            ("another signature", vec![with_signature_of(&signed(new()), &signed(new()))]),
            ("no `jti`", vec![signed(new().claim("jti", Value::Null))]),
            ("another method", vec![signed(KEY.proof("POST", URL, &token))]),
            ("another URL", vec![signed(KEY.proof("GET", "https://other.example/items", &token))]),
            ("another path", vec![signed(KEY.proof("GET", &format!("{URL}/"), &token))]),
            ("another token", vec![signed(proof(&another))]),
            ("the past", vec![signed(new().claim("iat", 0))]),
            ("the future", vec![signed(new().claim("iat", 4_000_000_000_u32))]),
        ] {
            // A request in warp's tests has one line of a name; over a socket, it has two.
            if framework == "warp" && name == "two" {
                continue;
            }
            let refused = ask(request("DPoP", &token, &proofs));
            assert_eq!(refused.status(), 401, "{framework}: {name}");
            let scope = ", scope=\"items\"";
            let expected =
                [challenge("DPoP", "invalid_dpop_proof", scope), challenge("Bearer", "", scope)];
            assert_eq!(challenges(&refused), expected, "{framework}: {name}");
        }
        let plain = AUTHORITY.token("alice").scopes(["items"]).sign().unwrap();
        let scope = ", scope=\"items\"";
        for (name, scheme, token, expected) in [
            ("a bound token as `Bearer`", "Bearer", &token, Some(("Bearer", "DPoP"))),
            ("a token that is not bound", "Bearer", &plain, None),
            ("a token that is not bound, as `DPoP`", "DPoP", &plain, Some(("DPoP", "Bearer"))),
        ] {
            let answer = ask(request(scheme, token, &[signed(proof(token))]));
            let Some((with, without)) = expected else {
                assert_eq!(answer.status(), 200, "{framework}: {name}");
                continue;
            };
            assert_eq!(answer.status(), 401, "{framework}: {name}");
            let expected = [challenge(with, "invalid_token", scope), challenge(without, "", scope)];
            assert_eq!(challenges(&answer), expected, "{framework}: {name}");
        }
        let absent = ask(Request::get("/items"));
        assert_eq!(absent.status(), 401);
        let expected = [challenge("Bearer", "", scope), challenge("DPoP", "", scope)];
        assert_eq!(challenges(&absent), expected, "{framework}");
        let lacking = AUTHORITY.token("alice").bound_to(&KEY).sign().unwrap();
        let refused = ask(request("DPoP", &lacking, &[signed(proof(&lacking))]));
        assert_eq!(refused.status(), 403, "{framework}");
        let [challenge] = &*challenges(&refused) else { panic!("{framework}") };
        assert!(challenge.starts_with("DPoP realm=\"Api\", error=\"insufficient_scope\""));
    }
}

#[test]
fn one_request_may_verify_its_token_twice() {
    let tokens = tokens();
    for (framework, ask) in each_framework!(twice) {
        let token = token();
        let proof = signed(proof(&token));
        for expected in [200, 401] {
            let request =
                request("DPoP", &token, std::slice::from_ref(&proof)).extension(tokens.clone());
            assert_eq!(ask(request.body("").unwrap()).status(), expected, "{framework}");
        }
    }
}

#[tokio::test]
async fn a_layer_a_guard_and_a_value_are_one_use() {
    #[secured(caller)]
    async fn items(#[security(caller)] caller: String) -> String {
        caller
    }

    let tokens = {
        let tokens = AUTHORITY.verifier::<Value>().build().await.unwrap();
        Shared::new(KeyBound::new(tokens, "https://api.example.com").unwrap())
    };
    let nested = Router::new().route("/items", get(items)).layer(layer!(caller));
    let app = Router::new().nest("/v1", nested).layer(Extension(tokens));
    let token = token();
    let ask = async |proof: &str| {
        let mut request = request("DPoP", &token, &[proof.to_owned()]).body(Body::empty()).unwrap();
        *request.uri_mut() = Uri::from_static("/v1/items");
        asking::answer(app.clone(), request).await.status().as_u16()
    };
    let right = signed(KEY.proof("GET", "https://api.example.com/v1/items", &token));
    assert_eq!((ask(&right).await, ask(&right).await), (200, 401));
    // The path without the prefix is another one.
    assert_eq!(ask(&signed(proof(&token))).await, 401);
}

#[test]
fn a_layer_and_a_handler_of_poem_are_one_use() {
    #[secured]
    #[poem::handler]
    async fn items(#[security(caller)] caller: String) -> String {
        caller
    }

    let tokens = tokens();
    let token = token();
    let proof = signed(proof(&token));
    for expected in [200, 401] {
        let app = items.with(layer!(caller)).data(tokens.clone());
        let request = request("DPoP", &token, std::slice::from_ref(&proof)).body("").unwrap();
        assert_eq!(each::poem(app, request).status(), expected);
    }
}

/// A stream asks again with the head of its request, whose proof was used.
#[tokio::test]
async fn a_stream_goes_on_with_the_proof_of_its_request() {
    #[secured]
    async fn events(#[security(caller)] _caller: String, live: Live) -> Body {
        let ticks = ::futures_util::stream::unfold(0, |tick| async move {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            (tick < 10).then_some((Ok::<_, std::convert::Infallible>("."), tick + 1))
        });
        let live = live.every(std::time::Duration::from_millis(15));
        Body::from_stream(live.around(Box::pin(ticks)))
    }

    let tokens = AUTHORITY.verifier::<Value>().build().await.unwrap();
    let tokens = Shared::new(KeyBound::new(tokens, "https://api.example.com").unwrap());
    let app = Router::new().route("/items", get(events)).layer(Extension(tokens));
    let token = token();
    let request = request("DPoP", &token, &[signed(proof(&token))]).body(Body::empty()).unwrap();
    let answer = asking::answer(app, request).await;
    assert_eq!((answer.status().as_u16(), &**answer.body()), (200, ".........."));
}

#[test]
fn a_scheme_without_dpop_does_not_read_it() {
    #[http_bearer]
    struct Plain;

    let head = Request::get("/").header("authorization", "DPoP t0k3n").body(()).unwrap();
    assert!(Plain::authenticate(&head).is_err());
    let read = |line: &str| {
        let head = Request::get("/").header("authorization", line).body(()).unwrap();
        let token = Api::authenticate(&head).ok()?;
        let presented = Presented::of(token, head.into_parts().0);
        Some((presented.scheme(), presented.token().as_str().to_owned()))
    };
    for (line, expected) in [
        ("DPoP t0k3n", Some(("DPoP", "t0k3n"))),
        ("dPOP  t0k3n ", Some(("DPoP", "t0k3n"))),
        ("Bearer t0k3n", Some(("Bearer", "t0k3n"))),
        ("DPoP", None),
        ("DPoP ", None),
        ("DPoPt0k3n", None),
        ("DPoP\tt0k3n", None),
        ("Basic t0k3n", None),
    ] {
        let expected = expected.map(|(scheme, token)| (scheme, token.to_owned()));
        assert_eq!(read(line), expected, "{line}");
    }
}

#[test]
fn the_description_says_it() {
    #[secured]
    async fn items(#[security(caller)] _caller: String) {}

    let document = json!(operation!(items));
    assert!(document["security"][0]["Api"].is_array(), "{document}");
    let scheme = json!(Api::CONFIG);
    assert_eq!((&scheme["type"], &scheme["scheme"]), (&json!("http"), &json!("bearer")));
    assert!(scheme["description"].as_str().unwrap().contains("`Authorization: DPoP TOKEN`"));
    let _: Operation = operation!(items);
}
