use tollgate::{BearerToken, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[rocket::get("/")]
#[secured]
async fn handler(#[security(OAuth2)] token: BearerToken) -> &'static str {
    drop(token);
    "ok"
}

fn main() {}
