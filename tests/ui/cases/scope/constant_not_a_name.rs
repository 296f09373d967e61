use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", scopes("items" as "ITEMS" = "Read items."))]
struct OAuth2;

fn main() {}
