use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", token_url = "login")]
struct OAuth2;

fn main() {}
