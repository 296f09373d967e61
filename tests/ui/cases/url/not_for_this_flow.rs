use tollgate::oauth2;

#[oauth2(flows(implicit(authorization_url = "authorize", token_url = "token")))]
struct OAuth2;

fn main() {}
