//! Schemes, as their attributes declare them.

use doorward::openapi::Operation;
use doorward::scheme::{Flow, Flows, RejectionReason, SchemeConfig, Scope, TextOrSetting};
use doorward::{
    ApiKey, AuthorizationValue, BearerToken, Rejection, Scheme, api_key, http_basic, oauth2,
    oauth2_authorization_code_bearer, oauth2_password_bearer,
};
use http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Response, StatusCode};

const TOKEN_URL: &str = "/token";
const SCOPES: &[Scope] = &[Scope::new("me", "Read me."), Scope::new("items:read", "Read items.")];

#[test]
fn the_least_configuration() {
    #[oauth2]
    struct Base;
    #[oauth2_password_bearer(token_url = "token")]
    struct Password;
    #[oauth2_authorization_code_bearer(authorization_url = "authorize", token_url = "token")]
    struct Code;

    assert_eq!(Base::CONFIG, SchemeConfig::new::<AuthorizationValue>("Base"));
    let flow = Flow::new().with_token_url(TextOrSetting::Text("token"));
    assert_eq!(
        Password::CONFIG,
        SchemeConfig::new::<BearerToken>("Password").with_flows(Flows::new().with_password(flow))
    );
    let flow = flow.with_authorization_url(TextOrSetting::Text("authorize"));
    assert_eq!(
        Code::CONFIG,
        SchemeConfig::new::<BearerToken>("Code")
            .with_flows(Flows::new().with_authorization_code(flow))
    );
}

#[test]
fn the_whole_configuration() {
    const REJECTION: Rejection = Rejection::new(StatusCode::NOT_FOUND);

    #[oauth2_authorization_code_bearer(
        authorization_url = "https://example.com/authorize?a=b#c",
        token_url = TOKEN_URL,
        refresh_url = concat!("/token", "/refresh"),
        scopes("me" = "Read me.", "items:read" = "Read items.",),
        scheme_name = "my-scheme_1.0",
        description = "By *hand*.",
        auto_error = false,
        strict,
        rejection = REJECTION,
    )]
    struct Code;

    let flow = Flow::new()
        .with_authorization_url(TextOrSetting::Text("https://example.com/authorize?a=b#c"))
        .with_token_url(TextOrSetting::Text("/token"))
        .with_refresh_url(TextOrSetting::Text("/token/refresh"))
        .with_scopes(SCOPES);
    let config = SchemeConfig::new::<Option<BearerToken>>("my-scheme_1.0")
        .with_description("By *hand*.")
        .with_flows(Flows::new().with_authorization_code(flow))
        .with_strict(true)
        .with_rejection(REJECTION);
    assert_eq!(Code::CONFIG, config);
    const { assert!(!Code::CONFIG.has_auto_error()) };
}

#[test]
fn every_flow_of_the_base_scheme() {
    #[oauth2(flows(
        authorization_code(authorization_url = "a", token_url = "t", refresh_url = "r"),
        client_credentials(token_url = "t", refresh_url = "r"),
        password(token_url = "t", refresh_url = "r", scopes("me" = "Read me.", "items:read" = "Read items.")),
        implicit(authorization_url = "a", refresh_url = "r"),
    ))]
    struct Base;

    let refresh = Flow::new().with_refresh_url(TextOrSetting::Text("r"));
    let flows = Flows::new()
        .with_implicit(refresh.with_authorization_url(TextOrSetting::Text("a")))
        .with_password(refresh.with_token_url(TextOrSetting::Text("t")).with_scopes(SCOPES))
        .with_client_credentials(refresh.with_token_url(TextOrSetting::Text("t")))
        .with_authorization_code(
            refresh
                .with_authorization_url(TextOrSetting::Text("a"))
                .with_token_url(TextOrSetting::Text("t")),
        );
    assert_eq!(Base::CONFIG.flows(), flows);
}

#[test]
fn a_doc_comment_describes_unless_a_description_is_given() {
    /// Tokens from our login form.
    ///
    ///  * indented
    #[oauth2]
    struct Documented;
    /// For maintainers.
    #[oauth2(description = "For users.")]
    struct Described;
    #[oauth2]
    #[doc = "Below the attribute."]
    struct Below;

    assert_eq!(
        Documented::CONFIG.description(),
        Some("Tokens from our login form.\n\n * indented")
    );
    assert_eq!(Described::CONFIG.description(), Some("For users."));
    assert_eq!(Below::CONFIG.description(), Some("Below the attribute."));
}

#[test]
fn the_type_says_whether_there_is_a_credential() {
    #[oauth2]
    struct Base;
    #[oauth2(auto_error = false)]
    struct MaybeBase;
    #[oauth2_password_bearer(token_url = "token")]
    struct Password;
    #[oauth2_password_bearer(token_url = "token", auto_error = false)]
    struct MaybePassword;

    let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static("Bearer a"))]);
    let _: AuthorizationValue = Base::authenticate(&headers).unwrap();
    let _: Option<AuthorizationValue> = MaybeBase::authenticate(&headers).unwrap();
    let _: BearerToken = Password::authenticate(&headers).unwrap();
    let _: Option<BearerToken> = MaybePassword::authenticate(&headers).unwrap();
    let _: &[u8] = Base::authenticate_ref(&headers).unwrap();
    let _: Option<&[u8]> = MaybeBase::authenticate_ref(&headers).unwrap();
    let _: &str = Password::authenticate_ref(&headers).unwrap();
    let _: Option<&str> = MaybePassword::authenticate_ref(&headers).unwrap();
}

#[test]
fn a_rejection_is_replaced_as_a_whole() {
    const REJECTION: Rejection = Rejection::new(StatusCode::FORBIDDEN)
        .with_challenge("DPoP algs=\"ES256\"")
        .with_body("text/plain", "no");

    #[oauth2_password_bearer(token_url = "token", strict, rejection = REJECTION)]
    struct Password;

    for reason in [RejectionReason::Missing, RejectionReason::Repeated, RejectionReason::Malformed]
    {
        let response = Response::<String>::from(Password::CONFIG.rejection_of(reason));
        assert_eq!(response.status(), StatusCode::FORBIDDEN);
        assert_eq!(response.headers()[WWW_AUTHENTICATE], "DPoP algs=\"ES256\"");
        assert_eq!(response.headers()[CONTENT_TYPE], "text/plain");
        assert_eq!(response.body(), "no");
    }
    let refused = Password::authenticate(&HeaderMap::new()).unwrap_err();
    assert_eq!(refused.reason(), Some(RejectionReason::Missing));
    let bare = Response::<String>::from(Rejection::new(StatusCode::NOT_FOUND));
    assert!(bare.headers().is_empty() && bare.body().is_empty());
}

/// Two keys are not a missing key, so the text for one reason need not be that for another.
#[test]
fn each_reason_may_have_its_response() {
    const MALFORMED: Rejection = Rejection::new(StatusCode::UNPROCESSABLE_ENTITY)
        .with_detail("The key has bytes outside ASCII");

    #[api_key(
        header = "X-API-Key",
        rejection(
            missing = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Missing API key"),
            repeated = Rejection::new(StatusCode::BAD_REQUEST).with_detail("More than one API key"),
            malformed = MALFORMED,
        )
    )]
    struct Key;

    #[api_key(
        cookie = "session",
        rejection(missing = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Not logged in"), cross_site = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not from there"))
    )]
    struct Session;

    /// Its answer to two cookies is never sent.
    #[api_key(
        cookie = "session",
        repeated = "first",
        rejection(repeated = Rejection::new(StatusCode::BAD_REQUEST))
    )]
    struct First;

    fn refused<S: Scheme<Credential = ApiKey>>(lines: &[(&str, &[u8])]) -> (u16, String) {
        let mut request = http::Request::post("/");
        for (name, value) in lines {
            request = request.header(*name, HeaderValue::from_bytes(value).unwrap());
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        let refused = S::authenticate(&head).unwrap_err();
        let response = Response::<String>::from(refused);
        (response.status().as_u16(), response.into_body())
    }

    let detail = |status: u16, text: &str| (status, format!(r#"{{"detail":"{text}"}}"#));
    let key = |value: &'static [u8]| ("x-api-key", value);
    assert_eq!(refused::<Key>(&[]), detail(401, "Missing API key"));
    assert_eq!(refused::<Key>(&[key(b"a"), key(b"b")]), detail(400, "More than one API key"));
    assert_eq!(
        refused::<Key>(&[key("é".as_bytes())]),
        detail(422, "The key has bytes outside ASCII")
    );

    assert_eq!(refused::<Session>(&[]), detail(401, "Not logged in"));
    // A reason that is not listed keeps the default.
    assert_eq!(
        refused::<Session>(&[("cookie", b"session=a; session=b")]),
        detail(401, "Not authenticated")
    );
    assert_eq!(
        refused::<Session>(&[("cookie", b"session=a"), ("sec-fetch-site", b"cross-site")]),
        detail(403, "Not from there")
    );

    // The description has each of them.
    let statuses = |operation: Operation| Vec::from_iter(operation.responses().into_keys());
    assert_eq!(statuses(Operation::of::<Key>()), ["400", "401", "422"]);
    assert_eq!(statuses(Operation::of::<Session>()), ["401", "403"]);
    assert_eq!(statuses(Operation::of::<First>()), ["401", "403"]);
}

/// A configuration that is written by hand is checked by the rules of the attribute.
#[test]
fn a_name_that_no_request_can_have_is_a_500() {
    use doorward::scheme::{ApiKeyLocation, SchemeConfig, SchemeKind};

    const fn of(location: ApiKeyLocation) -> SchemeConfig {
        SchemeConfig::new::<ApiKey>("Key").with_kind(SchemeKind::ApiKey(location))
    }
    const fn cookie(name: &'static str) -> SchemeConfig {
        of(ApiKeyLocation::Cookie { name, cross_site: false, takes_first: true })
    }
    static GOOD: [SchemeConfig; 4] = [
        of(ApiKeyLocation::Header("X-Api.Key")),
        of(ApiKeyLocation::Header("Authorization")),
        of(ApiKeyLocation::Query("any text")),
        cookie("__Host-session"),
    ];
    static WRONG: [SchemeConfig; 6] = [
        of(ApiKeyLocation::Header("")),
        of(ApiKeyLocation::Header("cookie")),
        of(ApiKeyLocation::Header("a key")),
        of(ApiKeyLocation::Query("")),
        cookie("a=b"),
        cookie(""),
    ];
    for (configs, status) in [(&GOOD[..], 401), (&WRONG[..], 500)] {
        for config in configs {
            let refused = config.rejection_of(RejectionReason::Missing);
            assert_eq!(refused.status(), status, "{:?}", config.kind());
        }
    }
}

#[http_basic(realm = "simple", charset)]
struct Utf8;

#[test]
fn the_charset_of_basic_follows_its_realm() {
    let refused = Utf8::CONFIG.rejection_of(RejectionReason::Missing);
    let challenge = refused.challenge();
    assert_eq!(challenge.as_deref(), Some(r#"Basic realm="simple", charset="UTF-8""#));
}
