//! The answers of the token endpoint: their schemas, and the responses to refused requests.

use core::time::Duration;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::TokenError;

/// The [Schema Object](https://spec.openapis.org/oas/v3.1.1.html#schema-object) of a
/// `TokenResponse`.
#[cfg(feature = "utoipa6")]
pub(super) fn token_response() -> Value {
    json!({
        "type": "object",
        "properties": {
            "access_token": { "type": "string" },
            "token_type": { "type": "string" },
            "expires_in": { "type": "integer" },
            "refresh_token": { "type": "string" },
            "scope": { "type": "string" }
        },
        "required": ["access_token", "token_type"]
    })
}

/// The Schema Object of a [`TokenError`].
pub(super) fn token_error() -> Value {
    let codes = [
        TokenError::invalid_request(""),
        TokenError::invalid_client(false),
        TokenError::invalid_grant(""),
        TokenError::unauthorized_client(""),
        TokenError::unsupported_grant_type(""),
        TokenError::invalid_scope(""),
        TokenError::invalid_target(""),
        TokenError::authorization_pending(),
        TokenError::slow_down(),
        TokenError::access_denied(""),
        TokenError::expired_token(""),
        TokenError::unsupported_token_type(""),
        TokenError::too_many_requests(Duration::ZERO),
        TokenError::server_error(),
    ];
    json!({
        "type": "object",
        "properties": {
            "error": { "type": "string", "enum": codes.map(|error| error.code()) },
            "error_description": { "type": "string" },
            "error_uri": { "type": "string" }
        },
        "required": ["error"]
    })
}

/// The responses to a faulty form, by status.
pub(super) fn form_errors() -> BTreeMap<String, Value> {
    BTreeMap::from([
        ("400".to_owned(), response("The form is faulty")),
        ("413".to_owned(), response("The form is too large")),
    ])
}

/// The responses to a refused token request, by status.
#[cfg(feature = "utoipa6")]
pub(super) fn token_errors() -> BTreeMap<String, Value> {
    let mut client = response("Client authentication failed");
    client["headers"] = json!({ "WWW-Authenticate": { "schema": { "type": "string" } } });
    let mut errors = form_errors();
    errors.insert("400".to_owned(), response("The request is refused"));
    errors.insert("401".to_owned(), client);
    errors
}

fn response(description: &str) -> Value {
    json!({
        "description": description,
        "content": { "application/json": { "schema": token_error() } }
    })
}
