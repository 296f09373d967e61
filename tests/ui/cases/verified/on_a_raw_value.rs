use tollgate::oauth2;

struct Claims;

#[oauth2(flows(password(token_url = "token")), verified = Claims)]
struct OAuth2;

fn main() {}
