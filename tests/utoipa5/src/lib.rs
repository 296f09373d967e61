//! A program whose utoipa is version 5, while something else in the build uses version 6. The cases
//! are those of `behaviour::utoipa`, in short: the code behind both versions is the same, but for
//! where a document has operations. Version 5 alone is for `tests/shared-features`.

#![cfg(test)]

mod described_routes;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};
use tollgate::form::{FormError, RequestForm as _};
use tollgate::openapi::{Document, DocumentError, SecurityAddon, secure, secure_all};
use tollgate::scheme::Refusal;
use tollgate::token_endpoint::{
    AuthorizationCodeGrant, ClientCredentialsGrant, RefreshTokenGrant, RevocationForm, TokenError,
    TokenResponse,
};
use tollgate::{
    ApiKey, AuthorizationValue, BasicCredentials, BearerToken, Grant, OAuth2PasswordRequestForm,
    OAuth2PasswordRequestFormStrict, PasswordRequestForm, Rejection, RequestForm, Scheme,
    SecurityScopes, api_key, dependency, http, http_basic, http_bearer, layer, oauth2,
    oauth2_password_bearer, open_id_connect, plan, secured,
};
use utoipa::{OpenApi, ToSchema};

/// Log in here.
#[oauth2_password_bearer(
    token_url = "token",
    refresh_url = "/refresh",
    scopes("me" = "Me.", "items" = "Items.")
)]
struct OAuth2;

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

/// Every flow.
#[oauth2(flows(
    implicit(authorization_url = "authorize", scopes("a" = "A.")),
    password(token_url = "token"),
    client_credentials(token_url = "token", refresh_url = "refresh"),
    authorization_code(authorization_url = "authorize", token_url = "token")
))]
struct Everything;

#[api_key(cookie = "session")]
struct Cookie;

#[http_basic]
struct Basic;

#[open_id_connect(url = "https://id.example.com/.well-known/openid-configuration")]
struct OpenId;

#[dependency(unverified)]
fn token_of(#[security(OAuth2)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

#[dependency]
fn current_user(#[security(token_of, scopes("me"))] token: BearerToken) -> String {
    token.as_str().to_owned()
}

#[dependency]
fn of_others(
    #[security(Everything)] _all: AuthorizationValue,
    #[security(Cookie)] _key: ApiKey,
    #[security(Basic)] _basic: BasicCredentials,
    #[security(OpenId)] _token: BearerToken,
) -> Result<(), Rejection> {
    Ok(())
}

/// Changes the items.
#[secured]
#[utoipa::path(put, path = "/items", responses((status = 200, description = "OK"), (status = 401, description = "Mine.")))]
async fn change_items(#[security(current_user, scopes("items"))] user: String) -> String {
    user
}

#[secured(token_of, scopes("me"))]
#[utoipa::path(get, path = "/two", security(("key" = [])), responses((status = 200, description = "OK")), extensions(("x-mine" = json!({ "kept": true }))))]
async fn two() {}

#[secured]
#[utoipa::path(get, path = "/maybe", responses((status = 200, description = "OK")))]
async fn maybe(#[security(Maybe)] _token: Option<BearerToken>) {}

#[secured(of_others)]
#[utoipa::path(post, path = "/others", responses((status = 200, description = "OK")))]
async fn others() {}

#[utoipa::path(get, path = "/open", responses((status = 200, description = "OK")))]
#[expect(dead_code, reason = "its description is looked at")]
async fn open() {}

#[utoipa::path(
    post,
    path = "/token",
    request_body(content = Token, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "OK", body = TokenResponse), TokenError)
)]
#[expect(dead_code, reason = "its description is looked at")]
async fn token() {}

#[utoipa::path(
    post,
    path = "/login",
    request_body(content = Login, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, description = "OK", body = TokenResponse), FormError)
)]
#[expect(dead_code, reason = "its description is looked at")]
async fn login() {}

#[derive(OpenApi)]
#[openapi(paths(change_items, two, maybe, others, open, token, login))]
struct Plain;

#[derive(OpenApi)]
#[openapi(
    paths(change_items, two, maybe, others, open, token, login),
    modifiers(&SecurityAddon)
)]
struct Modified;

/// The three ways to secure a document.
fn secured_documents() -> [Value; 3] {
    let mut secured = Plain::openapi();
    secure(&mut secured).unwrap();
    let document = Document::try_from(Plain::openapi()).unwrap();
    [
        json!(Modified::openapi()),
        json!(secured),
        document.into_json().into(),
    ]
}

#[test]
fn an_operation_says_what_its_handler_requires() {
    for document in secured_documents() {
        let operations = &document["paths"];
        let change_items = &operations["/items"]["put"];
        assert_eq!(
            change_items["security"],
            json!([{ "OAuth2": ["items", "me"] }])
        );
        assert_eq!(change_items["responses"]["401"]["description"], "Mine.");
        assert_eq!(change_items["summary"], "Changes the items.");

        let two = &operations["/two"]["get"];
        assert_eq!(two["security"], json!([{ "OAuth2": ["me"], "key": [] }]));
        assert_eq!(two["x-mine"], json!({ "kept": true }));
        let refused = &two["responses"]["401"];
        assert_eq!(refused["description"], "Unauthorized");
        assert_eq!(
            refused["content"]["application/json"]["example"],
            json!({ "detail": "Not authenticated" })
        );
        assert!(refused["headers"]["WWW-Authenticate"].is_object());

        assert_eq!(
            operations["/maybe"]["get"]["security"],
            json!([{ "Maybe": [] }, {}])
        );
        let others = &operations["/others"]["post"];
        assert_eq!(
            others["security"],
            json!([{ "Everything": [], "Cookie": [], "Basic": [], "OpenId": [] }])
        );
        assert!(others["responses"]["403"].is_object());
        assert_eq!(operations["/open"]["get"].get("security"), None);
        assert!(!document.to_string().contains("x-tollgate"));
    }
}

#[test]
fn schemes_land_in_the_components() {
    for document in secured_documents() {
        assert_eq!(
            document["components"]["securitySchemes"],
            json!({
                "OAuth2": OAuth2::CONFIG,
                "Maybe": Maybe::CONFIG,
                "Everything": Everything::CONFIG,
                "Cookie": Cookie::CONFIG,
                "Basic": Basic::CONFIG,
                "OpenId": OpenId::CONFIG,
            })
        );
    }
}

mod wrong {
    use super::*;

    #[oauth2_password_bearer(scheme_name = "OAuth2", token_url = "other")]
    struct Other;

    #[dependency(unverified)]
    fn of_other(#[security(Other)] _token: BearerToken) {}

    #[secured(of_other)]
    #[utoipa::path(get, path = "/clash", responses((status = 200, description = "OK")))]
    async fn clash() {}

    #[derive(OpenApi)]
    #[openapi(paths(clash, super::two))]
    pub(super) struct Clash;

    #[derive(OpenApi)]
    #[openapi(paths(clash, super::two), modifiers(&SecurityAddon))]
    pub(super) struct ModifiedClash;

    #[http(scheme = "Token")]
    struct Unknown;

    #[dependency]
    fn of_unknown(
        #[security(Unknown)] _found: <Unknown as Scheme>::Credential,
    ) -> Result<(), Rejection> {
        Ok(())
    }

    #[secured(of_unknown)]
    #[utoipa::path(get, path = "/unknown", responses((status = 200, description = "OK")))]
    async fn unknown() {}

    #[derive(OpenApi)]
    #[openapi(paths(unknown))]
    pub(super) struct OfUnknown;
}

#[test]
fn what_cannot_be_described_is_an_error() {
    assert_eq!(
        secure(&mut wrong::Clash::openapi()),
        Err(DocumentError::SchemeClash("OAuth2".to_owned()))
    );
    assert_eq!(
        secure(&mut wrong::OfUnknown::openapi()),
        Err(DocumentError::UnknownScheme("Unknown".to_owned()))
    );
}

#[test]
#[should_panic(expected = "two security schemes are named `OAuth2` and differ")]
fn a_clash_of_names_stops_the_building_of_a_document() {
    let _ = wrong::ModifiedClash::openapi();
}

/// A layer around a router, and one around a part that is nested into it.
#[test]
fn a_layer_is_described_on_every_operation() {
    #[derive(OpenApi)]
    #[openapi(paths(open))]
    struct Inner;

    #[derive(OpenApi)]
    #[openapi(paths(two))]
    struct Outer;

    let mut inner = Inner::openapi();
    let layer = layer!(token_of, scopes("items"));
    secure_all(&mut inner, &layer.plan().operation()).unwrap();
    let mut whole = Outer::openapi().nest("/inner", inner);
    secure_all(&mut whole, &plan!(of_others).operation()).unwrap();
    secure(&mut whole).unwrap();
    let document = json!(whole);
    let others = ["Everything", "Cookie", "Basic", "OpenId"];
    for (path, scopes) in [("/inner/open", json!(["items"])), ("/two", json!(["me"]))] {
        let security = &document["paths"][path]["get"]["security"][0];
        assert_eq!(security["OAuth2"], scopes, "{path}");
        assert!(others.iter().all(|name| security[name].is_array()));
    }
    assert!(!document.to_string().contains("x-tollgate"));
}

#[derive(PasswordRequestForm)]
#[password_form(strict)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Login<'a> {
    username: std::borrow::Cow<'a, str>,
    password: String,
    otp: Option<u32>,
    tenants: Vec<String>,
}

#[derive(RequestForm)]
#[request_form(schema_name = "v1.Proof")]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Proof {
    proof: String,
}

#[derive(Grant)]
#[expect(dead_code, reason = "only its schema is looked at")]
enum Token {
    #[grant("urn:example:proof")]
    Proof(Proof),
    Refresh(RefreshTokenGrant),
}

#[test]
fn a_form_is_a_schema() {
    macro_rules! compared {
        ($($form:ty => $name:literal;)*) => {$(
            assert_eq!(<$form>::name(), $name);
            let written = <$form as utoipa::PartialSchema>::schema();
            assert_eq!(json!(written), json!(<$form>::schema()), $name);
        )*};
    }
    compared! {
        Login<'_> => "Login";
        Proof => "v1.Proof";
        Token => "Token";
        RefreshTokenGrant => "RefreshTokenGrant";
        ClientCredentialsGrant => "ClientCredentialsGrant";
        AuthorizationCodeGrant => "AuthorizationCodeGrant";
        RevocationForm => "RevocationForm";
        OAuth2PasswordRequestForm => "OAuth2PasswordRequestForm";
        OAuth2PasswordRequestFormStrict => "OAuth2PasswordRequestFormStrict";
    }
    let document = json!(Plain::openapi());
    let schemas = &document["components"]["schemas"];
    for (path, name) in [("/token", "Token"), ("/login", "Login")] {
        let body = &document["paths"][path]["post"]["requestBody"]["content"];
        assert_eq!(
            body["application/x-www-form-urlencoded"]["schema"],
            json!({ "$ref": format!("#/components/schemas/{name}") })
        );
    }
    assert_eq!(schemas["Login"], json!(Login::schema()));
    let token = Token::schema();
    assert_eq!(schemas["Token"], json!(token));
    for (name, form) in token.components() {
        assert_eq!(schemas[name], json!(form), "{name}");
    }
}

#[test]
fn a_form_may_have_a_schema_of_its_own() {
    #[derive(RequestForm, ToSchema)]
    #[request_form(to_schema = false)]
    #[schema(as = OwnForm)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Form {
        proof: String,
    }
    assert_eq!(Form::name(), "OwnForm");
}

#[test]
fn the_answers_of_the_crate_are_described() {
    let document = json!(Plain::openapi());
    let required = &document["components"]["schemas"]["TokenResponse"]["required"];
    assert_eq!(*required, json!(["access_token", "token_type"]));
    for (path, statuses) in [
        ("/token", &["200", "400", "401", "413"][..]),
        ("/login", &["200", "400", "413"]),
    ] {
        let responses = &document["paths"][path]["post"]["responses"];
        assert!(responses.as_object().unwrap().keys().eq(statuses), "{path}");
        for status in &statuses[1..] {
            let schema = &responses[status]["content"]["application/json"]["schema"];
            assert_eq!(schema["properties"]["error"]["enum"][0], "invalid_request");
        }
    }
    let challenge = &document["paths"]["/token"]["post"]["responses"]["401"]["headers"];
    assert!(challenge["WWW-Authenticate"].is_object());
    assert_eq!(TokenError::name(), "TokenError");
}

/// An error whose responses utoipa describes.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "described")]
enum Whole {
    /// Log in.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(#[to_schema] OfBody),
    /// The login is here.
    #[response(status = 303)]
    Login,
}

/// An error of which only the body is described.
#[derive(ToSchema)]
#[expect(dead_code, reason = "described")]
struct OfBody {
    code: u32,
}

impl From<Refusal> for Whole {
    fn from(_: Refusal) -> Self {
        Self::Login
    }
}

impl From<Refusal> for OfBody {
    fn from(_: Refusal) -> Self {
        Self { code: 1 }
    }
}

impl IntoResponse for Whole {
    fn into_response(self) -> Response {
        StatusCode::UNAUTHORIZED.into_response()
    }
}

impl IntoResponse for OfBody {
    fn into_response(self) -> Response {
        StatusCode::UNAUTHORIZED.into_response()
    }
}

#[http_bearer(error = Whole)]
struct Responses;

#[api_key(header = "x-key", error = OfBody, challenge = false)]
struct Body;

#[test]
fn an_error_of_the_service_is_described() {
    let responses = json!(plan!(Responses).operation())["responses"].take();
    assert_eq!(responses["401"]["description"], "Log in.");
    let content = &responses["401"]["content"]["application/problem+json"];
    assert_eq!(content["schema"]["properties"]["code"]["type"], "integer");
    assert!(responses["401"]["headers"]["WWW-Authenticate"].is_object());
    assert_eq!(responses["303"]["description"], "The login is here.");

    let responses = json!(plan!(Body).operation())["responses"].take();
    let schema = &responses["401"]["content"]["application/json"]["schema"];
    assert_eq!(schema["properties"]["code"]["type"], "integer");
}

/// An error type of a library, which has the traits of both versions.
#[derive(ToSchema)]
#[expect(dead_code, reason = "described")]
struct OfBoth {
    five: u32,
}

impl utoipa6::PartialSchema for OfBoth {
    fn schema() -> utoipa6::openapi::RefOr<utoipa6::openapi::Schema> {
        utoipa6::openapi::Object::with_type(utoipa6::openapi::Type::String).into()
    }
}

impl utoipa6::ToSchema for OfBoth {}

impl From<Refusal> for OfBoth {
    fn from(_: Refusal) -> Self {
        Self { five: 5 }
    }
}

impl IntoResponse for OfBoth {
    fn into_response(self) -> Response {
        StatusCode::UNAUTHORIZED.into_response()
    }
}

#[api_key(header = "x-key", error = OfBoth)]
struct Twice;

#[test]
fn an_error_with_both_versions_is_described_by_the_newer_one() {
    let responses = json!(plan!(Twice).operation())["responses"].take();
    let schema = &responses["401"]["content"]["application/json"]["schema"];
    assert_eq!(*schema, json!({ "type": "string" }));
}

#[test]
fn a_form_has_the_schema_of_both_versions() {
    let schema = <Token as utoipa6::PartialSchema>::schema();
    assert_eq!(json!(schema), json!(Token::schema()));
    let error = <TokenError as utoipa6::PartialSchema>::schema();
    assert_eq!(
        json!(error),
        json!(<TokenError as utoipa::PartialSchema>::schema())
    );
    let mut document = utoipa6::openapi::OpenApi::default();
    secure(&mut document).unwrap();
    utoipa6::Modify::modify(&SecurityAddon, &mut document);
}
