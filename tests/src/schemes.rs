//! Every scheme, each with and without `auto_error`.

use tollgate::{oauth2, oauth2_authorization_code_bearer, oauth2_password_bearer};

/// Takes any `Authorization` header.
#[oauth2(flows(password(
    token_url = "token",
    scopes("me" = "Read information about the current user.", "items" = "Read items.")
)))]
pub struct Base;

/// Takes any `Authorization` header, or none.
#[oauth2(
    scheme_name = "Base",
    description = "Takes any `Authorization` header.",
    flows(password(
        token_url = "token",
        scopes("me" = "Read information about the current user.", "items" = "Read items.")
    )),
    auto_error = false
)]
pub struct BaseOptional;

/// Takes a bearer token.
#[oauth2_password_bearer(
    token_url = "token",
    scopes("me" = "Read information about the current user.", "items" = "Read items.")
)]
pub struct Password;

/// Takes a bearer token, or none.
#[oauth2_password_bearer(
    scheme_name = "Password",
    description = "Takes a bearer token.",
    token_url = "token",
    scopes("me" = "Read information about the current user.", "items" = "Read items."),
    auto_error = false
)]
pub struct PasswordOptional;

/// Takes a bearer token by the letter of RFC 6750.
#[oauth2_password_bearer(
    scheme_name = "Password",
    description = "Takes a bearer token.",
    token_url = "token",
    scopes("me" = "Read information about the current user.", "items" = "Read items."),
    strict
)]
pub struct PasswordStrict;

/// Takes a bearer token by the letter of RFC 6750, or none.
#[oauth2_password_bearer(
    scheme_name = "Password",
    description = "Takes a bearer token.",
    token_url = "token",
    scopes("me" = "Read information about the current user.", "items" = "Read items."),
    strict,
    auto_error = false
)]
pub struct PasswordStrictOptional;

/// Takes a bearer token from an authorization server.
#[oauth2_authorization_code_bearer(
    authorization_url = "authorize",
    token_url = "token",
    refresh_url = "refresh",
    scopes("me" = "Read information about the current user.", "items" = "Read items.")
)]
pub struct Code;

/// Takes a bearer token from an authorization server, or none.
#[oauth2_authorization_code_bearer(
    scheme_name = "Code",
    description = "Takes a bearer token from an authorization server.",
    authorization_url = "authorize",
    token_url = "token",
    refresh_url = "refresh",
    scopes("me" = "Read information about the current user.", "items" = "Read items."),
    auto_error = false
)]
pub struct CodeOptional;
