//! What the log says of opaque tokens: a reason, and nothing of the token or of its answer.

use bytes::Bytes;
use doorward::verify::{ClientLogin, Fetch, FetchError, Fetched, Introspection, TestIssuer};
use doorward::{BearerToken, SecurityScopes, security_scopes};
use http::{Request, StatusCode};
use serde_json::{Value, json};

use super::log_of_async;

async fn verify(tokens: &Introspection<Value>, token: &str, scopes: SecurityScopes) {
    let token = BearerToken::try_from(token).unwrap();
    let _ = tokens.verify(&token, scopes).await;
}

#[test]
fn a_reason_is_said_and_nothing_of_the_token() {
    let issuer = TestIssuer::new("https://api.example.com");
    let tokens = issuer.verifier::<Value>().max_bytes(64).build().unwrap();
    let active = |more: Value| {
        let mut answer = json!({ "active": true, "sub": "s3cret", "aud": "s3cret" });
        answer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        answer
    };
    let long = "s3cret".repeat(20);
    for (answer, token, expected) in [
        (json!({ "active": false }), "s3cret", "the issuer says that the token is not active"),
        (json!({ "active": "s3cret" }), "s3cret", "the issuer's answer does not say whether"),
        (
            active(json!({})),
            "s3cret",
            "another audience\" expected=\"https://api.example.com\" setting=\"audience\"",
        ),
        (active(json!({ "typ": "s3cret" })), "s3cret", "the token is not an access token"),
        (active(json!({ "exp": 1 })), "s3cret", "the token has expired"),
        (
            json!({}),
            &*long,
            "the token is too long\" expected=\"at most 64 bytes\" setting=\"max_bytes\"",
        ),
        (json!({}), "s3cret s3cret", "the token has a character that no bearer token has"),
    ] {
        issuer.answer("s3cret", answer);
        let log = log_of_async(verify(&tokens, token, SecurityScopes::NONE));
        assert_eq!(log.lines().count(), 1, "{log}");
        assert!(log.contains("a token was refused") && log.contains(expected), "{log}");
        assert!(!log.contains("s3cret"), "{log}");
    }
    issuer.answer("s3cret", active(json!({ "aud": "https://api.example.com", "scope": "s3cret" })));
    let log = log_of_async(verify(&tokens, "s3cret", security_scopes!["items"]));
    assert!(log.contains("the required scopes\" expected=\"items\""), "{log}");
    assert!(!log.contains("s3cret"), "{log}");
}

/// An issuer whose answer has this status.
struct Status(StatusCode);

impl Fetch for Status {
    async fn fetch(&self, _: Request<Bytes>, _: usize) -> Result<Fetched, FetchError> {
        Err(FetchError::new("no answer").with_status(self.0))
    }
}

#[test]
fn an_alarm_is_raised_once_a_minute() {
    for (status, expected) in [
        (401, "ERROR doorward::trace: the issuer refuses the login with which it is asked"),
        (403, "ERROR doorward::trace: the issuer refuses the login with which it is asked"),
        (500, "ERROR doorward::trace: an issuer could not be asked about tokens"),
    ] {
        let login = ClientLogin::basic("items-api", "s3cret");
        let tokens = Introspection::<Value>::at("https://id.example.com/introspect", login);
        let tokens = tokens.audience("a");
        let tokens = tokens.fetch(Status(StatusCode::from_u16(status).unwrap())).build().unwrap();
        let log = log_of_async(async {
            for _ in 0..20 {
                verify(&tokens, "t0k3n", SecurityScopes::NONE).await;
            }
        });
        // The minute may end in the meantime.
        let alarms = log.lines().filter(|line| line.contains(expected)).count();
        assert!((1..=2).contains(&alarms), "{log}");
        assert_eq!(log.matches("the issuer cannot be asked about the token").count(), 20, "{log}");
        assert!(!log.contains("s3cret") && !log.contains("t0k3n"), "{log}");
    }
}
