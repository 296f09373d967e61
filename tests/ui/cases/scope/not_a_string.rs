use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", scopes(me = "Read information about the current user."))]
struct OAuth2;

fn main() {}
