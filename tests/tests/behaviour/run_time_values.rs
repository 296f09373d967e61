//! What a service builds from any values while it runs is an error or harmless: nothing panics, and
//! nothing that refuses a request lets it through.

use core::time::Duration;

use doorward::metadata::ResourceMetadata;
use doorward::scheme::{
    Flow, Flows, RejectionReason, SchemeConfig, SchemeKind, Setting, TextOrSetting,
};
use doorward::secret_eq;
use doorward::token_endpoint::{TokenError, TokenResponse};
use doorward::verify::VerifyError;
use doorward::{
    ApiKey, BasicCredentials, BearerError, BearerToken, Rejection, Scheme, SecurityScopes,
    oauth2_bearer,
};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use proptest::collection::vec;
use proptest::prelude::*;

#[oauth2_bearer(
    flows(client_credentials(token_url = "/token")),
    resource = "https://api.example.com"
)]
struct Api;

/// A text that may be a header, and one that hardly is.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ -~]{0,20}", "[a-zA-Z-]{1,20}"]
}

/// A status that refuses a request, and one that need not.
fn status() -> impl Strategy<Value = StatusCode> {
    let status = prop_oneof![100..1000_u16, Just(200), Just(304)];
    status.prop_map(|status| StatusCode::from_u16(status).unwrap())
}

fn leaked(text: &str) -> &'static str {
    text.to_owned().leak()
}

/// The lines of a header.
fn lines<'r>(response: &'r Response<String>, name: &str) -> Vec<&'r HeaderValue> {
    response.headers().get_all(name).iter().collect()
}

/// Returns `true` if the response refuses a request.
fn refuses<B>(response: &Response<B>) -> bool {
    let status = response.status();
    status.as_u16() >= 300 && status != StatusCode::NOT_MODIFIED
}

fn is_value(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

proptest! {
    #[test]
    fn a_rejection_refuses(
        status in status(),
        detail in text(),
        challenge in text(),
        headers in vec((text(), text()), 0..4),
        body in proptest::option::of((text(), text())),
    ) {
        let (challenge, detail) = (leaked(&challenge), leaked(&detail));
        let headers: Vec<_> = headers.iter().map(|(name, value)| (leaked(name), leaked(value))).collect();
        let headers: &'static [(&str, &str)] = headers.leak();
        let mut rejection = Rejection::new(status).with_detail(detail).with_challenge(challenge).with_headers(headers);
        if let Some((content_type, body)) = &body {
            rejection = rejection.with_body(leaked(content_type), leaked(body));
        }
        let response = Response::<String>::from(rejection);
        prop_assert!(refuses(&response));
        prop_assert_eq!(response.status(), rejection.status());
        let kept = status.as_u16() >= 300 && status != StatusCode::NOT_MODIFIED;
        prop_assert_eq!(response.status(), if kept { status } else { StatusCode::INTERNAL_SERVER_ERROR });
        // What HTTP can carry is sent, and nothing else.
        let mut sent = HeaderMap::new();
        if is_value(challenge) {
            sent.append("www-authenticate", challenge.parse().unwrap());
        }
        match &body {
            None => {
                sent.append("content-type", "application/json".parse().unwrap());
            }
            Some((content_type, _)) if is_value(content_type) => {
                sent.append("content-type", content_type.parse().unwrap());
            }
            Some(_) => {}
        }
        let of_the_body = ["content-type", "content-length", "transfer-encoding", "connection"];
        for (name, value) in headers {
            let Ok(name) = http::HeaderName::try_from(*name) else { continue };
            if is_value(value) && !of_the_body.contains(&name.as_str()) {
                sent.append(name, value.trim().parse().unwrap());
            }
        }
        prop_assert_eq!(response.headers(), &sent);
        match &body {
            Some((_, body)) => prop_assert_eq!(response.body(), body),
            None => {
                let body: serde_json::Value = serde_json::from_str(response.body()).unwrap();
                prop_assert_eq!(body, serde_json::json!({ "detail": detail }));
            }
        }
    }

    #[test]
    fn a_field_name_has_no_case(name in "[!#-'*+.^-z|~0-9A-Z-]{1,20}") {
        prop_assume!(http::HeaderName::try_from(&*name).is_ok());
        let sent = |name: &str| {
            let headers = vec![(leaked(name), "x")].leak();
            Response::<String>::from(Rejection::new(StatusCode::BAD_REQUEST).with_detail("").with_headers(headers))
        };
        let upper = sent(&name.to_ascii_uppercase());
        let lower = sent(&name.to_ascii_lowercase());
        prop_assert_eq!(upper.headers(), lower.headers());
    }

    #[test]
    fn a_bearer_error_refuses(
        texts in vec(text(), 0..4),
        text in text(),
        seconds in any::<u64>(),
        nanos in 0..1_000_000_000_u32,
    ) {
        let age = Duration::new(seconds, nanos);
        let mut error = BearerError::insufficient_user_authentication().with_max_age(age);
        for set in [
            error.clone().with_scopes(&texts),
            error.clone().with_acr_values(&texts),
            error.clone().with_realm(text.clone()),
            Ok(error.clone().with_description(text.clone())),
        ].into_iter().flatten() {
            let response = Response::<String>::from(set);
            prop_assert!(refuses(&response));
            prop_assert_eq!(lines(&response, "www-authenticate").len(), 1);
        }
        error = error.with_detail(text);
        prop_assert!(refuses(&Response::<String>::from(error)));
        prop_assert!(refuses(&Response::<String>::from(BearerError::unauthorized(leaked(&texts.concat())))));
    }

    #[test]
    fn an_answer_of_a_token_endpoint_is_json(
        text in text(),
        texts in vec(text(), 0..4),
        seconds in any::<u64>(),
        nanos in 0..1_000_000_000_u32,
    ) {
        let time = Duration::new(seconds, nanos);
        let of_text = leaked(&text);
        for error in [
            TokenError::invalid_grant(of_text).with_uri(of_text),
            TokenError::server_error().with_description(text.clone()),
            TokenError::too_many_requests(time),
        ] {
            let response = Response::<String>::from(error);
            prop_assert!(refuses(&response));
            prop_assert!(serde_json::from_str::<serde_json::Value>(response.body()).is_ok());
        }
        let answer = TokenResponse::bearer(text.clone())
            .with_refresh_token(text.clone())
            .with_expires_in(time)
            .with_scopes(&texts)
            .with_extra(of_text, text.clone());
        let response = Response::<String>::from(answer);
        prop_assert!(serde_json::from_str::<serde_json::Value>(response.body()).is_ok());
        prop_assert_eq!(VerifyError::unavailable(time).status(), 503);
        prop_assert!(refuses(&Response::<String>::from(VerifyError::unavailable(time))));
        prop_assert!(refuses(&Response::<String>::from(VerifyError::invalid_token(SecurityScopes::NONE))));
    }

    #[test]
    fn a_document_is_json(text in text(), texts in vec(text(), 0..4)) {
        let metadata = ResourceMetadata::of::<Api>().unwrap();
        let path = metadata.path().to_owned();
        let metadata = metadata
            .with_authorization_servers(&texts)
            .with_scopes_supported(&texts)
            .with_resource_name(&text)
            .with_resource_documentation(&text)
            .with_signed_metadata(&text)
            .with_jwks_uri(&text);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&metadata.to_json()).is_ok());
        prop_assert_eq!(metadata.path(), &path);
        prop_assert!(metadata.respond::<String>(&text, &text).is_none_or(|_| text == path));
    }

    #[test]
    fn a_configuration_is_an_error_or_harmless(text in prop_oneof![text(), "https://[a-z./?#]{0,8}"]) {
        let known = TextOrSetting::Text(leaked(&text));
        let is_harmless = |config: SchemeConfig, is_good: bool| {
            let config: &'static SchemeConfig = Box::leak(Box::new(config));
            let response = Response::<String>::from(config.rejection_of(RejectionReason::Missing));
            prop_assert_eq!(response.status(), if is_good { 401 } else { 500 });
            prop_assert_eq!(lines(&response, "www-authenticate").len(), usize::from(is_good));
            Ok(())
        };
        let quotable = text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'));
        prop_assert_eq!(Setting::realm("").set(text.clone()).is_ok(), quotable);
        is_harmless(Api::CONFIG.with_realm(known), quotable)?;
        let is_resource = Setting::resource("").set(text.clone()).is_ok();
        is_harmless(Api::CONFIG.with_resource(known), is_resource)?;
        let is_issuer = Setting::issuer("").set(text.clone()).is_ok();
        prop_assert_eq!(is_issuer, is_resource && !text.contains('?'));
        is_harmless(Api::CONFIG.with_authorization_servers(vec![known].leak()), is_issuer)?;
        let is_url = Setting::url("").set(text.clone()).is_ok();
        prop_assert_eq!(is_url, !text.is_empty() && !text.contains(char::is_control));
        let flows = Flows::new().with_password(Flow::new().with_token_url(known));
        is_harmless(Api::CONFIG.with_flows(flows), is_url)?;
        is_harmless(Api::CONFIG.with_kind(SchemeKind::OpenIdConnect { url: known }), is_url)?;
    }

    #[test]
    fn a_credential_is_an_error_or_what_it_was(text in text(), other in text()) {
        if let Ok(token) = BearerToken::try_from(&*text) {
            prop_assert_eq!(token.as_str(), &text);
        }
        let is_same = text == other;
        let user = BasicCredentials::new(&text, &text);
        prop_assert_eq!(user.username_eq(&other), is_same);
        prop_assert_eq!(user.password_eq(other.as_bytes()), is_same);
        prop_assert_eq!(ApiKey::from(&*text).secret_eq(&other), is_same);
        prop_assert_eq!(secret_eq(&text, other.into_bytes()), is_same);
        prop_assert!(user.username_eq(&text) & user.password_eq(user.password.clone()));
    }
}
