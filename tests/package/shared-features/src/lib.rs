//! A program that depends on doorward. Its own JSON stays as it was, and the description keeps its
//! order all the same.

#![cfg(test)]

use doorward::form::RequestForm;
use doorward::openapi::Document;
use doorward::{
    BearerError, BearerToken, PasswordRequestForm, SecurityScopes, dependency,
    oauth2_password_bearer, operation, secured,
};
use serde_json::{Value, json};

/// The login.
#[oauth2_password_bearer(token_url = "token", scopes("z" = "Z.", "a" = "A.", "m" = "M."))]
struct OAuth2;

#[dependency]
fn user(
    #[security(OAuth2)] _token: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[secured(user, scopes("z", "a"))]
async fn items() {}

#[derive(PasswordRequestForm)]
#[expect(dead_code, reason = "its schema is looked at")]
struct Login {
    zone: Option<String>,
    username: String,
    password: String,
    age: u32,
}

const SCOPES: &str = r#""scopes":{"z":"Z.","a":"A.","m":"M."}"#;

#[test]
fn the_programs_own_json_is_sorted() {
    assert_eq!(json!({ "z": 1, "a": 2 }).to_string(), r#"{"a":2,"z":1}"#);
    let read: Value = serde_json::from_str(r#"{"z":18446744073709551616,"a":[]}"#).unwrap();
    assert_eq!(read.to_string(), r#"{"a":[],"z":1.8446744073709552e+19}"#);
    let wrapped = r#"{"$serde_json::private::RawValue":"{\"admin\":true}"}"#;
    let read: Value = serde_json::from_str(wrapped).unwrap();
    assert_eq!(read["$serde_json::private::RawValue"], r#"{"admin":true}"#);
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert!(serde_json::from_str::<Value>(&deep).is_err());
}

#[test]
fn a_document_keeps_its_order() {
    let written = r#"{"openapi":"3.1.0","info":{"version":"1","title":""},"paths":{"/z":{"get":{"operationId":"items","x-number":0.5}},"/a":{}}}"#;
    let mut document: Document = written.parse().unwrap();
    assert_eq!(document.clone().into_json().to_string(), written);
    let mut operation = document.operation("items").unwrap();
    operation.secure(&operation!(items)).unwrap();
    operation.add_form(&Login::schema()).unwrap();
    let text = serde_json::to_string(&document.into_json()).unwrap();
    let start = r#"{"openapi":"3.1.0","info":{"version":"1","title":""},"paths":{"/z":{"get":{"operationId":"items","x-number":0.5,"security":[{"OAuth2":["z","a"]}]"#;
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains(SCOPES), "{text}");
    let fields = [
        "grant_type",
        "username",
        "password",
        "scope",
        "client_id",
        "client_secret",
        "zone",
        "age",
    ];
    let places = fields.map(|field| text.find(&format!(r#""{field}":{{"#)).unwrap());
    assert!(places.is_sorted(), "{text}");
}

// With one of them, because utoipa's macros name the crate `utoipa`.
#[cfg(all(feature = "utoipa5", not(feature = "utoipa6")))]
use utoipa5 as utoipa;

#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
mod with_utoipa {
    use doorward::openapi::{SecurityAddon, secure};
    use utoipa::{OpenApi, ToSchema};

    use super::*;

    #[secured(user, scopes("z", "a"))]
    #[utoipa::path(get, path = "/documented", responses((status = 200)))]
    async fn documented() {}

    #[derive(ToSchema)]
    #[expect(dead_code, reason = "its schema is looked at")]
    struct Own {
        z: u8,
        a: u8,
    }

    #[derive(OpenApi)]
    #[openapi(paths(documented), components(schemas(Own)))]
    struct Api;

    #[derive(OpenApi)]
    #[openapi(paths(documented), modifiers(&SecurityAddon))]
    struct Secured;

    #[test]
    fn the_programs_own_schemas_are_sorted() {
        let schemas = serde_json::to_string(&Api::openapi().components.unwrap().schemas).unwrap();
        let [a, z] = [r#""a":{"#, r#""z":{"#].map(|field| schemas.find(field).unwrap());
        assert!(a < z, "{schemas}");
    }

    #[test]
    fn the_document_keeps_the_order_of_scopes() {
        let document = Document::try_from(Api::openapi()).unwrap();
        let text = document.into_json().to_string();
        assert!(text.contains(SCOPES), "{text}");
        assert!(!text.contains("x-doorward"), "{text}");
        // From the text that utoipa writes, too.
        let document: Document = Api::openapi().to_json().unwrap().parse().unwrap();
        let text = document.into_json().to_string();
        assert!(text.contains(SCOPES), "{text}");
    }

    #[test]
    fn the_document_of_utoipa_is_secured() {
        let mut api = Api::openapi();
        secure(&mut api).unwrap();
        for api in [api, Secured::openapi()] {
            let api = json!(api);
            assert!(!api.to_string().contains("x-doorward"), "{api}");
            let operation = &api["paths"]["/documented"]["get"];
            assert_eq!(operation["security"], json!([{ "OAuth2": ["z", "a"] }]));
            assert_eq!(operation["responses"]["401"]["description"], "Unauthorized");
        }
    }
}
