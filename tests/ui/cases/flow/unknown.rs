use tollgate::oauth2;

#[oauth2(flows(pasword(token_url = "token")))]
struct OAuth2;

fn main() {}
