use tollgate::{BearerToken, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency]
fn pair(#[security(OAuth2)] token: BearerToken) -> (BearerToken, u32) {
    (token, 1)
}

#[secured]
async fn handler(#[security(pair)] (token, _): (BearerToken, u32)) {
    drop(token);
}

fn main() {}
