use tollgate::oauth2_bearer;

#[oauth2_bearer]
struct OAuth2;

fn main() {}
