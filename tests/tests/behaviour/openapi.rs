//! The API description without a framework: schemes, plans and forms describe themselves, and
//! requests are checked as documented.

use std::collections::BTreeMap;

use axum::Router;
use axum::routing::get;
use doorward::form::RequestForm;
use doorward::openapi::{Document, DocumentError, Operation};
use doorward::scheme::SchemeConfig;
use doorward::token_endpoint::{CodeVerifier, RefreshTokenGrant, RevocationForm};
use doorward::{
    ApiKey, AuthorizationValue, BearerToken, Grant, OAuth2PasswordRequestForm,
    OAuth2PasswordRequestFormStrict, PasswordRequestForm, Rejection, Scheme, SecurityScopes,
    api_key, dependency, http_bearer, layer, oauth2, oauth2_authorization_code_bearer,
    oauth2_password_bearer, one_of, operation, plan, secured,
};
use doorward_tests::credentials::{
    ApiKeyAuthorization, ApiKeyCookie, ApiKeyHeader, ApiKeyQuery, Basic, Digest, HttpBearer, OpenId,
};
use doorward_tests::description::{assert_valid, conformance, conformance_of, fastapi, keys};
use doorward_tests::grants::{Grant, TokenExchangeForm};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::asking::ask_with;

/// Log in here.
#[oauth2_password_bearer(
    token_url = "token",
    refresh_url = "/refresh",
    scopes("me" = "Me.", "items" = "Items.", "admin" = "All.")
)]
struct OAuth2;

#[oauth2_authorization_code_bearer(
    scheme_name = "GitHub",
    authorization_url = "https://example.com/authorize",
    token_url = "https://example.com/token",
    scopes("me" = "Me."),
    strict
)]
struct Code;

#[oauth2_password_bearer(scheme_name = "Maybe", token_url = "token", scopes("me" = "Me."), auto_error = false)]
struct Maybe;

/// Log in elsewhere.
#[oauth2_password_bearer(scheme_name = "OAuth2", token_url = "other")]
struct Clash;

const HIDDEN: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_body("text/plain", "404");

#[oauth2(rejection = HIDDEN)]
struct Internal;

#[dependency(unverified)]
fn current_user(#[security(OAuth2)] token: BearerToken, _scopes: SecurityScopes) -> String {
    token.as_str().to_owned()
}

#[dependency(unverified)]
fn of_github(#[security(Code)] _token: BearerToken, _scopes: SecurityScopes) {}

#[dependency(unverified)]
fn hidden_user(#[security(Internal)] _value: AuthorizationValue) {}

#[dependency]
fn maybe(
    #[security(Maybe)] token: Option<BearerToken>,
    _scopes: SecurityScopes,
) -> Option<BearerToken> {
    token
}

#[dependency]
fn active_user(#[security(current_user, scopes("me"))] user: String) -> String {
    user
}

#[dependency]
fn anyone(#[security(maybe, scopes("me"))] token: Option<BearerToken>) -> Option<String> {
    token.map(|token| token.as_str().to_owned())
}

mod handlers {
    use super::*;

    #[secured]
    pub(crate) async fn own_items(
        #[security(active_user, scopes("items"))] user: String,
    ) -> String {
        user
    }

    /// Reaches the same scheme on two paths.
    #[secured(current_user, scopes("admin", "me"))]
    pub(crate) async fn merged(#[security(active_user, scopes("items"))] user: String) -> String {
        user
    }

    /// Requires two schemes at once.
    #[secured(of_github, scopes("me"))]
    pub(crate) async fn two(#[security(Internal)] value: AuthorizationValue) -> &'static str {
        let _ = value;
        "two"
    }

    #[secured]
    pub(crate) async fn optional(#[security(anyone)] user: Option<String>) -> String {
        user.unwrap_or_default()
    }

    #[secured(current_user)]
    pub(crate) async fn half_optional(#[security(anyone)] user: Option<String>) -> String {
        user.unwrap_or_default()
    }

    #[secured(hidden_user)]
    pub(crate) async fn r#hidden() {}
}

#[test]
fn a_scheme_is_its_object() {
    assert_eq!(
        json!(OAuth2::CONFIG),
        json!({
            "type": "oauth2",
            "description": "Log in here.",
            "flows": { "password": {
                "tokenUrl": "token",
                "refreshUrl": "/refresh",
                "scopes": { "me": "Me.", "items": "Items.", "admin": "All." }
            } }
        })
    );
    assert_eq!(
        json!(Code::CONFIG),
        json!({
            "type": "oauth2",
            "flows": { "authorizationCode": {
                "authorizationUrl": "https://example.com/authorize",
                "tokenUrl": "https://example.com/token",
                "scopes": { "me": "Me." }
            } }
        })
    );
    assert_eq!(json!(Internal::CONFIG), json!({ "type": "oauth2", "flows": {} }));

    assert!(Code::CONFIG.is_strict() && !OAuth2::CONFIG.is_strict());
    assert!(OAuth2::CONFIG.has_auto_error() && !Maybe::CONFIG.has_auto_error());
    let rejections = [OAuth2::CONFIG, Internal::CONFIG].map(|scheme| scheme.rejection());
    assert_eq!(rejections, [None, Some(HIDDEN)]);
    let [password, code] = [OAuth2::CONFIG, Code::CONFIG].map(|scheme| scheme.flows());
    assert!(password.password().is_some() && password.authorization_code().is_none());
    assert!(code.authorization_code().is_some() && code.password().is_none());
}

#[test]
fn security_is_what_the_chain_requires() {
    for (operation, security) in [
        (operation!(handlers::own_items), json!([{ "OAuth2": ["items", "me"] }])),
        (operation!(handlers::merged), json!([{ "OAuth2": ["admin", "me", "items"] }])),
        (operation!(handlers::two), json!([{ "GitHub": ["me"], "Internal": [] }])),
        (operation!(handlers::optional), json!([{ "Maybe": ["me"] }, {}])),
        (
            operation!(handlers::half_optional),
            json!([{ "OAuth2": [], "Maybe": ["me"] }, { "OAuth2": [] }]),
        ),
        (plan!(active_user, scopes("items")).operation(), json!([{ "OAuth2": ["items", "me"] }])),
        (
            layer!(current_user, scopes("admin")).plan().operation(),
            json!([{ "OAuth2": ["admin"] }]),
        ),
        (Operation::of::<OAuth2>(), json!([{ "OAuth2": [] }])),
        (Operation::of::<doorward_tests::chains::me>(), json!([])),
    ] {
        assert_eq!(json!(operation.security()), security);
    }
}

#[test]
fn every_kind_of_scheme_is_described() {
    let described = |scheme: SchemeConfig| {
        let mut scheme = json!(scheme);
        scheme.as_object_mut().unwrap().remove("description");
        scheme
    };
    for (scheme, expected) in [
        (ApiKeyHeader::CONFIG, json!({ "type": "apiKey", "in": "header", "name": "x-api-key" })),
        (
            ApiKeyAuthorization::CONFIG,
            json!({ "type": "apiKey", "in": "header", "name": "Authorization" }),
        ),
        (ApiKeyQuery::CONFIG, json!({ "type": "apiKey", "in": "query", "name": "key" })),
        (ApiKeyCookie::CONFIG, json!({ "type": "apiKey", "in": "cookie", "name": "key" })),
        (Basic::CONFIG, json!({ "type": "http", "scheme": "basic" })),
        (HttpBearer::CONFIG, json!({ "type": "http", "scheme": "bearer", "bearerFormat": "JWT" })),
        (Digest::CONFIG, json!({ "type": "http", "scheme": "digest" })),
        (OpenId::CONFIG, json!({ "type": "openIdConnect", "openIdConnectUrl": "/openid" })),
    ] {
        assert_eq!(described(scheme), expected);
    }
    let statuses = |operation: Operation| Vec::from_iter(operation.responses().into_keys());
    assert_eq!(statuses(Operation::of::<ApiKeyCookie>()), ["401", "403"]);
    assert_eq!(statuses(Operation::of::<ApiKeyHeader>()), ["401"]);
}

#[test]
fn responses_are_those_of_the_schemes() {
    let not_authenticated = json!({
        "description": "Unauthorized",
        "headers": { "WWW-Authenticate": { "schema": { "type": "string" } } },
        "content": { "application/json": {
            "schema": {
                "type": "object",
                "properties": { "detail": { "type": "string" } },
                "required": ["detail"]
            },
            "example": { "detail": "Not authenticated" }
        } }
    });
    let responses = |operation: Operation| json!(operation.responses());
    assert_eq!(responses(operation!(handlers::own_items)), json!({ "401": not_authenticated }));
    assert_eq!(
        responses(operation!(handlers::hidden)),
        json!({ "404": {
            "description": "Not Found",
            "content": { "text/plain": { "schema": { "type": "string" }, "example": "404" } }
        } })
    );
    assert_eq!(responses(operation!(handlers::optional)), json!({}));
    let two = responses(operation!(handlers::two));
    assert_eq!(Vec::from_iter(two.as_object().unwrap().keys()), ["400", "401", "404"]);
}

/// A request without credentials passes only where the description allows it; otherwise the status
/// of its refusal is documented. A request with a bearer token passes everywhere.
#[tokio::test]
async fn requests_are_checked_as_documented() {
    for (path, route, operation) in [
        ("own_items", get(handlers::own_items), operation!(handlers::own_items)),
        ("merged", get(handlers::merged), operation!(handlers::merged)),
        ("two", get(handlers::two), operation!(handlers::two)),
        ("optional", get(handlers::optional), operation!(handlers::optional)),
        ("half_optional", get(handlers::half_optional), operation!(handlers::half_optional)),
        ("hidden", get(handlers::hidden), operation!(handlers::hidden)),
    ] {
        let app = Router::new().route("/", route);
        let status = ask_with(app.clone(), "/", None).await.status();
        let may_be_anonymous = operation.security().iter().any(BTreeMap::is_empty);
        assert_eq!(status == 200, may_be_anonymous, "{path}");
        let documented = operation.responses();
        assert!(status == 200 || documented.contains_key(status.as_str()), "{path}: {status}");
        let status = ask_with(app, "/", Some("token")).await.status();
        assert_eq!(status, 200, "{path}");
    }
}

fn described(operations: &[(&str, &Operation)]) -> Result<Value, DocumentError> {
    let mut paths = json!({});
    for (id, _) in operations {
        paths[format!("/{id}")] = json!({ "get": {
            "operationId": id,
            "responses": { "200": { "description": "OK" } }
        } });
    }
    let mut document = Document::new(json!({
        "openapi": "3.1.0", "info": { "title": "test", "version": "1" }, "paths": paths
    }))?;
    for (id, operation) in operations {
        document.operation(id)?.secure(operation)?;
    }
    Ok(document.into_json().into())
}

#[test]
fn a_document_takes_what_is_described() {
    let document = described(&[
        ("own_items", &operation!(handlers::own_items)),
        ("two", &operation!(handlers::two)),
        ("optional", &operation!(handlers::optional)),
        ("none", &Operation::of::<doorward_tests::chains::me>()),
    ])
    .unwrap();
    assert_valid(&document);
    assert_eq!(
        document["components"]["securitySchemes"],
        json!({ "OAuth2": OAuth2::CONFIG, "GitHub": Code::CONFIG, "Internal": Internal::CONFIG, "Maybe": Maybe::CONFIG })
    );
    let paths = &document["paths"];
    assert_eq!(paths["/own_items"]["get"]["security"], json!([{ "OAuth2": ["items", "me"] }]));
    assert_eq!(paths["/own_items"]["get"]["responses"]["200"]["description"], "OK");
    assert_eq!(paths["/none"]["get"].get("security"), None);
}

#[test]
fn what_is_written_already_stays() {
    let mut document = Document::new(json!({
        "openapi": "3.1.0",
        "info": { "title": "test", "version": "1" },
        "components": { "securitySchemes": { "key": { "type": "apiKey", "in": "query", "name": "key" } } },
        "paths": { "/a/{b}~": {
            "summary": "all of it",
            "get": {
                "security": [{ "key": [] }, { "OAuth2": ["other"] }],
                "responses": { "401": { "description": "Mine." } }
            },
            "post": {
                "requestBody": { "description": "Mine.", "content": { "application/json": {} } },
                "responses": {}
            }
        } }
    }))
    .unwrap();
    let operation = operation!(handlers::own_items);
    document.operation_at(&Method::GET, "/a/{b}~").unwrap().secure(&operation).unwrap();
    document
        .operation_at(&Method::POST, "/a/{b}~")
        .unwrap()
        .add_form(&OAuth2PasswordRequestForm::schema())
        .unwrap();
    // A layer around all routes.
    document.secure(&layer!(current_user, scopes("admin")).plan().operation()).unwrap();
    let document = Value::from(document.into_json());
    assert_valid(&document);
    let item = &document["paths"]["/a/{b}~"];
    assert_eq!(
        item["get"]["security"],
        json!([
            { "key": [], "OAuth2": ["items", "me", "admin"] },
            { "OAuth2": ["other", "items", "me", "admin"] }
        ])
    );
    assert_eq!(item["get"]["responses"], json!({ "401": { "description": "Mine." } }));
    let body = &item["post"]["requestBody"];
    assert_eq!((&body["description"], &body["required"]), (&json!("Mine."), &json!(true)));
    assert_eq!(body["content"].as_object().unwrap().len(), 2);
    assert_eq!(item["post"]["security"], json!([{ "OAuth2": ["admin"] }]));
    assert_eq!(item["post"]["responses"]["401"]["description"], "Unauthorized");
    assert_eq!(item["summary"], "all of it");
}

#[test]
fn a_clash_of_names_is_an_error() {
    let clash = Operation::of::<Clash>();
    let error = described(&[("own_items", &operation!(handlers::own_items)), ("clash", &clash)])
        .unwrap_err();
    assert_eq!(
        error,
        DocumentError::SchemeClash("OAuth2".to_owned(), "flows.password.tokenUrl".to_owned())
    );
    assert_eq!(
        error.to_string(),
        "two security schemes are named `OAuth2` and differ in `flows.password.tokenUrl`; give one of them another `scheme_name`"
    );

    #[secured]
    async fn both(
        #[security(Clash)] _first: BearerToken,
        #[security(OAuth2)] _second: BearerToken,
    ) {
    }
    let error = described(&[("both", &operation!(both))]).unwrap_err();
    assert_eq!(
        error,
        DocumentError::SchemeClash("OAuth2".to_owned(), "flows.password.tokenUrl".to_owned())
    );
}

/// A description of one scheme in two places is not two schemes.
#[test]
fn schemes_that_differ_in_the_description_alone_are_one() {
    #[api_key(cookie = "__Host-session")]
    struct Cookie;

    /// The same cookie, in requests that may lack it.
    #[api_key(cookie = "__Host-session", auto_error = false, scheme_name = "Cookie")]
    struct AnyCookie;

    #[secured]
    async fn both(
        #[security(Cookie)] _first: ApiKey,
        #[security(AnyCookie)] _second: Option<ApiKey>,
    ) {
    }
    let document = described(&[("both", &operation!(both))]).unwrap();
    let scheme = &document["components"]["securitySchemes"]["Cookie"];
    assert_eq!(scheme["name"], "__Host-session");

    #[api_key(cookie = "session", scheme_name = "Cookie")]
    struct Other;

    #[secured]
    async fn other(#[security(Cookie)] _first: ApiKey, #[security(Other)] _second: ApiKey) {}
    let error = described(&[("other", &operation!(other))]).unwrap_err();
    assert_eq!(error, DocumentError::SchemeClash("Cookie".to_owned(), "name".to_owned()));
}

#[test]
fn what_is_not_there_is_an_error() {
    let document = json!({ "paths": { "/": { "get": { "security": "no" } } } });
    let mut document = Document::new(document).unwrap();
    let missing = |operation: &str| Some(DocumentError::NoOperation(operation.to_owned()));
    assert_eq!(document.operation("x").err(), missing("x"));
    assert_eq!(document.operation_at(&Method::GET, "/x").err(), missing("GET /x"));
    assert_eq!(document.operation_at(&Method::POST, "/").err(), missing("POST /"));
    let invalid = document.secure(&operation!(handlers::own_items)).unwrap_err();
    assert_eq!(invalid, DocumentError::Invalid("get /: security".to_owned()));
    for text in ["\"text\"", "[]", "{", "{} {}"] {
        let error = text.parse::<Document>().unwrap_err();
        let error = error.to_string();
        assert!(error.starts_with("the description cannot be read: "), "{error}");
    }
    assert!(matches!(
        Document::new("{}"),
        Err(DocumentError::Malformed(reason)) if reason.contains("str::parse")
    ));
}

fn fastapi_schema(name: &str) -> Value {
    fastapi()["components"]["schemas"][name].clone()
}

#[test]
fn forms_are_described_as_fastapi_does() {
    assert_eq!(json!(OAuth2PasswordRequestForm::schema()), fastapi_schema("Body_login_token_post"));
    assert_eq!(
        json!(OAuth2PasswordRequestFormStrict::schema()),
        fastapi_schema("Body_strict_strict_post")
    );
}

#[test]
fn a_form_of_ones_own_adds_its_fields() {
    #[derive(PasswordRequestForm)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Login<'body> {
        username: std::borrow::Cow<'body, str>,
        password: String,
        client_id: String,
        #[password_form(rename = "tenant-id")]
        tenant: u32,
        otp: Option<String>,
        remember: Option<bool>,
        ratio: f64,
        offset: i8,
        tags: Tags,
    }

    #[derive(serde::Deserialize)]
    struct Tags;

    let schema = json!(Login::schema());
    let mut expected = fastapi_schema("Body_login_token_post");
    expected["required"] =
        json!(["username", "password", "client_id", "tenant-id", "ratio", "offset", "tags"]);
    let properties = &mut expected["properties"];
    properties["client_id"] = required_text();
    properties["tenant-id"] =
        json!({ "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 });
    properties["otp"] = json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] });
    properties["remember"] = json!({ "anyOf": [{ "type": "boolean" }, { "type": "null" }] });
    properties["ratio"] = json!({ "type": "number" });
    properties["offset"] = json!({ "type": "integer", "minimum": -128, "maximum": 127 });
    properties["tags"] = json!({});
    assert_eq!(schema, expected);
}

#[test]
fn the_conformance_server_is_described() {
    let document = Value::from(conformance().unwrap());
    assert_valid(&document);
    assert_eq!(
        document["paths"]["/password-optional"]["get"]["security"],
        json!([{ "Password": [] }, {}])
    );
    assert_eq!(
        document["paths"]["/form"]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"]
            ["schema"],
        fastapi_schema("Body_login_token_post")
    );
    let grant = &document["paths"]["/grant"]["post"]["requestBody"]["content"];
    assert_eq!(grant["application/x-www-form-urlencoded"]["schema"], json!(Grant::schema()));
    assert!(document["components"]["schemas"]["Grant.OneTime"].is_object());
}

/// A document of OpenAPI 3.0 gets what 3.0 can say, and nothing else.
#[test]
fn a_document_of_3_0_is_described_in_3_0() {
    for version in ["3.0.0", "3.0.3", "3.0.4"] {
        assert_valid(&Value::from(conformance_of(version).unwrap()));
    }
    let document = Value::from(conformance_of("3.0.4").unwrap());
    let newer = Value::from(conformance().unwrap());
    for part in
        ["/components/securitySchemes", "/paths/~1own", "/paths/~1form-strict/post/responses"]
    {
        assert_eq!(document.pointer(part).unwrap(), newer.pointer(part).unwrap());
    }
    let form = |path: &str| {
        let body = &document["paths"][path]["post"]["requestBody"]["content"];
        body["application/x-www-form-urlencoded"]["schema"]["properties"].clone()
    };
    assert_eq!(
        form("/form"),
        json!({
            "grant_type": { "type": "string", "pattern": "^password$", "nullable": true },
            "username": { "type": "string" },
            "password": { "type": "string", "format": "password" },
            "scope": { "type": "string", "default": "" },
            "client_id": { "type": "string", "nullable": true },
            "client_secret": { "type": "string", "nullable": true, "format": "password" }
        })
    );
    let revoke = form("/revoke");
    assert_eq!(revoke["token_type_hint"], json!({ "type": "string", "nullable": true }));
    let grant = &document["components"]["schemas"]["Grant.RefreshToken"]["properties"];
    assert_eq!(grant["client_id"], json!({ "type": "string", "nullable": true }));
}

/// Alternatives that differ in scopes alone are one where none has scopes.
#[test]
fn scopes_of_http_are_not_in_a_document_of_3_0() {
    #[http_bearer(scopes("me" = "Me.", "you" = "You."))]
    struct Token;

    #[api_key(header = "X-Key")]
    struct Key;

    #[dependency(unverified)]
    fn caller(#[security(Token)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
        token
    }

    #[one_of]
    #[expect(dead_code, reason = "only its requirement is looked at")]
    enum Either {
        #[security(caller)]
        Scoped(BearerToken),
        #[security(Key, unscoped)]
        Key(ApiKey),
    }

    let one = plan!(Either, scopes("me")).operation();
    let required = one.and(&plan!(Either, scopes("you")).operation());
    let security = |version: &str| {
        let mut document = Document::new(json!({
            "openapi": version, "security": [{ "Mine": ["a"] }], "paths": { "/": { "get": {} } }
        }))
        .unwrap();
        document.secure(&required).unwrap();
        Value::from(document.into_json())["paths"]["/"]["get"]["security"].clone()
    };
    let alternatives = security("3.1.0");
    assert_eq!(
        alternatives,
        json!([
            { "Mine": ["a"], "Token": ["me", "you"] },
            { "Mine": ["a"], "Token": ["me"], "Key": [] },
            { "Mine": ["a"], "Token": ["you"], "Key": [] },
            { "Mine": ["a"], "Key": [] }
        ])
    );
    assert_eq!(security("3.2.0"), alternatives);
    // What was written before stays as it is.
    assert_eq!(
        security("3.0.3"),
        json!([
            { "Mine": ["a"], "Token": [] },
            { "Mine": ["a"], "Token": [], "Key": [] },
            { "Mine": ["a"], "Key": [] }
        ])
    );
}

#[test]
fn a_document_is_of_openapi_3() {
    let read = |version: &str| format!(r#"{{{version}"paths":{{}}}}"#).parse::<Document>();
    for version in ["", r#""openapi":"3.0","#, r#""openapi":"3.1.1","#, r#""openapi":"3.2.0","#] {
        assert!(read(version).is_ok(), "{version}");
    }
    for (version, named) in [
        (r#""swagger":"2.0","#, "\"2.0\""),
        (r#""swagger":2.0,"#, "2.0"),
        (r#""openapi":"2.0","#, "\"2.0\""),
        (r#""openapi":"30.1","#, "\"30.1\""),
        (r#""openapi":3.1,"#, "3.1"),
        (r#""openapi":null,"#, "null"),
    ] {
        let error = read(version).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the description cannot be read: it is of OpenAPI {named}, and has to be of \"3.2\", \"3.1\" or \"3.0\"; convert it first"
            )
        );
    }
}

/// The validator rejects an invalid description.
#[test]
#[should_panic(expected = "flows")]
fn what_is_no_description_is_found() {
    assert_valid(&json!({
        "openapi": "3.1.0",
        "info": { "title": "test", "version": "1" },
        "paths": {},
        "components": { "securitySchemes": { "x": { "type": "oauth2" } } }
    }));
}

#[test]
#[should_panic(expected = "anyOf")]
fn what_3_0_does_not_know_is_found() {
    let schema = json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] });
    assert_valid(&json!({
        "openapi": "3.0.4",
        "info": { "title": "test", "version": "1" },
        "paths": {},
        "components": { "schemas": { "x": schema } }
    }));
}

#[test]
fn fields_and_scopes_stay_in_the_order_of_their_declaration() {
    #[oauth2_password_bearer(token_url = "t", scopes("z" = "Z.", "a" = "A.", "m" = "M."))]
    struct Unsorted;

    #[derive(PasswordRequestForm)]
    #[expect(dead_code, reason = "its schema is looked at")]
    struct Form {
        zone: Option<String>,
        username: String,
        password: String,
        age: u32,
    }

    assert_eq!(keys(&Unsorted::CONFIG, "/flows/password/scopes"), ["z", "a", "m"]);
    let standard = ["grant_type", "username", "password", "scope", "client_id", "client_secret"];
    assert_eq!(keys(&Form::schema(), "/properties"), [&standard[..], &["zone", "age"]].concat());
}

#[test]
fn alternatives_that_differ_in_order_alone_are_one() {
    #[oauth2_password_bearer(token_url = "t", scopes("a" = "A.", "b" = "B."))]
    struct Login;

    #[dependency]
    fn user(#[security(Login)] _token: BearerToken, _scopes: SecurityScopes) {}

    let operation = |security: Value| {
        let written = json!({ "paths": { "/": { "get": { "security": security } } } });
        let mut document = Document::new(written).unwrap();
        document.secure(&plan!(user, scopes("a", "b")).operation()).unwrap();
        Value::from(document.into_json())["paths"]["/"]["get"]["security"].clone()
    };
    let written = json!([{ "Login": ["a"] }, { "Login": ["b"] }, { "Login": ["b", "a"] }]);
    assert_eq!(operation(written), json!([{ "Login": ["a", "b"] }]));
    let written = json!([{ "Login": ["a", "c"] }, { "Login": ["c"] }, { "other": [] }]);
    assert_eq!(
        operation(written),
        json!([{ "Login": ["a", "c", "b"] }, { "Login": ["a", "b"], "other": [] }])
    );
}

#[test]
fn a_form_documents_what_answers_a_faulty_one() {
    let written = json!({ "paths": { "/token": { "post": { "responses": { "413": { "description": "Mine." } } } } } });
    let mut document = Document::new(written).unwrap();
    let form = OAuth2PasswordRequestForm::schema();
    document.operation_at(&Method::POST, "/token").unwrap().add_form(&form).unwrap();
    let document = Value::from(document.into_json());
    let responses = &document["paths"]["/token"]["post"]["responses"];
    assert_eq!(responses["413"], json!({ "description": "Mine." }));
    let schema = &responses["400"]["content"]["application/json"]["schema"];
    assert_eq!(schema["required"], json!(["error"]));
    let names = schema["properties"].as_object().unwrap();
    assert!(names.keys().eq(["error", "error_description", "error_uri"]));
}

/// Returns the schema of a text that is required, so it is not empty.
fn required_text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

/// Returns the schema of a text that may be absent.
fn optional_text() -> Value {
    json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] })
}

/// Puts the properties of several objects into one.
fn joined(objects: &[Value]) -> Value {
    let fields = objects.iter().flat_map(|object| object.as_object().unwrap());
    let fields = fields.map(|(name, value)| (name.clone(), value.clone()));
    Value::Object(fields.collect())
}

fn only(grant_type: &str) -> Value {
    json!({ "grant_type": { "type": "string", "enum": [grant_type] } })
}

fn scope() -> Value {
    json!({ "scope": { "type": "string", "default": "" } })
}

fn texts(name: &str) -> Value {
    json!({ name: { "type": "array", "items": { "type": "string" } } })
}

#[test]
fn an_enum_of_grants_is_discriminated() {
    let schema = Grant::schema();
    let named = |name: &str| format!("#/components/schemas/Grant.{name}");
    let variants = [
        ("password", "Password"),
        ("refresh_token", "RefreshToken"),
        ("client_credentials", "ClientCredentials"),
        ("authorization_code", "AuthorizationCode"),
        ("urn:ietf:params:oauth:grant-type:device_code", "DeviceCode"),
        ("urn:ietf:params:oauth:grant-type:token-exchange", "TokenExchange"),
        ("urn:example:otp", "OneTime"),
    ];
    let references = variants.map(|(_, name)| json!({ "$ref": named(name) }));
    let mapping = variants.map(|(grant_type, name)| json!({ grant_type: named(name) }));
    assert_eq!(
        json!(schema),
        json!({
            "oneOf": references,
            "discriminator": { "propertyName": "grant_type", "mapping": joined(&mapping) }
        })
    );
    let components: Vec<_> = schema.components().collect();
    let names = components.iter().map(|(name, _)| (*name).to_owned());
    assert!(names.eq(variants.map(|(_, name)| format!("Grant.{name}"))));
    // A form of its own refers to nothing.
    for (name, form) in components {
        assert_eq!(form.components().count(), 0, "{name}");
        assert_eq!(keys(form, "/properties")[0], "grant_type", "{name}");
    }
}

#[test]
fn each_form_of_an_enum_is_described() {
    let schema = Grant::schema();
    let form = |wanted: &str| {
        let mut components = schema.components();
        components.find(|(name, _)| *name == wanted).unwrap().1
    };
    let component = |wanted: &str| json!(form(wanted));
    // The client is the same in every form.
    let client = component("Grant.RefreshToken")["properties"].take();
    let secret = client["client_secret"].clone();
    assert_eq!(secret["anyOf"], optional_text()["anyOf"]);
    let of_client = || json!({ "client_id": optional_text(), "client_secret": secret });
    let user = json!({ "username": required_text() });
    let mut password = json!(OAuth2PasswordRequestFormStrict::schema());
    password["properties"]["grant_type"] = only("password")["grant_type"].clone();
    assert_eq!(component("Grant.Password"), password);
    for (name, properties, required) in [
        (
            "Grant.RefreshToken",
            &[
                only("refresh_token"),
                scope(),
                of_client(),
                json!({ "refresh_token": required_text() }),
                texts("resource"),
            ][..],
            &["grant_type", "refresh_token"][..],
        ),
        (
            "Grant.ClientCredentials",
            &[only("client_credentials"), scope(), of_client(), texts("resource")],
            &["grant_type"],
        ),
        (
            "Grant.AuthorizationCode",
            &[
                only("authorization_code"),
                of_client(),
                json!({ "code": required_text() }),
                json!({ "redirect_uri": optional_text() }),
                json!({ "code_verifier": { "anyOf": [
                    { "type": "string", "minLength": 43, "maxLength": 128 },
                    { "type": "null" }
                ] } }),
                texts("resource"),
            ],
            &["grant_type", "code"],
        ),
        (
            "Grant.DeviceCode",
            &[
                only("urn:ietf:params:oauth:grant-type:device_code"),
                of_client(),
                json!({ "device_code": required_text() }),
            ],
            &["grant_type", "device_code"],
        ),
        (
            "Grant.TokenExchange",
            &[
                only("urn:ietf:params:oauth:grant-type:token-exchange"),
                scope(),
                of_client(),
                texts("resource"),
                texts("audience"),
                json!({ "requested_token_type": optional_text() }),
                json!({ "subject_token": required_text() }),
                json!({ "subject_token_type": required_text() }),
                json!({ "actor_token": optional_text() }),
                json!({ "actor_token_type": optional_text() }),
            ],
            &["grant_type", "subject_token", "subject_token_type"],
        ),
        (
            "Grant.OneTime",
            &[
                only("urn:example:otp"),
                user,
                scope(),
                of_client(),
                json!({ "code": { "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 } }),
            ],
            &["grant_type", "username", "code"],
        ),
    ] {
        let found = component(name);
        let names = properties.iter().flat_map(|object| object.as_object().unwrap().keys());
        let names: Vec<_> = names.cloned().collect();
        assert_eq!(keys(form(name), "/properties"), names, "{name}");
        let properties = joined(properties);
        let expected = json!({ "type": "object", "properties": properties, "required": required });
        assert_eq!(found, expected, "{name}");
    }
    // Alone, a form with a name is the same.
    assert_eq!(json!(RefreshTokenGrant::schema()), component("Grant.RefreshToken"));
    assert_eq!(json!(TokenExchangeForm::schema()), component("Grant.TokenExchange"));
}

#[test]
fn a_form_without_a_grant_is_described() {
    #[derive(RequestForm)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Lists<'a> {
        numbers: Vec<u32>,
        texts: Vec<std::borrow::Cow<'a, str>>,
        verifiers: Vec<CodeVerifier>,
        set: std::collections::HashSet<String>,
        client_id: String,
        r#type: Option<bool>,
    }
    let schema = json!(Lists::schema());
    assert_eq!(schema["required"], json!(["client_id"]));
    assert_eq!(schema["properties"]["client_id"], required_text());
    let properties = &schema["properties"];
    assert_eq!(properties["client_secret"], optional_text());
    let number = json!({ "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 });
    assert_eq!(properties["numbers"], json!({ "type": "array", "items": number }));
    assert_eq!(properties["texts"], texts("texts")["texts"]);
    let verifier = json!({ "type": "string", "minLength": 43, "maxLength": 128 });
    assert_eq!(properties["verifiers"], json!({ "type": "array", "items": verifier }));
    assert_eq!(
        keys(&Lists::schema(), "/properties"),
        ["client_id", "client_secret", "numbers", "texts", "verifiers", "set", "type"]
    );

    let revocation = json!(RevocationForm::schema());
    assert_eq!(revocation["required"], json!(["token"]));
    assert_eq!(revocation["properties"]["token"], required_text());
    assert_eq!(
        keys(&RevocationForm::schema(), "/properties"),
        ["client_id", "client_secret", "token", "token_type_hint"]
    );
}

#[test]
fn the_grants_of_a_document_are_among_its_schemas() {
    let written = json!({
        "openapi": "3.1.0",
        "info": { "title": "test", "version": "1" },
        "components": { "schemas": { "Mine": { "type": "string" } } },
        "paths": { "/token": { "post": { "operationId": "token", "responses": {} } } }
    });
    let mut document = Document::new(written).unwrap();
    document.operation("token").unwrap().add_form(&Grant::schema()).unwrap();
    let document = Value::from(document.into_json());
    assert_valid(&document);
    let token = &document["paths"]["/token"]["post"];
    let body = &token["requestBody"];
    let schema = &body["content"]["application/x-www-form-urlencoded"]["schema"];
    assert_eq!(*schema, json!(Grant::schema()));
    assert_eq!(body["required"], true);
    assert!(token["responses"].as_object().unwrap().keys().eq(["400", "413"]));
    let schemas = &document["components"]["schemas"];
    for (name, form) in Grant::schema().components() {
        assert_eq!(schemas[name], json!(form), "{name}");
    }
    assert_eq!(schemas["Mine"], json!({ "type": "string" }));
    assert_eq!(schemas.as_object().unwrap().len(), 8);

    // The schema with its references takes the bodies that the form takes.
    let mut resolved = schema.clone();
    resolved["components"] = document["components"].clone();
    for (form, is_valid) in [
        (json!({ "grant_type": "refresh_token", "refresh_token": "r" }), true),
        (
            json!({ "grant_type": "refresh_token", "refresh_token": "r", "resource": ["a", "b"], "scope": "a b" }),
            true,
        ),
        (json!({ "grant_type": "refresh_token" }), false),
        (json!({ "refresh_token": "r" }), false),
        (json!({ "grant_type": "implicit", "refresh_token": "r" }), false),
        (json!({ "grant_type": "urn:example:otp", "username": "u", "code": 7 }), true),
        (json!({ "grant_type": "urn:example:otp", "username": "u", "code": "x" }), false),
        (
            json!({ "grant_type": "authorization_code", "code": "c", "code_verifier": "a".repeat(43) }),
            true,
        ),
        (
            json!({ "grant_type": "authorization_code", "code": "c", "code_verifier": "a".repeat(42) }),
            false,
        ),
        (json!({ "grant_type": "password", "username": "u", "password": "p" }), true),
        (json!({ "grant_type": "client_credentials" }), true),
    ] {
        assert_eq!(jsonschema::is_valid(&resolved, &form), is_valid, "{form}");
    }
}

#[test]
fn an_enum_of_grants_may_have_another_name() {
    #[derive(RequestForm)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Proof<'a> {
        proof: std::borrow::Cow<'a, str>,
    }
    #[derive(Grant)]
    #[grant(schema_name = "v1.Token")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Named<'a> {
        #[grant("urn:example:proof")]
        r#Proof(Proof<'a>),
        Refresh(RefreshTokenGrant),
    }
    let schema = Named::schema();
    let names: Vec<_> = schema.components().map(|(name, _)| name).collect();
    assert_eq!(names, ["v1.Token.Proof", "v1.Token.Refresh"]);
    let (_, proof) = schema.components().next().unwrap();
    assert_eq!(json!(proof)["required"], json!(["grant_type", "proof"]));
    // Alone, the form has no grant.
    assert_eq!(json!(Proof::schema())["properties"].get("grant_type"), None);
}

#[test]
fn two_schemas_of_one_name_must_be_equal() {
    let written = json!({ "paths": { "/token": { "post": {} }, "/other": { "post": {} } } });
    let mut document = Document::new(written).unwrap();
    for id in ["/token", "/other"] {
        // The same schemas twice are one.
        let mut operation = document.operation_at(&Method::POST, id).unwrap();
        operation.add_form(&Grant::schema()).unwrap();
    }

    let written = json!({
        "components": { "schemas": { "Grant.RefreshToken": { "type": "string" } } },
        "paths": { "/token": { "post": {} } }
    });
    let mut document = Document::new(written).unwrap();
    let mut operation = document.operation_at(&Method::POST, "/token").unwrap();
    let error = operation.add_form(&Grant::schema()).unwrap_err();
    assert_eq!(error, DocumentError::SchemaClash("Grant.RefreshToken".to_owned()));
    assert_eq!(
        error.to_string(),
        "two schemas are named `Grant.RefreshToken` and differ; give one of them another `schema_name`"
    );
}

/// Everything that is not ours comes out as it was: members in their order, repeated ones, and
/// numbers to their last digit.
#[test]
fn what_is_not_ours_stays_as_it_is_written() {
    let written = concat!(
        r#"{"openapi":"3.1.0","x-z":{"z":1,"a":[31.245270191439438,-12,0.5],"z":[]},"#,
        r#""info":{"version":"1","title":"test"},"#,
        r#""paths":{"/z":{"get":{"summary":"z","parameters":[],"description":"é"}},"/a":{"summary":"a"}},"#,
        r#""components":{"schemas":{"Z":{"maximum":18446744073709551615},"A":{}}}}"#
    );
    let document: Document = written.parse().unwrap();
    assert_eq!(document.into_json().to_string(), written);

    let mut document: Document = written.parse().unwrap();
    let mut operation = document.operation_at(&Method::GET, "/z").unwrap();
    operation.secure(&operation!(handlers::own_items)).unwrap();
    operation.add_form(&Grant::schema()).unwrap();
    let text = document.into_json().to_string();
    for part in [
        r#"{"openapi":"3.1.0","x-z":{"z":1,"a":[31.245270191439438,-12,0.5],"z":[]},"info":{"version":"1","title":"test"},"paths":{"/z":{"get":{"summary":"z","parameters":[],"description":"é","security":"#,
        r#"},"/a":{"summary":"a"}},"components":{"schemas":{"Z":{"maximum":18446744073709551615},"A":{},"Grant.Password":"#,
    ] {
        assert!(text.contains(part), "{text}");
    }
    // Serialized by `serde_json`, it is the same text.
    let document: Document = text.parse().unwrap();
    assert_eq!(serde_json::to_string(&document.into_json()).unwrap(), text);
}

#[test]
fn refuses_a_number_that_no_type_holds() {
    let error = r#"{"openapi":"3.1.0","x":1e400}"#.parse::<Document>().unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("the description cannot be read: number out of range"), "{text}");
}

#[test]
fn schemes_that_are_required_together_stay_in_their_order() {
    let written =
        r#"{"security":[{"z":["b","a"],"b":[]}],"paths":{"/":{"get":{"operationId":"x"}}}}"#;
    let mut document: Document = written.parse().unwrap();
    let mut operation = document.operation("x").unwrap();
    operation.secure(&operation!(handlers::own_items)).unwrap();
    let text = document.into_json().to_string();
    let security = r#""security":[{"z":["b","a"],"b":[],"OAuth2":["items","me"]}]"#;
    assert!(text.contains(security), "{text}");
}

/// A layer is around the routes of the service, not around the requests that it sends.
#[test]
fn operations_are_found_wherever_a_document_has_them() {
    let item = |id: &str| json!({ "post": { "operationId": id, "responses": {} } });
    let mut called = item("called");
    called["post"]["callbacks"] = json!({ "Event": { "{$url}": item("callback") } });
    called["query"] = item("query")["post"].take();
    called["additionalOperations"] = json!({ "COPY": item("copy")["post"] });
    let written = json!({
        "openapi": "3.2.0",
        "info": { "title": "test", "version": "1" },
        "paths": {
            "/called": called,
            "/shared": { "$ref": "#/components/pathItems/Shared" }
        },
        "webhooks": { "created": item("webhook") },
        "components": {
            "pathItems": { "Shared": item("shared"), "Unused": item("unused") },
            "callbacks": { "Event": { "{$url}": item("component") } }
        }
    });
    let routes = ["called", "query", "copy", "shared"];
    let others = ["callback", "webhook", "unused", "component"];
    let security = |document: &mut Document, id: &str| {
        document.operation(id).unwrap();
        let document = Value::from(document.clone().into_json());
        let found = find(&document, id).unwrap_or_else(|| panic!("{id}"));
        found.get("security").cloned()
    };
    let secured = Some(json!([{ "OAuth2": ["items", "me"] }]));
    let mut document = Document::new(&written).unwrap();
    document.secure(&operation!(handlers::own_items)).unwrap();
    for id in routes {
        assert_eq!(security(&mut document, id), secured, "{id}");
    }
    for id in others {
        assert_eq!(security(&mut document, id), None, "{id}");
        let mut operation = document.operation(id).unwrap();
        operation.secure(&operation!(handlers::own_items)).unwrap();
        assert_eq!(security(&mut document, id), secured, "{id}");
    }
    assert_eq!(
        document.operation_at(&Method::POST, "created").err(),
        Some(DocumentError::NoOperation("POST created".to_owned()))
    );
}

/// Returns the operation with this identifier, wherever it is.
fn find<'v>(value: &'v Value, id: &str) -> Option<&'v Value> {
    match value {
        Value::Object(object) if object.get("operationId").is_some_and(|found| found == id) => {
            Some(value)
        }
        Value::Object(object) => object.values().find_map(|value| find(value, id)),
        _ => None,
    }
}

#[test]
fn a_requirement_that_no_operation_carries_is_an_error() {
    for (written, pointer) in [
        (
            json!({ "x-webhooks": { "a/b": { "post": { "x-doorward": [] } } } }),
            "/x-webhooks/a~1b/post/x-doorward",
        ),
        (json!({ "tags": [{}, { "x-doorward": 1 }] }), "/tags/1/x-doorward"),
        (
            json!({ "paths": { "/": { "get": { "x-doorward": { "schemes": [] } } } } }),
            "get /: x-doorward",
        ),
    ] {
        let error = Document::new(written).unwrap_err();
        assert_eq!(error, DocumentError::Invalid(pointer.to_owned()));
    }
}

/// Another site cannot cause harm by a safe method, so it is not refused for its site.
#[test]
fn a_cross_site_request_is_refused_where_it_changes_something() {
    let operation = Operation::of::<ApiKeyCookie>();
    let statuses = |method: &Method| Vec::from_iter(operation.responses_to(method).into_keys());
    let methods = ["get", "head", "options", "post", "put", "patch", "delete", "trace", "query"];
    let mut paths = json!({});
    for method in methods {
        paths["/"][method] = json!({ "responses": {} });
    }
    let mut document = Document::new(json!({ "paths": paths })).unwrap();
    document.secure(&operation).unwrap();
    let document = Value::from(document.into_json());
    for method in methods {
        let expected = match method {
            "get" | "head" | "options" => &["401"][..],
            _ => &["401", "403"],
        };
        let responses = &document["paths"]["/"][method]["responses"];
        let responses = responses.as_object().unwrap().keys();
        assert!(responses.eq(expected), "{method}");
        let method: Method = method.to_uppercase().parse().unwrap();
        assert_eq!(statuses(&method), expected, "{method}");
    }
    // The one that scopes are refused with stays.
    assert_eq!(Vec::from_iter(operation.responses().into_keys()), ["401", "403"]);
}
