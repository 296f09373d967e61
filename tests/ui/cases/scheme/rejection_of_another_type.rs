use tollgate::oauth2_password_bearer;

const REJECTION: u16 = 404;

#[oauth2_password_bearer(token_url = "token", rejection = REJECTION)]
struct OAuth2;

fn main() {}
