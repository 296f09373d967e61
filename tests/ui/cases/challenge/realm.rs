use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", realm = "a \"quoted\" realm")]
struct OAuth2;

const REALM: &str = "a\nb";

#[oauth2_password_bearer(token_url = "token", realm = REALM)]
struct Constant;

#[oauth2_password_bearer(token_url = "token", realm = 1)]
struct Number;

fn main() {}
