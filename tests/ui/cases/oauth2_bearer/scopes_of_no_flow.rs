use tollgate::oauth2_bearer;

#[oauth2_bearer(
    flows(password(token_url = "token", scopes("me" = "Read about the user."))),
    scopes("items" = "Read items."),
)]
struct OAuth2;

fn main() {}
