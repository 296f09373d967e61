use tollgate::*;

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

enum Caller {
    #[security(OAuth2)]
    User(BearerToken),
}

fn main() {}
