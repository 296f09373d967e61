use tollgate::oauth2;

#[oauth2(flows(password))]
struct OAuth2;

fn main() {}
