use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(token_url = "token", scopes("items" as Vec<u8> = "Read items."))]
struct OAuth2;

fn main() {}
