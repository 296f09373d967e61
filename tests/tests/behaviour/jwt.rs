//! Verified tokens, with an issuer in the process.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::task::Poll;
use std::time::Duration;

use doorward::jwt::{Algorithm, Issuers, TokenVerifier, TokenVerifierBuilder};
use doorward::scheme::RejectionReason;
use doorward::testing::{TestAuthority, TestToken};
use doorward::verify::{Fetch, FetchError, Fetched, Verified, VerifyError};
use doorward::{BearerToken, SecurityScopes, plan, security_scopes};
use futures_util::FutureExt as _;
use serde::Deserialize;

const AUDIENCE: &str = "https://api.example.com";

#[derive(Debug, Deserialize)]
struct Claims {
    sub: String,
}

type Tokens = TokenVerifier<Claims>;

fn authority() -> TestAuthority {
    TestAuthority::new(AUDIENCE).unwrap()
}

async fn verify(tokens: &Tokens, token: TestToken<'_>) -> Result<String, RejectionReason> {
    outcome(tokens.verify(&token.sign().unwrap(), SecurityScopes::NONE).await)
}

fn outcome(verified: Result<Verified<Claims>, VerifyError>) -> Result<String, RejectionReason> {
    match verified {
        Ok(verified) => Ok(verified.sub.clone()),
        Err(error) => Err(error.reason()),
    }
}

#[tokio::test]
async fn a_good_token_is_verified() {
    let authority = authority();
    let tokens: Tokens = authority.verifier().build().await.unwrap();
    assert_eq!(verify(&tokens, authority.token("johndoe")).await.unwrap(), "johndoe");

    let token = authority.token("johndoe").scopes(["me", "items"]).sign().unwrap();
    let required = security_scopes!["items", "me"];
    let verified = tokens.verify(&token, required).await.unwrap();
    assert_eq!(verified.scopes(), ["me", "items"]);
    let more = tokens.verify(&token, security_scopes!["admin"]).await.unwrap_err();
    assert_eq!(more.reason(), RejectionReason::InsufficientScope);
    assert_eq!(more.status(), 403);
}

#[tokio::test]
async fn every_rule_refuses_with_the_same_answer() {
    let authority = authority();
    let tokens: Tokens = authority.verifier().build().await.unwrap();
    let token = || authority.token("johndoe");
    let refused = [
        token().not_yet_valid(),
        token().for_another_audience(),
        token().claim("aud", None::<String>),
        token().claim("iss", "https://authority.test/"),
        token().claim("iss", None::<String>),
        token().claim("exp", None::<String>),
        token().claim("exp", "tomorrow"),
        token().claim("nbf", "yesterday"),
        token().claim("cnf", serde_json::json!({ "jkt": "x" })),
        token().claim("sub", None::<String>),
        token().claim("scope", 1),
        token().header("typ", "JWT"),
        token().header("typ", None::<String>),
        token().header("crit", serde_json::json!(["exp"])),
        token().header("crit", serde_json::json!([])),
        token().header("alg", "none"),
        token().header("alg", "HS256"),
        token().header("alg", "ES256"),
        token().header("alg", None::<String>),
        token().header("kid", "another"),
        token().header("kid", 1),
    ];
    let expected = VerifyError::invalid_token(SecurityScopes::NONE);
    let challenge = expected.challenge().unwrap();
    assert!(challenge.starts_with("Bearer error=\"invalid_token\""), "{challenge}");
    for token in refused {
        let text = format!("{token:?}");
        let error = tokens.verify(&token.sign().unwrap(), SecurityScopes::NONE).await;
        assert_eq!(error.unwrap_err(), expected, "{text}");
    }
    // Its answer is the same, and its reason is for the service.
    let expired = token().expired().sign().unwrap();
    let error = tokens.verify(&expired, SecurityScopes::NONE).await;
    let error = error.unwrap_err();
    assert_eq!(error.reason(), RejectionReason::Expired);
    assert_eq!(error.challenge(), expected.challenge());
    let answers = [error, expected].map(VerifyError::into_http_response::<String>);
    let [answer, expected] = answers.map(http::Response::into_body);
    assert_eq!(answer, expected);
    let accepted = [
        token().header("typ", "application/AT+JWT"),
        token().header("kid", None::<String>),
        token().header("alg", "Ed25519"),
        token().claim("aud", serde_json::json!(["other", AUDIENCE])),
        token().claim("nbf", 1.5),
        token().header("jwk", serde_json::json!({ "kty": "oct" })),
    ];
    for token in accepted {
        let text = format!("{token:?}");
        assert_eq!(verify(&tokens, token).await, Ok("johndoe".to_owned()), "{text}");
    }
}

#[tokio::test]
async fn claims_are_looked_for_where_the_issuer_writes_them() {
    let authority = authority();
    let verifier = authority.verifier::<Claims>();
    let tokens = verifier.scopes_in("scp").scopes_in("realm_access.roles");
    let tokens = tokens.build().await.unwrap();
    let token = authority.token("johndoe").scopes(["ignored"]);
    let token = token.claim("scp", "a b");
    let token = token.claim("realm_access", serde_json::json!({ "roles": ["c"] }));
    let token = token.sign().unwrap();
    let verified = tokens.verify(&token, security_scopes!["a", "c"]).await.unwrap();
    assert_eq!(verified.scopes(), ["a", "b", "c"]);

    let clients = Tokens::jwks(authority.issuer(), authority.jwks());
    let clients = clients.client_id("web").client_id("app").any_token_type();
    let clients = clients.build().await.unwrap();
    // A token that names an audience is for that one.
    let other = authority.token("a").claim("client_id", "app");
    assert!(verify(&clients, other).await.is_err());
    for (client, is_ours) in [("app", true), ("web", true), ("another", false)] {
        let token = authority.token("a").claim("client_id", client);
        let token = token.claim("aud", None::<String>).header("typ", None::<String>);
        assert_eq!(verify(&clients, token).await.is_ok(), is_ours, "{client}");
    }

    // A token that names nobody is taken if the verifier says so, and no other that is not ours.
    let anybody = || Tokens::jwks(authority.issuer(), authority.jwks()).without_audience();
    for (tokens, by_audience, by_client) in [
        (anybody(), false, false),
        (anybody().audience(AUDIENCE), true, false),
        (anybody().client_id("web"), false, true),
    ] {
        let tokens = tokens.build().await.unwrap();
        let null = serde_json::Value::Null;
        let unnamed =
            || authority.token("a").claim("client_id", null.clone()).claim("aud", null.clone());
        assert!(verify(&tokens, unnamed()).await.is_ok());
        for client in ["client_id", "azp"] {
            let token = || unnamed().claim(client, "web");
            assert_eq!(verify(&tokens, token()).await.is_ok(), by_client, "{client}");
            assert!(verify(&tokens, unnamed().claim(client, "another")).await.is_err());
        }
        assert_eq!(verify(&tokens, authority.token("a")).await.is_ok(), by_audience);
        assert!(verify(&tokens, authority.token("a").for_another_audience()).await.is_err());
    }

    // An issuer that writes an audience only sometimes has a verifier for either kind.
    let by_audience = authority.verifier().audience(AUDIENCE).build().await.unwrap();
    let by_client = Tokens::jwks(authority.issuer(), authority.jwks()).client_id("web");
    let both = Issuers::new([by_audience, by_client.build().await.unwrap()]);
    let of = |audience, client: &str| {
        let token = authority.token("a").claim("aud", audience).claim("client_id", client);
        token.sign().unwrap()
    };
    for (audience, client, is_ours) in [
        (Some(AUDIENCE), "another", true),
        (None, "web", true),
        (None, "another", false),
        (Some("another"), "web", false),
    ] {
        let token = of(audience, client);
        let verified = both.verify(&token, SecurityScopes::NONE).await;
        assert_eq!(verified.is_ok(), is_ours, "{audience:?} {client}");
    }
}

#[tokio::test]
async fn a_client_that_names_itself_is_accepted_if_any_client_is() {
    let authority = authority();
    let tokens = || Tokens::jwks(authority.issuer(), authority.jwks());
    let settings = serde_json::json!({
        "issuer": authority.issuer(), "jwks": authority.jwks(), "any_client": true
    });
    let never = async |_: String| Err::<Fetched, _>(FetchError::new("never asked"));
    let settings = Tokens::from_settings(serde_json::from_value(settings).unwrap(), never);
    let unnamed = || authority.token("a").claim("aud", serde_json::Value::Null);
    for (tokens, is_any, has_audience) in [
        (tokens().without_audience(), false, false),
        (tokens().without_audience().any_client(), true, false),
        (tokens().any_client().audience(AUDIENCE), true, true),
        (settings, true, false),
    ] {
        let tokens = tokens.build().await.unwrap();
        assert!(verify(&tokens, unnamed()).await.is_ok());
        for client in ["client_id", "azp"] {
            let of_client = unnamed().claim(client, "web");
            assert_eq!(verify(&tokens, of_client).await.is_ok(), is_any);
        }
        assert_eq!(verify(&tokens, authority.token("a")).await.is_ok(), has_audience);
        assert!(verify(&tokens, authority.token("a").for_another_audience()).await.is_err());
    }
    let error = tokens().any_client().client_id("web").build().await.unwrap_err().to_string();
    assert!(error.contains("`client_id` and `any_client` exclude each other"), "{error}");
}

/// Returns a token with the signature of another one.
pub(super) fn with_signature_of(other: &str, token: &str) -> String {
    let (message, _) = token.rsplit_once('.').unwrap();
    format!("{message}.{}", other.rsplit_once('.').unwrap().1)
}

/// The users of a service have signed such tokens with the key that it has given to them.
#[tokio::test]
async fn tokens_for_anybody_of_anybody_are_accepted_if_the_verifier_says_so() {
    let authority = authority();
    let settings = serde_json::json!({
        "issuer": "none", "jwks": authority.jwks(), "any_issuer": true, "any_audience": true
    });
    let never = async |_: String| Err::<Fetched, _>(FetchError::new("never asked"));
    let settings = Tokens::from_settings(serde_json::from_value(settings).unwrap(), never);
    let tokens = || Tokens::jwks(authority.issuer(), authority.jwks());
    let none = serde_json::Value::Null;
    for (tokens, any_issuer, any_audience) in [
        (tokens().audience(AUDIENCE), false, false),
        (tokens().any_issuer().audience(AUDIENCE), true, false),
        (tokens().any_audience(), false, true),
        (tokens().any_issuer().any_audience(), true, true),
        (settings, true, true),
    ] {
        let tokens = tokens.build().await.unwrap();
        for issuer in [serde_json::json!("https://other.example"), none.clone()] {
            let token = authority.token("a").claim("iss", issuer);
            assert_eq!(verify(&tokens, token).await.is_ok(), any_issuer);
        }
        for audience in [serde_json::json!(["x"]), none.clone()] {
            let token = authority.token("a").claim("aud", audience).claim("azp", "web");
            assert_eq!(verify(&tokens, token).await.is_ok(), any_audience);
        }
        let expired = authority.token("a").expired();
        assert_eq!(verify(&tokens, expired).await.unwrap_err(), RejectionReason::Expired);
        let [token, other] = ["a", "b"].map(|name| authority.token(name).sign().unwrap());
        let forged = with_signature_of(other.as_str(), token.as_str());
        let forged = BearerToken::try_from(&*forged).unwrap();
        let refused = tokens.verify(&forged, SecurityScopes::NONE).await.unwrap_err();
        assert_eq!(refused.reason(), RejectionReason::Invalid);
    }
    let error = tokens().any_audience().audience(AUDIENCE).build().await.unwrap_err().to_string();
    assert!(error.contains("`audience` and `any_audience` exclude each other"), "{error}");
    // Only what was written is named.
    let error = tokens().any_audience().client_id("web").build().await.unwrap_err().to_string();
    assert!(error.contains("`client_id` and `any_audience` exclude each other"), "{error}");
    assert!(!error.contains("any_client"), "{error}");
    for fetched in [
        Tokens::jwks_url(authority.issuer(), "https://id.example.com/keys", never),
        Tokens::discover("https://id.example.com", never),
    ] {
        let error = fetched.any_issuer().any_audience().build().await.unwrap_err().to_string();
        for word in ["`any_issuer` is for keys", "`any_audience` is for keys"] {
            assert!(error.contains(word), "{error}");
        }
        assert!(!error.contains("without_issuer"), "{error}");
    }
}

#[tokio::test]
async fn a_token_that_never_expires_is_accepted_if_the_verifier_says_so() {
    let authority = authority();
    let settings = serde_json::json!({
        "issuer": authority.issuer(), "jwks": authority.jwks(), "audience": AUDIENCE,
        "without_expiry": true
    });
    let never = async |_: String| Err::<Fetched, _>(FetchError::new("never asked"));
    let settings = Tokens::from_settings(serde_json::from_value(settings).unwrap(), never);
    let for_ever = || authority.token("a").claim("exp", serde_json::Value::Null);
    for tokens in [authority.verifier().without_expiry(), settings] {
        let tokens = tokens.build().await.unwrap();
        let token = for_ever().sign().unwrap();
        for found in 0..3 {
            assert!(tokens.verify(&token, SecurityScopes::NONE).await.is_ok());
            assert_eq!(tokens.remembered().found, found);
        }
        assert!(verify(&tokens, authority.token("a")).await.is_ok());
        assert!(verify(&tokens, authority.token("a").expired()).await.is_err());
        assert!(verify(&tokens, for_ever().not_yet_valid()).await.is_err());
        assert!(verify(&tokens, authority.token("a").claim("exp", "never")).await.is_err());
    }
    let usual = authority.verifier().build().await.unwrap();
    assert!(verify(&usual, for_ever()).await.is_err());
}

/// The question of `/ready`. It is asked when a service starts as well, whose issuer may be down.
#[tokio::test]
async fn a_verifier_says_whether_it_has_keys() {
    let authority = authority();
    let jwks = authority.jwks().to_owned();
    let answers = Arc::new(std::sync::Mutex::new(None));
    let answer = Arc::clone(&answers);
    let fetch = move |url: String| {
        let answer = answer.lock().unwrap().clone();
        async move { answer.map(|body: String| Fetched::new(url, body)).ok_or(FetchError::new("down")) }
    };
    let verifier = async || {
        let tokens = Tokens::jwks_url("https://authority.test", KEYS, fetch.clone());
        tokens.audience(AUDIENCE).cool_down(Duration::ZERO).build().await.unwrap()
    };
    let (tokens, listed) = (verifier().await, verifier().await);
    let given = authority.verifier::<Claims>().build().await.unwrap();
    assert!(given.has_keys().await);
    let issuers = Issuers::new([given, listed]);
    for answer in [None, Some("{}")] {
        *answers.lock().unwrap() = answer.map(str::to_owned);
        assert!(!tokens.has_keys().await && !issuers.has_keys().await);
    }
    *answers.lock().unwrap() = Some(jwks);
    assert!(tokens.has_keys().await && issuers.has_keys().await);
    // They serve while the issuer is down.
    *answers.lock().unwrap() = None;
    assert!(tokens.has_keys().await);
    assert!(verify(&tokens, authority.token("a")).await.is_ok());
    // An issuer that is up, and publishes none.
    *answers.lock().unwrap() = Some(r#"{"keys":[]}"#.to_owned());
    assert!(!verifier().await.has_keys().await);
}

#[tokio::test]
async fn a_verifier_that_knows_no_audience_does_not_start() {
    let authority = authority();
    let tokens = || Tokens::jwks(authority.issuer(), authority.jwks());
    let error = |tokens: TokenVerifierBuilder<Claims>| async {
        tokens.build().await.unwrap_err().to_string()
    };
    let nothing = error(tokens()).await;
    assert!(nothing.starts_with("nothing says which tokens are for this service; "), "{nothing}");
    let settings = serde_json::json!({ "issuer": authority.issuer(), "jwks": authority.jwks() });
    let never = async |_: String| Err::<Fetched, _>(FetchError::new("never asked"));
    let settings = Tokens::from_settings(serde_json::from_value(settings).unwrap(), never);
    assert_eq!(error(settings).await, nothing);
    assert_eq!(
        error(tokens().for_scheme::<WithoutResource>()).await,
        "the scheme `WithoutResource` has no `resource`; declare it, or call `audience`"
    );
    for tokens in [
        tokens().audience(AUDIENCE),
        tokens().client_id("web"),
        tokens().without_audience(),
        tokens().any_client(),
        tokens().for_scheme::<Api>(),
    ] {
        assert!(tokens.build().await.is_ok());
    }
    // A token that no scheme has read has no audience to be compared with.
    let tokens = tokens().for_scheme::<Api>().build().await.unwrap();
    let unknown = verify(&tokens, authority.token("a")).await;
    assert_eq!(unknown, Err(RejectionReason::Misconfigured));
}

#[doorward::http_bearer]
struct WithoutResource;

/// The resource of the scheme is the audience, unless the verifier says otherwise.
#[doorward::oauth2_bearer(
    flows(client_credentials(token_url = "token")),
    scopes("me" = ""),
    resource = "https://api.example.com"
)]
struct Api;

#[doorward::dependency]
async fn caller(
    #[security(Api)] token: BearerToken,
    scopes: SecurityScopes,
    tokens: doorward::Shared<Tokens>,
) -> Result<Verified<Claims>, VerifyError> {
    tokens.verify(&token, scopes).await
}

/// Another resource, whose tokens have the same verifier.
#[doorward::http_bearer(resource = "https://other.example.com", verified = Claims, by = Tokens)]
struct Elsewhere;

/// Returns the head of a request with a token, and its verifier.
fn head(tokens: &doorward::Shared<Tokens>, token: &BearerToken) -> http::request::Parts {
    let line = format!("Bearer {}", token.as_str());
    let request = http::Request::builder().header("authorization", line);
    request.extension(tokens.clone()).body(()).unwrap().into_parts().0
}

#[tokio::test]
async fn the_audience_is_the_resource_of_the_scheme() {
    let authority = authority();
    let tokens = Tokens::jwks(authority.issuer(), authority.jwks()).for_scheme::<Api>();
    let tokens = doorward::Shared::new(tokens.build().await.unwrap());
    let call = async |token: TestToken<'_>| {
        let mut head = head(&tokens, &token.sign().unwrap());
        let answer = plan!(caller, scopes("me")).resolve(&mut head).await;
        answer.map_or_else(
            |refused| {
                let challenge = refused.headers().get("www-authenticate").cloned();
                (refused.status().as_u16(), challenge)
            },
            |_| (200, None),
        )
    };
    let good = authority.token("a").scopes(["me"]);
    assert_eq!(call(good.clone()).await.0, 200);
    assert_eq!(call(good.clone()).await.0, 200);
    let (status, challenge) = call(good.clone().for_another_audience()).await;
    let challenge = challenge.unwrap();
    let challenge = challenge.to_str().unwrap();
    assert_eq!(status, 401);
    assert!(challenge.contains(r#"error="invalid_token""#), "{challenge}");
    assert!(challenge.contains(r#"scope="me""#), "{challenge}");
    assert!(challenge.contains("resource_metadata="), "{challenge}");
    for scope in [None, Some("ME"), Some("Me"), Some("m"), Some("me:all"), Some("some")] {
        assert_eq!(call(authority.token("a").scopes(scope)).await.0, 403, "{scope:?}");
    }
}

/// The verifier remembers a token, and each scheme decides anew for whom it is.
#[tokio::test]
async fn a_remembered_token_of_one_resource_is_refused_by_another() {
    let authority = authority();
    let tokens = Tokens::jwks(authority.issuer(), authority.jwks());
    let tokens = tokens.for_scheme::<Api>().for_scheme::<Elsewhere>();
    let tokens = doorward::Shared::new(tokens.build().await.unwrap());
    let both = serde_json::json!([AUDIENCE, "https://other.example.com"]);
    for (audience, expected) in [
        (AUDIENCE.into(), (true, false)),
        ("https://other.example.com".into(), (false, true)),
        (both, (true, true)),
        ("https://third.example.com".into(), (false, false)),
    ] {
        let token = authority.token("a").scopes(["me"]).claim("aud", audience.clone());
        let token = token.sign().unwrap();
        for _ in 0..2 {
            let here = plan!(caller, scopes("me")).resolve(&mut head(&tokens, &token)).await;
            let there = plan!(Elsewhere).resolve(&mut head(&tokens, &token)).await;
            let accepted = (here.is_ok(), there.is_ok());
            assert_eq!(accepted, expected, "{audience}");
            let mut refused = [here.err(), there.err()].into_iter().flatten();
            assert!(refused.all(|refused| refused.status() == 401));
        }
    }
    assert_eq!(tokens.remembered().found, 8);
}

/// An audience is compared as it is written. Only the root of a host has two spellings.
#[tokio::test]
async fn an_audience_that_is_nearly_ours_is_refused() {
    let authority = authority();
    for (ours, accepted, refused) in [
        (
            "https://api.example.com",
            &["https://api.example.com", "https://api.example.com/"][..],
            &[
                "https://api.example.com//",
                "https://api.example.com/v1",
                "https://api.example.com.evil.test",
                "https://api.example.co",
                "https://API.example.com",
                "HTTPS://api.example.com",
                "http://api.example.com",
                " https://api.example.com",
                "",
            ][..],
        ),
        (
            "https://api.example.com/v1",
            &["https://api.example.com/v1"],
            &[
                "https://api.example.com/v1/",
                "https://api.example.com/V1",
                "https://api.example.com/v",
                "https://api.example.com/v11",
                "https://api.example.com/v1/items",
                "https://api.example.com",
            ],
        ),
        (
            "https://api.example.com/v1/",
            &["https://api.example.com/v1/"],
            &["https://api.example.com/v1", "https://api.example.com/v1//"],
        ),
        ("items-api", &["items-api"], &["items-api/", "Items-API", "items", "items-api-2"]),
        ("items-api/", &["items-api/"], &["items-api", "items-api//"]),
    ] {
        let tokens = Tokens::jwks(authority.issuer(), authority.jwks()).audience(ours);
        let tokens = tokens.build().await.unwrap();
        let token = |audience: &str| authority.token("a").claim("aud", audience);
        for audience in accepted {
            assert!(verify(&tokens, token(audience)).await.is_ok(), "{ours} {audience}");
        }
        for audience in refused {
            let verified = verify(&tokens, token(audience)).await;
            assert_eq!(verified, Err(RejectionReason::Invalid), "{ours} {audience}");
        }
    }
}

/// The keys of a set are limited, and so are those with which a token is tried that names no key.
#[tokio::test]
async fn a_key_beyond_a_limit_is_not_used() {
    let (good, other) = (authority(), authority());
    let key = |authority: &TestAuthority| {
        let set: serde_json::Value = serde_json::from_str(authority.jwks()).unwrap();
        set["keys"][0].clone()
    };
    let tokens = async |others: usize| {
        let others = (0..others).map(|index| {
            let mut key = key(&other);
            key["kid"] = format!("other-{index}").into();
            key
        });
        let keys = Vec::from_iter(others.chain([key(&good)]));
        let set = serde_json::json!({ "keys": keys }).to_string();
        Tokens::jwks(good.issuer(), set).audience(AUDIENCE).build().await.unwrap()
    };
    for (others, is_known, is_tried) in
        [(15, true, true), (16, true, false), (99, true, false), (100, false, false)]
    {
        let tokens = tokens(others).await;
        let known = verify(&tokens, good.token("a")).await;
        assert_eq!(known.is_ok(), is_known, "{others}");
        let tried = verify(&tokens, good.token("a").header("kid", None::<String>)).await;
        assert_eq!(tried.is_ok(), is_tried, "{others}");
    }
}

#[tokio::test]
async fn no_altered_byte_verifies() {
    let authority = authority();
    let tokens: Tokens = authority.verifier().build().await.unwrap();
    let token = authority.token("johndoe").sign().unwrap();
    let text = token.as_str();
    for index in 0..text.len() {
        for byte in *b"A_." {
            let mut altered = text.as_bytes().to_vec();
            if altered[index] == byte {
                continue;
            }
            altered[index] = byte;
            let altered = String::from_utf8(altered).unwrap();
            let Ok(altered) = BearerToken::try_from(&*altered) else {
                continue;
            };
            let found = outcome(tokens.verify(&altered, SecurityScopes::NONE).await);
            assert_eq!(found, Err(RejectionReason::Invalid), "{index} {byte}");
        }
    }
}

/// An issuer whose keys are fetched, and counted.
#[derive(Clone)]
struct Provider {
    jwks: Arc<std::sync::Mutex<Result<String, &'static str>>>,
    fetches: Arc<AtomicUsize>,
}

const KEYS: &str = "https://authority.test/keys";

impl Provider {
    fn of(authority: &TestAuthority) -> Self {
        Self {
            jwks: Arc::new(std::sync::Mutex::new(Ok(authority.jwks().to_owned()))),
            fetches: Arc::default(),
        }
    }

    fn publish(&self, jwks: Result<&str, &'static str>) {
        *self.jwks.lock().unwrap() = jwks.map(str::to_owned);
    }

    fn fetches(&self) -> usize {
        self.fetches.load(Ordering::SeqCst)
    }

    fn verifier(&self) -> TokenVerifierBuilder<Claims> {
        let provider = self.clone();
        let fetch = move |url: String| {
            let provider = provider.clone();
            async move {
                provider.fetches.fetch_add(1, Ordering::SeqCst);
                // Others come while this one waits.
                tokio::task::yield_now().await;
                let jwks = provider.jwks.lock().unwrap().clone();
                jwks.map(|jwks| Fetched::new(url, jwks)).map_err(FetchError::new)
            }
        };
        Tokens::jwks_url("https://authority.test", KEYS, fetch).audience(AUDIENCE)
    }

    async fn tokens(&self, cool_down: Duration) -> Tokens {
        self.verifier().cool_down(cool_down).build().await.unwrap()
    }
}

#[tokio::test]
async fn what_can_verify_nothing_is_not_built() {
    let authority = authority();
    let verifier = || authority.verifier::<Claims>();
    let mistakes = [
        verifier().client_id("web"),
        verifier().algorithms([]),
        verifier().algorithms([Algorithm::Rs256]),
        Tokens::jwks("https://a.example", "{}"),
        // A key that is too short, or of no use, is no key.
        Tokens::jwks(
            "https://a.example",
            authority.jwks().replace("\"x\":\"", "\"x\":\"AA\",\"z\":\""),
        ),
        Tokens::jwks(
            "https://a.example",
            authority.jwks().replace("\"kid\"", "\"use\":\"enc\",\"kid\""),
        ),
        Tokens::pem("https://a.example", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----"),
        Tokens::secret("https://a.example", "too short"),
        Tokens::secret("https://a.example", "s".repeat(32)).algorithms([Algorithm::Hs512]),
        Tokens::jwks("", authority.jwks()),
        verifier().accept_pem("-----BEGIN PRIVATE KEY-----"),
        verifier().accept_secret("too short"),
    ];
    for mistake in mistakes {
        let text = format!("{mistake:?}");
        assert!(mistake.audience(AUDIENCE).build().await.is_err(), "{text}");
    }
}

#[tokio::test]
async fn a_fetcher_that_panics_stops_nobody() {
    let authority = authority();
    let jwks = authority.jwks().to_owned();
    let calls = AtomicUsize::new(0);
    let fetch = move |url: String| {
        let first = calls.fetch_add(1, Ordering::SeqCst) == 0;
        let jwks = jwks.clone();
        async move {
            tokio::task::yield_now().await;
            assert!(!first, "the first fetch panics");
            Ok::<_, FetchError>(Fetched::new(url, jwks))
        }
    };
    let tokens = Tokens::jwks_url("https://authority.test", KEYS, fetch).audience(AUDIENCE);
    let tokens = tokens.cool_down(Duration::ZERO).build().await.unwrap();
    let both = (verify(&tokens, authority.token("a")), verify(&tokens, authority.token("a")));
    let (first, second) = futures_util::future::join(both.0, both.1).await;
    assert_eq!(first, Err(RejectionReason::Unavailable));
    assert_eq!(second, Err(RejectionReason::Unavailable));
    assert!(verify(&tokens, authority.token("a")).await.is_ok());
}

#[tokio::test]
async fn keys_rotate() {
    let (old, new) = (authority(), authority());
    let provider = Provider::of(&old);
    let tokens = provider.tokens(Duration::ZERO).await;
    assert_eq!(provider.fetches(), 0);
    assert!(verify(&tokens, old.token("a")).await.is_ok());
    assert!(verify(&tokens, old.token("a")).await.is_ok());
    assert_eq!(provider.fetches(), 1);

    // The new key has another id, its thumbprint, and the old one is dropped.
    provider.publish(Ok(new.jwks()));
    assert!(verify(&tokens, new.token("b")).await.is_ok());
    assert_eq!(provider.fetches(), 2);
    let dropped = verify(&tokens, old.token("a")).await;
    assert_eq!(dropped, Err(RejectionReason::Invalid));

    // The issuer is down: the keys stay.
    for broken in [Err("down"), Ok("{\"keys\":{}}"), Ok("garbage"), Ok("")] {
        provider.publish(broken);
        assert!(verify(&tokens, old.token("a")).await.is_err());
        assert!(verify(&tokens, new.token("b")).await.is_ok());
    }
}

/// Returns sets of keys that are well formed, and none of whose keys verifies a signature.
fn useless(authority: &TestAuthority) -> [String; 4] {
    let replaced = |old, new| authority.jwks().replace(old, new);
    [
        r#"{"keys":[]}"#.to_owned(),
        r#"{"keys":[null,{"kty":"oct","k":"c2VjcmV0"}]}"#.to_owned(),
        replaced("\"kid\"", "\"use\":\"enc\",\"kid\""),
        replaced("\"kid\"", "\"alg\":\"none\",\"kid\""),
    ]
}

#[tokio::test]
async fn keys_that_are_withdrawn_without_others_are_refused() {
    let authority = authority();
    for jwks in useless(&authority) {
        let provider = Provider::of(&authority);
        let tokens = provider.tokens(Duration::ZERO).await;
        let token = authority.token("a").sign().unwrap();
        for _ in 0..2 {
            let verified = tokens.verify(&token, SecurityScopes::NONE).await;
            assert!(verified.is_ok());
        }
        provider.publish(Ok(&jwks));
        // Anyone can cause a fetch.
        let unknown = authority.token("a").header("kid", "unknown");
        let refused = Err(RejectionReason::Invalid);
        assert_eq!(verify(&tokens, unknown).await, refused, "{jwks}");
        let withdrawn = tokens.verify(&token, SecurityScopes::NONE).await;
        assert_eq!(outcome(withdrawn), refused, "{jwks}");
        provider.publish(Ok(authority.jwks()));
        assert!(verify(&tokens, authority.token("a")).await.is_ok());
    }
}

#[tokio::test]
async fn an_issuer_without_keys_is_not_one_that_is_down() {
    let authority = authority();
    for jwks in useless(&authority) {
        let provider = Provider::of(&authority);
        provider.publish(Ok(&jwks));
        let tokens = provider.tokens(Duration::ZERO).await;
        let refused = verify(&tokens, authority.token("a")).await;
        assert_eq!(refused, Err(RejectionReason::Invalid), "{jwks}");
        provider.publish(Ok(authority.jwks()));
        assert!(verify(&tokens, authority.token("a")).await.is_ok());
        // A set that never changes has to have a key.
        let given = Tokens::jwks("https://authority.test", jwks).audience(AUDIENCE);
        assert!(given.build().await.is_err());
    }
}

#[tokio::test]
async fn any_number_of_bytes_can_be_remembered() {
    let authority = authority();
    for bytes in [0, 1, usize::MAX] {
        let tokens: Tokens = authority.verifier().remember(bytes).build().await.unwrap();
        for _ in 0..2 {
            let token = authority.token("a").sign().unwrap();
            let verified = tokens.verify(&token, SecurityScopes::NONE).await;
            assert!(verified.is_ok());
        }
    }
}

#[tokio::test]
async fn nobody_can_cause_more_fetches_than_the_cool_down_allows() {
    let authority = authority();
    let provider = Provider::of(&authority);
    // Longer than a slow machine takes for this test.
    let tokens = provider.tokens(Duration::from_secs(3600)).await;
    let cold = (0..1000).map(|_| verify(&tokens, authority.token("a")));
    for verified in futures_util::future::join_all(cold).await {
        assert!(verified.is_ok());
    }
    assert_eq!(provider.fetches(), 1);
    let unknown = (0..30)
        .map(|id| verify(&tokens, authority.token("a").header("kid", format!("unknown {id}"))));
    for verified in futures_util::future::join_all(unknown).await {
        assert_eq!(verified, Err(RejectionReason::Invalid));
    }
    assert_eq!(provider.fetches(), 1);
}

#[tokio::test]
async fn without_keys_the_answer_says_when_to_come_back() {
    let authority = authority();
    let provider = Provider::of(&authority);
    provider.publish(Err("down"));
    let tokens = provider.verifier().build().await.unwrap();
    for _ in 0..2 {
        let token = authority.token("a").sign().unwrap();
        let error = tokens.verify(&token, SecurityScopes::NONE).await.unwrap_err();
        assert_eq!(error.reason(), RejectionReason::Unavailable);
        let response = error.into_http_response::<String>();
        assert_eq!(response.status(), 503);
        let seconds: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert!((1..=30).contains(&seconds), "{seconds}");
    }
    assert_eq!(provider.fetches(), 1);
}

#[test]
fn nobody_is_told_to_come_back_too_early() {
    for (milliseconds, seconds) in [(0, "1"), (1, "1"), (1000, "1"), (1001, "2"), (29_500, "30")] {
        let error = VerifyError::unavailable(Duration::from_millis(milliseconds));
        let response = error.into_http_response::<String>();
        assert_eq!(response.headers()["retry-after"], seconds);
    }
}

#[tokio::test]
async fn a_fetch_goes_on_when_the_one_that_began_it_goes_away() {
    let authority = authority();
    for cool_down in [Duration::from_secs(30), Duration::ZERO] {
        let provider = Provider::of(&authority);
        let tokens = provider.tokens(cool_down).await;
        let first = verify(&tokens, authority.token("a")).now_or_never();
        assert_eq!((first, provider.fetches()), (None, 1));
        assert!(verify(&tokens, authority.token("a")).await.is_ok());
        assert_eq!(provider.fetches(), 1);
    }
}

#[tokio::test]
async fn what_is_remembered_is_forgotten_in_time() {
    let (old, new) = (authority(), authority());
    let provider = Provider::of(&old);
    let tokens = provider.verifier().cool_down(Duration::ZERO);
    let tokens = tokens.leeway(Duration::ZERO).build().await.unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let soon = now.unwrap().as_secs_f64() + 1.2;
    let short = old.token("a").claim("exp", soon);
    let long = old.token("a");
    for _ in 0..2 {
        assert!(verify(&tokens, short.clone()).await.is_ok());
        assert!(verify(&tokens, long.clone()).await.is_ok());
    }
    tokio::time::sleep(Duration::from_millis(1300)).await;
    assert_eq!(verify(&tokens, short).await, Err(RejectionReason::Expired));
    assert!(verify(&tokens, long.clone()).await.is_ok());
    provider.publish(Ok(new.jwks()));
    assert!(verify(&tokens, new.token("b")).await.is_ok());
    assert_eq!(verify(&tokens, long).await, Err(RejectionReason::Invalid));
}

#[tokio::test]
async fn issuers_are_told_apart_before_a_signature_is_checked() {
    let (first, second) = (authority(), authority());
    let other = Tokens::jwks("https://other.test", second.jwks()).audience(AUDIENCE);
    let tokens =
        Issuers::new([first.verifier().build().await.unwrap(), other.build().await.unwrap()]);
    let verify = async |token: TestToken<'_>| {
        outcome(tokens.verify(&token.sign().unwrap(), SecurityScopes::NONE).await)
    };
    assert!(verify(first.token("a")).await.is_ok());
    assert!(verify(second.token("b").claim("iss", "https://other.test")).await.is_ok());
    assert!(verify(second.token("b")).await.is_err());
    assert!(verify(first.token("a").claim("iss", "https://other.test")).await.is_err());
    assert!(verify(first.token("a").claim("iss", "https://third.test")).await.is_err());
}

#[tokio::test]
async fn a_service_refuses_tokens_at_each_request() {
    let authority = authority();
    let revoked = Arc::new(std::sync::Mutex::new(String::new()));
    for remember in [0, 1 << 20] {
        let (now, later) = (Arc::clone(&revoked), Arc::clone(&revoked));
        let verifier = authority.verifier::<Claims>().remember(remember);
        let tokens = verifier.refuse_if(move |claims| *now.lock().unwrap() == claims.sub);
        let tokens = tokens.refuse_if(move |claims| {
            let later = Arc::clone(&later);
            Box::pin(async move {
                tokio::task::yield_now().await;
                format!("later {}", claims.sub) == *later.lock().unwrap()
            })
        });
        let tokens = tokens.build().await.unwrap();
        for (list, ann, bob) in
            [("", true, true), ("ann", false, true), ("later bob", true, false), ("", true, true)]
        {
            list.clone_into(&mut revoked.lock().unwrap());
            assert_eq!(verify(&tokens, authority.token("ann")).await.is_ok(), ann, "{list}");
            let refused = verify(&tokens, authority.token("bob")).await;
            assert_eq!(refused.is_ok(), bob, "{list}");
            if !bob {
                assert_eq!(refused, Err(RejectionReason::Invalid));
            }
        }
    }
}

#[tokio::test]
async fn a_service_that_cannot_decide_lets_nobody_in_and_logs_nobody_out() {
    let authority = authority();
    let revoked = Arc::new(RwLock::new(HashSet::from(["ann".to_owned()])));
    for is_later in [false, true] {
        let list = Arc::clone(&revoked);
        let is_revoked = move |name: &str| match list.read() {
            Ok(list) => Ok(list.contains(name)),
            Err(_) => Err("a writer has panicked"),
        };
        let verifier = authority.verifier::<Claims>();
        let verifier = if is_later {
            let is_revoked = Arc::new(is_revoked);
            verifier.refuse_if(move |claims| {
                let is_revoked = Arc::clone(&is_revoked);
                Box::pin(async move {
                    tokio::task::yield_now().await;
                    is_revoked(&claims.sub)
                })
            })
        } else {
            verifier.refuse_if(move |claims| is_revoked(&claims.sub))
        };
        let tokens = verifier.build().await.unwrap();
        let asked = async |name| verify(&tokens, authority.token(name)).await;
        if !is_later {
            assert_eq!(asked("ann").await, Err(RejectionReason::Invalid));
            assert_eq!(asked("bob").await, Ok("bob".to_owned()));
            let list = Arc::clone(&revoked);
            let writer = std::thread::spawn(move || {
                let _list = list.write().unwrap();
                panic!("in the middle of a change");
            });
            assert!(writer.join().is_err());
        }
        for name in ["ann", "bob"] {
            // One that is remembered, too.
            for _ in 0..2 {
                assert_eq!(asked(name).await, Err(RejectionReason::Unavailable));
            }
        }
        let token = authority.token("bob").sign().unwrap();
        let refused = tokens.verify(&token, SecurityScopes::NONE).await.unwrap_err();
        let answer: http::Response<String> = refused.into();
        assert_eq!(
            (answer.status().as_u16(), &answer.headers()["retry-after"]),
            (503, &"5".parse().unwrap())
        );
        assert!(!answer.headers().contains_key("www-authenticate"));
    }
}

#[tokio::test]
async fn remembered_tokens_are_forgotten_by_their_claims() {
    let authority = authority();
    let tokens: Tokens = authority.verifier().build().await.unwrap();
    let remembered = || format!("{tokens:?}").split_once("Remembered(").unwrap().1[..1].to_owned();
    for name in ["ann", "ann", "bob"] {
        assert!(verify(&tokens, authority.token(name)).await.is_ok());
    }
    let before: usize = remembered().parse().unwrap();
    tokens.forget(|claims| claims.sub == "ann");
    assert_eq!(remembered(), "1", "of {before}");
    tokens.forget(|_| true);
    assert_eq!(remembered(), "0");
    assert!(verify(&tokens, authority.token("ann")).await.is_ok());
}

#[tokio::test]
async fn issuers_are_looked_up_when_a_token_names_them() {
    let authority = authority();
    let provider = Provider::of(&authority);
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let named_by_us = provider.clone();
    let issuer = authority.issuer().to_owned();
    let tokens: Issuers<Claims> = Issuers::resolve(move |named| {
        counted.fetch_add(1, Ordering::SeqCst);
        let (provider, issuer) = (named_by_us.clone(), issuer.clone());
        async move {
            tokio::task::yield_now().await;
            if named == "https://broken.test" {
                return Err(FetchError::new("the database is down"));
            }
            Ok((named == issuer).then(|| provider.verifier()))
        }
    });
    let verify = async |token: TestToken<'_>| {
        let token = token.sign().unwrap();
        outcome(tokens.verify(&token, SecurityScopes::NONE).await)
    };
    let asked = || asked.swap(0, Ordering::SeqCst);
    // Many requests look an issuer up once.
    let requests = (0..20).map(|_| verify(authority.token("ann")));
    let verified = futures_util::future::join_all(requests).await;
    assert!(verified.iter().all(Result::is_ok), "{verified:?}");
    assert_eq!((asked(), provider.fetches()), (1, 1));
    // One that is not named is asked for nothing.
    let stranger = || authority.token("ann").claim("iss", "https://stranger.test");
    assert_eq!(verify(stranger()).await, Err(RejectionReason::Invalid));
    assert_eq!(verify(authority.token("a").claim("iss", 1)).await, Err(RejectionReason::Invalid));
    assert_eq!((asked(), provider.fetches()), (1, 1));
    // A failure is remembered.
    for _ in 0..3 {
        let broken = authority.token("ann").claim("iss", "https://broken.test");
        assert_eq!(verify(broken).await, Err(RejectionReason::Unavailable));
    }
    assert_eq!(asked(), 1);
    assert_eq!(verify(authority.token("ann")).await, Ok("ann".to_owned()));
    assert_eq!(asked(), 0);
}

/// An issuer by a rule, which publishes the keys of an authority if it is a good one.
async fn answer_of_issuer(url: String, jwks: String) -> Result<Fetched, FetchError> {
    if !url.starts_with("https://id.test/good") {
        return Err(FetchError::new("status 404"));
    }
    let body = match url.split_once("/.well-known") {
        Some((issuer, _)) => {
            serde_json::json!({ "issuer": issuer, "jwks_uri": format!("{issuer}/keys") })
                .to_string()
        }
        None => jwks,
    };
    Ok(Fetched::new(url, body))
}

#[tokio::test]
async fn forged_issuers_that_a_rule_accepts_cause_few_fetches() {
    let authority = authority();
    for is_discovered in [true, false] {
        let begun = std::time::Instant::now();
        let fetches = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&fetches);
        let jwks = authority.jwks().to_owned();
        let fetch = move |url: String| {
            counted.fetch_add(1, Ordering::SeqCst);
            answer_of_issuer(url, jwks.clone())
        };
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let tokens: Issuers<Claims> = Issuers::resolve(move |issuer: String| {
            counted.fetch_add(1, Ordering::SeqCst);
            let fetch = fetch.clone();
            async move {
                let is_ours = issuer.starts_with("https://id.test/");
                let verifier = match is_discovered {
                    true => Tokens::discover(&*issuer, fetch),
                    false => Tokens::jwks_url(&*issuer, format!("{issuer}/keys"), fetch),
                };
                Ok(is_ours.then(|| verifier.audience(AUDIENCE)))
            }
        });
        let of = async |issuer: &str| {
            let token = authority.token("ann").claim("iss", issuer).sign().unwrap();
            tokens.verify(&token, SecurityScopes::NONE).await
        };
        assert!(of("https://id.test/good").await.is_ok());
        for index in 0..5000 {
            let forged = of(&format!("https://id.test/{index}")).await.unwrap_err();
            assert_eq!(forged.reason(), RejectionReason::Unavailable);
            let answer: http::Response<String> = forged.into();
            let retry_after = answer.headers()["retry-after"].to_str().unwrap().parse::<u64>();
            assert!((1..=60).contains(&retry_after.unwrap()));
        }
        // A slow machine has more than one minute.
        let minutes = usize::try_from(begun.elapsed().as_secs() / 60).unwrap() + 1;
        let fetches = || fetches.load(Ordering::SeqCst);
        assert!((30..=30 * minutes).contains(&fetches()), "{} in {minutes}", fetches());
        assert_eq!(asked.load(Ordering::SeqCst), 5001);
        assert!(of("https://id.test/good").await.is_ok());
        let stranger = of("https://stranger.test").await.unwrap_err();
        assert_eq!(stranger.reason(), RejectionReason::Invalid);

        // The longest issuer that is looked up, and one more byte.
        let before = asked.load(Ordering::SeqCst);
        let long = format!("https://id.test/{}", "a".repeat(239));
        assert_eq!(of(&long).await.unwrap_err().reason(), RejectionReason::Unavailable);
        let longer = of(&format!("{long}a")).await.unwrap_err();
        assert_eq!(longer.reason(), RejectionReason::Invalid);
        assert_eq!(asked.load(Ordering::SeqCst), before + 1);
    }
}

#[tokio::test]
async fn a_service_sets_how_often_new_issuers_are_asked() {
    let authority = authority();
    // (the limit, the issuers that are found)
    for (limit, found) in [(0, 0), (1, 0), (2, 1), (5, 2), (100, 3)] {
        let jwks = authority.jwks().to_owned();
        let tokens: Issuers<Claims> = Issuers::resolve(move |issuer: String| {
            let jwks = jwks.clone();
            async move {
                let fetch = move |url| answer_of_issuer(url, jwks.clone());
                Ok(Some(Tokens::discover(issuer, fetch).audience(AUDIENCE)))
            }
        })
        .max_fetches_of_new_issuers(limit);
        let mut good = 0;
        for index in 0..3 {
            let issuer = format!("https://id.test/good/{index}");
            let token = authority.token("ann").claim("iss", issuer);
            let token = token.sign().unwrap();
            good += usize::from(tokens.verify(&token, SecurityScopes::NONE).await.is_ok());
        }
        assert_eq!(good, found, "{limit}");
    }
    // Keys that need no fetch are not limited.
    let jwks = authority.jwks().to_owned();
    let tokens: Issuers<Claims> = Issuers::resolve(move |issuer: String| {
        let jwks = jwks.clone();
        async move { Ok(Some(Tokens::jwks(issuer, jwks).audience(AUDIENCE))) }
    })
    .max_fetches_of_new_issuers(0);
    let token = authority.token("ann").sign().unwrap();
    assert!(tokens.verify(&token, SecurityScopes::NONE).await.is_ok());
}

#[tokio::test]
async fn settings_are_read_and_all_mistakes_are_listed() {
    let authority = authority();
    let from = |settings: serde_json::Value| {
        let settings = serde_json::from_value(settings)?;
        let never = async |_: String| Err::<Fetched, _>(FetchError::new("never asked"));
        Ok::<_, serde_json::Error>(Tokens::from_settings(settings, never))
    };
    let tokens = from(serde_json::json!({
        "issuer": authority.issuer(),
        "audience": AUDIENCE,
        "jwks": authority.jwks(),
        "algorithms": ["EdDSA"],
        "token_type": "at+jwt",
        "leeway": 0,
        "max_bytes": 4096,
        "scopes_in": ["scp"],
        "remember": 0,
        "cool_down": 1,
        "stale_if_error": 1
    }));
    let tokens = tokens.unwrap().build().await.unwrap();
    let token = authority.token("ann").claim("scp", "items").sign().unwrap();
    assert!(tokens.verify(&token, security_scopes!["items"]).await.is_ok());
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let past = now.unwrap().as_secs_f64() - 1.0;
    assert!(verify(&tokens, authority.token("ann").claim("exp", past)).await.is_err());

    // A format of settings may read a number instead of a text.
    let of_number = from(serde_json::json!({
        "issuer": authority.issuer(),
        "jwks": authority.jwks(),
        "audience": 344_374_183_645_413_380_u64,
    }));
    let of_number = of_number.unwrap().build().await.unwrap();
    let token = authority.token("ann").claim("aud", "344374183645413380").sign().unwrap();
    assert!(of_number.verify(&token, SecurityScopes::NONE).await.is_ok());

    for unknown in [r#"{ "audiance": "a" }"#, r#"{ "leeway": "long" }"#] {
        let settings = serde_json::from_str(unknown).unwrap();
        assert!(from(settings).is_err(), "{unknown}");
    }
    let secret = "0123456789";
    let mistakes = from(serde_json::json!({
        "issuer": "id.example.com",
        "audience": AUDIENCE,
        "client_id": "web",
        "pem": "x",
        "secret": secret,
        "token_type": ["JWT", "any"],
        "algorithms": ["ES256", "none", "ES512", "rs256"],
        "leeway": 100_800
    }));
    let mistakes = mistakes.unwrap().build().await.unwrap_err().to_string();
    for mistake in [
        "`none` is not an algorithm of signatures; write one such as `ES256`",
        "`ES512` is not an algorithm of signatures; write one such as `ES256`",
        "`rs256` is not an algorithm of signatures; write `RS256`",
        "a leeway of 100800 s takes tokens so long after they have expired; set at most 3600 s",
        "`any` stands alone",
        "`audience` and `client_id` exclude each other",
        "the PEM lacks its first and last line",
        "a shared secret has at least 32 bytes",
    ] {
        assert!(mistakes.contains(mistake), "{mistake}: {mistakes}");
    }
    assert!(!mistakes.contains(secret));
    let missing = from(serde_json::json!({})).unwrap().build().await.unwrap_err();
    assert_eq!(
        missing.to_string(),
        "an issuer must be an absolute URL; write one like `https://example.com`; nothing says which tokens are for this service; call \
         `audience`, or `client_id` if they have no `aud`, or `for_scheme` if it is the `resource` of a scheme"
    );
}

/// An issuer that has answered once, and hangs from then on.
fn hanging(authority: &TestAuthority) -> (impl Fetch, Arc<AtomicUsize>) {
    struct Hanging(String, Arc<AtomicUsize>);

    impl Fetch for Hanging {
        async fn fetch(
            &self,
            request: doorward::http::Request<bytes::Bytes>,
            _max_bytes: usize,
        ) -> Result<Fetched, FetchError> {
            match self.1.fetch_add(1, Ordering::Relaxed) {
                0 => Ok(Fetched::new(request.uri().to_string(), self.0.clone())),
                _ => core::future::pending().await,
            }
        }

        async fn patience(&self) {}
    }

    let fetches = Arc::new(AtomicUsize::new(0));
    (Hanging(authority.jwks().to_owned(), Arc::clone(&fetches)), fetches)
}

/// A key that is not known is asked for once, and while that takes long, the token is refused by the
/// keys that are at hand.
#[tokio::test]
async fn an_issuer_that_hangs_holds_up_no_token_with_an_unknown_key() {
    let authority = authority();
    let (fetch, fetches) = hanging(&authority);
    let tokens = TokenVerifier::<Claims>::jwks_url(
        "https://authority.test",
        "https://authority.test/keys",
        fetch,
    );
    let tokens = tokens.audience(AUDIENCE).cool_down(Duration::ZERO);
    let tokens = tokens.build().await.unwrap();
    assert!(verify(&tokens, authority.token("a")).await.is_ok());
    for _ in 0..3 {
        let unknown = verify(&tokens, authority.token("a").header("kid", "unknown"));
        assert_eq!(unknown.now_or_never(), Some(Err(RejectionReason::Invalid)));
        assert!(verify(&tokens, authority.token("b")).await.is_ok());
    }
    tokio::task::yield_now().await;
    assert_eq!(fetches.load(Ordering::Relaxed), 2);
}

/// Of all requests with tokens of an issuer, one looks it up, also if it is not trusted, or if the
/// function of the service panics.
#[tokio::test]
async fn an_issuer_is_looked_up_once_for_all_who_wait() {
    for panics in [false, true] {
        let (lookups, all_wait) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (counted, answers) = (Arc::clone(&lookups), Arc::clone(&all_wait));
        let tokens = Issuers::<Claims>::resolve(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            let answers = Arc::clone(&answers);
            futures_util::future::poll_fn(move |_| {
                if !answers.load(Ordering::Relaxed) {
                    return Poll::Pending;
                }
                assert!(!panics, "as intended");
                Poll::Ready(Ok(None))
            })
        });
        let token = authority().token("a").sign().unwrap();
        let all = (0..50).map(|_| Box::pin(tokens.verify(&token, SecurityScopes::NONE)));
        let mut all = Vec::from_iter(all);
        assert!(all.iter_mut().all(|one| one.as_mut().now_or_never().is_none()));
        all_wait.store(true, Ordering::Relaxed);
        for verified in futures_util::future::join_all(all).await {
            let reason = verified.unwrap_err().reason();
            let expected =
                if panics { RejectionReason::Unavailable } else { RejectionReason::Invalid };
            assert_eq!(reason, expected);
        }
        assert_eq!(lookups.load(Ordering::Relaxed), 1);
    }
}
