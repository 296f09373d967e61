use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(tokn_url = "token")]
struct OAuth2;

fn main() {}
