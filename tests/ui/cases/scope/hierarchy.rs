use tollgate::{BearerToken, SecurityScopes, dependency, oauth2, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", scopes(
    "items:write" implies("items:raed", "anything") = "Change items.",
    "items:read" = "Read items.",
))]
struct Undeclared;

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
struct OAuth2;

#[oauth2(flows(password(token_url = "token", scopes("items:write" = "W."))))]
struct Code;

#[oauth2(flows(
    password(token_url = "token", scopes("w" implies("r") = "W.", "r" = "R.")),
    client_credentials(token_url = "token", scopes("w" = "W.", "r" = "R.")),
))]
struct TwoFlows;

#[dependency]
fn both(
    #[security(OAuth2)] _token: BearerToken,
    #[security(Code)] _value: tollgate::AuthorizationValue,
    _scopes: SecurityScopes,
) {
}

fn main() {}
