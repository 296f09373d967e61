//! Complete challenges: what a scheme with a realm or a resource answers, and what dependencies
//! below it do.

use std::time::Duration;

use super::asking::{self, block_on};
use super::frameworks::salvo::answer_of;
use doorward::adapter::Resolve;
use doorward::head::Head;
use doorward::metadata::AuthorizationServerMetadata;
use doorward::metadata::ResourceMetadata;
use doorward::openapi::{Document, Operation};
use doorward::scheme::{RefusedRequest, RejectionReason, Setting};
use doorward::{
    ApiKey, BearerError, BearerToken, Dependency, Plan, Rejection, Scheme, SecurityScopes, Shared,
    api_key, dependency, http_bearer, oauth2_bearer, oauth2_password_bearer, one_of, plan,
};
use doorward_tests::description::assert_valid;
use doorward_tests::format::{Known, OneToken};
use doorward_tests::rfc;
use http::header::WWW_AUTHENTICATE;
use http::{Response, StatusCode};
use serde_json::json;

/// Returns the status and the challenges of the answer to a request with these `Authorization`
/// lines.
fn answer<D>(plan: Plan<D>, lines: &[&'static str]) -> (u16, Vec<String>)
where
    D: Dependency + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    let lines = Vec::from_iter(lines.iter().map(|line| ("authorization", *line)));
    match block_on(plan.resolve(&mut asking::head(&lines))) {
        Ok(_) => (200, Vec::new()),
        Err(response) => (response.status().as_u16(), challenges(&response)),
    }
}

fn challenges(response: &Response<String>) -> Vec<String> {
    let lines = response.headers().get_all(WWW_AUTHENTICATE).iter();
    lines.map(|line| line.to_str().unwrap().to_owned()).collect()
}

fn missing<D>(plan: Plan<D>) -> Vec<String>
where
    D: Dependency + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    let (status, challenges) = answer(plan, &[]);
    assert_eq!(status, 401);
    challenges
}

/// A scheme with a realm alone.
#[oauth2_password_bearer(
    token_url = "token",
    scopes("a" = "", "b" = "", "c" = "", "offline_access" = ""),
    realm = "simple",
    strict
)]
struct Simple;

#[dependency]
fn user(#[security(Simple)] token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    match token.as_str() {
        "malformed" => Err(scopes.invalid_request()),
        "expired" => Err(scopes.invalid_token().with_description("It has expired")),
        "weak" => Err(scopes
            .insufficient_user_authentication()
            .with_acr_values(["phr", "phrh"])
            .unwrap()
            .with_max_age(Duration::from_secs(300))),
        "hidden" => Err(scopes.unauthorized("No")),
        granted => Ok(scopes.check(granted)?),
    }
}

#[dependency]
fn first(#[security(user, scopes("a"))] _user: ()) {}

#[dependency]
fn second(
    #[security(first, scopes("b"))] _first: (),
    #[security(user, scopes("c", "a"))] _user: (),
) {
}

#[test]
fn the_challenge_of_a_missing_token_names_all_scopes_of_the_plan() {
    assert_eq!(missing(plan!(user)), [r#"Bearer realm="simple""#]);
    assert_eq!(missing(plan!(first)), [r#"Bearer realm="simple", scope="a""#]);
    assert_eq!(
        missing(plan!(second, scopes("offline_access"))),
        [r#"Bearer realm="simple", scope="b a c""#]
    );
    assert_eq!(missing(plan!(second)), [r#"Bearer realm="simple", scope="b a c""#]);
}

#[test]
fn every_error_has_a_complete_challenge() {
    let realm = r#"Bearer realm="simple""#;
    let invalid = r#"error="invalid_token", error_description="The access token is expired, revoked, malformed or otherwise invalid""#;
    let malformed = r#"error="invalid_request", error_description="The request is malformed""#;
    let scope = r#"scope="b a c""#;
    for (lines, status, challenge) in [
        (&["Basic YTpi"][..], 401, format!("{realm}, {scope}")),
        (&["Bearer a", "Bearer a"], 400, format!("{realm}, {malformed}, {scope}")),
        (&["Bearer a b"], 401, format!("{realm}, {invalid}, {scope}")),
        (&["Bearer malformed"], 400, format!("{realm}, {malformed}, {scope}")),
        (
            &["Bearer expired"],
            401,
            format!(
                r#"{realm}, error="invalid_token", error_description="It has expired", {scope}"#
            ),
        ),
        (
            &["Bearer weak"],
            401,
            format!(
                r#"{realm}, error="insufficient_user_authentication", error_description="The request requires another or a more recent authentication of the user", {scope}, acr_values="phr phrh", max_age="300""#
            ),
        ),
        (&["Bearer hidden"], 401, format!("{realm}, {scope}")),
        (
            &["Bearer a"],
            403,
            format!(
                r#"{realm}, error="insufficient_scope", error_description="The request requires more scopes than the access token grants", {scope}"#
            ),
        ),
    ] {
        assert_eq!(answer(plan!(second), lines), (status, vec![challenge]), "{lines:?}");
    }
}

/// A scheme whose scopes imply others.
#[oauth2_bearer(
    flows(client_credentials(token_url = "token")),
    scopes("admin" implies("write") = "", "write" implies("read") = "", "read" = ""),
    realm = "levels",
)]
struct Hierarchy;

#[dependency]
fn level(
    #[security(Hierarchy)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Ok(scopes.check(token.as_str())?)
}

#[test]
fn a_challenge_names_the_least_that_suffices() {
    for (plan, scope) in [
        (plan!(level, scopes("read", "write")), "write"),
        (plan!(level, scopes("write", "read", "admin")), "admin"),
        (plan!(level, scopes("read")), "read"),
    ] {
        let complete = format!(r#"Bearer realm="levels", scope="{scope}""#);
        assert_eq!(missing(plan), std::slice::from_ref(&complete));
        let (status, refused) = answer(plan, &["Bearer none"]);
        assert_eq!(status, 403);
        assert!(refused[0].contains(&format!(r#"scope="{scope}""#)), "{refused:?}");
    }
}

#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn machine(#[security(Key)] _key: ApiKey, _scopes: SecurityScopes) -> Result<(), Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[one_of]
enum Anyone {
    #[security(user)]
    User(()),
    #[security(machine)]
    Machine(()),
}

#[dependency]
fn anyone(#[security(Anyone)] _anyone: Anyone, #[security(user, scopes("c"))] _user: ()) {}

#[test]
fn each_alternative_names_its_own_scopes() {
    let challenge = r#"Bearer realm="simple", scope="b c""#;
    assert_eq!(missing(plan!(anyone, scopes("b"))), [challenge, "APIKey"]);
    let alone = missing(plan!(Anyone, scopes("b")));
    assert_eq!(alone, [r#"Bearer realm="simple", scope="b""#, "APIKey"]);
}

#[test]
fn without_a_plan_no_scopes_are_known() {
    let refused = Simple::authenticate(&http::HeaderMap::new()).unwrap_err();
    assert_eq!(refused.challenge().unwrap(), r#"Bearer realm="simple""#);
}

static RESOURCE: Setting = Setting::resource("RESOURCE");

#[oauth2_bearer(
    flows(client_credentials(token_url = "token")),
    scopes("a" = ""),
    resource = &RESOURCE,
    auto_error = false
)]
struct Late;

#[dependency]
fn late(
    #[security(Late)] token: Option<BearerToken>,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    token.map(drop).ok_or_else(|| scopes.unauthorized("No token"))
}

static NEVER_SET: Setting = Setting::resource("NEVER_SET");

#[oauth2_bearer(flows(client_credentials(token_url = "token")), resource = &NEVER_SET)]
struct NeverSet;

#[dependency]
fn never(
    #[security(NeverSet)] _token: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[one_of]
#[derive(Debug)]
enum Someone {
    #[security(never)]
    User(()),
    #[security(machine)]
    Machine(()),
}

#[test]
fn alternatives_need_the_resource_too() {
    assert_eq!(answer(plan!(Someone), &[]), (500, Vec::new()));
    assert_eq!(answer(plan!(Someone), &["Bearer a"]), (500, Vec::new()));
}

#[test]
fn a_resource_may_be_set_at_start() {
    for lines in [&[][..], &["Bearer a"]] {
        assert_eq!(answer(plan!(late), lines), (500, Vec::new()));
    }
    assert!(ResourceMetadata::of::<Late>().is_err());
    RESOURCE.set("https://late.example.com/").unwrap();
    assert_eq!(answer(plan!(late), &["Bearer a"]).0, 200);
    assert_eq!(
        missing(plan!(late, scopes("a"))),
        [
            r#"Bearer scope="a", resource_metadata="https://late.example.com/.well-known/oauth-protected-resource""#
        ]
    );
    let metadata = ResourceMetadata::of::<Late>().unwrap();
    assert_eq!(metadata.path(), "/.well-known/oauth-protected-resource");
    let resource = r#"{"resource":"https://late.example.com/","#;
    assert!(metadata.to_json().starts_with(resource));
}

const REPLACED: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found");

#[oauth2_password_bearer(token_url = "token", scopes("a" = ""), realm = "hidden", rejection = REPLACED)]
struct Hidden;

#[dependency]
fn hidden(
    #[security(Hidden)] _token: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[test]
fn a_replaced_rejection_stays_as_it_is() {
    assert_eq!(answer(plan!(hidden, scopes("a")), &[]), (404, Vec::new()));
    let (status, challenge) = answer(plan!(hidden, scopes("a")), &["Bearer a"]);
    assert_eq!(status, 401);
    assert!(challenge[0].starts_with(r#"Bearer realm="hidden", error="invalid_token""#));
}

#[test]
fn nothing_breaks_out_of_a_quoted_string() {
    let error = BearerError::invalid_token;
    for text in ["a\"b", "a\\b", "a\r\nb", "é", "\u{7f}", "\t", "\"", "\\", "\r\n"] {
        assert!(error().with_realm(text).is_err(), "{text:?}");
        assert!(error().with_scopes([text]).is_err(), "{text:?}");
        assert!(error().with_acr_values([text]).is_err(), "{text:?}");
        assert!(RESOURCE.set(format!("https://a.example/{text}")).is_err(), "{text:?}");
    }
    for text in ["", "a b"] {
        assert!(error().with_scopes([text]).is_err(), "{text:?}");
        assert!(error().with_acr_values([text]).is_err(), "{text:?}");
    }
    let whole = error().with_realm("a b").unwrap().with_description("c, d='e' \"f\\g\"\r\nhé\t");
    assert_eq!(
        whole.challenge().unwrap(),
        r#"Bearer realm="a b", error="invalid_token", error_description="c, d='e' ?f?g???h??""#
    );
}

/// Answers a missing scope as FastAPI's tutorial does.
#[dependency(insufficient_scope = 401)]
fn tutorial(
    #[security(Simple)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    let missing = scopes.check(token.as_str()).err();
    missing.map_or(Ok(()), |_| Err(scopes.unauthorized("Not enough permissions")))
}

/// The status that a type of the service chooses.
struct Tutorial(StatusCode);

impl From<RefusedRequest> for Tutorial {
    fn from(refusal: RefusedRequest) -> Self {
        match refusal.reason() {
            RejectionReason::InsufficientScope => Self(StatusCode::UNAUTHORIZED),
            _ => Self(refusal.status()),
        }
    }
}

impl From<Tutorial> for Response<String> {
    fn from(Tutorial(status): Tutorial) -> Self {
        let mut response = Self::default();
        *response.status_mut() = status;
        response
    }
}

#[http_bearer(scopes("me" = "Read."), verified = Known, by = OneToken, error = Tutorial)]
struct OfTutorial;

#[test]
fn a_type_of_the_service_answers_a_missing_scope_with_a_401() {
    let mut head = asking::head(&[("authorization", "Bearer good")]);
    head.extensions.insert(Shared::new(OneToken));
    assert!(block_on(plan!(OfTutorial).resolve(&mut head)).is_ok());
    let refused = block_on(plan!(OfTutorial, scopes("me")).resolve(&mut head)).unwrap_err();
    assert_eq!(refused.status(), 401);
    assert!(challenges(&refused)[0].contains(r#"error="insufficient_scope""#));
}

#[dependency(insufficient_scope = 404)]
fn secretive(
    #[security(Simple)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), Rejection> {
    let missing = scopes.check(token.as_str()).err();
    missing.map_or(Ok(()), |_| Err(REPLACED))
}

#[dependency]
fn plain_user(
    #[security(Plain)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Ok(scopes.check(token.as_str())?)
}

#[oauth2_password_bearer(token_url = "token", scopes("a" = ""))]
struct Plain;

#[test]
fn the_refusal_of_a_missing_scope_is_documented() {
    let statuses = |operation: Operation| Vec::from_iter(operation.responses().into_keys());
    assert_eq!(statuses(plan!(user, scopes("a")).operation()), ["400", "401", "403"]);
    assert_eq!(statuses(plan!(second).operation()), ["400", "401", "403"]);
    assert_eq!(statuses(plan!(Anyone, scopes("a")).operation()), ["400", "401", "403"]);
    // Of two requirements, one is enough for the 403.
    let (with, without) = (plan!(user, scopes("a")).operation(), plan!(user).operation());
    assert_eq!(statuses(without.clone()), ["400", "401"]);
    for both in [with.clone().and(&without), without.clone().and(&with), with.clone().and(&with)] {
        assert_eq!(statuses(both), ["400", "401", "403"]);
    }
    // Nothing is required, so nothing can be missing.
    assert_eq!(statuses(plan!(user).operation()), ["400", "401"]);
    assert_eq!(statuses(plan!(tutorial, scopes("a")).operation()), ["400", "401"]);
    assert_eq!(statuses(plan!(secretive, scopes("a")).operation()), ["400", "401", "404"]);
    assert_eq!(statuses(plan!(plain_user, scopes("a")).operation()), ["401"]);

    let written = json!({ "description": "My own" });
    let mut document = Document::new(json!({
        "openapi": "3.1.0",
        "info": { "title": "", "version": "" },
        "paths": {
            "/a": { "get": { "responses": {} } },
            "/b": { "get": { "responses": { "403": written } } },
        },
    }))
    .unwrap();
    document.secure(&plan!(user, scopes("a")).operation()).unwrap();
    let document = serde_json::Value::from(document.into_json());
    assert_valid(&document);
    let responses = |path: &str| document["paths"][path]["get"]["responses"].clone();
    assert_eq!(responses("/b")["403"], written);
    for status in ["401", "403"] {
        let response = &responses("/a")[status];
        assert!(response["headers"]["WWW-Authenticate"].is_object(), "{response}");
        let schema = &response["content"]["application/json"]["schema"];
        assert_eq!(schema["properties"]["detail"]["type"], "string", "{response}");
    }
}

#[test]
fn the_metadata_is_what_the_scheme_declares() {
    let metadata = rfc::metadata().unwrap();
    let found: serde_json::Value = serde_json::from_str(&metadata.to_json()).unwrap();
    assert_eq!(
        found,
        json!({
            "resource": "https://api.example.com/v1",
            "authorization_servers": ["https://id.example.com"],
            "scopes_supported": ["me", "items"],
            "bearer_methods_supported": ["header"],
            "resource_name": "Conformance",
        })
    );
    let further = metadata
        .with_resource_name("a \"name\"")
        .with_authorization_servers(["https://other.example.com"])
        .with_scopes_supported([""; 0])
        .with_dpop_bound_access_tokens_required(false)
        .with_resource_documentation("https://docs.example.com");
    let found: serde_json::Value = serde_json::from_str(&further.to_json()).unwrap();
    assert_eq!(
        found,
        json!({
            "resource": "https://api.example.com/v1",
            "authorization_servers": ["https://other.example.com"],
            "bearer_methods_supported": ["header"],
            "resource_name": "a \"name\"",
            "dpop_bound_access_tokens_required": false,
            "resource_documentation": "https://docs.example.com",
        })
    );
    assert!(further.respond::<String>("GET", "/other").is_none());
}

/// Another scheme of the same scopes, in which one implies the other.
#[oauth2_bearer(
    flows(client_credentials(token_url = "token")),
    scopes("b" implies("a") = "", "a" = ""),
    auto_error = false
)]
struct OtherLevels;

#[dependency]
fn other(#[security(OtherLevels)] _token: Option<BearerToken>, _scopes: SecurityScopes) {}

#[dependency]
fn siblings(
    #[security(user, scopes("a", "b"))] _user: (),
    #[security(other, scopes("a", "b"))] _other: (),
) {
}

#[test]
fn a_challenge_follows_the_hierarchy_of_its_own_scheme() {
    assert_eq!(missing(plan!(siblings)), [r#"Bearer realm="simple", scope="a b""#]);
    let (status, refused) = answer(plan!(siblings), &["Bearer b"]);
    assert_eq!(status, 403);
    assert!(refused[0].ends_with(r#", scope="a b""#), "{refused:?}");
}

const AMONG_HEADERS: Rejection =
    Rejection::new(StatusCode::UNAUTHORIZED).with_headers(&[("WWW-Authenticate", "Key")]);

#[api_key(header = "x-key", rejection = AMONG_HEADERS)]
struct OwnKey;

/// A key whose refusals have no challenge.
#[api_key(header = "x-quiet", challenge = false)]
struct QuietKey;

/// Two keys, a token that a request may lack, and one with a 404 of its own.
#[dependency]
fn of_all(
    #[security(Key)] _first: ApiKey,
    #[security(OwnKey)] _second: ApiKey,
    #[security(QuietKey)] _third: ApiKey,
    #[security(OtherLevels)] _token: Option<BearerToken>,
) -> Result<(), Rejection> {
    Err(Rejection::new(StatusCode::UNAUTHORIZED))
}

#[dependency]
fn above_all(#[security(of_all)] _all: ()) {}

#[dependency]
fn twice(#[security(Key)] _key: ApiKey, #[security(Key)] _again: ApiKey) -> Result<(), Rejection> {
    Err(Rejection::new(StatusCode::UNAUTHORIZED))
}

#[dependency]
fn own_key(#[security(OwnKey)] _key: ApiKey) {}

#[dependency]
fn quiet_key(#[security(QuietKey)] _key: ApiKey) {}

#[one_of]
enum Keys {
    #[security(own_key)]
    Own(()),
    #[security(quiet_key)]
    Quiet(()),
}

/// One of its two schemes has no challenge. Both are alternatives without a dependency above them.
#[one_of]
#[expect(dead_code, reason = "no request passes")]
enum TokenOrQuietKey {
    #[security(PlainToken)]
    Token(BearerToken),
    #[security(QuietKey)]
    Key(ApiKey),
}

#[http_bearer]
struct PlainToken;

#[one_of]
enum QuietKeys {
    #[security(quiet_key)]
    Quiet(()),
}

/// Refuses with a 401, and may lack every credential.
#[dependency(insufficient_scope = 401)]
fn decided(
    #[argument] _least: u8,
    #[security(OtherLevels)] _token: Option<BearerToken>,
) -> Result<(), Rejection> {
    Err(Rejection::new(StatusCode::UNAUTHORIZED))
}

#[dependency(insufficient_scope = 401)]
fn decided_quietly(
    #[argument] _least: u8,
    #[security(QuietKey)] _key: ApiKey,
) -> Result<(), Rejection> {
    Err(Rejection::new(StatusCode::UNAUTHORIZED))
}

#[test]
fn a_401_has_the_challenges_of_all_schemes_below_once() {
    let keys = [("x-api-key", "a"), ("x-key", "b"), ("x-quiet", "c")];
    let refused = |lines: &[(&str, &str)]| {
        let refused = block_on(plan!(above_all).resolve(&mut asking::head(lines))).unwrap_err();
        (refused.status().as_u16(), challenges(&refused))
    };
    assert_eq!(refused(&keys), (401, ["APIKey", "Key", "Bearer"].map(str::to_owned).into()));
    // Each scheme refuses with its own.
    assert_eq!(refused(&keys[1..]), (401, vec!["APIKey".to_owned()]));
    assert_eq!(refused(&keys[..1]), (401, vec!["Key".to_owned()]));
    assert_eq!(refused(&keys[..2]), (401, Vec::new()));
    let refused = block_on(plan!(twice).resolve(&mut asking::head(&keys))).unwrap_err();
    assert_eq!(challenges(&refused), ["APIKey"]);
    assert_eq!(missing(plan!(Keys)), ["Key"]);
    assert_eq!(missing(plan!(QuietKeys)), [""; 0]);
    assert_eq!(missing(plan!(TokenOrQuietKey)), ["Bearer"]);
}

#[test]
fn the_challenge_of_a_401_is_documented() {
    let header = |operation: Operation| {
        let described = json!(operation);
        described["responses"]["401"]["headers"]["WWW-Authenticate"].is_object()
    };
    assert!(header(plan!(decided(1)).operation()));
    assert!(header(plan!(Keys).operation()));
    assert!(header(plan!(of_all).operation()));
    for operation in [
        plan!(decided_quietly(1)).operation(),
        plan!(QuietKeys).operation(),
        plan!(QuietKey).operation(),
    ] {
        assert!(operation.responses().contains_key("401"));
        assert!(!header(operation));
    }
}

/// Takes the scopes, and no credential.
#[dependency]
fn claims(scopes: SecurityScopes) -> Result<(), BearerError> {
    Err(scopes.insufficient_scope())
}

#[dependency]
fn beside(#[security(Simple)] _token: BearerToken, #[security(claims)] _claims: ()) {}

#[test]
fn the_refusal_of_a_sibling_is_documented() {
    let responses = plan!(beside, scopes("a")).operation().responses();
    assert!(responses.contains_key("403"));
}

/// Two realms below a function that builds no errors.
#[dependency]
fn documented(
    #[security(user)] _user: (),
    #[security(hidden)] _hidden: (),
    _scopes: SecurityScopes,
) {
}

#[test]
fn two_realms_may_be_below_a_function_that_builds_no_errors() {
    assert_eq!(missing(plan!(documented)), [r#"Bearer realm="simple""#]);
}

#[oauth2_bearer(
    flows(client_credentials(token_url = "token")),
    resource = "https://api.example.com/caf%C3%A9/a%2Fb"
)]
struct Escaped;

/// Checks that each framework serves a document at its path, and at no other.
macro_rules! served {
    ($metadata:expr) => {{
        let metadata = || $metadata;
        let path = metadata().path().to_owned();
        let other = [path.rsplit_once("/oauth").unwrap().0, "/other"].concat();
        let statuses = block_on(async {
            let app = axum::Router::new().route_service(metadata().path(), metadata());
            let mut statuses = Vec::new();
            for path in [&*path, &*other] {
                statuses.push(asking::ask(app.clone(), path, &[]).await.status().as_u16());
            }

            let app = actix_web::App::new().service(metadata());
            let app = actix_web::test::init_service(app).await;
            for path in [&*path, &*other] {
                let request = actix_web::test::TestRequest::get().uri(path).to_request();
                let response = actix_web::test::call_service(&app, request).await;
                statuses.push(response.status().as_u16());
            }

            let app = poem::Route::new().at(metadata().path(), metadata());
            let client = poem::test::TestClient::new(app);
            for path in [&*path, &*other] {
                statuses.push(client.get(path).send().await.0.status().as_u16());
            }

            let app = rocket::build().mount("/", metadata());
            let client = rocket::local::asynchronous::Client::untracked(app).await.unwrap();
            for path in [&*path, &*other] {
                statuses.push(client.get(path).dispatch().await.status().code);
            }

            let app = doorward::warp04::metadata(metadata());
            for path in [&*path, &*other] {
                let response = warp::test::request().path(path).reply(&app).await;
                statuses.push(response.status().as_u16());
            }
            statuses
        });
        assert_eq!(statuses, [200, 404].repeat(5));

        let service = || {
            let route = doorward::salvo1::metadata(metadata());
            salvo::Service::new(salvo::Router::new().push(route))
        };
        assert_eq!(answer_of(service(), &path, None).status, 200);
        assert_eq!(answer_of(service(), &other, None).status, 404);
    }};
}

/// The path of the document is held to the one that is sent, however a framework decodes it.
#[test]
fn the_document_may_have_an_escaped_path() {
    served!(ResourceMetadata::of::<Escaped>().unwrap());
}

#[oauth2_bearer(
    flows(client_credentials(token_url = "token")),
    resource = "https://api.example.com"
)]
struct Root;

#[test]
fn the_document_may_have_the_well_known_path_alone() {
    served!(ResourceMetadata::of::<Root>().unwrap());
}

#[test]
fn the_document_of_an_authorization_server_is_served_alike() {
    served!(AuthorizationServerMetadata::of::<Root>("https://id.example.com/a%2Fb").unwrap());
}

/// A scheme that says itself what is sent without a token, and nothing about a wrong line.
#[oauth2_password_bearer(
    token_url = "token",
    scopes("a" = ""),
    realm = "partly",
    strict,
    rejection(missing = Rejection::new(StatusCode::NOT_FOUND).with_challenge("Own"))
)]
struct Partly;

#[dependency]
fn partly(#[security(Partly)] _token: BearerToken, _scopes: SecurityScopes) {}

#[test]
fn a_challenge_is_that_of_the_reason() {
    let realm = r#"Bearer realm="partly""#;
    let invalid = r#"error="invalid_token", error_description="The access token is expired, revoked, malformed or otherwise invalid""#;
    assert_eq!(answer(plan!(partly), &[]), (404, vec!["Own".to_owned()]));
    let malformed = (401, vec![format!(r#"{realm}, {invalid}, scope="a""#)]);
    assert_eq!(answer(plan!(partly, scopes("a")), &["Bearer a b"]), malformed);
}
