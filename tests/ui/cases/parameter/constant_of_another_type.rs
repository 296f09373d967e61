use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", rejection = 404)]
struct OAuth2;

fn main() {}
