use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", scheme_name = "My scheme")]
struct OAuth2;

fn main() {}
