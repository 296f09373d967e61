use tollgate::{BearerToken, SecurityScopes, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[secured]
async fn handler(#[security(OAuth2)] token: BearerToken, scopes: SecurityScopes) {
    let _ = (token, scopes.check("items"));
}

type Scopes = SecurityScopes;

#[secured]
async fn alias(#[security(OAuth2)] token: BearerToken, scopes: Scopes) {
    let _ = (token, scopes);
}

fn main() {}
