use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer("token")]
struct OAuth2;

fn main() {}
