//! Opaque tokens: what the answers of an issuer decide, and how often it is asked.

mod flights;
mod liar;

use std::time::Duration;

use doorward::http::{HeaderMap, StatusCode};
use doorward::scheme::RejectionReason;
use doorward::verify::{
    ClientLogin, Introspection, IntrospectionSettings, TestIssuer, Verified, Verify, VerifyError,
};
use doorward::{BearerToken, SecurityScopes, http_bearer, secured};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const AUDIENCE: &str = "https://api.example.com";

#[derive(Debug, Deserialize)]
pub(crate) struct Claims {
    sub: String,
}

pub(crate) type Tokens = Introspection<Claims>;

pub(crate) fn login() -> ClientLogin {
    ClientLogin::basic("items-api", "s3cret")
}

pub(crate) async fn verify(tokens: &Tokens, token: &str) -> Result<String, RejectionReason> {
    let verified = found(tokens, token).await;
    verified.map(|found| found.sub.clone()).map_err(|error| error.reason())
}

pub(crate) async fn found(tokens: &Tokens, token: &str) -> Result<Verified<Claims>, VerifyError> {
    let token = BearerToken::try_from(token).unwrap();
    tokens.verify(&token, SecurityScopes::NONE).await
}

/// Returns the status, and when to come back.
pub(crate) fn answer(error: VerifyError) -> (u16, Option<u64>) {
    let response = error.into_http_response::<String>();
    let seconds = |headers: &HeaderMap| headers.get("retry-after")?.to_str().ok()?.parse().ok();
    (response.status().as_u16(), seconds(response.headers()))
}

const INVALID: Result<String, RejectionReason> = Err(RejectionReason::Invalid);

#[tokio::test]
async fn the_answer_decides() {
    let issuer = TestIssuer::new(AUDIENCE);
    let tokens: Tokens = issuer.verifier().build().unwrap();
    let good = issuer.token("johndoe", ["me", "items"]).unwrap();
    let verified = found(&tokens, good.as_str()).await.unwrap();
    assert_eq!(
        (&*verified.sub, verified.scopes()),
        ("johndoe", &["me".into(), "items".into()][..])
    );

    let base = json!({ "active": true, "aud": AUDIENCE, "sub": "johndoe" });
    for (name, change, expected) in [
        ("as-it-is", json!({}), Ok(())),
        ("several", json!({ "aud": ["https://a.example", AUDIENCE] }), Ok(())),
        ("root", json!({ "aud": format!("{AUDIENCE}/") }), Ok(())),
        ("inactive", json!({ "active": false }), Err(RejectionReason::Invalid)),
        ("text", json!({ "active": "true" }), Err(RejectionReason::Invalid)),
        ("refresh", json!({ "token_type": "refresh_token" }), Err(RejectionReason::Invalid)),
        ("keycloak", json!({ "typ": "Refresh" }), Err(RejectionReason::Invalid)),
        ("elsewhere", json!({ "aud": "https://a.example" }), Err(RejectionReason::Invalid)),
        ("nowhere", json!({ "aud": null }), Err(RejectionReason::Invalid)),
        ("expired", json!({ "exp": 1_000_000 }), Err(RejectionReason::Expired)),
        ("early", json!({ "nbf": 9_999_999_999_u64 }), Err(RejectionReason::Invalid)),
        ("bound", json!({ "cnf": { "jkt": "a" } }), Err(RejectionReason::Invalid)),
        ("no-sub", json!({ "sub": null }), Err(RejectionReason::Invalid)),
    ] {
        let mut answer = base.clone();
        answer.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        issuer.answer(name, answer);
        assert_eq!(verify(&tokens, name).await.map(drop), expected, "{name}");
    }
}

#[tokio::test]
async fn a_revoked_token_is_refused_with_the_next_request() {
    let issuer = TestIssuer::new(AUDIENCE);
    let tokens: Tokens = issuer.verifier().build().unwrap();
    let token = issuer.token("johndoe", ["me"]).unwrap();
    for _ in 0..3 {
        assert!(verify(&tokens, token.as_str()).await.is_ok());
    }
    assert_eq!(issuer.asked(), 3);
    issuer.revoke(&token);
    assert_eq!(verify(&tokens, token.as_str()).await, INVALID);
    assert_eq!(tokens.remembered(), doorward::verify::Remembered::default());
}

#[tokio::test]
async fn a_remembered_token_is_refused_after_its_time_or_when_it_is_forgotten() {
    let issuer = TestIssuer::new(AUDIENCE);
    let tokens: Tokens =
        issuer.verifier().remember(1 << 20, Duration::from_millis(400)).build().unwrap();
    let [first, second] = ["a", "b"].map(|name| issuer.token(name, ["me"]).unwrap());
    for token in [&first, &second, &first, &second] {
        assert!(verify(&tokens, token.as_str()).await.is_ok());
    }
    assert_eq!((issuer.asked(), tokens.remembered().found), (2, 2));
    issuer.revoke(&first);
    issuer.revoke(&second);
    assert!(verify(&tokens, first.as_str()).await.is_ok());
    tokens.forget(|claims| claims.sub == "a");
    assert_eq!(verify(&tokens, first.as_str()).await, INVALID);
    assert!(verify(&tokens, second.as_str()).await.is_ok());
    tokio::time::sleep(Duration::from_millis(450)).await;
    assert_eq!(verify(&tokens, second.as_str()).await, INVALID);
}

/// A refusal is remembered in a memory of its own, and shortly.
#[tokio::test]
async fn invented_tokens_do_not_push_out_good_ones() {
    let issuer = TestIssuer::new(AUDIENCE);
    let remember = issuer.verifier().remember(64 << 10, Duration::from_secs(60));
    let tokens: Tokens = remember.build().unwrap();
    let good = issuer.token("johndoe", ["me"]).unwrap();
    assert!(verify(&tokens, good.as_str()).await.is_ok());
    let asked = issuer.asked();
    for number in 0..2000 {
        assert_eq!(verify(&tokens, &format!("invented-{number}")).await, INVALID);
    }
    assert_eq!(issuer.asked(), asked + 2000);
    assert!(verify(&tokens, good.as_str()).await.is_ok());
    assert_eq!(verify(&tokens, "invented-1999").await, INVALID);
    assert_eq!(issuer.asked(), asked + 2000);
    // It may be active a moment later.
    let late = json!({ "active": true, "aud": AUDIENCE, "sub": "late" });
    issuer.answer("invented-1999", late);
    tokio::time::sleep(Duration::from_millis(1050)).await;
    assert!(verify(&tokens, "invented-1999").await.is_ok());
}

#[tokio::test]
async fn an_issuer_that_is_down_is_asked_with_the_next_request() {
    let issuer = TestIssuer::new(AUDIENCE);
    let remember = issuer.verifier().remember(64 << 10, Duration::from_secs(60));
    for tokens in [issuer.verifier().build().unwrap(), remember.build().unwrap()] {
        let token = issuer.token("johndoe", ["me"]).unwrap();
        issuer.set_down(true);
        let error = found(&tokens, token.as_str()).await.unwrap_err();
        assert_eq!(answer(error), (503, Some(5)));
        issuer.set_down(false);
        assert!(verify(&tokens, token.as_str()).await.is_ok());
    }
}

#[tokio::test]
async fn some_tokens_are_never_asked_about() {
    let issuer = TestIssuer::new(AUDIENCE);
    let tokens: Tokens = issuer.verifier().max_bytes(20).build().unwrap();
    for token in ["a\u{20}b", "a\"b", "a,b", "=", "a=b", &"a".repeat(21)] {
        assert_eq!(verify(&tokens, token).await, INVALID, "{token}");
    }
    assert_eq!(issuer.asked(), 0);
    assert_eq!(verify(&tokens, &"a".repeat(20)).await, INVALID);
    assert_eq!(verify(&tokens, "a-._~+/b==").await, INVALID);
    assert_eq!(issuer.asked(), 2);
}

/// A refresh token of `oidc-provider` is active, without `aud` and `token_type`.
#[tokio::test]
async fn a_client_in_place_of_an_audience_needs_a_token_that_says_what_it_is() {
    let issuer = TestIssuer::new(AUDIENCE);
    let builder = Tokens::at("https://issuer.test/introspect", login()).fetch(issuer.clone());
    let tokens = builder.client_id("web").build().unwrap();
    let base = json!({ "active": true, "client_id": "web", "sub": "a" });
    for (name, change, is_accepted) in [
        ("refresh", json!({}), false),
        ("access", json!({ "token_type": "Bearer" }), true),
        ("hydra", json!({ "token_use": "access_token" }), true),
        ("keycloak", json!({ "typ": "Bearer" }), true),
        ("hydra-refresh", json!({ "token_type": "Bearer", "token_use": "refresh_token" }), false),
        ("other", json!({ "token_type": "Bearer", "client_id": "b" }), false),
        ("audience", json!({ "token_type": "Bearer", "aud": AUDIENCE }), false),
    ] {
        let mut answer = base.clone();
        answer.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        issuer.answer(name, answer);
        assert_eq!(verify(&tokens, name).await.is_ok(), is_accepted, "{name}");
    }
}

#[tokio::test]
async fn the_service_may_refuse_an_active_token() {
    let issuer = TestIssuer::new(AUDIENCE);
    let tokens: Tokens = issuer
        .verifier()
        .refuse_if(|claims: Verified<Claims>| match &*claims.sub {
            "mallory" => Ok(true),
            "unknown" => Err("the database is down"),
            _ => Ok(false),
        })
        .build()
        .unwrap();
    for (subject, expected) in [
        ("johndoe", Ok(())),
        ("mallory", Err(RejectionReason::Invalid)),
        ("unknown", Err(RejectionReason::Unavailable)),
    ] {
        let token = issuer.token(subject, ["me"]).unwrap();
        assert_eq!(verify(&tokens, token.as_str()).await.map(drop), expected, "{subject}");
    }
}

#[http_bearer(
    scopes("items" = "Read items."),
    resource = "https://api.example.com",
    verified = Claims,
    by = Tokens
)]
struct Api;

#[secured]
async fn items(#[security(Api, scopes("items"))] caller: Verified<Claims>) -> String {
    caller.sub.clone()
}

/// Another resource, whose tokens have the same verifier.
#[http_bearer(resource = "https://other.example.com", verified = Claims, by = Tokens)]
struct Elsewhere;

#[secured]
async fn other_items(#[security(Elsewhere)] caller: Verified<Claims>) -> String {
    caller.sub.clone()
}

/// The audience is that of the scheme, as with JSON Web Tokens.
#[tokio::test]
async fn a_scheme_verifies_opaque_tokens() {
    use ::axum::body::Body;
    use doorward::axum08::{Router, routing::get};
    use tower::ServiceExt as _;

    const { assert!(!<Tokens as Verify>::READS_REQUEST) };
    let issuer = TestIssuer::new(AUDIENCE);
    let builder = Tokens::at("https://issuer.test/introspect", login()).fetch(issuer.clone());
    let builder = builder.remember(64 << 10, Duration::from_secs(60)).for_scheme::<Api>();
    let app = Router::new().route("/items", get(items)).route("/other", get(other_items));
    let app = app.extension(doorward::Shared::new(builder.build().unwrap()));
    let good = issuer.token("johndoe", ["items"]).unwrap();
    let narrow = issuer.token("johndoe", ["me"]).unwrap();
    issuer.answer(
        "elsewhere",
        json!({ "active": true, "aud": "https://other.example.com", "sub": "a" }),
    );
    let cases = [
        ("/items", good.as_str(), StatusCode::OK, ""),
        ("/items", good.as_str(), StatusCode::OK, ""),
        ("/items", narrow.as_str(), StatusCode::FORBIDDEN, "insufficient_scope"),
        ("/items", "elsewhere", StatusCode::UNAUTHORIZED, "invalid_token"),
        ("/items", "elsewhere", StatusCode::UNAUTHORIZED, "invalid_token"),
        ("/items", "unknown", StatusCode::UNAUTHORIZED, "invalid_token"),
        // They are remembered, and for another resource.
        ("/other", good.as_str(), StatusCode::UNAUTHORIZED, "invalid_token"),
        ("/other", "elsewhere", StatusCode::OK, ""),
    ];
    for (path, token, status, error) in cases {
        let request = doorward::http::Request::get(path);
        let request = request.header("authorization", format!("Bearer {token}"));
        let response = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), status, "{path} {token}");
        let challenge = response.headers().get("www-authenticate");
        let challenge = challenge.map_or("", |value| value.to_str().unwrap());
        assert!(challenge.contains(error), "{challenge}");
    }
    assert_eq!(issuer.asked(), 4);
}

/// A client that drops a question, and reads the memory where it was, because nothing safe points there
/// any longer.
#[cfg(target_os = "linux")]
struct Drops;

#[cfg(target_os = "linux")]
impl doorward::verify::Fetch for Drops {
    async fn fetch(
        &self,
        request: doorward::http::Request<bytes::Bytes>,
        _: usize,
    ) -> Result<doorward::verify::Fetched, doorward::verify::FetchError> {
        use std::os::unix::fs::FileExt as _;

        let memory = std::fs::File::open("/proc/self/mem")?;
        let (sent, url) = (request.body().to_vec(), request.uri().to_string());
        let (mut before, mut after) = (vec![0; sent.len()], vec![0; sent.len()]);
        let address = request.body().as_ptr().addr().try_into()?;
        memory.read_exact_at(&mut before, address)?;
        drop(request);
        memory.read_exact_at(&mut after, address)?;
        assert_eq!(before, sent);
        let is_there = |part: &[u8]| sent.windows(part.len()).any(|secret| secret == part);
        assert!(!after.chunks_exact(40).any(is_there), "{}", String::from_utf8_lossy(&after));
        let answer = json!({ "active": true, "aud": AUDIENCE, "sub": "a" });
        Ok(doorward::verify::Fetched::new(url, answer.to_string()))
    }
}

/// It has the token, and the secret of the service as well.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_question_is_wiped_when_the_client_drops_it() {
    let token = String::from_iter((0..500).map(|number| format!("{number:04}")));
    let login = ClientLogin::form("items-api", "s3cret");
    let tokens = Tokens::at("https://issuer.test/introspect", login).audience(AUDIENCE);
    let tokens = tokens.fetch(Drops).build().unwrap();
    assert_eq!(verify(&tokens, &token).await, Ok("a".to_owned()));
}

#[test]
fn settings_build_the_same_verifier() {
    let settings = |json: Value| serde_json::from_value::<IntrospectionSettings>(json);
    let login = json!({ "basic": { "id": "items-api", "secret": "s3cret" } });
    for (change, expected) in [
        (json!({ "url": "https://id.example.com/introspect", "audience": "a" }), ""),
        (json!({ "issuer": "https://id.example.com", "client_id": ["web", "app"] }), ""),
        (json!({ "url": "https://a.example", "remember": 1, "remember_for": 1 }), ""),
        (json!({ "url": "https://a.example", "remember": 1 }), "set both `remember`"),
        (json!({ "url": "https://a.example", "issuer": "https://a.example" }), "set one of"),
        (json!({ "audience": "a" }), "set one of `url` and `issuer`"),
        (json!({ "url": "http://a.example/i" }), "allow_http_hosts([\"a.example\"])"),
        (json!({ "url": "http://a.example/i", "allow_http_hosts": "a.example" }), ""),
        (json!({ "url": "https://a.example", "audience": [] }), "nothing says which tokens"),
        (json!({ "issuer": "a.example" }), "an issuer must be an absolute URL"),
        (json!({ "url": "https://a.example", "audience": "a", "client_id": "b" }), "exclude each"),
    ] {
        let mut json = json!({ "audience": "a" });
        if change.get("client_id").is_some() && change.get("audience").is_none() {
            json = json!({});
        }
        json.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        json["login"] = login.clone();
        let built = Tokens::from_settings(settings(json).unwrap()).build();
        let problem = built.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            problem.contains(expected) && problem.is_empty() == expected.is_empty(),
            "{problem}"
        );
    }
    assert!(settings(json!({ "url": "https://a.example" })).is_err());
    assert!(
        settings(json!({ "url": "https://a.example", "login": login, "cool_down": 1 })).is_err()
    );
    for login in
        [json!({ "bearer": "s3cret" }), json!({ "form": { "id": "a", "secret": "s3cret" } })]
    {
        let settings = settings(json!({ "url": "https://a.example", "login": login })).unwrap();
        assert!(!format!("{settings:?}").contains("s3cret"));
    }
}
