use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", realm = "a \"quoted\" realm")]
struct OAuth2;

const REALM: &str = "admin";

#[oauth2_password_bearer(token_url = "token", realm = REALM)]
struct Constant;

fn main() {}
