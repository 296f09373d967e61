use tollgate::oauth2;

#[oauth2(token_url = "token", strict)]
struct OAuth2;

fn main() {}
