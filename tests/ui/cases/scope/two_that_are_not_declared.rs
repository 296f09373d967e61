use tollgate::{BearerToken, dependency, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Items.", "me" = "Me."))]
struct OAuth2;

#[dependency]
fn user(#[security(OAuth2, scopes("itmes", "me", "ma"))] token: BearerToken) -> BearerToken {
    token
}

fn main() {}
