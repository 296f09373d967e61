use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer]
struct OAuth2;

fn main() {}
