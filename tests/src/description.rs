//! API descriptions: that of the conformance server, OpenAPI's schema and FastAPI's example.

use core::fmt;
use std::collections::HashMap;
use std::sync::LazyLock;

use doorward::form::RequestForm;
use doorward::openapi::{Document, DocumentError, Json, Operation};
use doorward::token_endpoint::RevocationForm;
use doorward::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, plan};
use http::Method;
use jsonschema::Validator;
use serde::Serialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::act;
use crate::chains::{again, any_token, both, collected, me};
use crate::credentials::{self, Caller, KnownCaller};
use crate::grants::Grant;
use crate::rfc;
use crate::schemes::{Base, PasswordOptional};
use crate::{for_each_credential, for_each_plan};

/// Returns the description of the conformance server, which is the same on every framework.
///
/// # Errors
///
/// Returns an error if two schemes with the same name differ.
pub fn conformance() -> Result<Json, DocumentError> {
    conformance_of("3.1.0")
}

/// Returns the description of the conformance server in this version of OpenAPI.
///
/// # Errors
///
/// Returns an error if two schemes with the same name differ, or if there is no such version.
pub fn conformance_of(version: &str) -> Result<Json, DocumentError> {
    let secured = [
        ("/own", plan!(any_token, scopes("items", "me")).operation()),
        ("/guarded", Operation::of::<Base>().and(&Operation::of::<PasswordOptional>())),
        ("/by-hand", Operation::of::<PasswordOptional>()),
    ];
    let mut secured = Vec::from(secured);
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            secured.push(($path, Operation::of::<credentials::$scheme>()));
        };
    }
    for_each_credential!(route);
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            secured.push(($path, plan!($($plan)*).operation()));
        };
    }
    for_each_plan!(route);
    let (permissive, strict) =
        (OAuth2PasswordRequestForm::schema(), OAuth2PasswordRequestFormStrict::schema());
    let (grant, revocation) = (Grant::schema(), RevocationForm::schema());
    let forms = [
        ("/form", &permissive),
        ("/form-strict", &strict),
        ("/form-faults", &permissive),
        ("/form-strict-faults", &strict),
        ("/grant", &grant),
        ("/grant-or-error", &grant),
        ("/revoke", &revocation),
    ];

    let mut paths = json!({});
    let operation = json!({ "responses": { "200": { "description": "OK" } } });
    for (path, _) in &secured {
        paths[path] = json!({ "get": operation });
    }
    for (path, _) in &forms {
        paths[path] = json!({ "post": operation });
    }
    let mut document = Document::new(json!({
        "openapi": version,
        "info": { "title": "conformance", "version": env!("CARGO_PKG_VERSION") },
        "paths": paths,
    }))?;
    for (path, operation) in &secured {
        document.operation_at(&Method::GET, path)?.secure(operation)?;
    }
    for (path, schema) in forms {
        document.operation_at(&Method::POST, path)?.add_form(schema)?;
    }
    Ok(document.into_json())
}

/// Returns the names of an object's members in the order in which they are written. The object is
/// found by a pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)).
///
/// # Panics
///
/// Panics if there is no such object.
#[must_use]
pub fn keys(document: &impl Serialize, pointer: &str) -> Vec<String> {
    struct Names;

    impl<'de> Visitor<'de> for Names {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<String>, A::Error> {
            let mut names = Vec::new();
            while let Some((name, IgnoredAny)) = map.next_entry()? {
                names.push(name);
            }
            Ok(names)
        }
    }

    let mut text = serde_json::to_string(document).expect("it is JSON");
    for name in pointer.split('/').skip(1) {
        let name = name.replace("~1", "/").replace("~0", "~");
        let mut members: HashMap<String, Box<RawValue>> =
            serde_json::from_str(&text).expect("it is an object");
        let found = members.remove(&name);
        text = found.unwrap_or_else(|| panic!("no {name} in {text}")).get().to_owned();
    }
    let mut reader = serde_json::Deserializer::from_str(&text);
    serde::Deserializer::deserialize_map(&mut reader, Names).expect("it is an object")
}

static OPENAPI_3_0: LazyLock<Validator> =
    LazyLock::new(|| validator(include_str!("../data/openapi-3.0.json")));
static OPENAPI_3_1: LazyLock<Validator> =
    LazyLock::new(|| validator(include_str!("../data/openapi-3.1.json")));

fn validator(schema: &str) -> Validator {
    let schema: Value = serde_json::from_str(schema).expect("a schema is JSON");
    jsonschema::validator_for(&schema).expect("OpenAPI's own schema is valid")
}

/// Checks a document against the JSON schema of its version of OpenAPI, 3.0 or 3.1.
///
/// # Panics
///
/// Panics if the document does not match.
pub fn assert_valid(document: &Value) {
    let is_3_0 = document["openapi"].as_str().is_some_and(|version| version.starts_with("3.0."));
    let validator = if is_3_0 { &OPENAPI_3_0 } else { &OPENAPI_3_1 };
    let errors: Vec<_> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
}

/// Returns FastAPI's own description of its tutorial "OAuth2 scopes", with a second login at
/// `/strict` that reads a strict form. The titles are removed, because FastAPI derives them from
/// Python's names.
///
/// # Panics
///
/// Panics if the file is not JSON.
#[must_use]
pub fn fastapi() -> Value {
    let document = include_str!("../data/fastapi-openapi.json");
    let mut document = serde_json::from_str(document).expect("a description is JSON");
    remove_titles(&mut document);
    document
}

fn remove_titles(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("title");
            fields.values_mut().for_each(remove_titles);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_titles),
        _ => {}
    }
}
