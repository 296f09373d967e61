use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", rejection(absent = tollgate::Rejection::NOT_AUTHENTICATED))]
struct OAuth2;

fn main() {}
