//! utoipa documents: the security of each operation comes from its handler's plan.

use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::{Json, routing::get};
use doorward::form::{FormError, RequestForm};
use doorward::openapi::{Document, DocumentError, SecurityAddon, secure};
use doorward::token_endpoint::{
    AuthorizationCodeGrant, ClientCredentialsGrant, RefreshTokenGrant, RevocationForm, TokenError,
    TokenRequest, TokenResponse,
};
use doorward::{
    BearerToken, Grant, OAuth2PasswordRequestForm, PasswordForm, PasswordRequestForm, Rejection,
    Scheme, SecurityScopes, dependency, oauth2, oauth2_authorization_code_bearer,
    oauth2_password_bearer, secured,
};
use doorward_tests::credentials::{
    ApiKeyCookie, ApiKeyHeader, ApiKeyQuery, Basic, Digest, HttpBearer, OpenId,
};
use doorward_tests::description::{assert_valid, fastapi, keys};
use doorward_tests::grants::{Grant, OneTimeForm};
use http::StatusCode;
use serde_json::{Value, json};

use super::utoipa_axum::router::OpenApiRouter;
use super::utoipa_axum::routes;
use super::{utoipa, utoipa::OpenApi, utoipa::ToSchema};

/// Log in here.
#[oauth2_password_bearer(
    token_url = "token",
    refresh_url = "/refresh",
    scopes("me" = "Me.", "items" = "Items.")
)]
struct OAuth2;

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

#[oauth2_authorization_code_bearer(
    authorization_url = "authorize",
    token_url = "code/token",
    rejection = Rejection::new(StatusCode::NOT_FOUND)
)]
struct Code;

/// Every flow.
#[oauth2(flows(
    implicit(authorization_url = "authorize", scopes("a" = "A.")),
    password(token_url = "token"),
    client_credentials(token_url = "token", refresh_url = "refresh"),
    authorization_code(authorization_url = "authorize", token_url = "token")
))]
struct Everything;

#[dependency(unverified)]
fn token_of(#[security(OAuth2)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

#[dependency]
fn current_user(#[security(token_of, scopes("me"))] token: BearerToken) -> String {
    token.as_str().to_owned()
}

#[dependency(unverified)]
fn of_code(#[security(Code)] _token: BearerToken) {}

#[dependency(unverified)]
fn of_everything(#[security(Everything)] _value: doorward::AuthorizationValue) {}

#[derive(serde::Deserialize, utoipa::IntoParams)]
struct Page {
    #[expect(dead_code, reason = "it is documented")]
    limit: Option<u32>,
}

#[derive(serde::Serialize, serde::Deserialize, ToSchema)]
struct Item {
    name: String,
}

/// Changes an item.
#[secured]
#[utoipa::path(put, path = "/items/{id}", params(Page), responses((status = 200, description = "OK", body = Item), (status = 401, description = "Mine.")))]
async fn change_item(
    #[security(current_user, scopes("items"))] user: String,
    Path(id): Path<u32>,
    Query(_page): Query<Page>,
    Json(item): Json<Item>,
) -> Json<Item> {
    Json(Item { name: format!("{user} {id} {}", item.name) })
}

#[secured(of_code)]
#[secured(token_of, scopes("me"))]
#[utoipa::path(
    get,
    path = "/two",
    operation_id = "renamed",
    security(("key" = [])),
    responses((status = 200, description = "OK")),
    extensions(("x-mine" = json!({ "kept": true }))),
)]
async fn two() {}

#[secured]
#[cfg_attr(all(), allow(unused), utoipa::path(get, path = "/maybe", responses((status = 200, description = "OK"))))]
async fn maybe(#[security(Maybe)] _token: Option<BearerToken>) {}

#[utoipa::path(get, path = "/open", responses((status = 200, description = "OK")))]
async fn open() {}

/// A secured handler may be missing from the document.
#[secured(token_of)]
async fn undocumented() {}

#[utoipa::path(
    post,
    path = "/token",
    request_body(content = OAuth2PasswordRequestForm, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "OK"))
)]
#[expect(dead_code, reason = "its description is looked at")]
async fn token(PasswordForm(form): PasswordForm<OAuth2PasswordRequestForm>) -> String {
    form.username
}

#[derive(OpenApi)]
#[openapi(paths(change_item, two, maybe, open, token), modifiers(&SecurityAddon))]
struct ApiDoc;

/// Returns what utoipa writes of some handlers.
macro_rules! documented {
    ($($handler:path),*) => {{
        #[derive(OpenApi)]
        #[openapi(paths($($handler),*))]
        struct Documented;
        Documented::openapi()
    }};
}

fn document() -> Value {
    json!(ApiDoc::openapi())
}

/// Not for you
#[derive(utoipa::ToResponse)]
#[expect(dead_code, reason = "described")]
struct Refused {
    detail: String,
}

#[dependency]
fn role(
    #[argument(roles)] role: &str,
    #[security(ApiKeyCookie)] key: doorward::ApiKey,
) -> Result<(), Rejection> {
    if key.as_str() == role { Ok(()) } else { Err(Rejection::new(StatusCode::FORBIDDEN)) }
}

#[secured(role("editor"))]
#[utoipa::path(get, path = "/none", responses((status = 200, description = "OK")))]
async fn no_403() {}

#[secured(role("editor"))]
#[utoipa::path(get, path = "/own", responses((status = 403, description = "You may not")))]
async fn own_403() {}

#[secured(role("editor"))]
#[utoipa::path(get, path = "/shared", responses((status = 403, response = Refused)))]
async fn shared_403() {}

#[secured(role("editor"))]
#[utoipa::path(get, path = "/missing", responses((status = 403, response = inline(Refused))))]
async fn inline_403() {}

#[derive(OpenApi)]
#[openapi(
    paths(no_403, own_403, shared_403, inline_403),
    components(responses(Refused)),
    modifiers(&SecurityAddon)
)]
struct Refusing;

#[test]
fn each_403_names_what_decides() {
    let mut utoipa = Refusing::openapi();
    let document = json!(utoipa);
    assert_valid(&document);
    for (path, words) in [
        ("/none", "Forbidden"),
        ("/own", "You may not"),
        ("/shared", "Not for you"),
        ("/missing", "Not for you"),
    ] {
        let operation = &document["paths"][path]["get"];
        assert_eq!(operation["security"], json!([{ "ApiKeyCookie": ["editor"] }]));
        assert_eq!(operation["x-via"], json!([r#"role("editor")"#]));
        let response = &operation["responses"]["403"];
        let expected = format!("{words}: `editor` (role)");
        assert_eq!(response["description"], expected);
        assert_eq!(response["$ref"].is_string(), path == "/shared", "{path}");
    }
    let shared = &document["components"]["responses"]["Refused"];
    assert_eq!(shared["description"], "Not for you");
    // For a layer around all, nothing is repeated.
    let layer = doorward::layer!(role("editor"));
    doorward::openapi::secure_all(&mut utoipa, &layer.plan().operation()).unwrap();
    assert_eq!(json!(utoipa), document);
}

#[test]
fn an_operation_says_what_its_handler_requires() {
    let document = document();
    assert_valid(&document);
    let operations = &document["paths"];
    let change_item = &operations["/items/{id}"]["put"];
    assert_eq!(change_item["security"], json!([{ "OAuth2": ["items", "me"] }]));
    assert_eq!(change_item["responses"]["401"]["description"], "Mine.");
    assert_eq!(change_item["summary"], "Changes an item.");
    let parameters = change_item["parameters"].as_array().unwrap();
    let names: Vec<_> = parameters.iter().map(|parameter| &parameter["name"]).collect();
    assert!(names.contains(&&json!("limit")), "{names:?}");

    let two = &operations["/two"]["get"];
    assert_eq!(two["operationId"], "renamed");
    assert_eq!(two["security"], json!([{ "Code": [], "OAuth2": ["me"], "key": [] }]));
    assert_eq!(two["x-mine"], json!({ "kept": true }));
    assert_eq!(two["responses"]["401"]["description"], "Unauthorized");
    assert_eq!(
        two["responses"]["401"]["content"]["application/json"]["example"],
        json!({ "detail": "Not authenticated" })
    );
    assert_eq!(two["responses"]["404"], json!({ "description": "Not Found" }));

    assert_eq!(operations["/maybe"]["get"]["security"], json!([{ "Maybe": [] }, {}]));
    assert_eq!(operations["/open"]["get"].get("security"), None);
    assert!(!document.to_string().contains("x-doorward"));
}

#[test]
fn schemes_land_in_the_components() {
    assert_eq!(
        document()["components"]["securitySchemes"],
        json!({ "OAuth2": OAuth2::CONFIG, "Maybe": Maybe::CONFIG, "Code": Code::CONFIG })
    );

    #[secured(of_everything)]
    #[utoipa::path(get, path = "/", responses((status = 200, description = "OK")))]
    async fn everything() {}
    #[derive(OpenApi)]
    #[openapi(paths(everything), modifiers(&SecurityAddon))]
    struct ApiDoc;
    let document = json!(ApiDoc::openapi());
    assert_valid(&document);
    assert_eq!(document["components"]["securitySchemes"]["Everything"], json!(Everything::CONFIG));
}

#[test]
fn every_kind_of_scheme_lands_in_the_components() {
    #[doorward::http(scheme = "Token")]
    struct Unknown;
    macro_rules! documents {
        ($($name:ident: $guard:ident($scheme:ty);)*) => {$(
            #[doorward::dependency]
            fn $guard(#[security($scheme)] _found: <$scheme as Scheme>::Credential) -> Result<(), Rejection> {
                Ok(())
            }
            #[secured($guard)]
            #[utoipa::path(get, path = "/", responses((status = 200, description = "OK")))]
            #[expect(dead_code, reason = "only its description is looked at")]
            async fn $name() {}
        )*};
    }
    documents! {
        header: by_header(ApiKeyHeader);
        query: by_query(ApiKeyQuery);
        cookie: by_cookie(ApiKeyCookie);
        basic: by_basic(Basic);
        bearer: by_bearer(HttpBearer);
        digest: by_digest(Digest);
        openid: by_openid(OpenId);
        unknown: by_unknown(Unknown);
    }
    let document = |mut document| secure(&mut document).map(|()| json!(document));
    for (document, name, config) in [
        (document(documented!(header)), "ApiKeyHeader", json!(ApiKeyHeader::CONFIG)),
        (document(documented!(query)), "ApiKeyQuery", json!(ApiKeyQuery::CONFIG)),
        (document(documented!(cookie)), "ApiKeyCookie", json!(ApiKeyCookie::CONFIG)),
        (document(documented!(basic)), "Basic", json!(Basic::CONFIG)),
        (document(documented!(bearer)), "HttpBearer", json!(HttpBearer::CONFIG)),
        (document(documented!(digest)), "Digest", json!(Digest::CONFIG)),
        (document(documented!(openid)), "OpenId", json!(OpenId::CONFIG)),
    ] {
        let document = document.unwrap();
        assert_valid(&document);
        assert_eq!(document["components"]["securitySchemes"], json!({ name: config }));
    }
    assert_eq!(
        document(documented!(unknown)),
        Err(DocumentError::UnknownScheme("Unknown".to_owned()))
    );
}

#[test]
fn a_form_is_a_schema() {
    let document = document();
    let body = &document["paths"]["/token"]["post"]["requestBody"]["content"];
    assert_eq!(
        body["application/x-www-form-urlencoded"]["schema"],
        json!({ "$ref": "#/components/schemas/OAuth2PasswordRequestForm" })
    );
    assert_eq!(
        document["components"]["schemas"]["OAuth2PasswordRequestForm"],
        fastapi()["components"]["schemas"]["Body_login_token_post"]
    );

    #[derive(PasswordRequestForm)]
    #[password_form(strict)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Login<'a> {
        username: std::borrow::Cow<'a, str>,
        password: String,
        otp: Option<u32>,
        tenant: Item,
    }
    assert_eq!(Login::name(), "Login");
    assert_eq!(
        json!(<Login<'_> as utoipa::PartialSchema>::schema()),
        json!(<Login<'_> as RequestForm<'_>>::schema())
    );
}

/// Declares a route that is described as one that takes a form.
macro_rules! takes_form {
    ($name:ident, $path:literal, $form:ident, $($responses:tt)*) => {
        #[utoipa::path(
            post,
            path = $path,
            request_body(content = $form, content_type = "application/x-www-form-urlencoded"),
            responses($($responses)*)
        )]
        #[expect(dead_code, reason = "its description is looked at")]
        async fn $name() {}
    };
}

#[utoipa::path(
    post,
    path = "/token",
    request_body(content = Grant, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "OK", body = TokenResponse), TokenError)
)]
#[expect(dead_code, reason = "its description is looked at")]
async fn grant(form: TokenRequest<Grant>) -> &'static str {
    form.grant.fields().0
}

takes_form!(revoke, "/revoke", RevocationForm, (status = 200, description = "OK"), TokenError);

#[test]
fn an_enum_of_grants_brings_the_schemas_of_its_forms() {
    let document = json!(documented!(grant, revoke));
    assert_valid(&document);
    let body = |path: &str| {
        let body = &document["paths"][path]["post"]["requestBody"]["content"];
        body["application/x-www-form-urlencoded"]["schema"].clone()
    };
    let named = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    assert_eq!(body("/token"), named("Grant"));
    assert_eq!(body("/revoke"), named("RevocationForm"));
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["Grant"], json!(Grant::schema()));
    assert_eq!(schemas["RevocationForm"], json!(RevocationForm::schema()));
    for (name, form) in Grant::schema().components() {
        assert_eq!(schemas[name], json!(form), "{name}");
    }
    // One for each grant, the enum, and those of the other endpoint and the answers.
    let names = schemas.as_object().unwrap().keys();
    let others = ["Grant", "RevocationForm", "TokenResponse"];
    let names = names.filter(|name| !others.contains(&&***name));
    assert!(names.clone().all(|name| name.starts_with("Grant")));
    assert_eq!(names.count(), 7);
}

#[test]
fn a_form_of_any_grant_is_a_schema() {
    macro_rules! compared {
        ($($form:ty => $name:literal;)*) => {$(
            assert_eq!(<$form>::name(), $name);
            let written = <$form as utoipa::PartialSchema>::schema();
            assert_eq!(json!(written), json!(<$form as RequestForm<'_>>::schema()), $name);
        )*};
    }
    #[derive(RequestForm)]
    #[request_form(schema_name = "v1.Lists")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Lists<'a> {
        numbers: Vec<u32>,
        texts: Vec<std::borrow::Cow<'a, str>>,
        item: Item,
    }
    #[derive(Grant)]
    #[grant(schema_name = "v1.Token")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Named<'a> {
        #[grant("urn:example:lists")]
        Lists(Lists<'a>),
        Refresh(RefreshTokenGrant),
    }
    compared! {
        RefreshTokenGrant => "RefreshTokenGrant";
        ClientCredentialsGrant => "ClientCredentialsGrant";
        AuthorizationCodeGrant => "AuthorizationCodeGrant";
        RevocationForm => "RevocationForm";
        OneTimeForm => "OneTimeForm";
        Lists<'_> => "v1.Lists";
        Named<'_> => "v1.Token";
        Grant => "Grant";
    }
    let mut schemas = Vec::new();
    Named::schemas(&mut schemas);
    let names: Vec<_> = schemas.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["v1.Token.Lists", "v1.Token.Refresh"]);
}

#[test]
fn a_form_of_any_grant_may_have_a_schema_of_its_own() {
    #[derive(RequestForm, ToSchema)]
    #[request_form(to_schema = false)]
    #[schema(as = OwnForm)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Form {
        proof: String,
    }
    #[derive(Grant, ToSchema)]
    #[grant(to_schema = false)]
    #[schema(as = OwnGrant)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Own {
        #[grant("urn:example:proof")]
        Proof(Form),
    }
    assert_eq!((&*Form::name(), &*Own::name()), ("OwnForm", "OwnGrant"));
}

#[test]
fn the_answers_of_a_token_endpoint_are_schemas() {
    #[derive(OpenApi)]
    #[openapi(components(schemas(TokenResponse, TokenError)))]
    struct ApiDoc;

    let mut document = serde_json::to_value(ApiDoc::openapi()).unwrap();
    assert_valid(&document);
    let response = TokenResponse::bearer("t").with_scopes(["me"]).with_expires_in(Duration::ZERO);
    let full = response.clone().with_refresh_token("r");
    let error = TokenError::invalid_scope("no").with_uri("https://example.com");
    let answers: [(&str, http::Response<String>); 11] = [
        ("TokenError", TokenError::authorization_pending().into()),
        ("TokenError", TokenError::slow_down().into()),
        ("TokenError", TokenError::access_denied("no").into()),
        ("TokenError", TokenError::expired_token("no").into()),
        ("TokenError", TokenError::invalid_target("no").into()),
        ("TokenError", TokenError::unsupported_token_type("no").into()),
        ("TokenResponse", TokenResponse::bearer("t").into()),
        ("TokenResponse", response.into()),
        ("TokenResponse", full.into()),
        ("TokenError", error.into()),
        ("TokenError", TokenError::invalid_client_with_challenge().into()),
    ];
    for (name, answer) in answers {
        let mut schema = document["components"]["schemas"][name].take();
        schema["additionalProperties"] = json!(false);
        let body = serde_json::from_str(answer.body()).unwrap();
        assert!(jsonschema::is_valid(&schema, &body), "{name}: {body}");
        assert!(!jsonschema::is_valid(&schema, &json!({ "error": "other" })));
        document["components"]["schemas"][name] = schema;
    }
}

#[test]
fn a_form_may_have_another_name_or_a_schema_of_its_own() {
    #[derive(PasswordRequestForm)]
    #[password_form(schema_name = "v1.Login")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Login {
        username: String,
        password: String,
    }
    assert_eq!(Login::name(), "v1.Login");

    #[derive(PasswordRequestForm, ToSchema)]
    #[password_form(to_schema = false)]
    #[schema(as = Own)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct OwnSchema {
        username: String,
        password: String,
    }
    assert_eq!(OwnSchema::name(), "Own");
}

#[test]
fn security_of_the_whole_document_holds_for_secured_operations_too() {
    #[secured]
    #[utoipa::path(get, path = "/unsecured", security(), responses((status = 200, description = "OK")))]
    async fn unsecured(#[security(flag)] _flag: bool) {}

    #[dependency]
    fn flag() -> bool {
        true
    }

    #[derive(OpenApi)]
    #[openapi(paths(change_item, unsecured), modifiers(&SecurityAddon), security(("key" = [])))]
    struct ApiDoc;
    let document = json!(ApiDoc::openapi());
    assert_eq!(
        document["paths"]["/items/{id}"]["put"]["security"],
        json!([{ "OAuth2": ["items", "me"], "key": [] }])
    );
    assert_eq!(document["paths"]["/unsecured"]["get"]["security"], json!([]));
}

/// Handlers with the same name in nested modules that use glob imports.
mod glob {
    use super::*;

    #[secured(token_of)]
    pub(super) async fn undocumented() {}

    mod below {
        use super::*;

        #[secured(token_of)]
        pub(super) async fn undocumented() {}

        #[test]
        fn each_is_itself() {
            let _ = get::<_, _, ()>(undocumented);
            let _ = get::<_, _, ()>(super::undocumented);
        }
    }
}

/// `utoipa-axum` collects the document from the routes, including nested ones. The document and the
/// server agree.
#[tokio::test]
async fn routes_are_described_where_they_are_nested() {
    let inner = OpenApiRouter::new()
        .routes(routes!(two))
        .nest("/deep", OpenApiRouter::new().routes(routes!(change_item)));
    let (router, mut api) = OpenApiRouter::<()>::new()
        .nest("/api", inner)
        .route("/undocumented", get(undocumented))
        .routes(routes!(open))
        .split_for_parts();
    secure(&mut api).unwrap();
    let document = json!(api);
    assert_valid(&document);
    assert_eq!(
        document["paths"]["/api/deep/items/{id}"]["put"]["security"],
        json!([{ "OAuth2": ["items", "me"] }])
    );
    assert_eq!(
        document["paths"]["/api/two"]["get"]["security"],
        json!([{ "Code": [], "OAuth2": ["me"], "key": [] }])
    );
    for (target, status) in
        [("PUT /api/deep/items/1", 401), ("/api/two", 404), ("/open", 200), ("/undocumented", 401)]
    {
        let answer = crate::asking::ask(router.clone(), target, &[]).await;
        assert_eq!(answer.status(), status, "{target}");
    }
}

#[test]
fn a_document_without_security_stays_as_it_is() {
    let mut secured = documented!(open);
    secure(&mut secured).unwrap();
    assert_eq!(json!(secured), json!(documented!(open)));
}

mod clash {
    use super::{utoipa, *};

    #[oauth2_password_bearer(scheme_name = "OAuth2", token_url = "other")]
    pub(super) struct Other;

    #[dependency(unverified)]
    pub(super) fn of_other(#[security(Other)] _token: BearerToken) {}

    #[secured(of_other)]
    #[utoipa::path(get, path = "/clash", responses((status = 200, description = "OK")))]
    pub(super) async fn clash() {}

    #[derive(OpenApi)]
    #[openapi(paths(clash, super::two))]
    pub(super) struct ApiDoc;

    #[derive(OpenApi)]
    #[openapi(paths(clash, super::two), modifiers(&SecurityAddon))]
    pub(super) struct Modified;
}

#[test]
fn a_clash_of_names_is_an_error() {
    let error = secure(&mut clash::ApiDoc::openapi()).unwrap_err();
    assert_eq!(
        error,
        DocumentError::SchemeClash("OAuth2".to_owned(), "flows.password.tokenUrl".to_owned())
    );
}

#[test]
#[should_panic(
    expected = "two security schemes are named `OAuth2` and differ in `flows.password.tokenUrl`"
)]
fn a_clash_of_names_stops_the_building_of_a_document() {
    let _ = clash::Modified::openapi();
}

#[secured(token_of)]
#[utoipa::path(get, path = "/generic", responses((status = 200, description = "OK")))]
async fn generic<T: Clone + Send + Sync + 'static>(State(state): State<T>) {
    drop(state);
}

#[test]
fn a_generic_handler_is_described_too() {
    let _ = get::<_, _, u8>(generic::<u8>);
    #[derive(OpenApi)]
    #[openapi(paths(generic), modifiers(&SecurityAddon))]
    struct ApiDoc;
    assert_eq!(
        json!(ApiDoc::openapi())["paths"]["/generic"]["get"]["security"],
        json!([{ "OAuth2": [] }])
    );
}

#[test]
fn a_document_as_json_keeps_the_order_and_carries_nothing_of_ours() {
    let unsecured = documented!(change_item, two, maybe, open, token);
    let secured = Document::try_from(unsecured.clone()).unwrap();
    let secured = secured.into_json();
    assert_eq!(
        keys(&secured, "/components/securitySchemes/OAuth2/flows/password/scopes"),
        ["me", "items"]
    );
    let secured = Value::from(secured);
    assert_valid(&secured);
    assert!(!secured.to_string().contains("x-doorward"));
    let expected = document();
    // utoipa also writes empty flows for a scheme without flows.
    let schemes = "securitySchemes";
    assert_eq!(secured["components"][schemes], expected["components"][schemes]);
    assert_eq!(secured["paths"], expected["paths"]);
    // JSON written by utoipa gives the same document.
    let written = serde_json::to_string(&unsecured).unwrap();
    let read: Document = written.parse().unwrap();
    assert_eq!(secured, Value::from(read.into_json()));
    assert_eq!(
        Document::try_from(clash::ApiDoc::openapi()).err(),
        Some(DocumentError::SchemeClash("OAuth2".to_owned(), "flows.password.tokenUrl".to_owned()))
    );
}

takes_form!(
    token_with_errors,
    "/token",
    OAuth2PasswordRequestForm,
    (status = 200, description = "OK", body = TokenResponse),
    TokenError
);

takes_form!(
    login_with_faults,
    "/login",
    OAuth2PasswordRequestForm,
    (status = 200, description = "OK", body = TokenResponse),
    FormError
);

#[test]
fn a_route_that_takes_a_form_documents_its_errors() {
    let document = json!(documented!(token_with_errors, login_with_faults));
    assert_valid(&document);
    for (path, statuses) in
        [("/token", &["200", "400", "401", "413"][..]), ("/login", &["200", "400", "413"])]
    {
        let responses = &document["paths"][path]["post"]["responses"];
        assert!(responses.as_object().unwrap().keys().eq(statuses), "{path}");
        for status in &statuses[1..] {
            let schema = &responses[status]["content"]["application/json"]["schema"];
            assert_eq!(
                schema["properties"]["error"]["enum"][0], "invalid_request",
                "{path} {status}"
            );
        }
    }
    assert!(
        document["paths"]["/token"]["post"]["responses"]["401"]["headers"]["WWW-Authenticate"]
            .is_object()
    );
    let form = &document["components"]["schemas"]["OAuth2PasswordRequestForm"]["properties"];
    let fields = form.as_object().unwrap().keys().map(String::as_str);
    let fields = std::collections::BTreeSet::from_iter(fields);
    assert!(fields.into_iter().eq([
        "client_id",
        "client_secret",
        "grant_type",
        "password",
        "scope",
        "username"
    ]));
}

/// Two modules with handlers of the same name. A glob import brings the documentation of one into
/// the scope of the other.
mod seen_twice {
    use super::{utoipa, *};

    #[secured(current_user)]
    #[utoipa::path(get, path = "/same", responses((status = 200, description = "OK")))]
    pub(super) async fn same() {}

    pub(super) mod inner {
        #[allow(unused_imports, reason = "it is the glob import that counts")]
        use super::*;

        #[secured(token_of)]
        pub(in super::super) async fn same() {}
    }
}

#[test]
fn a_documented_handler_of_the_same_name_may_be_in_view() {
    let _ = get::<_, _, ()>(seen_twice::same);
    let _ = get::<_, _, ()>(seen_twice::inner::same);
}

/// A layer around a router, and one around a part that is nested into it.
#[test]
fn a_layer_is_described_on_every_operation() {
    use doorward::openapi::secure_all;
    use doorward::{layer, plan};

    let (_, mut inner) = OpenApiRouter::<()>::new().routes(routes!(open)).split_for_parts();
    let layer = layer!(token_of, scopes("items"));
    secure_all(&mut inner, &layer.plan().operation()).unwrap();
    let (_, document) = OpenApiRouter::<()>::with_openapi(documented!(two))
        .nest("/inner", OpenApiRouter::with_openapi(inner))
        .split_for_parts();
    let mut whole = document;
    secure_all(&mut whole, &plan!(of_code).operation()).unwrap();
    secure(&mut whole).unwrap();
    let document = json!(whole);
    assert_valid(&document);
    let security = |path: &str| document["paths"][path]["get"]["security"].clone();
    assert_eq!(security("/inner/open"), json!([{ "Code": [], "OAuth2": ["items"] }]));
    assert_eq!(security("/two"), json!([{ "key": [], "Code": [], "OAuth2": ["me"] }]));
    for path in ["/inner/open", "/two"] {
        let responses = &document["paths"][path]["get"]["responses"];
        assert!(responses["404"].is_object() && responses["200"].is_object(), "{responses}");
    }
    assert!(!document.to_string().contains("x-doorward"));
}

#[dependency]
fn of_cookie(#[security(ApiKeyCookie)] _key: doorward::ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[secured(of_cookie)]
#[utoipa::path(get, path = "/by-cookie", responses((status = 200, description = "OK")))]
async fn read_by_cookie() {}

#[secured(of_cookie)]
#[utoipa::path(delete, path = "/by-cookie", responses((status = 200, description = "OK")))]
async fn delete_by_cookie() {}

#[test]
fn a_safe_method_documents_no_refusal_for_the_site() {
    let documented = || documented!(read_by_cookie, delete_by_cookie);
    let mut secured = documented();
    secure(&mut secured).unwrap();
    let document = Document::try_from(documented()).unwrap();
    for described in [json!(secured), document.into_json().into()] {
        let statuses = |method: &str| {
            let responses = &described["paths"]["/by-cookie"][method]["responses"];
            Vec::from_iter(responses.as_object().unwrap().keys().cloned())
        };
        assert_eq!(statuses("get"), ["200", "401"]);
        assert_eq!(statuses("delete"), ["200", "401", "403"]);
    }
}
