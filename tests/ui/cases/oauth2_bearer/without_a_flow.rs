use tollgate::oauth2_bearer;

#[oauth2_bearer(flows(), scopes("items" = "Read items."))]
struct OAuth2;

fn main() {}
