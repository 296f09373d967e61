use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", auto_error = "no")]
struct OAuth2;

fn main() {}
