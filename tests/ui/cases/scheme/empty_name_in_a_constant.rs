use tollgate::oauth2_password_bearer;

const NAME: &str = "";

#[oauth2_password_bearer(token_url = "token", scheme_name = NAME)]
struct OAuth2;

fn main() {}
