use tollgate::oauth2;

#[oauth2(flows(password(), client_credentials(), implicit(), authorization_code(token_url = "token")))]
struct OAuth2;

fn main() {}
