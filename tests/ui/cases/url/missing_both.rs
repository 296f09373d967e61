use tollgate::oauth2_authorization_code_bearer;

#[oauth2_authorization_code_bearer]
struct OAuth2;

fn main() {}
