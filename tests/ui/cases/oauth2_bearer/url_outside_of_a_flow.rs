use tollgate::oauth2_bearer;

#[oauth2_bearer(flows(password()), token_url = "token")]
struct OAuth2;

fn main() {}
