use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token")]
fn oauth2() {}

fn main() {}
