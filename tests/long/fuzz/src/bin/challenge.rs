//! Fuzzes the challenges of bearer errors, and the responses of the token endpoint, with any text.
#![no_main]

use doorward::BearerError;
use doorward::token_endpoint::{TokenError, TokenResponse};
use http::header::WWW_AUTHENTICATE;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(error) = BearerError::invalid_token().with_realm(text.to_owned()) {
        let response: http::Response<String> = error.into();
        let challenge = response.headers()[WWW_AUTHENTICATE].to_str().expect("text").to_owned();
        let realm = challenge.split_once("realm=\"").and_then(|(_, rest)| rest.split_once('"'));
        assert_eq!(realm.expect("a realm").0, text);
    }
    let response: http::Response<String> =
        TokenError::invalid_scope("").with_description(text.to_owned()).into();
    let body: serde_json::Value = serde_json::from_str(response.body()).expect("JSON");
    let description = body["error_description"].as_str().expect("text");
    assert_eq!(description.chars().count(), text.chars().count());
    assert!(
        description.bytes().all(|byte| matches!(byte, 0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7e))
    );

    let answer = TokenResponse::bearer(text).with_refresh_token(text);
    assert_eq!(
        format!("{answer:?}"),
        format!("{:?}", TokenResponse::bearer("").with_refresh_token(""))
    );
    let response: http::Response<String> = answer.into();
    let body: serde_json::Value = serde_json::from_str(response.body()).expect("JSON");
    assert_eq!(body["access_token"], text);
});
