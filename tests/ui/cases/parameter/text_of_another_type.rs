use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = 8000)]
struct OAuth2;

fn main() {}
