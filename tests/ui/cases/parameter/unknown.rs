use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", bananas = 3)]
struct OAuth2;

fn main() {}
