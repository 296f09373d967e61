//! Every scheme for OAuth 2.0, each with and without `auto_error`.

use doorward::{oauth2, oauth2_authorization_code_bearer, oauth2_password_bearer};

/// Declares schemes, required and optional: their description, attribute and names.
macro_rules! schemes {
    ($($description:literal $kind:ident($($argument:tt)*) $name:literal $scheme:ident $optional:ident;)*) => {$(
        #[doc = concat!("`", $name, "`, required.")]
        #[$kind(scheme_name = $name, description = $description, $($argument)*)]
        pub struct $scheme;

        #[doc = concat!("`", $name, "`, optional.")]
        #[$kind(scheme_name = $name, description = $description, auto_error = false, $($argument)*)]
        pub struct $optional;
    )*};
}

pub(crate) use schemes;

schemes! {
    "Takes any `Authorization` header." oauth2(flows(password(
        token_url = "token",
        scopes("me" = "Read information about the current user.", "items" = "Read items.")
    ))) "Base" Base BaseOptional;
    "Takes a bearer token." oauth2_password_bearer(
        token_url = "token",
        scopes("me" = "Read information about the current user.", "items" = "Read items.")
    ) "Password" Password PasswordOptional;
    // By the letter of RFC 6750.
    "Takes a bearer token." oauth2_password_bearer(
        token_url = "token",
        scopes("me" = "Read information about the current user.", "items" = "Read items."),
        strict
    ) "Password" PasswordStrict PasswordStrictOptional;
    "Takes a bearer token from an authorization server." oauth2_authorization_code_bearer(
        authorization_url = "authorize",
        token_url = "token",
        refresh_url = "refresh",
        scopes("me" = "Read information about the current user.", "items" = "Read items.")
    ) "Code" Code CodeOptional;
}
