use tollgate::oauth2_bearer;

#[oauth2_bearer(flows = "password")]
struct OAuth2;

fn main() {}
