use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", scopes("me" = "Read.", "me" = "Write."))]
struct OAuth2;

fn main() {}
