//! The answers of the token endpoint: their schemas, and the responses to refused requests.

#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
use crate::openapi::scheme::challenge_header;
use crate::syntax::json::tree::{Object, Tree};
use crate::token_endpoint::TokenError;

/// The [Schema Object](https://spec.openapis.org/oas/v3.1.1.html#schema-object) of a
/// `TokenResponse`.
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
pub(super) fn token_response() -> Tree {
    let properties = Tree::object([
        ("access_token", ty("string")),
        ("token_type", ty("string")),
        ("expires_in", ty("integer")),
        ("refresh_token", ty("string")),
        ("scope", ty("string")),
    ]);
    object(properties, &["access_token", "token_type"])
}

/// The Schema Object of a [`TokenError`].
pub(super) fn token_error() -> Tree {
    let mut code = ty("string");
    let codes = TokenError::CODES.iter().map(|code| (*code).into());
    code.make_object().push("enum", codes.collect());
    let properties = Tree::object([
        ("error", code),
        ("error_description", ty("string")),
        ("error_uri", ty("string")),
    ]);
    object(properties, &["error"])
}

fn ty(ty: &str) -> Tree {
    Tree::object([("type", ty.into())])
}

fn object(properties: Tree, required: &[&str]) -> Tree {
    let required = required.iter().map(|name| (*name).into());
    Tree::object([
        ("type", "object".into()),
        ("properties", properties),
        ("required", required.collect()),
    ])
}

/// The responses to a faulty form, by status.
pub(super) fn form_errors() -> Object {
    let errors =
        [("400", response("The form is faulty")), ("413", response("The form is too large"))];
    Object::of(errors)
}

/// The responses to a refused token request, by status.
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
pub(super) fn token_errors() -> Object {
    let mut client = response("Client authentication failed");
    client.make_object().push("headers", challenge_header());
    let mut errors = form_errors();
    errors.update("400", |form| *form = response("The request is refused"));
    errors.push("401", client);
    errors
}

fn response(description: &str) -> Tree {
    let media_type = Tree::object([("schema", token_error())]);
    Tree::object([
        ("description", description.into()),
        ("content", Tree::object([("application/json", media_type)])),
    ])
}
