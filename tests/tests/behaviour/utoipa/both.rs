//! What a program has that uses both versions.

use axum::response::{IntoResponse, Response};
use doorward::form::RequestForm as _;
use doorward::openapi::{Document, SecurityAddon, secure};
use doorward::scheme::RefusedRequest;
use doorward::token_endpoint::TokenError;
use doorward::{api_key, http_bearer, plan};
use doorward_tests::grants::Grant;
use http::StatusCode;
use serde_json::json;

use super::{utoipa, utoipa::ToSchema};

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

impl From<RefusedRequest> for Whole {
    fn from(_: RefusedRequest) -> Self {
        Self::Login
    }
}

impl From<RefusedRequest> for OfBody {
    fn from(_: RefusedRequest) -> Self {
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
    assert_eq!(*schema, json!({ "$ref": "#/components/schemas/OfBody" }));
}

/// An error type of a library, which has the traits of both versions.
#[derive(ToSchema)]
#[expect(dead_code, reason = "described")]
struct OfBoth {
    five: u32,
}

impl ::utoipa::PartialSchema for OfBoth {
    fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::Schema> {
        ::utoipa::openapi::Object::with_type(::utoipa::openapi::Type::String).into()
    }
}

impl ::utoipa::ToSchema for OfBoth {}

impl From<RefusedRequest> for OfBoth {
    fn from(_: RefusedRequest) -> Self {
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
    let mut document = Document::new(json!({ "paths": { "/": { "get": {} } } })).unwrap();
    document.secure(&plan!(Twice).operation()).unwrap();
    let schema = &json!(document)["components"]["schemas"]["OfBoth"];
    assert_eq!(*schema, json!({ "type": "string" }));
}

#[test]
fn a_form_has_the_schema_of_both_versions() {
    let schema = <Grant as ::utoipa::PartialSchema>::schema();
    assert_eq!(json!(schema), json!(Grant::schema()));
    let error = <TokenError as ::utoipa::PartialSchema>::schema();
    assert_eq!(json!(error), json!(<TokenError as utoipa::PartialSchema>::schema()));
    let mut document = ::utoipa::openapi::OpenApi::default();
    secure(&mut document).unwrap();
    ::utoipa::Modify::modify(&SecurityAddon, &mut document);
}
