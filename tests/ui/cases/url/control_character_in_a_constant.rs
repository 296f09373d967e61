use tollgate::oauth2_password_bearer;

const TOKEN_URL: &str = "token\n";

#[oauth2_password_bearer(token_url = TOKEN_URL)]
struct OAuth2;

fn main() {}
