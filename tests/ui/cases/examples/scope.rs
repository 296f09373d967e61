#![allow(unused_imports)]

use doorward::{
    BearerToken, Rejection, SecurityScopes, dependency, layer, oauth2, oauth2_password_bearer, plan,
    secured,
};

#[oauth2_password_bearer(token_url = "token", scopes("items" as "ITEMS" = "Read items."))]
struct ConstantNotAName;

#[oauth2_password_bearer(token_url = "token", scopes("items" as Vec<u8> = "Read items."))]
struct ConstantOfAnotherKind;

#[oauth2_password_bearer(token_url = "token", scopes("me" = "Read.", "me" = "Write."))]
struct DeclaredTwice;

#[oauth2_password_bearer(token_url = "token", scopes("me" = 1))]
struct DescriptionNotAString;

#[oauth2_password_bearer(token_url = "token", scopes("" = "Nothing."))]
struct Empty;

#[oauth2_password_bearer(token_url = "token", scopes(
    "items:write" implies("items:raed", "anything") = "Change items.",
    "items:read" = "Read items.",
))]
struct Hierarchy;

#[oauth2_password_bearer(token_url = "token", scopes(
    "a" implies("b") = "A.",
    "b" implies("c") = "B.",
    "c" implies("a") = "C.",
    "d" implies("d") = "D.",
))]
struct Cycle;

#[oauth2_password_bearer(token_url = "token", scopes(
    "a" implies() = "A.",
    "b" implies(1) = "B.",
    "c" as C implies("d" = "D.") = "C.",
))]
struct Lists;

#[oauth2_password_bearer(token_url = "token", scopes(
    "a" implies("b") implies("c") = "A.",
    "b" = "B.",
    "c" = "C.",
))]
struct Twice;

#[oauth2_password_bearer(token_url = "token", scopes("items:write" implies("items:read") = "W.", "items:read" = "R."))]
struct Password;

#[oauth2(flows(password(token_url = "token", scopes("items:write" = "W."))))]
struct Code;

#[oauth2(flows(
    password(token_url = "token", scopes("w" implies("r") = "W.", "r" = "R.")),
    client_credentials(token_url = "token", scopes("w" = "W.", "r" = "R.")),
))]
struct TwoFlows;

#[dependency]
fn hierarchy(
    #[security(Password)] _token: BearerToken,
    #[security(Code)] _value: doorward::AuthorizationValue,
    _scopes: SecurityScopes,
) {
}

#[oauth2_password_bearer(token_url = "token", scopes("me items" = "Read all.", "\"" = "Quote."))]
struct NotAScopeToken;

#[oauth2_password_bearer(token_url = "token", scopes(me = "Read information about the current user."))]
struct NotAString;

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items.", "me" = "Read the user."))]
struct OAuth2;

#[dependency]
fn required_of_a_scheme(#[security(OAuth2, scopes("me"))] token: BearerToken) -> BearerToken {
    token
}

#[secured]
async fn parameter_of_a_scheme(#[security(OAuth2, scopes("items"))] token: BearerToken) {
    drop(token);
}

#[secured(OAuth2, scopes("items"))]
async fn guard_of_a_scheme() {}

fn plans_of_a_scheme() {
    let _ = plan!(OAuth2, scopes("me"));
    let _ = layer!(OAuth2, scopes("me"));
}

mod users {
    use super::*;

    #[dependency]
    pub fn user(#[security(OAuth2)] _token: BearerToken) -> Result<u8, Rejection> {
        Err(Rejection::NOT_AUTHENTICATED)
    }

    #[dependency]
    pub fn active_user(#[security(user)] user: u8) -> Result<u8, Rejection> {
        Ok(user)
    }
}

/// It sees the scopes that are required of it, and not those that it requires.
#[dependency]
fn that_nobody_checks(
    #[security(users::active_user, scopes("me"))] user: u8,
    _scopes: SecurityScopes,
) -> Result<u8, Rejection> {
    Ok(user)
}

/// A sibling does not see them either.
#[dependency]
fn asks_beside(
    #[security(users::user, scopes("me"))] user: u8,
    #[security(that_nobody_checks)] _sibling: u8,
) -> Result<u8, Rejection> {
    Ok(user)
}

#[secured(users::active_user, scopes("items"))]
async fn guard_that_nobody_checks() {}

#[secured]
async fn parameter_that_nobody_checks(#[security(users::user, scopes("items", "me"))] _user: u8) {}

fn plans_that_nobody_checks() {
    let _ = plan!(users::user, scopes("me"));
    let _ = layer!(users::user, scopes("me"));
}

#[dependency]
fn token_of(#[security(OAuth2)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

#[dependency]
fn two_that_are_not_declared(#[security(token_of, scopes("itmes", "me", "ma"))] token: BearerToken) -> BearerToken {
    token
}

#[oauth2_password_bearer(token_url = "token", scopes("me"))]
struct WithoutADescription;

fn main() {}
